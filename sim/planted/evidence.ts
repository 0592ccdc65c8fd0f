import type { Mutation } from './mutation.ts';

/** Bugs in what the reducer concludes from evidence. */

const STATE = 'lib/movements/state.ts';
const REDUCE = 'lib/movements/reduce.ts';
const ANSWER = 'lib/movements/answer-evidence.ts';
const READ = 'lib/movements/read-evidence.ts';
const LEDGER = 'lib/movements/ledger-evidence.ts';

export const EVIDENCE_BUGS: readonly Mutation[] = [
  {
    name: 'unclear-is-failed',
    drill: '12',
    about: 'an unclear answer sends the payout back to the queue',
    file: ANSWER,
    find: '      const after = unknown(movement, at);\n      return outcome.why',
    replace:
      "      const after: Movement = { ...movement, state: 'APPROVED' };\n      return outcome.why",
  },
  {
    name: 'not-ambiguous',
    drill: '11',
    about: 'UNKNOWN forgets that a request may have been executed',
    file: ANSWER,
    find: "state: 'UNKNOWN', everAmbiguous: true,",
    replace: "state: 'UNKNOWN', everAmbiguous: movement.everAmbiguous,",
  },
  {
    name: 'refused-after-unclear',
    drill: '22',
    about: 'a refusal is believed although an earlier request may have taken the balance',
    file: ANSWER,
    find: "    case 'refused':\n      if (movement.everAmbiguous) return unknown(movement, at);",
    replace: "    case 'refused':",
  },
  {
    name: 'same-iban-after-unclear',
    drill: '21',
    about: '326 is believed although our own first request may have caused it',
    file: ANSWER,
    find: '      if (movement.everAmbiguous) return unknown(movement, at);\n      const ibanWaits',
    replace: '      const ibanWaits',
  },
  {
    name: 'not-sent-after-unclear',
    drill: '37',
    about: 'a send that never left makes an unclear payout fresh again',
    file: ANSWER,
    find: "return movement.everAmbiguous ? unknown(after, at) : { ...after, state: 'APPROVED' };",
    replace: "return { ...after, state: 'APPROVED' };",
  },
  {
    name: 'duplicate-forgotten',
    drill: '19',
    about: 'a Duplicate does not stop a resend',
    file: ANSWER,
    find: 'const after: Movement = { ...unknown(movement, at), duplicateSeen: true };',
    replace: 'const after: Movement = unknown(movement, at);',
  },
  {
    name: 'duplicate-is-refusal',
    drill: '19',
    about: 'a Duplicate is taken for "not paid"',
    file: ANSWER,
    find:
      'return movement.everAmbiguous ? after : { ...after, alert: ' +
      "withAlert(after.alert, 'id_collision') };",
    replace: "return { ...movement, state: 'REJECTED', reasonCode: '1' };",
  },
  {
    name: 'record-exists-forgotten',
    drill: 'record-codes',
    about: 'codes 0, 2, 3, 4 do not stop a resend',
    file: ANSWER,
    find: 'return { ...unknown(movement, at), duplicateSeen: true };',
    replace: 'return unknown(movement, at);',
  },
  {
    name: 'new-id-per-send',
    drill: '11',
    about: 'a resend goes out under another id',
    file: REDUCE,
    find: "return { ...movement, state: 'SUBMITTING', sends: movement.sends + 1,",
    replace:
      'return { ...movement, extId: movement.sends > 0 ? `${movement.extId}R` : ' +
      "movement.extId, state: 'SUBMITTING', sends: movement.sends + 1,",
  },
  {
    name: 'lease-expired-is-approved',
    drill: '3',
    about: 'a worker that died is taken for one that sent nothing',
    file: REDUCE,
    find: "return movement.state === 'SUBMITTING' ? unknown(movement, at) : movement;",
    replace:
      "return movement.state === 'SUBMITTING' ? { ...movement, state: 'APPROVED' } : movement;",
  },
  {
    name: 'notice-completes',
    drill: '29',
    about: 'a notice ends a payout',
    file: REDUCE,
    find: "  if (hint !== 'refunded' || movement.returned",
    replace:
      "  if (hint === 'completed' && movement.state === 'PENDING') return { ...next, state: " +
      "'COMPLETED' };\n  if (hint !== 'refunded' || movement.returned",
  },
  {
    name: 'notice-confirms-return',
    drill: '27',
    about: 'a notice confirms a return',
    file: REDUCE,
    find: "return { ...next, returned: 'REPORTED', returnedAt: at, watchSince: at };",
    replace: "return { ...next, returned: 'CONFIRMED', returnedAt: at, watchSince: at };",
  },
  {
    name: 'any-credit-is-ours',
    drill: '27',
    about: 'any credit of the amount confirms a return',
    file: LEDGER,
    find: 'line.refersTo !== null &&\n    line.refersTo === movement.transactionId',
    replace: 'line.refersTo !== movement.transactionId',
  },
  {
    name: 'partial-return-confirms',
    drill: 'partial-return',
    about: 'a part that came back confirms the whole return',
    file: LEDGER,
    find: 'credits.some((line) => line.amountMinor === seen.amountMinor && line.currency === seen.currency)',
    replace: 'credits.length > 0',
  },
  {
    name: 'return-never-given-up',
    drill: '28',
    about: 'a return that nobody confirms stays announced for ever',
    file: REDUCE,
    find:
      "return movement.returned === 'REPORTED' ? { ...movement, returned: 'NONE', alert: " +
      "withAlert(movement.alert, 'return_not_confirmed') } : movement;",
    replace: 'return movement;',
  },
  {
    name: 'pending-is-dead',
    about: 'a pending record ends a payout as failed',
    file: READ,
    find: "const LEVEL_STATE = { pending: 'PENDING', completed: 'COMPLETED', rejected: 'REJECTED', failed: 'FAILED' }",
    replace:
      "const LEVEL_STATE = { pending: 'FAILED', completed: 'COMPLETED', rejected: 'REJECTED', failed: 'FAILED' }",
  },
  {
    name: 'final-uncompared',
    drill: '48',
    about: 'a record that says otherwise than REJECTED is not compared',
    file: READ,
    find: '  if (final) return contradicts(movement.state, claimed) ?',
    replace:
      "  if (final && movement.state === 'COMPLETED') return contradicts(movement.state, claimed) ?",
  },
  {
    name: 'contradiction-unnoticed',
    drill: '48',
    about: 'a record that contradicts our end of it locks nothing',
    file: READ,
    find: "  return claimed !== 'REJECTED' && claimed !== 'FAILED';",
    replace: '  return false;',
  },
  {
    name: 'contradicted-is-dead',
    drill: '48',
    about: 'what the record contradicts may be paid again',
    file: STATE,
    find: "  if (movement.alert === 'contradiction') return false;\n",
    replace: '',
  },
  {
    name: 'reported-is-dead',
    drill: 'pay-again',
    about: 'an announced return unlocks "pay again"',
    file: STATE,
    find: "(movement.state === 'COMPLETED' && movement.returned === 'CONFIRMED')",
    replace: "(movement.state === 'COMPLETED' && movement.returned !== 'NONE')",
  },
  {
    name: 'unknown-is-dead',
    drill: 'pay-again',
    about: 'what is unknown may be paid again',
    file: STATE,
    find: "['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'].includes(movement.state) || (",
    replace:
      "['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED', 'UNKNOWN'].includes(movement.state) || (",
  },
  {
    name: 'not-found-is-failed',
    drill: '11',
    about: '"not found" ends a payout as failed',
    file: READ,
    find: 'notFoundReads: movement.notFoundReads + 1 };\n',
    replace: "notFoundReads: movement.notFoundReads + 1, state: 'FAILED' };\n",
  },
  {
    name: 'late-not-found-counts',
    drill: 'frozen-look',
    about: '"not found" of an earlier look counts for a later send',
    file: READ,
    find: 'return late ? movement : { ...movement, notFoundReads',
    replace: 'return { ...movement, notFoundReads',
  },
  {
    name: 'silence-is-fresh',
    drill: 'asked-in-between',
    about: 'a question without an answer counts as a fresh look',
    file: REDUCE,
    find: "return outcome.kind === 'no_answer' || late ? movement",
    replace: 'return late ? movement',
  },
  {
    name: 'every-debit-came-back',
    about: 'a posted debit is taken for a returned one',
    file: LEDGER,
    find: "debit?.level === 'refunded'",
    replace: "debit?.level === 'completed'",
  },
  {
    name: 'waits-for-ever',
    drill: '20',
    about: 'the one-minute rule is run into without end',
    file: ANSWER,
    find: 'const MAX_IBAN_WAITS = 6;',
    replace: 'const MAX_IBAN_WAITS = 600;',
  },
  {
    name: 'not-sent-is-unclear',
    drill: '18',
    about: 'what provably never left is taken for unclear',
    file: ANSWER,
    find: "return movement.everAmbiguous ? unknown(after, at) : { ...after, state: 'APPROVED' };",
    replace: 'return unknown(after, at);',
  },
  {
    name: 'not-listed-is-failed',
    drill: '23',
    about: 'a pending payment that is not listed yet is taken for failed',
    file: READ,
    find: "  if (outcome.kind === 'not_found') return late ?",
    replace:
      "  if (outcome.kind === 'not_found' && movement.state === 'PENDING') return { " +
      "...movement, state: 'FAILED' };\n  if (outcome.kind === 'not_found') return late ?",
  },
  {
    name: 'pending-for-ever',
    drill: '24',
    about: 'a payment that takes long is never called manual review',
    file: REDUCE,
    find: "return movement.state === 'PENDING' ? { ...movement, state: 'MANUAL_REVIEW' } : movement;",
    replace: 'return movement;',
  },
  {
    name: 'any-notice-is-return',
    drill: '31',
    about: 'any notice after the completion is taken for a return',
    file: REDUCE,
    find: "  if (hint !== 'refunded' || movement.returned",
    replace: "  if ((hint !== 'refunded' && movement.state !== 'COMPLETED') || movement.returned",
  },
  {
    name: 'notice-ignored',
    drill: '27',
    about: 'an announced return is not looked for',
    file: REDUCE,
    find:
      "  if (movement.state === 'COMPLETED') return { ...next, returned: 'REPORTED', " +
      'returnedAt: at, watchSince: at };\n',
    replace: "  if (movement.state === 'COMPLETED') return next;\n",
  },
  {
    name: 'mismatch-unflagged',
    drill: '47',
    about: 'nobody is told that an answer named another payment',
    file: ANSWER,
    find:
      "return outcome.why === 'mismatch' ? { ...after, alert: " +
      "withAlert(after.alert, 'mismatch') } : after;",
    replace: 'return after;',
  },
  {
    name: 'final-leaves',
    drill: '48',
    about: 'a later record changes the first end',
    file: READ,
    find:
      '  if (final) return contradicts(movement.state, claimed) ? { ...movement, alert: ' +
      "withAlert(movement.alert, 'contradiction') } : movement;\n",
    replace:
      '  if (final) return contradicts(movement.state, claimed) ? { ...movement, state: claimed } : movement;\n',
  },
  {
    name: 'cancelled-in-flight',
    drill: '42',
    about: 'a payout that is being sent may be taken back',
    edits: [
      {
        file: STATE,
        find: "  return LEGAL[state].includes('CANCELLED');",
        replace: "  return state === 'SUBMITTING' || LEGAL[state].includes('CANCELLED');",
      },
      {
        file: 'lib/movements/claim-rules.ts',
        find: 'return leaseUntil !== null && leaseUntil > now;',
        replace: 'return leaseUntil === -now;',
      },
    ],
  },
];

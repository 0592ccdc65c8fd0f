import type { Mutation } from './mutation.ts';

/**
 * Bugs in the reducer, the schedule and the proof: what is compared, what is queried again, and
 * from when something is counted.
 */

const REDUCE = 'lib/movements/reduce.ts';
const RECORD = 'lib/movements/read-evidence.ts';
const LEDGER = 'lib/movements/ledger-evidence.ts';
const CLAIM = 'lib/movements/claim-rules.ts';
const CLAIM_TEST = { test: 'lib/movements/claim-rules.test.ts' };
const READ = 'lib/providers/wallet/classify-read.ts';
const SCHEDULE = 'lib/movements/schedule.ts';
const STATE_TEST = { test: 'lib/movements/state.test.ts' };
const CLASSIFY_TEST = { test: 'lib/providers/wallet/classify.test.ts' };
const SCHEDULE_TEST = { test: 'lib/movements/schedule.test.ts' };

export const CORE_BUGS: readonly Mutation[] = [
  {
    name: 'unknown-since-it-was-made',
    foundBy: SCHEDULE_TEST,
    about: '"unknown for 24 hours" counts from the form',
    file: SCHEDULE,
    find: 'now - (movement.unclearSince ?? movement.createdAt) > UNKNOWN',
    replace: 'now - movement.createdAt > UNKNOWN',
  },
  {
    name: 'resend-life-since-it-was-made',
    foundBy: SCHEDULE_TEST,
    about: 'a payout that was held for a day is never sent again',
    file: SCHEDULE,
    find: 'now - (movement.unclearSince ?? movement.createdAt) < RESEND_LIFE_MS',
    replace: 'now - movement.createdAt < RESEND_LIFE_MS',
  },
  // Bugs in what a record and a ledger entry are compared with.
  {
    name: 'currency-uncompared',
    about: 'a record in another currency completes a payout',
    file: READ,
    find: 'record.base_amount === expected.amountMinor && record.currency === expected.currency;',
    replace: 'record.base_amount === expected.amountMinor;',
  },
  {
    name: 'iban-uncompared',
    about: 'a record of a payment to another IBAN completes a payout',
    file: READ,
    find: 'record.iban === null || compactIban(record.iban) === compactIban(expected.iban);',
    replace: 'record !== null;',
  },
  {
    name: 'iban-spelled-otherwise',
    foundBy: CLASSIFY_TEST,
    about: 'an IBAN with spaces or small letters is taken for another',
    file: 'lib/providers/wallet/wire.ts',
    find: "return text.replace(/\\s/g, '').toUpperCase();",
    replace: 'return text;',
  },
  {
    name: 'request-number-uncompared',
    about: 'a record under another request number completes a payout',
    file: RECORD,
    find: 'movement.requestId !== null && movement.requestId !== outcome.requestId;',
    replace: "movement.requestId === '';",
  },
  {
    name: 'empty-success-is-not-found',
    foundBy: CLASSIFY_TEST,
    about: 'a success without a record counts towards a resend',
    file: READ,
    find: '  const read = withdrawRequest.safeParse(payload);',
    replace:
      "  if (payload === null) return { kind: 'not_found', raw };\n  const read = withdrawRequest.safeParse(payload);",
  },
  {
    name: 'fee-is-the-payment',
    about: 'the first entry of our reference is taken for the payment, a fee too',
    file: LEDGER,
    find: 'referenced.filter((line) => isPayment(line, movement));',
    replace: 'referenced;',
  },
  {
    name: 'two-debits-unseen',
    foundBy: STATE_TEST,
    about: 'two posted debits of one reference raise no alert',
    file: LEDGER,
    find: 'transactionId)).size > 1)',
    replace: 'transactionId)).size > 2)',
  },
  {
    name: 'double-transfer-unseen',
    foundBy: STATE_TEST,
    about: 'a transfer that the ledger holds twice raises no alert',
    file: LEDGER,
    find: "line.double ? withAlert(movement.alert, 'contradiction') : movement.alert",
    replace: 'movement.alert',
  },
  {
    name: 'strange-entries-unseen',
    foundBy: STATE_TEST,
    about: 'entries of our reference that are not the payment raise no alert',
    file: LEDGER,
    find: 'if (debit === undefined && referenced.length > 0) seen',
    replace: 'if (debit === undefined && referenced.length > 99) seen',
  },
  {
    name: 'negative-fee-believed',
    foundBy: STATE_TEST,
    about: 'a negative fee is stored and learned from',
    file: LEDGER,
    find: 'return feeMinor < 0n ? null : feeMinor;',
    replace: 'return feeMinor;',
  },
  // Bugs about refusals: a refusal is only the claim of one response.
  {
    name: 'refusal-never-asked-again',
    foundBy: SCHEDULE_TEST,
    about: 'what was refused is never looked at again, although a copy of it was taken',
    file: SCHEDULE,
    find: 'const REFUSED_OFFSETS_MS = [10 * SECOND, (30 + 180) * SECOND];',
    replace: 'const REFUSED_OFFSETS_MS: number[] = [];',
  },
  {
    name: 'refusal-asked-once',
    foundBy: SCHEDULE_TEST,
    about: 'a refusal is looked at once, and not at the end of the request tail',
    file: SCHEDULE,
    find: 'const REFUSED_OFFSETS_MS = [10 * SECOND, (30 + 180) * SECOND];',
    replace: 'const REFUSED_OFFSETS_MS = [10 * SECOND];',
  },
  {
    name: 'refusal-unanswered-is-enough',
    foundBy: SCHEDULE_TEST,
    about: 'a look at a refusal that nobody answered counts',
    file: SCHEDULE,
    find: 'return refused + offset > now ? refused + offset : watchLook(movement, now, random);',
    replace: 'return refused + offset > now ? refused + offset : null;',
  },
  {
    name: 'silence-never-weighed',
    foundBy: SCHEDULE_TEST,
    about: 'an unknown payout of the card balance never raises an alert',
    file: SCHEDULE,
    find: "  if (state !== 'UNKNOWN' || alert !== null) return null;",
    replace: '  if (state !== null) return null;',
  },
  {
    name: 'cancelled-before-compared',
    foundBy: { test: 'lib/send-control/confirm-send.db.test.ts' },
    about: 'a restored row that may have left is cancelled as never sent',
    file: 'lib/movements/cancel.ts',
    find: "    if (await isSendUncompared(tx, payout.id)) throw new Refusal('cancel_not_compared');\n",
    replace: '',
  },
  // Bugs about a record without a payment, or a returned payment, while more than one request may
  // have left.
  {
    name: 'record-ends-under-a-request',
    foundBy: CLAIM_TEST,
    about: 'a record without money ends a payout whose later request may still arrive',
    file: CLAIM,
    find: "evidence.kind === 'read' && mayStillArrive(movement, now, policy) ?",
    replace: "evidence.kind === 'answer' && mayStillArrive(movement, now, policy) ?",
  },
  {
    name: 'late-record-ends-a-resend',
    foundBy: STATE_TEST,
    about: 'a late record without money, asked for before a resend, ends the payout',
    file: RECORD,
    find: 'isLate: late === true || mayArrive === true',
    replace: 'isLate: mayArrive === true',
  },
  {
    name: 'returned-is-asked-no-more',
    foundBy: SCHEDULE_TEST,
    about: 'after a confirmed return a second payment under the reference is never seen',
    file: SCHEDULE,
    find: '  if (!reported && now - ended > LEDGER_END_MS) return null;',
    replace:
      "  if (movement.returned === 'CONFIRMED' || (!reported && now - ended > LEDGER_END_MS)) return null;",
  },
  {
    name: 'lost-send-is-nothing',
    foundBy: { test: 'lib/payouts/rules.test.ts' },
    about: 'a new form is not warned of a cancelled payment that a restore may have forgotten',
    file: 'lib/payment-checks/history.ts',
    find: "movement.alert === 'contradiction' || movement.mayHaveLeft === true",
    replace: "movement.alert === 'contradiction'",
  },
  {
    name: 'late-only-while-unknown',
    foundBy: STATE_TEST,
    about: 'a late record without money ends what is pending and was sent again',
    file: 'lib/movements/read-evidence.ts',
    find: 'isLate: late === true || mayArrive',
    replace: "isLate: (late === true && movement.state === 'UNKNOWN') || mayArrive",
  },
  // Bugs in the claim's rules that the simulator cannot find, because other locks hide them.
  {
    name: 'late-not-sent-opens-the-gate',
    foundBy: CLAIM_TEST,
    about: 'a late "not sent" opens the IBAN gate of the newer send',
    file: CLAIM,
    find: "evidence.kind === 'answer' && !evidence.late && (",
    replace: "evidence.kind === 'answer' && (",
  },
  {
    name: 'asked-for-query-lost',
    foundBy: CLAIM_TEST,
    about: 'a query asked for while another is under way is lost',
    file: CLAIM,
    find: 'nextAt !== null && leaseUntil !== null && nextAt < leaseUntil ? nextAt : null;',
    replace: 'null;',
  },
  {
    name: 'return-without-a-ledger',
    foundBy: STATE_TEST,
    about: 'a notice of a return leaves a card operation announced for ever',
    file: REDUCE,
    find: 'if (!keepsLedger && (answersQuestions || isEnded)) return next;',
    replace: '',
  },
  {
    name: 'contradicted-is-nothing',
    foundBy: { test: 'lib/payouts/rules.test.ts' },
    about: 'a new form is not warned of a refusal that a record contradicts',
    file: 'lib/payment-checks/history.ts',
    find: "movement.alert === 'contradiction' || movement.mayHaveLeft",
    replace: 'movement.mayHaveLeft',
  },
];

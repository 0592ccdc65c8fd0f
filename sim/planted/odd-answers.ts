import type { Mutation } from './mutation.ts';

/**
 * What the provider may answer beside what is usual: lists without counts, entries that moved
 * nothing, records of another number or in words that no table names, and records listed late.
 */
export const ODD_ANSWER_BUGS: readonly Mutation[] = [
  {
    name: 'found-again-leaves',
    about: 'a payment that was prepared again before the recovery found the first one leaves',
    foundBy: { test: 'lib/send-control/confirm-send.db.test.ts' },
    file: 'lib/begin-check/held.ts',
    find: "if (foundAgainAt !== null) return 'found_again';",
    replace: '',
  },
  {
    name: 'confirmed-before-found-leaves',
    about: 'a word to send that is older than what the recovery found lets the payment leave',
    foundBy: { test: 'lib/send-control/confirm-send.db.test.ts' },
    file: 'lib/begin-check/held.ts',
    find: 'Math.max(recoveryBeganAt, foundAgainAt ?? 0)',
    replace: 'recoveryBeganAt',
  },
  {
    name: 'pending-credit-returns',
    about: 'an entry that is pending, cancelled or reversed confirms a return',
    foundBy: { test: 'lib/movements/state.test.ts' },
    file: 'lib/movements/ledger-evidence.ts',
    find: "line.level === 'completed' &&",
    replace: '',
  },
  {
    name: 'credit-of-any-currency-returns',
    about: 'a credit in another currency confirms a return',
    foundBy: { test: 'lib/movements/state.test.ts' },
    file: 'lib/movements/ledger-evidence.ts',
    find: 'line.amountMinor === seen.amountMinor && line.currency === seen.currency',
    replace: 'line.amountMinor === seen.amountMinor',
  },
  {
    name: 'pending-credit-agrees',
    about: 'the comparison of a day takes an entry that moved nothing for the return',
    foundBy: { test: 'lib/reports/reconciliation/compare.test.ts' },
    file: 'lib/reports/reconciliation/compare.ts',
    find: "[...credits].filter((line) => lineStatus(line.statusId) === 'completed')",
    replace: '[...credits]',
  },
  {
    name: 'list-without-counts',
    about: 'the first page of a list that does not say how long it is passes for the whole',
    foundBy: { test: 'lib/providers/wallet/records.test.ts' },
    file: 'lib/providers/wallet/reply.ts',
    find: 'rowCount >= results.length && (rowCount === 0 || pageCount > 0)',
    replace: 'true',
  },
  {
    name: 'other-number-never-ends',
    about: 'nobody can end a movement whose record carries another number',
    foundBy: { test: 'lib/movements/close.db.test.ts' },
    file: 'lib/movements/closable.ts',
    find: "if (outcome.kind === 'found' && outcome.other === true && !isOnPayment(kind)) return 'cannot_say';",
    replace: '',
  },
  {
    name: 'unknown-level-never-ends',
    about: 'nobody can end a movement whose record answers in a word that no table names',
    foundBy: { test: 'lib/movements/closable.test.ts' },
    file: 'lib/movements/closable.ts',
    find: "'unknown_level',",
    replace: '',
  },
  {
    name: 'refusal-compared-too-early',
    about: 'a refused movement is not looked for once its record has to be listed',
    foundBy: { test: 'lib/movements/schedule.test.ts' },
    file: 'lib/movements/schedule.ts',
    find: 'return [...REFUSED_OFFSETS_MS, copiesEnd + capabilitiesOf(kind).listingLagMs];',
    replace: 'return [...REFUSED_OFFSETS_MS, copiesEnd];',
  },
  {
    name: 'refused-charge-seen-once',
    about: 'a refused card charge is never read again after its first look',
    foundBy: { test: 'lib/cards/checkout/charges.db.test.ts' },
    file: 'lib/cards/checkout/nothing-taken.ts',
    find: 'return now < sentAt + COPIES_END_MS ? sentAt + COPIES_END_MS : null;',
    replace: 'return null;',
  },
  {
    name: 'failed-payment-contradicted',
    about: 'a failed card payment that the gateway no longer knows is called a contradiction',
    foundBy: { test: 'lib/cards/payments/payment.test.ts' },
    file: 'lib/cards/payments/payment.ts',
    find: "if (state !== 'failed') return 'contradiction';",
    replace: "return 'contradiction';",
  },
  {
    name: 'ledger-searched-from-the-intent',
    about: 'a movement that waited for months is looked for two months after it was prepared',
    foundBy: { test: 'lib/movements/ledger-question.test.ts' },
    file: 'lib/movements/ledger-question.ts',
    find: 'Math.max(createdAt, lastSendAt ?? 0)',
    replace: 'createdAt',
  },
];

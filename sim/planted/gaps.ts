import type { Mutation } from './mutation.ts';

/**
 * What only SQL, or the order of two reads, keeps true: several restores, late answers, moments that
 * a later row must leave alone, and presses that wait for a lock.
 */

const VERIFY = 'lib/cards/recurring/verify-due.ts';
const RACE_TEST = { test: 'lib/cards/recurring/press-beside-close.db.test.ts' };

export const GAP_BUGS: readonly Mutation[] = [
  {
    name: 'listed-by-the-first-restore',
    about: 'of two restores only the earlier one’s time of listing holds back "pay again"',
    foundBy: { test: 'lib/movement-views/restored.db.test.ts' },
    file: 'lib/movements/restored.ts',
    find: 'SELECT max(r.listed_by)',
    replace: 'SELECT min(r.listed_by)',
  },
  {
    name: 'repeat-overwritten',
    about: 'the look at a card operation forgets that a restore may have lost a request of it',
    side: 'card',
    foundBy: { test: 'lib/cards/operations/kind.db.test.ts' },
    file: 'lib/cards/operations/kind.ts',
    find: 'const sent = { ...sentOf(movement), isRepeat };',
    replace: 'const sent = { isRepeat, ...sentOf(movement) };',
  },
  {
    name: 'plan-contradicted-leaves',
    about: 'a plan whose record contradicts what is known of it is charged all the same',
    side: 'card',
    foundBy: { test: 'lib/cards/recurring/charge.db.test.ts' },
    file: 'lib/cards/recurring/charge-due.ts',
    find: '(plan.problem !== null',
    replace: "(plan.problem === 'no_answer'",
  },
  {
    name: 'plan-late-row-moves-the-end',
    about: 'the late row of a charge that people ended overwrites when they ended it',
    side: 'card',
    foundBy: { test: 'lib/cards/recurring/awaited-charge.db.test.ts' },
    file: VERIFY,
    find: 'ended_at = coalesce(ended_at, ${date(now)})',
    replace: 'ended_at = ${date(now)}',
  },
  {
    name: 'late-look-closes',
    about: 'people close a payout on a look whose answer came after its lease',
    foundBy: { test: 'lib/movements/close.db.test.ts' },
    file: 'lib/movements/last-look.ts',
    find: " AND e.detail ->> 'late' IS NULL",
    replace: '',
  },
  {
    name: 'taken-charges-not-missed',
    about: 'a journal that lacks the plan charges of the books counts as complete',
    side: 'card',
    foundBy: { test: 'lib/send-control/recovery/match-journal.db.test.ts' },
    file: 'lib/send-control/recovery/match-journal.ts',
    find: "state IN ('APPROVED', 'CHARGED') LIMIT",
    replace: "state = 'APPROVED' LIMIT",
  },
  {
    name: 'scan-dated-by-its-end',
    about: 'a list that was read before it had to be complete counts as read after it',
    foundBy: { test: 'lib/send-control/recovery/scan.db.test.ts' },
    file: 'lib/send-control/recovery/scan.ts',
    find: 'THEN ${due.now} ELSE',
    replace: 'THEN clock_timestamp() ELSE',
  },
  {
    name: 'plan-press-beside-a-closing',
    about: 'a press that waits for two people’s word does not see that it said "taken"',
    side: 'card',
    foundBy: RACE_TEST,
    file: 'lib/cards/recurring/start-charge.ts',
    find: 'SELECT 1 FROM recurring_plans WHERE id = ${planId}::uuid FOR UPDATE',
    replace: 'SELECT 1 FROM recurring_plans WHERE id = ${planId}::uuid',
  },
  {
    name: 'plan-closed-beside-its-record',
    about: 'two people end a charge that its record has ended while they spoke',
    side: 'card',
    foundBy: RACE_TEST,
    file: 'lib/cards/recurring/close-charge.ts',
    find: 'WHERE id = ${word.id}::uuid) FOR UPDATE`',
    replace: 'WHERE id = ${word.id}::uuid)`',
  },
  {
    name: 'card-notice-within-the-guard-lost',
    about: 'the second notice of a payment within ten seconds is asked about a day later',
    side: 'card',
    foundBy: { test: 'lib/webhooks/card-notices.db.test.ts' },
    file: 'lib/cards/payments/take-webhook.ts',
    find: 'least(next_at, last_hint_at +',
    replace: 'coalesce(next_at, last_hint_at +',
  },
  {
    name: 'plan-late-answer-dropped',
    about: 'the answer to a plan charge that comes after its lease is kept nowhere',
    side: 'card',
    foundBy: { test: 'lib/cards/recurring/charge.db.test.ts' },
    file: 'lib/cards/recurring/charge-due.ts',
    find: "if (row?.state !== 'SENDING' && !isProven) {",
    replace: "if (row?.state !== 'SENDING' && !isProven) return;\n  if (row?.state === 'QUEUED') {",
  },
  {
    name: 'cashout-notice-of-a-payout',
    about: 'the card gateway’s notice of a return announces the return of a wallet’s payout',
    foundBy: { test: 'lib/webhooks/card-notices.db.test.ts' },
    file: 'lib/payouts/card-balance/take-webhook.ts',
    find: ' AND kind = ${CARD_BALANCE_PAYOUT} FOR UPDATE',
    replace: ' FOR UPDATE',
  },
  {
    name: 'resumed-unchecked',
    about: 'the second word to resume sending is not held against what was found since the first',
    foundBy: { test: 'lib/send-control/recovery/begin-again.db.test.ts' },
    file: 'lib/send-control/resume.ts',
    find: "    if (cause === 'recovery') await recoveryMayEnd(tx);\n",
    replace: '',
  },
  {
    name: 'journal-compared-before',
    about: 'a recovery that begins anew keeps the comparison with our journal from before it',
    foundBy: { test: 'lib/send-control/recovery/begin-again.db.test.ts' },
    file: 'lib/send-control/recovery/begin.ts',
    find: 'scan_until = NULL, problem = NULL, journal = NULL',
    replace: 'scan_until = NULL, problem = NULL',
  },
];

import type { Mutation } from './mutation.ts';

/**
 * Bugs of the send journal, of the checkpoint and of a recovery that only test files find: a world
 * has no disk.
 */

const JOURNAL = 'lib/begin-check/send-journal.ts';
const JOURNAL_TEST = { test: 'lib/begin-check/send-journal.test.ts' };
const COMPARE = 'lib/send-control/recovery/compare-journal.ts';
const COMPARE_TEST = { test: 'lib/send-control/recovery/compare-journal.test.ts' };
const HELD_TEST = { test: 'lib/begin-check/held.test.ts' };
const CONFIRM_TEST = { test: 'lib/send-control/confirm-send.db.test.ts' };
const MARK_TEST = { test: 'lib/send-control/recovery/keep-checkpoint.db.test.ts' };
const MATCH_TEST = { test: 'lib/send-control/recovery/match-journal.db.test.ts' };
const CARD_BALANCE_PAYOUT_TEST = { test: 'lib/payouts/card-balance/cashouts.db.test.ts' };
const RESTORE_TEST = { test: 'lib/send-control/recovery/restore.db.test.ts' };

export const JOURNAL_BUGS: readonly Mutation[] = [
  {
    name: 'listed-currency-uncompared',
    foundBy: { test: 'lib/send-control/recovery/match.db.test.ts' },
    about: 'a listed record in another currency ends a restored payout as paid',
    file: 'lib/send-control/recovery/match.ts',
    find: ' || currency !== movement.currency;',
    replace: ';',
  },
  {
    name: 'listed-iban-uncompared',
    foundBy: { test: 'lib/send-control/recovery/match.db.test.ts' },
    about: 'a listed record of a payment to another IBAN ends a restored payout as paid',
    file: 'lib/send-control/recovery/match.ts',
    find: ' || isOtherWallet || isOtherIban)',
    replace: ' || isOtherWallet)',
  },
  {
    name: 'plan-charged-by-an-old-page',
    foundBy: { test: 'lib/cards/recurring/charge.db.test.ts' },
    about:
      'a page that still shows a charge which was taken takes the next one, where the record gives it no number',
    file: 'lib/cards/recurring/plan.ts',
    find: ' && takenCharges(plan) === form.taken',
    replace: '',
  },
  {
    name: 'plan-recalled-after-its-charge',
    foundBy: MATCH_TEST,
    about:
      'a recalled plan charge takes its own charge, which the record lists already, for an older one',
    file: 'lib/send-control/recovery/match-journal.ts',
    find: 'JSON.stringify(chargesBeforeRestored(row.number, row.charges))',
    replace: 'JSON.stringify(row.charges)',
  },
  {
    name: 'plan-restored-refusal-believed',
    foundBy: { test: 'lib/cards/recurring/charge.db.test.ts' },
    about:
      'a refusal of a second request says that nothing was taken, though the books may have forgotten the first',
    file: 'lib/cards/recurring/charge-due.ts',
    find: 'charge.restored ? outcomeAfterRestore(answer) : outcomeOf(answer)',
    replace: 'outcomeOf(answer)',
  },
  {
    name: 'called-off-by-one-recovery',
    foundBy: CONFIRM_TEST,
    about: 'one recovery whose journal is complete is enough to call a plan charge cancelled',
    file: 'lib/send-control/confirm-send.ts',
    find: 'recoveries.every(',
    replace: 'recoveries.some(',
  },
  {
    name: 'notice-frees-the-lease',
    foundBy: CARD_BALANCE_PAYOUT_TEST,
    about: 'a notice takes the lease from the worker that sends a payout of the card balance',
    file: 'lib/payouts/card-balance/take-webhook.ts',
    find:
      'lease: movement.leaseToken === null || movement.leaseUntil === null ? null : { token: ' +
      'movement.leaseToken, until: movement.leaseUntil } };',
    replace: 'lease: null };',
  },
  {
    name: 'forgotten-operation-locks-nothing',
    foundBy: { test: 'lib/cards/operations/start.db.test.ts' },
    about: 'an operation that only our journal knows does not hold its order',
    file: 'lib/cards/operations/start.ts',
    find: "r.finding = 'foreign' AND r.acknowledged_at IS NULL",
    replace: "r.finding = 'foreign' AND r.acknowledged_at IS NULL AND FALSE",
  },
  {
    name: 'journal-into-a-removed-file',
    foundBy: JOURNAL_TEST,
    about: 'lines go into a file that was removed under its writer',
    file: JOURNAL,
    find: ' || (await file.handle.stat()).nlink === 0',
    replace: '',
  },
  {
    name: 'recovery-begun-once',
    foundBy: { test: 'lib/send-control/recovery/begin-again.db.test.ts' },
    about: 'a backup made while a recovery was open keeps its old moment',
    file: 'lib/send-control/recovery/begin.ts',
    find: 'began_at = excluded.began_at, ',
    replace: '',
  },
  {
    name: 'recovery-by-a-slow-clock',
    foundBy: { test: 'lib/send-control/recovery/begin-again.db.test.ts' },
    about: 'rows of the backup are younger than the recovery on a machine whose clock is behind',
    file: 'lib/send-control/recovery/begin.ts',
    find: 'SELECT max(created_at) AS at FROM movements UNION ALL ',
    replace: '',
  },
  {
    name: 'words-of-a-lost-role',
    foundBy: { test: 'lib/second-person/roles.db.test.ts' },
    about: 'the word of somebody whose role was taken away resumes sending',
    file: 'lib/second-person/requests.ts',
    find: "send_switch: ['approver', 'owner'],",
    replace: "send_switch: ['clerk', 'approver', 'owner'],",
  },
  {
    name: 'words-of-the-disabled',
    foundBy: { test: 'lib/second-person/roles.db.test.ts' },
    about: 'the word of somebody who may not sign in any more counts',
    file: 'lib/second-person/requests.ts',
    find: ' AND p.disabled_at IS NULL AND p.role',
    replace: ' AND p.role',
  },
  {
    name: 'open-recovery-holds-nothing',
    foundBy: CONFIRM_TEST,
    about: 'only a recovery that has ended holds what is older than it',
    file: 'lib/begin-check/confirmed.ts',
    find: '(SELECT max(r.began_at) FROM recoveries r) AS recovery_began_at',
    replace:
      '(SELECT max(r.began_at) FROM recoveries r WHERE r.ended_at IS NOT NULL) AS recovery_began_at',
  },
  {
    name: 'journal-line-of-the-send-before',
    foundBy: { test: 'lib/movements/claim.db.test.ts' },
    about: 'the line of a send carries the number of the one before it',
    file: 'lib/begin-check/journal-entry.ts',
    find: 'journalEntry({ kind, reference, attempt, amountMinor',
    replace: 'journalEntry({ kind, reference, attempt: attempt - 1, amountMinor',
  },
  {
    name: 'completion-journaled-as-charge',
    foundBy: { test: 'lib/cards/checkout/charges.db.test.ts' },
    about: 'the completion of a card charge is in the journal as another charge',
    file: 'lib/cards/checkout/send.ts',
    find: 'sendOnce(actor, id, CARD_COMPLETION, isVerified',
    replace: 'sendOnce(actor, id, CARD_CHARGE, isVerified',
  },
  {
    name: 'journal-findings-unseen',
    foundBy: MATCH_TEST,
    about: 'a recovery ends although nobody has seen what our own journal alone knows',
    file: 'lib/send-control/recovery/ready.ts',
    find: 'AND f.acknowledged_at IS NULL',
    replace: "AND f.source <> 'journal' AND f.acknowledged_at IS NULL",
  },
  {
    name: 'sent-before-is-not-recalled',
    foundBy: MATCH_TEST,
    about:
      'a row that waits after an earlier send leaves again although the journal holds its next one',
    file: 'lib/send-control/recovery/match-journal.ts',
    find: "const isWaiting = movement.state === 'APPROVED';",
    replace: "const isWaiting = movement.state === 'APPROVED' && movement.sends === 0;",
  },
  {
    name: 'any-known-send-is-this-line',
    foundBy: MATCH_TEST,
    about: 'a line whose reference the books know is not compared',
    file: 'lib/send-control/recovery/match-journal.ts',
    find: 'attemptOf(line) > (known.get(line.reference) ?? 0)',
    replace: '(known.get(line.reference) ?? 0) === 0',
  },
  {
    name: 'journal-failure-is-silence',
    foundBy: { test: 'lib/movements/claim.db.test.ts' },
    about: 'a journal that cannot be written is called a provider that cannot be reached',
    file: 'lib/movements/alert.ts',
    find: "{ ...movement, alert: withAlert(movement.alert, 'journal_unwritable') };",
    replace: 'movement;',
  },
  {
    name: 'plan-unjournaled-is-unreachable',
    foundBy: { test: 'lib/cards/recurring/charge.db.test.ts' },
    about: 'a plan charge whose line could not be written is said to have met no gateway',
    file: 'lib/cards/recurring/charge-due.ts',
    find: "answer.refusal === 'not_journaled' ? 'not_journaled' : 'not_sent'",
    replace: "answer.refusal === 'not_journaled' ? 'not_sent' : 'not_sent'",
  },
  {
    name: 'called-off-is-cancelled',
    foundBy: CONFIRM_TEST,
    about: 'a plan charge that may have left before a restore is called cancelled',
    file: 'lib/send-control/confirm-send.ts',
    find: "=== 'complete') ? 'cancelled' : 'called_off_unproven'",
    replace: "=== 'complete') ? 'cancelled' : 'cancelled'",
  },
  {
    name: 'called-off-uncompared',
    foundBy: CONFIRM_TEST,
    about: 'a plan charge is called off before our own journal was compared',
    file: 'lib/send-control/confirm-send.ts',
    find:
      '  if (recoveries.some(({ journal, open }) => open && journal === null)) throw new ' +
      "Refusal('cancel_not_compared');\n",
    replace: '',
  },
  {
    name: 'journal-failure-is-written',
    foundBy: JOURNAL_TEST,
    about: 'a line that is not known to be on disk lets its send begin',
    file: JOURNAL,
    find: '        return false;\n',
    replace: '        return true;\n',
  },
  {
    name: 'journal-unsynced',
    foundBy: JOURNAL_TEST,
    about: 'a line counts as written before it is on disk',
    file: JOURNAL,
    find: '    await file.handle.datasync();\n',
    replace: '',
  },
  {
    name: 'journal-for-everybody',
    foundBy: JOURNAL_TEST,
    about: 'anybody on the machine reads the journal',
    file: JOURNAL,
    find: 'mode: 0o700',
    replace: 'mode: 0o755',
  },
  {
    name: 'journal-kept-a-week',
    foundBy: JOURNAL_TEST,
    about: 'the journal forgets what a backup of last month has not seen',
    file: JOURNAL,
    find: 'now - mtimeMs > JOURNAL_RETENTION_DAYS * DAY_MS',
    replace: 'now - mtimeMs > 7 * DAY_MS',
  },
  {
    name: 'gateway-has-a-list',
    foundBy: COMPARE_TEST,
    about: 'the card gateway is said to have been compared with a list',
    file: COMPARE,
    find: "return KINDS.get(kind)?.provider === 'wallet';",
    replace: 'return KINDS.size > 0 || KINDS.has(kind);',
  },
  {
    name: 'confirmed-for-ever',
    foundBy: HELD_TEST,
    about: 'a word from before the recovery sends',
    file: 'lib/begin-check/held.ts',
    find: 'if (confirmedAt !== null && confirmedAt > Math.max(recoveryBeganAt, foundAgainAt ?? 0)) return null;',
    replace: 'if (confirmedAt !== null) return null;',
  },
  {
    name: 'two-words-for-one-movement',
    foundBy: CONFIRM_TEST,
    about: 'two people who say "send it" of a movement at once are both written down',
    file: 'lib/send-control/confirm-send.ts',
    find: 'SELECT 1 FROM movements WHERE id = ${id}::uuid FOR UPDATE',
    replace: 'SELECT 1 FROM movements WHERE id = ${id}::uuid',
  },
  {
    name: 'two-words-for-one-charge',
    foundBy: CONFIRM_TEST,
    about: 'two people who say "send it" of a plan charge at once are both written down',
    file: 'lib/send-control/confirm-send.ts',
    find: 'SELECT 1 FROM plan_charges WHERE id = ${id}::uuid FOR UPDATE',
    replace: 'SELECT 1 FROM plan_charges WHERE id = ${id}::uuid',
  },
  {
    name: 'maker-confirms-card-balance',
    foundBy: HELD_TEST,
    about: 'who prepared a payout of the card balance confirms it alone',
    file: 'lib/begin-check/held.ts',
    find: 'return !needsOther || personId !== makerId;',
    replace: 'return needsOther || personId !== makerId || true;',
  },
  {
    name: 'older-rows-leave',
    foundBy: CONFIRM_TEST,
    about: 'what is older than a recovery leaves without a person',
    file: 'lib/movements/claim-rules.ts',
    find: '!due.switchedOff && due.confirmed && isApproved(due)',
    replace: '!due.switchedOff && isApproved(due)',
  },
  {
    name: 'beat-that-stands-is-company',
    foundBy: MARK_TEST,
    about: 'a restored heartbeat counts as another worker',
    file: 'lib/send-control/recovery/keep-checkpoint.ts',
    find: '.some(([name, at]) => before.get(name) !== at)',
    replace: '.some(([name]) => name !== worker)',
  },
  {
    name: 'web-folder-forgotten',
    foundBy: MARK_TEST,
    about: 'the folder of the web processes stops a worker from forgetting old marks',
    file: 'lib/send-control/recovery/checkpoint-file.ts',
    find: ' || !(name.endsWith(SUFFIX) || name.endsWith(DRAFT_SUFFIX))',
    replace: '',
  },
  {
    name: 'absent-journal-rules-out',
    foundBy: CARD_BALANCE_PAYOUT_TEST,
    about: 'a journal that is not there says that a payout of the card balance has not left',
    file: COMPARE,
    find: "named || journalState(journal) !== 'complete'",
    replace: 'named',
  },
  {
    name: 'named-line-rules-out',
    foundBy: CARD_BALANCE_PAYOUT_TEST,
    about: 'a payout of the card balance that the journal names leaves again',
    file: COMPARE,
    find: "named || journalState(journal) !== 'complete'",
    replace: "journalState(journal) !== 'complete'",
  },
  {
    name: 'send-without-its-line',
    foundBy: RESTORE_TEST,
    about: 'a request leaves without its line in the journal',
    file: 'lib/movements/begin.ts',
    find: 'const isWritten = await ports.journal.append(subject.entry());',
    replace: 'const isWritten = subject.entry().reference !== undefined;',
  },
];

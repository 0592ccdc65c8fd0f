import {
  apart,
  neverFreshAgain,
  once,
  paid,
  paidOrFlagged,
  QUIET_MS,
  resentQuietly,
  unclear,
  unflagged,
} from './drill.ts';
import type { Drill } from './drill.ts';
import { DAY, HOUR, MINUTE } from './time.ts';

/**
 * Drills for what the fault matrix does not number: traps of the contract, the kill switch, and
 * people.
 */

export const OTHER_DRILLS: readonly Drill[] = [
  {
    name: 'blip',
    fault: 'the database is away for some seconds when the answer comes',
    expected: 'the answer is written down when it is back, and nothing becomes unknown',
    marks: ['database away at recording'],
    faults: { databaseFalls: 0.5 },
    knobs: { places: ['after send'], fallMaxMs: 8_000 },
    holds: (life, row) => once(life) && paid(row) && !unclear(life),
  },
  {
    name: 'record-codes',
    fault:
      'an accepted request answers with a code of its record (0, 2, 3, 4), which no read shows for hours',
    expected: 'it is never sent again, and a read ends it',
    marks: ['record code for an answer'],
    faults: {},
    questions: {
      stateCodes: true,
      readLags: true,
      lagMaxMs: 3 * HOUR,
      dedupe: 'atomic',
      reservedMs: Infinity,
    },
    holds: (life, row) => once(life) && paid(row) && unclear(life),
  },
  {
    name: 'transfer-unlisted',
    fault:
      'a transfer between wallets whose answer is lost, while the ledger lists it up to 20 minutes later',
    expected:
      'it is unknown, and ends by its line in the ledger; it is neither failed nor sent twice',
    marks: ['answer lost'],
    faults: { lostAnswer: 0.7 },
    questions: { lagMaxMs: 20 * MINUTE, dedupe: 'none' },
    knobs: { kind: 'transfer_business' },
    holds: (life, row) => once(life) && paid(row) && unclear(life),
  },
  {
    name: 'transfer-301',
    fault: 'a transfer is answered 301: its reference was seen before',
    expected: 'it is neither refused nor sent again, and a person is told',
    marks: ['duplicate on the first send'],
    faults: { foreignId: 1 },
    questions: { duplicateAnswer: '301' },
    knobs: { kind: 'transfer_person' },
    holds: (life, row) =>
      life.sentAt.length === 1 && row.state === 'UNKNOWN' && life.flags.has('id_collision'),
  },
  {
    name: 'strange-answers',
    fault: 'codes nobody knows, refusals under HTTP 400, redirects, bodies cut or garbled',
    expected: 'the outcome is unknown until a read tells',
    marks: ['strange answer', 'answer garbled', 'redirected'],
    faults: { strangeCode: 0.3, late400: 0.2, redirect: 0.2, garbled: 0.3 },
    holds: resentQuietly,
  },
  {
    name: 'read-of-another',
    fault: 'reads answer with the record of another payout, or another amount',
    expected: 'nothing of it is taken over',
    marks: ['record names another'],
    faults: { readMisread: 0.5 },
    holds: (life, row) => once(life) && paid(row) && life.flags.has('mismatch'),
  },
  {
    name: 'asked-in-between',
    fault:
      'the request comes late, its record later, reads fail, and people and clocks hurry the looks',
    expected: 'no resend before the quiet time and fresh looks',
    marks: ['request late', 'request lost'],
    faults: { lateRequest: 0.8, lostRequest: 0.3, askNow: 1, clockJump: 1, readLost: 0.4 },
    questions: { readLags: true, lagMaxMs: 20 * MINUTE, dedupe: 'none' },
    knobs: { healsAt: 6 * HOUR },
    holds: (life, row) => apart(life.sentAt, QUIET_MS - 90_000) && paidOrFlagged(life, row),
  },
  {
    name: 'restored',
    fault: 'the database comes back from a backup, now and then without our own journal',
    expected: 'nothing leaves before people say so, and nothing that had left is sent again',
    marks: ['its send forgotten'],
    faults: { restored: 1 },
    beside: { impatient: 0.7, notSent: 0.3, journalLost: 0.5 },
    questions: { readLags: true, lagMaxMs: 20 * MINUTE, dedupe: 'none' },
    knobs: { healsAt: 6 * HOUR },
    holds: (life) => life.executed <= 1,
  },
  {
    name: 'restored-unlisted',
    fault: 'the same, while the provider lists hours late what it has taken',
    expected: 'our own journal names what left, or the page says that nobody can know',
    marks: ['its send forgotten'],
    faults: { restored: 1 },
    beside: { notSent: 0.5, journalLost: 0.3 },
    questions: { readLags: true, lagMaxMs: 3 * HOUR, dedupe: 'atomic', reservedMs: Infinity },
    knobs: { healsAt: 6 * HOUR },
    holds: (life) => life.executed <= 1,
  },
  {
    name: 'restored-before-it-left',
    fault: 'the same, while the kill switch holds back what is ready to leave',
    expected: 'it waits for a person, who sends it or calls it off',
    marks: ['waited since a restore'],
    faults: { restored: 1 },
    beside: { killSwitch: 1 },
    knobs: { healsAt: 30 * MINUTE },
    holds: (life, row) => life.executed <= 1 && (paid(row) || row.state === 'CANCELLED'),
  },
  {
    name: 'restored-before-approval',
    fault: 'the same, and in the backup what left waits for an approval, is cancelled or runs out',
    expected: '"nothing was sent" is said of it only where our own journal rules a send out',
    marks: ['its send forgotten'],
    faults: { restored: 1 },
    beside: { journalLost: 0.5, cancel: 0.5, payAgain: 0.7 },
    questions: { readLags: true, lagMaxMs: 3 * HOUR, dedupe: 'atomic', reservedMs: Infinity },
    knobs: { approvalsNeeded: 1, ahead: true, healsAt: 30 * HOUR },
    holds: (life) => life.executed <= 1,
  },
  {
    name: 'hurried',
    fault: 'requests are lost, and people ask for look after look',
    expected: 'no resend before the quiet time and its tail',
    marks: ['request lost'],
    faults: { askNow: 1 },
    beside: { lostRequest: 0.7 },
    knobs: { healsAt: 6 * HOUR },
    holds: resentQuietly,
  },
  {
    name: 'no-answers',
    fault: 'requests are lost, and hardly a look is answered',
    expected: 'no resend before three looks that found nothing',
    marks: ['request lost'],
    faults: { readLost: 0.85 },
    beside: { lostRequest: 0.7 },
    knobs: { healsAt: 10 * HOUR },
    holds: resentQuietly,
  },
  {
    name: 'twins',
    fault: 'two people need the same amount for the same payee, and one outcome is unknown',
    expected: 'the other is locked until it is known',
    marks: ['answer lost'],
    faults: { lostAnswer: 0.7 },
    beside: { impatient: 0.5 },
    questions: { readLags: true, lagMaxMs: 20 * MINUTE },
    twins: true,
    holds: (life) => life.executed <= 1,
  },
  {
    name: 'frozen-look',
    fault: 'a worker is frozen over a look while the record is late',
    expected: 'its response is no fresh look when it wakes',
    marks: ['frozen over a look'],
    faults: { stall: 0.25, lateRequest: 0.8, lostRequest: 0.2 },
    questions: { readLags: true, lagMaxMs: 20 * MINUTE, dedupe: 'none' },
    knobs: { places: ['before look', 'after look'], healsAt: 6 * HOUR },
    holds: (life, row) => life.executed <= 1 && paidOrFlagged(life, row),
  },
  {
    name: 'suspended',
    fault: 'the machine is suspended in the middle of a send',
    expected: 'nothing is sent after the lease, though the monotonic clock stood still',
    marks: ['frozen over its lease'],
    faults: { stall: 0.5 },
    knobs: { places: ['before send', 'after send'], suspends: true },
    holds: (life, row) => life.executed <= 1 && paidOrFlagged(life, row),
  },
  {
    name: 'wall-clock-set-back',
    fault: 'a worker is frozen while somebody sets its clock back',
    expected: 'nothing is sent after the lease, whatever the wall clock says',
    marks: ['frozen over its lease', 'wall clock jumped'],
    faults: { stall: 0.5, wallJump: 0.5 },
    knobs: { places: ['before send'] },
    holds: (life, row) => life.executed <= 1 && paidOrFlagged(life, row),
  },
  {
    name: 'upgrade',
    fault: 'a later version of the program writes the same content in other bytes',
    expected: 'what may have been executed is not sent in other bytes',
    marks: ['request lost'],
    faults: { upgrade: 1, lostRequest: 0.8 },
    holds: (life, row) => apart(life.claimedAt, QUIET_MS) && paidOrFlagged(life, row),
  },
  {
    name: 'kill-switch',
    fault: 'the kill switch is thrown and released',
    expected: 'nothing leaves while it is off, everything afterwards',
    marks: ['stopped by the switch'],
    faults: { killSwitch: 1 },
    knobs: { healsAt: 20 * MINUTE },
    holds: (life, row) => once(life) && paid(row),
  },
  {
    name: 'no-auto-resend',
    fault: 'requests are lost while only people may send again',
    expected: 'nothing is sent twice, and a person is told',
    marks: ['request lost'],
    faults: { lostRequest: 0.8 },
    knobs: { autoResend: false },
    holds: (life, row) =>
      life.claimedAt.length === 1 && row.state === 'UNKNOWN' && row.alert === 'unknown_too_long',
  },
  {
    name: 'closing',
    fault:
      'requests are lost, only people may send again, and they close what stays unknown, one ' +
      'of them twice or the maker with them',
    expected: 'it ends as not paid by the word of two who did not make it, and by no other',
    marks: ['closed by people', 'word of the maker'],
    faults: { resolve: 1, strangeWord: 0.5 },
    beside: { lostRequest: 0.8 },
    knobs: { autoResend: false, healsAt: 70 * HOUR },
    holds: (life, row) =>
      life.executed === 0 && (row.state === 'FAILED' || row.alert === 'unknown_too_long'),
  },
  {
    name: 'nobody-approves',
    fault: 'not enough people approve',
    expected: 'the approval runs out after a day, and nothing was sent',
    marks: ['waited for approval'],
    faults: {},
    knobs: { ahead: true, approvalsNeeded: 5 },
    holds: (life, row) => row.state === 'EXPIRED' && life.sentAt.length === 0,
  },
  {
    name: 'approvals-of-transfers',
    fault: 'a transfer between wallets is edited while people approve it',
    expected: 'what they approved as it was before counts for nothing',
    marks: ['approved as it was before'],
    faults: { strangeApproval: 0.8, edit: 0.8 },
    knobs: { ahead: true, kind: 'transfer_person', approvalsNeeded: 1, healsAt: 10 * HOUR },
    holds: (life, row) => (paid(row) ? once(life) : life.executed === 0),
  },
  {
    name: 'partial-return',
    fault: 'a part of the money comes back',
    expected: 'no return is confirmed, and a person is told',
    marks: ['a part came back'],
    faults: { partialReturn: 0.6 },
    beside: { bankReturn: 1 },
    questions: { returnShows: 'credit' },
    holds: (life, row) =>
      once(life) &&
      paid(row) &&
      row.returned !== 'CONFIRMED' &&
      life.flags.has('return_amount_differs'),
  },
  {
    name: 'busy-wallet',
    fault: 'the money comes back among much other money, and no notice says so',
    expected: 'the looks at the ledger find it',
    marks: ['came back'],
    faults: { decoy: 1, noticeLost: 1 },
    beside: { bankReturn: 1 },
    questions: { returnShows: 'credit' },
    holds: (life, row) =>
      once(life) && paid(row) && unflagged(life) && row.returned === 'CONFIRMED',
  },
  {
    name: 'bank-refuses',
    fault: 'the bank rejects a payment it took, or fails it',
    expected: 'it ends as not paid, by a read',
    marks: ['ended without money'],
    faults: { bankReject: 0.5, bankFail: 0.5 },
    holds: (life, row) =>
      life.sentAt.length === 1 &&
      unflagged(life) &&
      (row.state === 'REJECTED' || row.state === 'FAILED') &&
      neverFreshAgain(life),
  },
  {
    name: 'bank-forgets',
    fault: 'the bank never says what became of a payment',
    expected: 'after a week a person is told',
    marks: ['nothing more is heard'],
    faults: { silence: 1 },
    knobs: { healsAt: HOUR },
    holds: (life, row) =>
      life.sentAt.length === 1 &&
      row.state === 'MANUAL_REVIEW' &&
      row.alert === 'not_seen_for_a_week',
  },
  {
    name: 'impatience',
    fault: 'people fill in the form again while the first is under way or unknown',
    expected: 'each need is paid once',
    marks: ['form filled in again'],
    faults: { impatient: 1, doubleClick: 0.5, rollback: 0.1, lostAnswer: 0.4 },
    questions: { readLags: true, lagMaxMs: 20 * MINUTE },
    holds: (life) => life.executed <= 1,
  },
  {
    name: 'pay-again',
    fault: '"pay again" is pressed on whatever has not ended well',
    expected: 'only what provably did not happen, or came back, is paid again',
    marks: ['paid again'],
    faults: { payAgain: 1 },
    beside: { bankReject: 0.5, lostAnswer: 0.3, forged: 1, manual: 0.2, bankReturn: 0.5 },
    knobs: { forgedSays: ['2', '5'], healsAt: DAY },
    holds: (life, row) =>
      row.state === 'REJECTED' ||
      row.state === 'FAILED' ||
      row.returned === 'CONFIRMED' ||
      life.executed === 0,
  },
];

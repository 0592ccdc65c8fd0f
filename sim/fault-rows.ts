import {
  apart,
  atMost,
  neverFreshAgain,
  once,
  paid,
  paidOrFlagged,
  QUIET_MS,
  resentQuietly,
  TAIL_MS,
  unclear,
  unflagged,
} from './drill.ts';
import type { Drill } from './drill.ts';
import { HOUR, MINUTE } from './time.ts';

/** The rows of the fault matrix that concern payouts and that a simulator can play. */

const CLOCK_MS = 5 * MINUTE;
const LOOKS_BY_HAND = 100;

export const FAULT_ROWS: readonly Drill[] = [
  {
    name: '1',
    fault: 'a worker is killed before its claim is committed',
    expected: 'the payout is still queued, and another worker sends it once',
    marks: ['killed before its claim'],
    faults: { crash: 0.3 },
    knobs: { places: ['before claim'] },
    holds: (life, row) => once(life) && paid(row) && !unclear(life),
  },
  {
    name: '2',
    fault: 'a worker is killed between claim and connection',
    expected: 'the lease ends, reads find nothing, and after the quiet time the same id goes out',
    marks: ['killed before connecting'],
    faults: { crash: 0.4 },
    knobs: { places: ['after claim', 'before send'] },
    holds: resentQuietly,
  },
  {
    name: '3',
    fault: 'a worker is killed while its request is on the wire',
    expected: 'a read finds the payment, which was sent once',
    marks: ['killed on the wire'],
    faults: { crash: 0.5 },
    knobs: { places: ['on the wire'] },
    holds: (life, row) => once(life) && paid(row) && unclear(life),
  },
  {
    name: '4',
    fault: 'a worker is killed with the answer in hand',
    expected: 'a read finds the payment, which was sent once',
    marks: ['killed before recording'],
    faults: { crash: 0.5 },
    knobs: { places: ['after send'] },
    holds: (life, row) => once(life) && paid(row) && unclear(life),
  },
  {
    name: '5',
    fault: 'a worker is frozen in the middle of a step',
    expected: 'its lease is taken over, its response still counts, and the money moves once',
    marks: ['frozen over its lease'],
    faults: { stall: 0.5 },
    knobs: { places: ['after claim', 'before send', 'on the wire', 'after send'] },
    holds: (life, row) => life.executed <= 1 && paidOrFlagged(life, row),
  },
  {
    name: '6',
    fault: 'the database is away at the claim',
    expected: 'nothing is sent until it is back',
    marks: ['database away at its claim'],
    faults: { databaseFalls: 0.3 },
    knobs: { places: ['before claim'], workers: 1 },
    holds: (life, row) => once(life) && paid(row) && !unclear(life),
  },
  {
    name: '7',
    fault: 'the database is away when the answer comes',
    expected: 'the answer is recorded later or a read finds the payment; it is sent once',
    marks: ['database away at recording'],
    faults: { databaseFalls: 0.5 },
    knobs: { places: ['after send'] },
    holds: (life, row) => once(life) && paid(row),
  },
  {
    name: '8',
    fault: 'a commit is done and its confirmation is lost',
    expected: 'the second record changes nothing and nothing is sent twice',
    marks: ['commit unconfirmed'],
    faults: { lostCommit: 0.2 },
    holds: (life, row) =>
      life.executed <= 1 && apart(life.sentAt, QUIET_MS) && paidOrFlagged(life, row),
  },
  {
    name: '11',
    fault: 'a request times out before the provider has it',
    expected: 'three reads find nothing, and after the quiet time the same id goes out',
    marks: ['request lost'],
    faults: { lostRequest: 0.5 },
    holds: resentQuietly,
  },
  {
    name: '12',
    fault: 'the answer to an executed request is lost',
    expected: 'a read says that it was paid, and it is sent once',
    marks: ['answer lost'],
    faults: { lostAnswer: 0.7 },
    holds: (life, row) => once(life) && paid(row) && unclear(life),
  },
  {
    name: '13',
    fault: 'a request arrives up to three minutes after its timeout',
    expected: 'a read says that it was paid, and nothing is sent in between',
    marks: ['request late'],
    faults: { lateRequest: 0.8 },
    holds: (life, row) => once(life) && paid(row) && unclear(life),
  },
  {
    name: '14',
    fault: 'a gateway answers 429 or 5xx, before or after the work',
    expected: 'the outcome is unknown in both cases, whatever the body says',
    marks: ['gateway error before work', 'gateway error after work'],
    faults: { statusBefore: 0.4, statusAfter: 0.5 },
    holds: resentQuietly,
  },
  {
    name: '18',
    fault: 'the provider cannot be reached',
    expected:
      'the payout is queued again, provably unsent, tried less and less often, and from the ' +
      'fifth time on a person is told',
    marks: ['not sent'],
    faults: { notSent: 0.8 },
    holds: (life, row) =>
      once(life) &&
      paid(row) &&
      !unclear(life) &&
      life.flags.has('provider_unreachable') === row.notSentTries >= 5 &&
      atMost(life.claimedAt, 6, MINUTE),
  },
  {
    name: '19',
    fault: 'the first send ever of an id is called a duplicate',
    expected:
      'it is never taken for a success or a refusal, never sent again, and a person is told',
    marks: ['duplicate on the first send'],
    faults: { foreignId: 1 },
    holds: (life, row) =>
      unclear(life) &&
      life.claimedAt.length === 1 &&
      life.executed === 0 &&
      row.state === 'UNKNOWN' &&
      life.flags.has('id_collision'),
  },
  {
    name: '20',
    fault: 'the one-minute rule of an IBAN (326) on a clean payout',
    expected: 'it waits at least 65 s each time, six times at most',
    marks: ['one-minute rule'],
    faults: { busyPayee: 0.7 },
    holds: (life, row) =>
      !unclear(life) &&
      apart(life.claimedAt, 65_000) &&
      life.claimedAt.length <= 6 &&
      paidOrFlagged(life, row),
  },
  {
    name: '21',
    fault: '326 after an unclear attempt',
    expected: 'the outcome stays unknown, and the payout is never fresh again',
    marks: ['one-minute rule after unclear'],
    faults: { busyPayee: 0.6 },
    beside: { lostRequest: 0.6 },
    questions: { dedupe: 'atomic', reservedMs: Infinity },
    holds: (life, row) => neverFreshAgain(life) && paidOrFlagged(life, row),
  },
  {
    name: '22',
    fault: '311 after an unclear attempt that took the balance',
    expected: 'the outcome stays unknown until a read says that it was paid',
    marks: ['no balance after unclear'],
    faults: { poor: 1 },
    beside: { lostAnswer: 0.7 },
    questions: {
      readLags: true,
      lagMaxMs: 3 * HOUR,
      dedupe: 'atomic',
      reservedMs: Infinity,
      knowsIdsFirst: false,
    },
    holds: (life, row) =>
      neverFreshAgain(life) &&
      !life.states.includes('REJECTED') &&
      life.executed === 1 &&
      paid(row),
  },
  {
    name: '23',
    fault: 'the record is not listed for 20 minutes (312)',
    expected: 'pending all the time, no alarm, no resend',
    marks: ['not listed while pending'],
    faults: {},
    questions: { readLags: true, lagMaxMs: 20 * MINUTE, unknownAnswer: '312', openListing: '312' },
    holds: (life, row) =>
      once(life) &&
      paid(row) &&
      unflagged(life) &&
      !unclear(life) &&
      !life.states.includes('MANUAL_REVIEW'),
  },
  {
    name: '24',
    fault: 'the record is not listed for three hours',
    expected: 'labelled manual review after half an hour, and still sent once',
    marks: ['not listed for half an hour'],
    faults: {},
    questions: {
      readLags: true,
      lagMaxMs: 3 * HOUR,
      unknownAnswer: '312',
      dedupe: 'atomic',
      reservedMs: Infinity,
    },
    holds: (life, row) =>
      once(life) && paid(row) && unflagged(life) && life.states.includes('MANUAL_REVIEW'),
  },
  {
    name: '25',
    fault: 'the bank checks by hand for hours and tells nobody',
    expected: 'labelled manual review, at most 100 looks, then the end',
    marks: ['by hand at the bank'],
    faults: { manual: 1 },
    beside: { noticeLost: 1 },
    holds: (life, row) =>
      once(life) &&
      paid(row) &&
      unflagged(life) &&
      life.states.includes('MANUAL_REVIEW') &&
      life.looks <= LOOKS_BY_HAND,
  },
  {
    name: '27',
    fault: 'the bank gives the money back, and the ledger shows it minutes later',
    expected: 'the return is reported, then confirmed, and the payout stays completed',
    marks: ['came back'],
    faults: { bankReturn: 1 },
    questions: { lagMaxMs: 15 * MINUTE },
    holds: (life, row) =>
      once(life) &&
      paid(row) &&
      unflagged(life) &&
      life.returns.has('REPORTED') &&
      row.returned === 'CONFIRMED',
  },
  {
    name: '28',
    fault: 'a forged notice of a return',
    expected: 'it is reported at most, never confirmed, and after a day given up with an alarm',
    marks: ['forged return'],
    faults: { forged: 1 },
    knobs: { forgedSays: ['5'] },
    holds: (life, row) =>
      once(life) &&
      paid(row) &&
      row.returned === 'NONE' &&
      !life.returns.has('CONFIRMED') &&
      life.flags.has('return_not_confirmed'),
  },
  {
    name: '29',
    fault: 'forged notices of an end',
    expected: 'no state changes, and a read tells the truth',
    marks: ['forged end'],
    faults: { forged: 1 },
    beside: { manual: 0.5, noticeLost: 1 },
    knobs: { forgedSays: ['1', '2', '4'] },
    holds: (life, row) => once(life) && paid(row) && unflagged(life) && row.returned === 'NONE',
  },
  {
    name: '30',
    fault: 'notices twice, a hundredfold, out of order, before our own answer, for nobody',
    expected: 'each counts once, and the end is the same',
    marks: [
      'notice repeated',
      'notice flood',
      'notice out of order',
      'notice before our answer',
      'notice for nobody',
    ],
    faults: { noticeTwice: 0.8, noticeLate: 0.8, flood: 1, forged: 1 },
    beside: { bankReturn: 1 },
    knobs: { forgedSays: ['1', '3', '9'] },
    holds: (life, row) =>
      once(life) && paid(row) && unflagged(life) && row.returned === 'CONFIRMED',
  },
  {
    name: '31',
    fault: 'an old genuine notice is played again',
    expected: 'nothing changes',
    marks: ['old notice replayed'],
    faults: { replayed: 1, noticeTwice: 0.3 },
    holds: (life, row) => once(life) && paid(row) && unflagged(life) && row.returned === 'NONE',
  },
  {
    name: '35',
    fault: 'clocks are five minutes wrong and jump',
    expected: 'no early resend, no second execution',
    marks: ['database clock jumped', 'wall clock jumped'],
    faults: { clockJump: 1, wallJump: 0.3 },
    beside: { lostRequest: 0.5, lateRequest: 0.2 },
    holds: (life, row) =>
      apart(life.sentAt, QUIET_MS + TAIL_MS - CLOCK_MS) && paidOrFlagged(life, row),
  },
  {
    name: '37',
    fault: 'the token is refused in the middle of a batch',
    expected: 'queued again only if it was never unclear',
    marks: ['turned away by token'],
    faults: { unauthorized: 0.5 },
    beside: { lostRequest: 0.3 },
    holds: (life, row) => neverFreshAgain(life) && paidOrFlagged(life, row),
  },
  {
    name: '39',
    fault: 'double clicks, and forms sent again after an error',
    expected: 'one intent',
    marks: ['clicked twice', 'sent again after an error'],
    faults: { doubleClick: 1, lostCommit: 0.2 },
    holds: (life, row, all) =>
      all.filter((one) => one.need === row.need).length === 1 && life.executed <= 1,
  },
  {
    name: '41',
    fault: 'approvals by the maker, twice by one, of older content, and too late',
    expected: 'they count for nothing: one step, with enough others of exactly this content',
    marks: [
      'approved by its maker',
      'approved twice by one',
      'approved as it was before',
      'approved too late',
    ],
    faults: { strangeApproval: 0.8, edit: 0.8 },
    knobs: { ahead: true, approvalsNeeded: 1, healsAt: 10 * HOUR },
    holds: (life, row) =>
      life.states.filter((state) => state === 'APPROVED').length <= 1 &&
      (paid(row) ? once(life) : life.executed === 0),
  },
  {
    name: '42',
    fault: 'a cancel races the claim',
    expected: 'exactly one of the two wins',
    marks: ['cancelled before the claim', 'claimed before the cancel'],
    faults: { cancelRace: 1 },
    holds: (life, row) =>
      row.state === 'CANCELLED'
        ? life.sentAt.length === 0 && life.executed === 0
        : once(life) && paid(row),
  },
  {
    name: '47',
    fault: 'the answer names another reference or amount',
    expected: 'the outcome is unknown, a person is told, and a read tells the truth',
    marks: ['answer names another'],
    faults: { misread: 0.8 },
    holds: (life, row) => once(life) && paid(row) && unclear(life) && life.flags.has('mismatch'),
  },
  {
    name: '48',
    fault: 'a record contradicts the end that was seen before',
    expected: 'the end stays, a person is told, and nothing is paid again',
    marks: ['record contradicts the end'],
    faults: { changedMind: 1 },
    beside: { bankReject: 0.8, askNow: 1, payAgain: 0.5 },
    knobs: { healsAt: 10 * HOUR },
    holds: (life, row) =>
      (row.state === 'REJECTED' || row.state === 'FAILED') && row.alert === 'contradiction',
  },
];

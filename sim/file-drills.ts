import { policy, SIGNED } from './approval-drills.ts';
import { paid } from './drill.ts';
import type { Drill } from './drill.ts';
import type { Life } from './lives.ts';
import type { Row } from './store.ts';
import { HOUR } from './time.ts';

/** Drills for files of payouts: rows that pay persons, and the approval of all rows together. */

/** No row reaches it alone, nearly every file does. */
const SUM = 2_000_000n;
const ALL_ROWS = policy({ fromMinor: SUM, approvals: 2 });
const EVERY_ROW = policy({});

/** A one-minute rule, or a process that is killed, may cost a second send. */
const executedOnceOrNot = ({ executed }: Life, row: Row): boolean =>
  paid(row) ? executed === 1 : executed === 0;

export const FILE_DRILLS: readonly Drill[] = [
  {
    name: 'file-by-policy',
    fault: 'a file reaches by its sum what none of its rows does alone',
    expected: 'its rows leave after the approvals that the policy asks of all of them',
    marks: ['made of an approved file'],
    faults: { batch: 1 },
    beside: { policy: 1, strangeApproval: 0.3, batchPeople: 0.3 },
    knobs: { governance: ALL_ROWS, healsAt: 10 * HOUR },
    holds: executedOnceOrNot,
  },
  {
    name: 'file-approved-a-day-later',
    fault: 'the approvers of a file press after a day, while nobody has looked at it',
    expected: 'it has run out, and makes no payment',
    marks: ['its file approved a day later'],
    takesLonger: true,
    faults: { lateApproval: 1 },
    beside: { policy: 1, batch: 1 },
    knobs: { governance: ALL_ROWS, healsAt: 30 * HOUR },
    holds: (life) => life.executed === 0,
  },
  {
    name: 'file-signed',
    fault: 'people sign another file, or too weakly, or press past the page',
    expected: 'only a signature of the hash of exactly these rows counts',
    marks: ['made of an approved file'],
    faults: { batch: 1 },
    beside: { policy: 1, strangeSignature: 0.5, weakSignature: 0.3, unguarded: 0.5 },
    knobs: { governance: policy({ fromMinor: SUM }, SIGNED), healsAt: 10 * HOUR },
    holds: executedOnceOrNot,
  },
  {
    name: 'file-approver-disabled',
    fault: 'an approver of a file is disabled before all of its rows have left',
    expected: 'the rows that are left wait by themselves for another person',
    marks: ['approver of its file disabled'],
    faults: { approverDisabled: 1 },
    beside: { policy: 1, batch: 1, batchPause: 0.3 },
    knobs: { governance: ALL_ROWS, healsAt: 20 * HOUR },
    holds: executedOnceOrNot,
  },
  {
    name: 'file-sent-back',
    fault: 'an approver sends a file back and asks to leave some of its rows out',
    expected: 'the next file is without them, unless its maker puts one back, and is approved anew',
    marks: ['taken out of its file'],
    faults: { fileSentBack: 0.9, rowTakenOut: 0.4 },
    beside: { policy: 1, batch: 1, batchRetry: 1, rowPutBack: 0.3, otherMaker: 0.3 },
    knobs: { governance: ALL_ROWS, healsAt: 20 * HOUR },
    holds: (life) => life.executed === 0,
  },
  {
    name: 'file-changed',
    fault: 'somebody changes the amount or the wallet of a row past the triggers',
    expected: 'nobody approves the file any more; approved before, the row waits by itself',
    marks: ['changed in its file past the triggers'],
    faults: { fileTampered: 0.15 },
    beside: { policy: 1, batch: 1, batchPeople: 0.6, batchPause: 0.3 },
    knobs: { governance: ALL_ROWS, healsAt: 20 * HOUR },
    holds: executedOnceOrNot,
  },
  {
    name: 'file-to-people',
    fault: 'rows of a file pay the wallets of persons, beside rows to banks',
    expected: 'each is paid once, to the wallet that its number led to',
    marks: ['pays a person by a file'],
    faults: { batchPeople: 0.6 },
    beside: { batch: 1, lostAnswer: 0.4, lostRequest: 0.1 },
    holds: executedOnceOrNot,
  },
  {
    name: 'file-numbers-move',
    fault: 'a number of a file leads to another wallet or another name before its row is paid',
    expected: 'the row is refused; what became an intent before pays the wallet that was shown',
    marks: ['its number leads elsewhere'],
    faults: { numberMoves: 0.7 },
    beside: { batch: 1, batchPeople: 0.8, policy: 1 },
    knobs: { governance: EVERY_ROW, healsAt: 20 * HOUR },
    holds: executedOnceOrNot,
  },
  {
    name: 'file-retried',
    fault: 'the rest of a file is prepared again while outcomes are unknown and returns announced',
    expected: 'no row is among them that may have been paid',
    marks: ['paid again'],
    faults: { batch: 1, batchRetry: 1 },
    beside: {
      ...{ batchPeople: 0.3, batchStop: 0.2, lostAnswer: 0.4, readsDown: 1 },
      ...{ refusal: 0.3, forged: 1, bankReturn: 0.4 },
    },
    // A record may call failed what has come back.
    holds: ({ executed }, row) => executed === 1 || (executed === 0 && !paid(row)),
  },
];

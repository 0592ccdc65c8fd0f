import type { Approval } from '#lib/movements/approvals-cover.ts';
import { LEGAL } from '#lib/movements/state.ts';
import type { Row } from './store.ts';
import type { Rule } from './violation.ts';

/**
 * What the database refuses to every caller: the triggers and unique indexes of the real one, in
 * memory. The product never meets such a refusal in a world without a bug, so that a refusal ends
 * the world as a violation.
 */
export class Refused extends Error {
  /** The rule that the refusal protects. */
  readonly rule: Rule;
  constructor(rule: Rule, what: string) {
    super(what);
    this.name = 'Refused';
    this.rule = rule;
  }
}

const CONTENT = [
  'wallet',
  'iban',
  'name',
  'taxNumber',
  'toWallet',
  'foundBy',
  'foundName',
  'amountMinor',
  'currency',
  'paymentType',
  'description',
  'contentHash',
  'approvalsNeeded',
] as const;
const IDENTITY = ['id', 'kind', 'extId', 'makerId', 'createdAt', 'retryOf', 'need'] as const;

export function checkInsert(row: Row, others: readonly Row[]): void {
  if (row.state !== 'DRAFT' || row.sends !== 0 || row.everAmbiguous || row.returned !== 'NONE')
    throw new Refused('W', 'a movement begins as a clean draft');
  if (row.amountMinor <= 0n) throw new Refused('W', 'an amount is positive');
  if (others.some((other) => other.id === row.id || other.extId === row.extId))
    throw new Refused('I2', 'an id is used once');
  const parent = others.find((other) => other.id === row.retryOf);
  if (
    row.retryOf !== null &&
    (parent === undefined || parent.alert === 'contradiction' || isLive(parent))
  ) {
    throw new Refused('P', 'only a payment that provably did not happen may be paid again');
  }
  checkOneLive(row, others);
}

export function checkUpdate(
  before: Row,
  after: Row,
  approvals: readonly Approval[],
  now: number,
  all: readonly Row[],
): void {
  if (IDENTITY.some((column) => before[column] !== after[column]))
    throw new Refused('I2', 'the identity of a movement never changes');
  if (before.state !== 'DRAFT' && CONTENT.some((column) => before[column] !== after[column]))
    throw new Refused('I3', 'the content of a submitted movement never changes');
  if (
    (before.everAmbiguous && !after.everAmbiguous) ||
    (before.duplicateSeen && !after.duplicateSeen) ||
    after.sends < before.sends
  ) {
    throw new Refused('R', 'what was learned about a movement is never unlearned');
  }
  if (before.unclearSince !== null && after.unclearSince !== before.unclearSince)
    throw new Refused('R', 'the first unclear moment of a movement does not move');
  if (after.everAmbiguous !== (after.unclearSince !== null))
    throw new Refused('R', 'what is ambiguous has a first unclear moment, and nothing else has');
  if (after.state !== before.state) checkStep(before, after, approvals, now);
  else if (after.sends !== before.sends)
    throw new Refused('I11', 'a send is counted when it is claimed');
  if (before.returned === 'CONFIRMED' && after.returned !== 'CONFIRMED')
    throw new Refused('I7', 'a confirmed return stays confirmed');
  if (after.returned !== 'NONE' && after.state !== 'COMPLETED')
    throw new Refused('I7', 'only what was paid comes back');
  checkOneLive(after, all);
}

function checkStep(before: Row, after: Row, approvals: readonly Approval[], now: number): void {
  if (!LEGAL[before.state].includes(after.state))
    throw new Refused(isEnd(before) ? 'I6' : 'W', `no step from ${before.state} to ${after.state}`);
  if (
    before.state === 'SUBMITTING' &&
    (after.state === 'APPROVED' || after.state === 'REJECTED') &&
    after.everAmbiguous
  ) {
    throw new Refused('I5', 'an ambiguous movement is settled by a read only');
  }
  const counted =
    after.state === 'SUBMITTING' ||
    (before.state === 'AWAITING_APPROVAL' && after.state === 'APPROVED');
  const people = new Set(
    approvals
      .filter(
        (one) =>
          one.contentHash === after.contentHash && one.personId !== after.makerId && !one.lapsed,
      )
      .map((one) => one.personId),
  );
  const isReleased = approvals.some(
    (one) =>
      one.releases &&
      one.asOwner &&
      !one.lapsed &&
      one.contentHash === after.contentHash &&
      one.personId !== after.makerId,
  );
  if (counted && !isReleased && people.size < after.approvalsNeeded)
    throw new Refused('I3', 'not enough approvals of this content');
  if (after.state === 'CANCELLED' && before.leaseUntil !== null && before.leaseUntil > now)
    throw new Refused('L', 'a worker holds this movement');
  if (after.sends !== before.sends + (after.state === 'SUBMITTING' ? 1 : 0))
    throw new Refused('I11', 'a send is counted when it is claimed');
}

function isEnd(row: Row): boolean {
  return LEGAL[row.state].length === 0;
}

function checkOneLive(row: Row, all: readonly Row[]): void {
  if (row.retryOf === null || !isLive(row)) return;
  if (all.some((other) => other.id !== row.id && other.retryOf === row.retryOf && isLive(other)))
    throw new Refused('P', 'one live re-payment of a parent');
}

function isLive(row: Row): boolean {
  return (
    !['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'].includes(row.state) &&
    !(row.state === 'COMPLETED' && row.returned === 'CONFIRMED')
  );
}

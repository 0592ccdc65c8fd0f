import type { Alert, Returned, State } from '#lib/movements/state.ts';

/**
 * What our own movements show about a recipient. The provider has no name check and no recipient
 * list, so these are the only facts before sending. Pure; amounts are minor units, times ISO.
 */

/** A movement of this merchant in the form and the rules. */
export type OwnMovement = {
  id: string;
  iban: string;
  name: string;
  taxNumber: string;
  amountMinor: bigint;
  currency: string;
  paymentType: string | null;
  description: string;
  state: State;
  returned: Returned;
  /** Absent where no alert is possible. */
  alert?: Alert | null;
  /** A restore may have lost a send of it. Absent where that is not possible. */
  mayHaveLeft?: boolean;
  createdAt: string;
  /** The name of the person who prepared it; null when unknown. */
  maker: string | null;
  /** The reason that the bank or provider gave for the end, if any. */
  reasonText: string | null;
};

export type UsualRange = { low: bigint; high: bigint; n: number };

export type RecipientHistory = {
  /** Payments that arrived and were not returned. */
  count: number;
  firstAt: string | null;
  /**
   * 10th to 90th percentile of the payments that arrived; null below {@link USUAL_MIN} payments.
   */
  usual: UsualRange | null;
  /** The latest movement that was or may have been sent, in any state. */
  last: OwnMovement | null;
  returns: number;
  lastReturn: OwnMovement | null;
  /** The payment type used most, latest first among equals: "used 9 of 12 times". */
  paymentType: { code: string; times: number; of: number } | null;
};

export const USUAL_MIN = 3;

const LOW_PERCENT = 10;
const HIGH_PERCENT = 90;
const DEAD: readonly State[] = ['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'];
const NEVER_LEFT: readonly State[] = [
  'DRAFT',
  'AWAITING_APPROVAL',
  'APPROVED',
  'CANCELLED',
  'EXPIRED',
];

/** The facts of the recipient card for one IBAN in one currency, from movements in any order. */
export function recipientHistory(
  movements: readonly OwnMovement[],
  iban: string,
  currency: string,
): RecipientHistory {
  const own = latestFirst(
    movements.filter((movement) => movement.iban === iban && movement.currency === currency),
  );
  const arrived = own.filter(hasArrived);
  const returned = own.filter(isReturned);
  return {
    count: arrived.length,
    firstAt: arrived.at(-1)?.createdAt ?? null,
    usual: usualRange(arrived.map((movement) => movement.amountMinor)),
    last: own.find((movement) => !NEVER_LEFT.includes(movement.state)) ?? null,
    returns: returned.length,
    lastReturn: returned[0] ?? null,
    paymentType: usualPaymentType(arrived),
  };
}

/** Newest first; equal times by id, so that the order does not depend on the query. */
export function latestFirst(movements: readonly OwnMovement[]): OwnMovement[] {
  const dated = movements.map((movement) => ({
    at: Date.parse(movement.createdAt) || 0,
    movement,
  }));
  dated.sort((a, b) => b.at - a.at || compareIds(a.movement, b.movement));
  return dated.map(({ movement }) => movement);
}

function compareIds(a: OwnMovement, b: OwnMovement): number {
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

/** Whether the payment is completed and not known to be returned. */
export function hasArrived(movement: OwnMovement): boolean {
  return movement.state === 'COMPLETED' && movement.returned === 'NONE';
}

/**
 * Whether a movement never moved money and never will, or its money was returned. A movement whose
 * record contradicts that end may still be live, and so may one of which a restore may have lost a
 * send.
 */
export function cameToNothing(movement: OwnMovement): boolean {
  if (movement.alert === 'contradiction' || movement.mayHaveLeft === true) return false;
  return DEAD.includes(movement.state) || movement.returned === 'CONFIRMED';
}

/** Whether a request may be or have been executed, and the outcome is unknown. */
export function isOpenUnknown(movement: Pick<OwnMovement, 'state'>): boolean {
  return movement.state === 'UNKNOWN' || movement.state === 'SUBMITTING';
}

/**
 * Whether another row of the same file speaks against this one. The maker has seen the rows beside
 * each other, so they are no duplicates; but while the outcome of one is unknown, its amount to its
 * payee is locked for every other payment (docs/money-rules.md, U). `payee`: an IBAN or a wallet.
 */
export function locksSibling(
  other: Pick<OwnMovement, 'state' | 'amountMinor'> & { payee: string },
  row: { payee: string; amountMinor: bigint },
): boolean {
  return isOpenUnknown(other) && other.payee === row.payee && other.amountMinor === row.amountMinor;
}

/** Whether a return is reported or confirmed. */
export function isReturned(movement: OwnMovement): boolean {
  return movement.state === 'COMPLETED' && movement.returned !== 'NONE';
}

/** 10th to 90th percentile by nearest rank, so both ends are amounts that were really paid. */
export function usualRange(amounts: readonly bigint[]): UsualRange | null {
  const n = amounts.length;
  if (n < USUAL_MIN) return null;
  const sorted = [...amounts].sort((a, b) => (a < b ? -1 : Number(a > b)));
  const rank = (percent: number): bigint =>
    sorted[Math.max(0, Math.ceil((percent * n) / 100) - 1)] ?? 0n;
  return { low: rank(LOW_PERCENT), high: rank(HIGH_PERCENT), n };
}

function usualPaymentType(arrived: readonly OwnMovement[]): RecipientHistory['paymentType'] {
  const times = new Map<string, number>();
  for (const { paymentType } of arrived)
    if (paymentType !== null) times.set(paymentType, (times.get(paymentType) ?? 0) + 1);
  let best: RecipientHistory['paymentType'] = null;
  // A map keeps the order of insertion, newest first, so ties go to the latest type.
  for (const [code, count] of times)
    if (best === null || count > best.times) best = { code, times: count, of: arrived.length };
  return best;
}

import type { OwnMovement } from './history.ts';

/**
 * The rhythm of payments to one payee: rents, wages, a weekly delivery. The payments of one day are
 * one turn: two shops of one landlord may be paid the same rent in one file. Pure.
 */

const HOUR_MS = 3_600_000;
/** Payments so close to the latest one of a turn are of the same turn. */
const TURN_MS = 12 * HOUR_MS;
/** How many earlier turns make a series regular. */
const TURNS_MIN = 3;
const GAP_LEAST_MS = 20 * HOUR_MS;
/** How far gaps of one series may differ: months, weekends and holidays. */
const SPREAD = 0.35;
const REGULAR = 2 / 3;
/** The part of the usual gap from which on the next turn of a series is due. */
const DUE = 0.6;

type Turn = { at: number; payments: OwnMovement[] };

/**
 * Whether a payment of this amount is expected now: the next turn of the series is due, or it has
 * begun and the last turns had more payments of one amount than this one has so far.
 * `series`: latest first.
 */
export function isDue(series: readonly OwnMovement[], amountMinor: bigint, now: number): boolean {
  const turns = turnsOf(series);
  const [latest] = turns;
  if (latest === undefined) return false;
  const isNow = now - latest.at <= TURN_MS;
  const earlier = isNow ? turns.slice(1) : turns;
  const usual = usualGap(earlier);
  if (usual === null || now - earlier[0]!.at < usual * DUE) return false;
  if (!isNow) return true;
  const alike = latest.payments.filter((one) => one.amountMinor === amountMinor).length;
  return alike > 0 && alike < middle(earlier.slice(0, TURNS_MIN).map(mostAlike));
}

/** How long after a payment of a regular series the next one is not due; null without a rhythm. */
export function notDueMs(series: readonly OwnMovement[]): number | null {
  const usual = usualGap(turnsOf(series));
  return usual === null ? null : usual * DUE;
}

/** Milliseconds between two turns; null where they are no series or come in no rhythm. */
function usualGap(turns: readonly Turn[]): number | null {
  if (turns.length < TURNS_MIN) return null;
  const gaps = turns.slice(0, -1).map(({ at }, index) => at - turns[index + 1]!.at);
  const usual = middle(gaps);
  const regular = gaps.filter((gap) => Math.abs(gap - usual) <= usual * SPREAD).length;
  return usual >= GAP_LEAST_MS && regular >= gaps.length * REGULAR ? usual : null;
}

function turnsOf(series: readonly OwnMovement[]): Turn[] {
  const turns: Turn[] = [];
  for (const payment of series) {
    const at = Date.parse(payment.createdAt);
    const last = turns.at(-1);
    if (last !== undefined && last.at - at <= TURN_MS) last.payments.push(payment);
    else turns.push({ at, payments: [payment] });
  }
  return turns;
}

/** The most payments of one amount in a turn. */
function mostAlike({ payments }: Turn): number {
  const counts = [...Map.groupBy(payments, ({ amountMinor }) => amountMinor).values()];
  return Math.max(...counts.map(({ length }) => length));
}

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}

const MONTH =
  /(?<!\p{L})(?:ocak|subat|mart|nisan|mayis|haziran|temmuz|agustos|eylul|ekim|kasim|aralik|january|february|march|april|may|june|july|august|september|october|november|december)(?!\p{L})/gu;

/** A folded text without the names of months: what the payments of a series have in common. */
export function seriesText(folded: string): string {
  return folded.replace(MONTH, '').trim();
}

import { addDays, dayRange } from '#lib/values/dates.ts';
import { isComplete } from '#lib/provider-records/policy.ts';
import type { ListName, Reading } from './books.ts';

/**
 * Selects the closed day to compare next, from what is known about the readings. Pure; days are in
 * the workspace's zone, moments in milliseconds.
 */

/** A return is expected for up to 30 days after a payment (docs/money-rules.md, "Reads"). */
export const WINDOW_DAYS = 35;
/**
 * Differences and unjudged payments are compared again after the first interval, on older days
 * after the second; every day of the window after the third.
 */
const UNSETTLED_AGAIN_MS = 5 * 60_000;
const UNSETTLED_OLD_AGAIN_MS = 60 * 60_000;
const SETTLED_AGAIN_MS = 6 * 60 * 60_000;
const YOUNG_DAYS = 2;

/** `read`: by list and day, the start of the last completed reading. `compared`: by day. */
export type Known = {
  now: number;
  today: string;
  firstDay: string;
  read: ReadonlyMap<string, number>;
  compared: ReadonlyMap<string, { at: number | null; unsettled: boolean; leased: boolean }>;
};

export function keyOf(list: ListName, day: string): string {
  return `${list} ${day}`;
}

/**
 * The newest closed day for which both listings are complete and that was not compared since the
 * latest reading, or not recently; null when there is none.
 */
export function dueDay(known: Known, zone: string): string | null {
  const oldest = addDays(known.today, -WINDOW_DAYS);
  const unsettled = [...known.compared]
    .filter(([day, one]) => one.unsettled && day < oldest)
    .map(([day]) => day)
    .sort()
    .reverse();
  const days = [
    ...Array.from({ length: WINDOW_DAYS }, (_, back) => addDays(known.today, -1 - back)).filter(
      (day) => day >= known.firstDay,
    ),
    ...unsettled,
  ];
  return days.find((day) => isDue(known, day, zone)) ?? null;
}

function isDue({ now, today, read, compared }: Known, day: string, zone: string): boolean {
  const range = dayRange(day, zone);
  const span = { from: Date.parse(range.from), to: Date.parse(range.to) };
  const readings = (['withdrawals', 'ledger'] as const).map(
    (list) => read.get(keyOf(list, day)) ?? null,
  );
  if (!readings.every((at) => isComplete(span, at))) return false;
  const before = compared.get(day);
  if (before === undefined || before.at === null) return before?.leased !== true;
  const { at, unsettled, leased } = before;
  const again = !unsettled
    ? SETTLED_AGAIN_MS
    : day >= addDays(today, -YOUNG_DAYS)
      ? UNSETTLED_AGAIN_MS
      : UNSETTLED_OLD_AGAIN_MS;
  return !leased && (readings.some((one) => one! > at) || now - at >= again);
}

export function readingOf(
  { read }: Pick<Known, 'read'>,
  { booksBegan, ownWallets, dayOf }: Pick<Reading, 'booksBegan' | 'ownWallets' | 'dayOf'>,
): Reading {
  return {
    booksBegan,
    ownWallets,
    dayOf,
    readAt(list, from, to) {
      const last = dayOf(to);
      let oldest = Infinity;
      for (let day = dayOf(from); day <= last; day = addDays(day, 1))
        oldest = Math.min(oldest, read.get(keyOf(list, day)) ?? -Infinity);
      return Number.isFinite(oldest) ? oldest : null;
    },
  };
}

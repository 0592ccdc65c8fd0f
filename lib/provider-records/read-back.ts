import { addDays } from '#lib/values/dates.ts';
import type { DayRange } from '#lib/values/dates.ts';

/**
 * The earliest day from which on every day of a range was read; null when none was. `missing`: the
 * days without a complete reading, the earliest first. Today is read again and again, so it is no
 * gap while an earlier day was read. Pure.
 */
export function readBackTo({ from, to }: DayRange, missing: readonly string[]): string | null {
  const gap = missing.filter((day) => day < to).at(-1);
  if (gap === undefined) return from === to && missing.includes(to) ? null : from;
  const back = addDays(gap, 1);
  return back === to && missing.includes(to) ? null : back;
}

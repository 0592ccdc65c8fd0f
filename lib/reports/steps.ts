import { addDays, mondayOf } from '#lib/values/dates.ts';
import type { DayRange } from '#lib/values/dates.ts';

/**
 * The steps of a report's chart: days, or the weeks of a longer range. Pure.
 */

const DAYS_DRAWN_MAX = 92;

export type Unit = 'day' | 'week';
/** A day, or the days of a week that lie in the range; both included. */
export type Step = DayRange;

/** A range of which a chart draws every day has at most 92 of them. */
function unitOfRange({ from, to }: DayRange): Unit {
  return addDays(from, DAYS_DRAWN_MAX - 1) < to ? 'week' : 'day';
}

/**
 * What the steps of a chart are, of which there is at least one. A filter's range does not tell it:
 * its days to come are not drawn.
 */
export function unitOf(steps: readonly Step[]): Unit {
  return unitOfRange({ from: steps[0]!.from, to: steps.at(-1)!.to });
}

/** Every step of a range, the oldest first, without gaps; none of a range that ends before it. */
export function stepsOf(range: DayRange): Step[] {
  const unit = unitOfRange(range);
  const steps: Step[] = [];
  for (let from = range.from; from <= range.to;) {
    const end = unit === 'day' ? from : addDays(mondayOf(from), 6);
    const to = end < range.to ? end : range.to;
    steps.push({ from, to });
    from = addDays(to, 1);
  }
  return steps;
}

/**
 * The part of a report's days that a chart draws: days to come are left out, unless a record is
 * dated there.
 */
export function drawnRange(range: DayRange, today: string, days: readonly string[]): DayRange {
  const last = [today, ...days].reduce((latest, day) => (day > latest ? day : latest));
  return { from: range.from, to: last < range.to ? last : range.to };
}

/** Each step with its rows. */
export function inSteps<R extends { day: string }>(
  steps: readonly Step[],
  rows: readonly R[],
): { step: Step; rows: R[] }[] {
  return steps.map((step) => ({
    step,
    rows: rows.filter(({ day }) => day >= step.from && day <= step.to),
  }));
}

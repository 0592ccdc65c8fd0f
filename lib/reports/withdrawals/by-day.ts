import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { drawnRange, inSteps, stepsOf } from '#lib/reports/steps.ts';
import type { Step } from '#lib/reports/steps.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { dayIn } from '#lib/values/dates.ts';
import { LEVELS } from './filter.ts';
import type { Level, WithdrawalFilter } from './filter.ts';
import { withdrawalConditions } from './list.ts';

/** How many requests have one result, and their sum in minor units. */
export type ResultSum = { level: Level; count: number; sum: bigint };
/** `results`: one for each level of {@link WithdrawalDays}. */
export type ResultStep = Step & { results: ResultSum[]; count: number; isRead: boolean };
/** The steps of one currency, the oldest first; `results` over all of them. */
export type WithdrawalDays = { currency: string; steps: ResultStep[]; results: ResultSum[] };

/**
 * The withdraw requests of a filter by day and result, or by week of a longer range; the currency
 * with most requests first. Only results that occur. `missing`: days that are not read to their end. `now`: ISO.
 */
export async function withdrawalsByDay(
  actor: Person,
  filter: WithdrawalFilter,
  missing: readonly string[],
  now: string,
): Promise<WithdrawalDays[]> {
  assertMay(actor, 'movement.read');
  const zone = env().timeZone;
  const rows = await inOne<{
    day: string;
    currency: string;
    level: Level;
    count: number;
    sum: bigint;
  }>(
    actor.merchantId,
    sql`
    SELECT (w.created_at AT TIME ZONE ${zone})::date::text AS day, w.currency, w.level,
      count(*)::int AS count, sum(w.amount_minor)::bigint AS sum
      FROM withdraw_records w WHERE ${withdrawalConditions(actor, filter)} GROUP BY 1, 2, 3`,
  );
  const days = rows.map(({ day }) => day);
  const steps = stepsOf(drawnRange(filter, dayIn(now, zone), days));
  return [...new Set(rows.map(({ currency }) => currency))]
    .map((currency): WithdrawalDays => {
      const own = rows.filter((row) => row.currency === currency);
      const levels = LEVELS.filter((level) => own.some((row) => row.level === level));
      return {
        currency,
        steps: inSteps(steps, own).map(({ step, rows: inside }) => ({
          ...step,
          results: sumsOf(levels, inside),
          count: countOf(inside),
          isRead: !missing.some((day) => day >= step.from && day <= step.to),
        })),
        results: sumsOf(levels, own),
      };
    })
    .sort((a, b) => countOf(b.results) - countOf(a.results) || (a.currency < b.currency ? -1 : 1));
}

function sumsOf(levels: readonly Level[], rows: readonly ResultSum[]): ResultSum[] {
  return levels.map((level) => {
    const own = rows.filter((row) => row.level === level);
    return { level, count: countOf(own), sum: own.reduce((all, { sum }) => all + sum, 0n) };
  });
}

function countOf(rows: readonly { count: number }[]): number {
  return rows.reduce((all, { count }) => all + count, 0);
}

import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { drawnRange, inSteps, stepsOf } from '#lib/reports/steps.ts';
import type { Step } from '#lib/reports/steps.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { dayIn } from '#lib/values/dates.ts';
import type { TransactionFilter } from './filter.ts';
import { countedEntries, SUMS } from './query.ts';

/** Amounts in minor units. `own`: between own wallets, neither in nor out. */
export type FlowSums = { count: number; in: bigint; out: bigint; own: bigint; fees: bigint };
/** `isRead`: every day of the step was read from the provider. */
export type FlowStep = Step & FlowSums & { isRead: boolean };
/** The steps of one currency, the oldest first, and their sum. */
export type TransactionFlow = { currency: string; steps: FlowStep[]; sum: FlowSums };

const NOTHING: FlowSums = { count: 0, in: 0n, out: 0n, own: 0n, fees: 0n };

/**
 * The report's sums by day, or by week of a longer range; the currency with most entries first. An
 * entry belongs to the day that the list shows. `missing`: days that are not read to their end. `now`: ISO.
 */
export async function flowByDay(
  actor: Person,
  filter: TransactionFilter,
  missing: readonly string[],
  now: string,
): Promise<TransactionFlow[]> {
  assertMay(actor, 'movement.read');
  const zone = env().timeZone;
  const found = await inOne<
    { day: string; currency: string; count: number } & Record<'in' | 'out' | 'own' | 'fees', string>
  >(
    actor.merchantId,
    sql`
    SELECT (created_at AT TIME ZONE ${zone})::date::text AS day, currency, ${SUMS}
      FROM (${countedEntries(actor, filter)}) r GROUP BY 1, 2`,
  );
  const rows = found.map(({ day, currency, count, ...sums }) => ({
    day,
    currency,
    count,
    in: BigInt(sums.in),
    out: BigInt(sums.out),
    own: BigInt(sums.own),
    fees: BigInt(sums.fees),
  }));
  const days = rows.map(({ day }) => day);
  const steps = stepsOf(drawnRange(filter, dayIn(now, zone), days));
  return [...new Set(rows.map(({ currency }) => currency))]
    .map((currency): TransactionFlow => {
      const own = rows.filter((row) => row.currency === currency);
      return {
        currency,
        steps: inSteps(steps, own).map(({ step, rows: inside }) => ({
          ...step,
          ...sumOf(inside),
          isRead: !missing.some((day) => day >= step.from && day <= step.to),
        })),
        sum: sumOf(own),
      };
    })
    .sort((a, b) => b.sum.count - a.sum.count || (a.currency < b.currency ? -1 : 1));
}

function sumOf(rows: readonly FlowSums[]): FlowSums {
  return rows.reduce(
    (all, row) => ({
      count: all.count + row.count,
      in: all.in + row.in,
      out: all.out + row.out,
      own: all.own + row.own,
      fees: all.fees + row.fees,
    }),
    NOTHING,
  );
}

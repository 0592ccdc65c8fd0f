import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { addDays, dayIn } from '#lib/values/dates.ts';
import { PART_STATES } from './filter.ts';
import type { CardFilter } from './filter.ts';
import { conditionsOf } from './list.ts';

const DAYS = 30;
const DAYS_MAX = 92;
const LIRA = 'TRY';
/** Money was taken, whatever became of it afterwards. */
const SOLD = [
  ...PART_STATES.taken,
  ...PART_STATES.partly_refunded,
  ...PART_STATES.refunded,
  ...PART_STATES.charged_back,
];

/** Amounts in minor units of lira. */
export type SalesDay = { day: string; sold: bigint };
export type Sales = {
  /** Every day of the range, the oldest first. */
  days: SalesDay[];
  sold: { count: number; sum: bigint };
  failed: number;
  /** Not known yet whether money was taken; an authorization counts in neither. */
  unknown: number;
};

/**
 * The days that the panel shows: those of the filter, at most 92 of them, else the last 30. Both
 * included.
 */
export function salesRange({ from, to }: CardFilter, now: string): { from: string; to: string } {
  const today = dayIn(now, env().timeZone);
  const end = to ?? today;
  const begin = from ?? addDays(end, 1 - DAYS);
  const earliest = addDays(end, 1 - DAYS_MAX);
  return { from: begin < earliest ? earliest : begin, to: end };
}

/** Sales in lira by the day on which a payment became known here, within the list's filter. */
export async function viewSales(actor: Person, filter: CardFilter, now: string): Promise<Sales> {
  assertMay(actor, 'card.read');
  const range = salesRange(filter, now);
  const zone = env().timeZone;
  const rows = await inOne<{
    day: string;
    sold: bigint;
    count: number;
    failed: number;
    unknown: number;
  }>(
    actor.merchantId,
    sql`
    SELECT (p.first_seen_at AT TIME ZONE ${zone})::date::text AS day,
      coalesce(sum(p.amount_minor) FILTER (WHERE p.state = ANY(${SOLD}::text[])), 0)::bigint AS sold,
      (count(*) FILTER (WHERE p.state = ANY(${SOLD}::text[])))::int AS count,
      (count(*) FILTER (WHERE p.state = ANY(${[...PART_STATES.failed]}::text[])))::int AS failed,
      (count(*) FILTER (WHERE p.state IS NULL OR p.state IN ('maybe_captured', 'pending')))::int
        AS unknown
    FROM card_payments p WHERE ${conditionsOf({ ...filter, ...range })} AND p.currency = ${LIRA}
    GROUP BY 1`,
  );
  const days: SalesDay[] = [];
  for (let day = range.from; day <= range.to; day = addDays(day, 1))
    days.push({ day, sold: rows.find((row) => row.day === day)?.sold ?? 0n });
  const add = (field: 'count' | 'failed' | 'unknown'): number =>
    rows.reduce((all, row) => all + row[field], 0);
  return {
    days,
    sold: { count: add('count'), sum: rows.reduce((all, row) => all + row.sold, 0n) },
    failed: add('failed'),
    unknown: add('unknown'),
  };
}

import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { addDays, dayIn } from '#lib/values/dates.ts';
import { partsOf, SOLD } from './filter.ts';
import type { CardFilter, CardPart } from './filter.ts';
import { conditionsOf, PART, TAKEN_MINOR } from './list.ts';

const DAYS = 30;
const DAYS_MAX = 92;
export const LIRA = 'TRY';
/** Amounts in minor units of lira. */
export type SalesDay = { day: string; sold: bigint };
export type Sales = {
  /** Every day of the range, the oldest first. */
  days: SalesDay[];
  /** Sales in lira. */
  sold: { count: number; sum: bigint };
  /** Payments in every currency, by what became of the attempt to pay. */
  attempts: Attempts;
};
/**
 * Each count is that of the list with the filter `part` of the same name, in every tab. The success rate is
 * `sold` of `sold` and `failed`: an authorization, one that was cancelled, and a link with which
 * nobody tried to pay are neither.
 */
export type Attempts = Record<'sold' | 'failed' | 'unused_link' | 'undecided', number>;

/**
 * The days that the panel shows: those of the filter, at most 92 of them, else the last 30. Both
 * included.
 */
function salesRange({ from, to }: CardFilter, now: string): { from: string; to: string } {
  const today = dayIn(now, env().timeZone);
  const end = to ?? today;
  const begin = from ?? addDays(end, 1 - DAYS);
  const earliest = addDays(end, 1 - DAYS_MAX);
  return { from: begin < earliest ? earliest : begin, to: end };
}

/**
 * The payments of which the panel speaks: those of the list's filter, whatever its tab and part. A
 * success rate within one part would be of that part alone, and each count opens another part.
 */
export function salesFilter(filter: CardFilter, now: string): CardFilter {
  return { ...filter, ...salesRange(filter, now), view: 'all', part: null };
}

/** Sales by the day on which a payment became known here, within the list's filter. */
export async function viewSales(actor: Person, filter: CardFilter, now: string): Promise<Sales> {
  assertMay(actor, 'card.read');
  const range = salesRange(filter, now);
  const zone = env().timeZone;
  const within = conditionsOf(salesFilter(filter, now));
  const [rows, parts] = await Promise.all([
    inOne<{ day: string; sold: bigint; count: number }>(
      actor.merchantId,
      sql`
      SELECT (p.first_seen_at AT TIME ZONE ${zone})::date::text AS day,
        coalesce(sum(${TAKEN_MINOR}), 0)::bigint AS sold, count(*)::int AS count
      FROM card_payments p WHERE ${within} AND p.currency = ${LIRA}
        AND p.state = ANY(${SOLD}::text[]) GROUP BY 1`,
    ),
    inOne<{ part: CardPart; count: number }>(
      actor.merchantId,
      sql`SELECT ${PART} AS part, count(*)::int AS count FROM card_payments p WHERE ${within}
        GROUP BY 1`,
    ),
  ]);
  const days: SalesDay[] = [];
  for (let day = range.from; day <= range.to; day = addDays(day, 1))
    days.push({ day, sold: rows.find((row) => row.day === day)?.sold ?? 0n });
  const countOf = (filtered: keyof Attempts): number =>
    parts
      .filter(({ part }) => partsOf(filtered).includes(part))
      .reduce((all, { count }) => all + count, 0);
  return {
    days,
    sold: {
      count: rows.reduce((all, row) => all + row.count, 0),
      sum: rows.reduce((all, row) => all + row.sold, 0n),
    },
    attempts: {
      sold: countOf('sold'),
      failed: countOf('failed'),
      unused_link: countOf('unused_link'),
      undecided: countOf('undecided'),
    },
  };
}

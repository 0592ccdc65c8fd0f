import 'server-only';
import { join, literal, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { addDays } from '#lib/values/dates.ts';
import type { PayoutFilter, PayoutPart } from './filter.ts';

/** The rows of one part of a list in one currency; `sum` is decimal text. */
export type PayoutTotal = { part: PayoutPart; currency: string; count: number; sum: string };

/** The zone whose days the database counts movements in (`movement_day`). */
export const COUNTED_ZONE = 'Europe/Istanbul';

/**
 * The part of a list's totals that a movement `m` belongs to: money that left for good, that came
 * back, that is on its way, whose outcome is unknown, or that never left. Reads columns of one
 * index only.
 */
export const PART = literal('movement_part(m.state, m.returned)');

/**
 * The condition that a movement `m` belongs to a part, as {@link PART} decides: by columns of which
 * the database knows how often each value occurs. The parts that few rows belong to are looked up
 * in their tabs.
 */
export const IS_OF_PART: Readonly<Record<PayoutPart, Prisma.Sql>> = {
  paid: sql`m.state = 'COMPLETED' AND m.returned = 'NONE'`,
  returned: sql`m.state = 'COMPLETED' AND m.returned = 'CONFIRMED'`,
  pending: sql`m.bucket IN ('progress', 'attention')
    AND m.state IN ('DRAFT', 'AWAITING_APPROVAL', 'APPROVED', 'SUBMITTING', 'PENDING')`,
  unpaid: sql`m.state IN ('REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED')`,
  unknown: sql`m.bucket = 'attention'
    AND (m.state IN ('UNKNOWN', 'MANUAL_REVIEW') OR m.returned = 'REPORTED')`,
};

/** One row per part and currency, the largest count of a part first. */
export function totalsOf(conditions: Prisma.Sql): Prisma.Sql {
  return asJson(sql`SELECT ${PART} AS part, m.currency, count(*)::int AS count,
    sum(m.amount_minor)::text AS sum FROM movements m WHERE ${conditions} GROUP BY 1, 2`);
}

/**
 * The same of what the database keeps as movements change: whole months, the days beside them, and
 * the changes that the worker has not added to them yet. One statement reads all, so that a change
 * is counted once. `kinds`: the condition on the kind of a total `m`.
 */
export function keptTotals(kinds: Prisma.Sql, filter: KeptFilter): Prisma.Sql {
  const { from, to } = filter;
  const end = to === null ? null : addDays(to, 1);
  const months = { from: from && nextMonth(addDays(from, -1)), end: end && monthOf(end) };
  const hasMonths = months.from === null || months.end === null || months.from < months.end;
  const spans = hasMonths
    ? [
        part(sql`m.span = 'month' AND ${between(months.from, months.end)}`),
        ...(from === months.from ? [] : [days(from, months.from)]),
        ...(end === months.end ? [] : [days(months.end, end)]),
      ]
    : [days(from, end)];
  function days(first: string | null, beyond: string | null): Prisma.Sql {
    return part(sql`m.span = 'day' AND ${between(first, beyond)}`);
  }
  function part(condition: Prisma.Sql, table = sql`movement_totals`): Prisma.Sql {
    return sql`SELECT m.part, m.currency, m.count, m.sum_minor FROM ${table} m
      WHERE ${kinds} AND ${condition}
        AND ${filter.view === 'all' ? sql`TRUE` : sql`m.bucket = ${filter.view}`}
        AND ${filter.part === null ? sql`TRUE` : sql`m.part = ${filter.part}`}
        AND ${filter.wallet === null ? sql`TRUE` : sql`m.wallet = ${filter.wallet}`}`;
  }
  const all = [...spans, part(between(from, end), sql`movement_total_changes`)];
  return asJson(sql`SELECT part, currency, sum(count)::int AS count, sum(sum_minor)::text AS sum
    FROM (${join(all, ' UNION ALL ')}) kept GROUP BY 1, 2 HAVING sum(count) > 0`);
}

/** The parts of a filter that the kept totals are divided by. */
export type KeptFilter = Pick<PayoutFilter, 'view' | 'part' | 'wallet' | 'from' | 'to'>;

function between(from: string | null, end: string | null): Prisma.Sql {
  return sql`${from === null ? sql`TRUE` : sql`m.day >= ${from}::date`}
    AND ${end === null ? sql`TRUE` : sql`m.day < ${end}::date`}`;
}

/** The first day of a day's month. */
function monthOf(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

/** The first day of the month after a day's. */
function nextMonth(day: string): string {
  return monthOf(addDays(monthOf(day), 31));
}

function asJson(totals: Prisma.Sql): Prisma.Sql {
  return sql`(SELECT coalesce(jsonb_agg(t ORDER BY t.part, t.count DESC, t.currency), '[]')
    FROM (${totals}) t)`;
}

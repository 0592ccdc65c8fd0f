import 'server-only';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Prisma, Row, Tx } from '#lib/runtime/db.ts';
import type { Closed, Late, Moved } from './book.ts';
import { dayOf, effects, startOf } from '#lib/provider-records/effects.ts';
import type { EffectsOf } from '#lib/provider-records/effects.ts';

/** Days in the workspace's zone, both included, and that zone. */
export type Days = { from: string; to: string; zone: string };

/**
 * Older entries of the mirror no longer change (a day is read again for a month), so corrections
 * are searched this far back.
 */
export const LATE_DAYS = 92;

const range = ({ from, to, zone }: Days): [Prisma.Sql, Prisma.Sql] => [
  startOf(from, zone),
  sql`((${to}::date + 1)::timestamp AT TIME ZONE ${zone})`,
];

/** What moved in each of the days; a day without an entry is not in the map. */
export async function movedIn(
  on: string | Tx,
  of: EffectsOf,
  days: Days,
): Promise<Map<string, Moved>> {
  const [from, to] = range(days);
  const rows = await inOne<{
    day: string;
    in: string;
    out: string;
    fees: string;
    lines: number;
    lowest: string;
  }>(
    on,
    sql`
    SELECT day::text, sum(in_minor)::text AS in, sum(out_minor)::text AS out,
      sum(fee_minor)::text AS fees, count(*)::int AS lines, least(0, min(running))::text AS lowest FROM (
      SELECT day, in_minor, out_minor, fee_minor, sum(in_minor - out_minor - fee_minor) OVER
        (PARTITION BY day ORDER BY moment, in_minor - out_minor - fee_minor DESC, record_id,
        side ROWS UNBOUNDED PRECEDING) AS running
      FROM (SELECT e.*, ${dayOf(sql`e.moment`, days.zone)} AS day FROM (${effects(of, from, to)}) e) d) r
    GROUP BY day`,
  );
  return new Map(
    rows.map((row) => [
      row.day,
      {
        in: BigInt(row.in),
        out: BigInt(row.out),
        fees: BigInt(row.fees),
        lines: row.lines,
        lowest: BigInt(row.lowest),
      },
    ]),
  );
}

/** The net effect on the wallet of all entries between two moments. */
export async function netBetween(
  on: string | Tx,
  of: EffectsOf,
  from: Prisma.Sql,
  to: Prisma.Sql,
): Promise<bigint> {
  const [row] = await inOne<{ net: string }>(
    on,
    sql`SELECT coalesce(sum(in_minor - out_minor - fee_minor), 0)::text AS net
      FROM (${effects(of, from, to)}) e`,
  );
  return BigInt(row!.net);
}

export type ClosedBy = { by: string; at: string; reason: string | null; breaks: string[] };

/** The closed days with their frozen figures. */
export async function closedDays(
  merchantId: string,
  wallet: string,
  days: Days,
): Promise<Map<string, Closed & ClosedBy>> {
  const rows = await inOne<
    Row<
      'closed_days',
      | 'opening_minor'
      | 'carried_minor'
      | 'in_minor'
      | 'out_minor'
      | 'fee_minor'
      | 'closing_minor'
      | 'lines'
      | 'reason'
      | 'closed_at'
    > &
      Row<'people', 'name'> & { day: string; breaks: string[] | null }
  >(
    merchantId,
    sql`
    SELECT c.day::text, c.opening_minor, c.carried_minor, c.in_minor, c.out_minor, c.fee_minor,
      c.closing_minor, c.lines, c.breaks, c.reason, p.name, c.closed_at
    FROM closed_days c JOIN people p ON p.id = c.closed_by WHERE c.wallet = ${wallet}
      AND c.day BETWEEN ${days.from}::date AND ${days.to}::date`,
  );
  return new Map(
    rows.map((row) => [
      row.day,
      {
        opening: row.opening_minor,
        carried: row.carried_minor,
        in: row.in_minor,
        out: row.out_minor,
        fees: row.fee_minor,
        closing: row.closing_minor,
        lines: row.lines,
        lowest: 0n,
        by: row.name,
        at: row.closed_at.toISOString(),
        reason: row.reason,
        breaks: row.breaks ?? [],
      },
    ]),
  );
}

export type LastClosed = { first: string; last: string; closing: bigint } | null;

export async function lastClosedDay(
  merchantId: string,
  wallet: string,
  before: string | null = null,
): Promise<LastClosed> {
  const [row] = await inOne<Row<'closed_days', 'closing_minor'> & { first: string; last: string }>(
    merchantId,
    sql`
    SELECT (SELECT min(day)::text FROM closed_days WHERE wallet = ${wallet}) AS first,
      day::text AS last, closing_minor FROM closed_days
    WHERE wallet = ${wallet} AND (${before}::date IS NULL OR day < ${before}::date)
      ORDER BY day DESC LIMIT 1`,
  );
  return row === undefined
    ? null
    : { first: row.first, last: row.last, closing: row.closing_minor };
}

/**
 * Rows `(record_id, side, booked_day, in_minor, out_minor, fee_minor)`: the current effect of the
 * ledger entries of closed days, minus the effect that the closed days counted.
 */
export function foundLate(of: EffectsOf, days: Days): Prisma.Sql {
  const [from, to] = range(days);
  return sql`
    SELECT record_id, side, coalesce(n.booked_day, w.booked_day) AS booked_day,
      coalesce(n.in_minor, 0) - coalesce(w.in_minor, 0) AS in_minor,
      coalesce(n.out_minor, 0) - coalesce(w.out_minor, 0) AS out_minor,
        coalesce(n.fee_minor, 0) - coalesce(w.fee_minor, 0) AS fee_minor,
        n.record_id IS NULL AS gone, w.record_id IS NULL AS new
    FROM (SELECT e.record_id, e.side, ${dayOf(sql`e.moment`, days.zone)} AS booked_day, e.in_minor,
      e.out_minor, e.fee_minor FROM (${effects(of, from, to)}) e) n
    FULL JOIN (SELECT record_id, side, max(booked_day) AS booked_day,
      sum(in_minor)::bigint AS in_minor, sum(out_minor)::bigint AS out_minor,
      sum(fee_minor)::bigint AS fee_minor FROM closed_day_lines
      WHERE wallet = ${of.wallet} AND booked_day BETWEEN ${days.from}::date AND ${days.to}::date
        GROUP BY 1, 2) w USING (record_id, side)
    WHERE (coalesce(n.in_minor, 0), coalesce(n.out_minor, 0), coalesce(n.fee_minor, 0))
      <> (coalesce(w.in_minor, 0), coalesce(w.out_minor, 0), coalesce(w.fee_minor, 0))`;
}

/**
 * The corrections of each closed day: what a later closed day carries, and what waits for the next
 * close.
 */
export async function lateOf(
  merchantId: string,
  of: EffectsOf,
  days: Days,
): Promise<Map<string, Late>> {
  const rows = await inOne<{ day: string; carried: string; waiting: string; lines: number }>(
    merchantId,
    sql`
    SELECT day::text, sum(carried)::text AS carried, sum(waiting)::text AS waiting,
      sum(lines)::int AS lines FROM (
      SELECT booked_day AS day, 0 AS carried, in_minor - out_minor - fee_minor AS waiting,
        1 AS lines FROM (${foundLate(of, days)}) f
      UNION ALL
      SELECT booked_day, in_minor - out_minor - fee_minor, 0, 1 FROM closed_day_lines
        WHERE wallet = ${of.wallet} AND day > booked_day
        AND booked_day BETWEEN ${days.from}::date AND ${days.to}::date) b
    GROUP BY day`,
  );
  return new Map(
    rows.map((row) => [
      row.day,
      {
        carried: BigInt(row.carried),
        net: BigInt(row.carried) + BigInt(row.waiting),
        lines: row.lines,
      },
    ]),
  );
}

/**
 * Stores each entry counted for the day, with the corrections of earlier days. Returns their sums.
 */
export async function countLines(
  tx: Tx,
  merchantId: string,
  of: EffectsOf,
  day: string,
  days: Days,
): Promise<{ carried: bigint; in: bigint; out: bigint; fees: bigint; lines: number }> {
  const [row] = await tx.$queryRaw<
    [{ carried: string; in: string; out: string; fees: string; lines: number }]
  >`
    WITH counted AS (
      INSERT INTO closed_day_lines (merchant_id, wallet, day, record_id, side, booked_day, in_minor,
        out_minor, fee_minor)
      SELECT ${merchantId}::uuid, ${of.wallet}, ${day}::date, record_id, side, booked_day, in_minor,
        out_minor, fee_minor FROM (${foundLate(of, days)}) f RETURNING day, booked_day, in_minor,
        out_minor, fee_minor)
    SELECT coalesce(sum(in_minor - out_minor - fee_minor) FILTER (WHERE booked_day < day), 0)::text
      AS carried, coalesce(sum(in_minor) FILTER (WHERE booked_day = day), 0)::text AS in,
      coalesce(sum(out_minor) FILTER (WHERE booked_day = day), 0)::text AS out,
        coalesce(sum(fee_minor) FILTER (WHERE booked_day = day), 0)::text AS fees,
        count(*) FILTER (WHERE booked_day = day)::int AS lines
    FROM counted`;
  return {
    carried: BigInt(row.carried),
    in: BigInt(row.in),
    out: BigInt(row.out),
    fees: BigInt(row.fees),
    lines: row.lines,
  };
}

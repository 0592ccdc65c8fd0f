import 'server-only';
import { addDays, dayRange, dayIn } from '#lib/values/dates.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { coverageOf } from '#lib/provider-records/coverage.ts';
import { dayOf, effects } from '#lib/provider-records/effects.ts';
import type { EffectsOf } from '#lib/provider-records/effects.ts';
import { netBetween } from './figures.ts';
import type { Days } from './figures.ts';

/**
 * The tolerance between the provider's clock and ours, and the time that a query of a balance may
 * take: a balance read this close to an entry proves nothing about that entry.
 */
export const CLOCKS_APART_SECONDS = 5;
/** An entry younger than this may not be listed yet (`contract`: 20 minutes at peak). */
const LISTED_BY_MINUTES = 30;

/** The last balance that the provider reported in a day, and what moved in the day after it. */
export type ReportedBalance = { at: string; total: bigint; after: bigint };

/** The last balance of each day that can be compared with the ledger. */
export async function reportedBalances(
  merchantId: string,
  of: EffectsOf,
  days: Days,
): Promise<Map<string, ReportedBalance>> {
  const begin = sql`b.at - make_interval(secs => ${CLOCKS_APART_SECONDS})`;
  const end = sql`((b.day + 1)::timestamp AT TIME ZONE ${days.zone})`;
  const rows = await inOne<{
    day: string;
    at: Date;
    total_minor: bigint;
    after: string;
    near: boolean;
  }>(
    merchantId,
    sql`
    SELECT b.day::text, b.at, b.total_minor, m.after::text, m.near FROM (
      SELECT DISTINCT ON (day) day, at, total_minor
        FROM (SELECT w.at, w.total_minor, ${dayOf(sql`w.at`, days.zone)} AS day FROM wallet_balances w
        WHERE wallet = ${of.wallet} AND currency = ${of.currency}) w
      WHERE day BETWEEN ${days.from}::date AND ${days.to}::date ORDER BY day, at DESC) b
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(in_minor - out_minor - fee_minor) FILTER (WHERE moment > b.at), 0) AS
        after, coalesce(bool_or(moment < b.at + make_interval(secs => ${CLOCKS_APART_SECONDS})),
        false) AS near
      FROM (${effects(of, begin, end)}) e) m`,
  );
  return new Map(
    rows
      .filter((row) => !row.near)
      .map((row) => [
        row.day,
        { at: row.at.toISOString(), total: row.total_minor, after: BigInt(row.after) },
      ]),
  );
}

/**
 * The wallet's balance at the start of a day: the provider's balance nearest in time, and every
 * entry between. Null when there is no balance yet, or a day between is not read to its end. `tx`:
 * an open transaction that reads it.
 */
export async function openingOf(
  merchantId: string,
  of: EffectsOf,
  day: string,
  zone: string,
  tx?: Tx,
): Promise<bigint | null> {
  const on = tx ?? merchantId;
  const begins = dayRange(day, zone).from;
  const [balance] = await inOne<Row<'wallet_balances', 'at' | 'total_minor'>>(
    on,
    sql`
    SELECT at, total_minor FROM wallet_balances WHERE wallet = ${of.wallet} AND currency = ${of.currency}
    ORDER BY at > clock_timestamp() - make_interval(mins => ${LISTED_BY_MINUTES}),
      abs(extract(epoch FROM at - ${begins}::timestamptz)) LIMIT 1`,
  );
  if (balance === undefined) return null;
  const at = balance.at.toISOString();
  const [from, to] = at > begins ? [begins, at] : [at, begins];
  const days = {
    from: dayIn(from, zone),
    to: at > begins ? dayIn(to, zone) : addDays(day, -1),
  };
  const { missing, complete, asOf } = await coverageOf(merchantId, 'ledger', days, tx);
  // A day that was last read before its end has its later entries still to come.
  const isRead = (at <= begins && complete) || (asOf !== null && asOf >= to);
  if (missing.length > 0 || !isRead) return null;
  const net = await netBetween(on, of, sql`${from}::timestamptz`, sql`${to}::timestamptz`);
  return at > begins ? balance.total_minor - net : balance.total_minor + net;
}

import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { addDays, dayRange, daysRange, dayIn } from '#lib/values/dates.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { parseDecimal } from '#lib/values/money.ts';
import { wantDays } from '#lib/provider-records/coverage.ts';
import type { ChartDays } from './filter.ts';
import { walletSeries } from './series.ts';
import type { DayFlow, SeriesDay } from './series.ts';

/** A payout that takes a bank longer than this is not found by its creation day. */
const LONGEST_DAYS = 31;

/** Wallets of one currency, with the sum of their balances. */
export type Together = {
  numbers: readonly string[];
  currency: string;
  balance: string | null;
};

export type WalletFlow = {
  series: SeriesDay[];
  /** Days whose ledger is not completely read; they are queued. */
  missing: string[];
  /** The last reading of one of them failed. */
  failing: boolean;
  /** When today was read, ISO; null before. */
  asOf: string | null;
};

/**
 * The money that came into some wallets of one currency and left them on each of the last days,
 * today included, by the mirror of the ledger, and the balances calculated back from the current
 * one. A transfer between these wallets counts with its fees only. Days are the workspace's. Unread
 * days are queued. `balance`: the current total from the provider, decimal text, or null.
 */
export async function walletFlow(
  actor: Person,
  wallets: Together,
  last: ChartDays,
  now: string,
): Promise<WalletFlow> {
  assertMay(actor, 'wallet.read');
  const zone = env().timeZone;
  const today = dayIn(now, zone);
  const days = Array.from({ length: last }, (_one, n) => addDays(today, n + 1 - last));
  const range = { from: days[0]!, to: today };
  await wantDays(actor.merchantId, 'ledger', range);
  const [moved, known] = await Promise.all([
    readFlows(actor, wallets, daysRange(range, zone), zone),
    inOne<Row<'record_days', 'read_at' | 'problem'> & { day: string }>(
      actor.merchantId,
      sql`
      SELECT day::text, read_at, problem FROM record_days WHERE list = 'ledger'
        AND day BETWEEN ${range.from}::date AND ${range.to}::date`,
    ),
  ]);
  const rows = new Map(known.map((row) => [row.day, row]));
  // A day that was read before its end may have changed afterwards.
  const isRead = (day: string): boolean => {
    const at = rows.get(day)?.read_at;
    return at != null && (day === today || at.getTime() >= Date.parse(dayRange(day, zone).to));
  };
  const missing = days.filter((day) => !isRead(day));
  return {
    series: walletSeries(
      days,
      moved,
      new Set(days.filter(isRead)),
      wallets.balance === null ? null : parseDecimal(wallets.balance),
    ),
    missing,
    failing: missing.some((day) => rows.get(day)?.problem != null),
    asOf: rows.get(today)?.read_at?.toISOString() ?? null,
  };
}

/**
 * Reads the flows by day, from settled entries only: completed ones (20), and those returned later
 * (60), whose return is an entry of its own. An entry belongs to the day on which its money moved;
 * for a payout that took the bank several days that is not its creation day.
 */
async function readFlows(
  actor: Person,
  { numbers, currency }: Together,
  range: { from: string; to: string },
  zone: string,
): Promise<Map<string, DayFlow>> {
  const within = sql`currency = ${currency} AND status_id IN (20, 60)
    AND created_at >= ${range.from}::timestamptz - make_interval(days => ${LONGEST_DAYS})
    AND created_at < ${range.to}::timestamptz
    AND coalesce(completed_at, created_at) >= ${range.from}::timestamptz
      AND coalesce(completed_at, created_at) < ${range.to}::timestamptz`;
  const own = [...numbers];
  const from = sql`coalesce(from_wallet = ANY(${own}::text[]), FALSE)`;
  const received = sql`(coalesce(received_minor, amount_minor) - coalesce(receiver_fee_minor, 0))`;
  const rows = await inOne<{ day: string; came: string; went: string; fees: string }>(
    actor.merchantId,
    sql`
    SELECT (at AT TIME ZONE ${zone})::date::text AS day, sum(came)::text AS came,
      sum(went)::text AS went, sum(fees)::text AS fees
    FROM (
      SELECT coalesce(completed_at, created_at) AS at,
        CASE WHEN ${from} THEN 0 ELSE ${received} END AS came,
        CASE WHEN ${from} THEN -${received} ELSE 0 END AS went,
        coalesce(receiver_fee_minor, 0) AS fees
      FROM ledger_records WHERE to_wallet = ANY(${own}::text[]) AND ${within}
      UNION ALL
      SELECT coalesce(completed_at, created_at), 0, amount_minor + fee_minor, fee_minor
        FROM ledger_records WHERE ${from} AND ${within}
    ) AS line GROUP BY 1`,
  );
  return new Map(
    rows.map((row) => [
      row.day,
      { in: BigInt(row.came), out: BigInt(row.went), fees: BigInt(row.fees) },
    ]),
  );
}

import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { addDays, dayRange, daysRange, dayIn } from '#lib/values/dates.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { parseDecimal } from '#lib/values/money.ts';
import { dayOf, effects } from '#lib/provider-records/effects.ts';
import { wantDays } from '#lib/provider-records/coverage.ts';
import type { ChartDays } from './filter.ts';
import { walletSeries } from './series.ts';
import type { DayFlow, SeriesDay } from './series.ts';

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
  // Read before the flows, which may then have more than is said of them, and never less.
  const known = await inOne<Row<'record_days', 'read_at' | 'problem'> & { day: string }>(
    actor.merchantId,
    sql`
    SELECT day::text, read_at, problem FROM record_days WHERE list = 'ledger'
      AND day BETWEEN ${range.from}::date AND ${range.to}::date`,
  );
  const moved = await readFlows(actor, wallets, daysRange(range, zone), zone);
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
 * Reads the flows by day, by the effects of the entries on each wallet as the day close counts them.
 * Of an entry between these wallets only what neither of them has any more went out.
 */
async function readFlows(
  actor: Person,
  { numbers, currency }: Together,
  range: { from: string; to: string },
  zone: string,
): Promise<Map<string, DayFlow>> {
  const own = sql`${[...numbers]}::text[]`;
  const moved = effects(
    { wallet: sql`w.number`, currency },
    sql`${range.from}::timestamptz`,
    sql`${range.to}::timestamptz`,
  );
  const within = sql`(l.from_wallet = ANY(${own}) AND l.to_wallet = ANY(${own})
    AND l.from_wallet <> l.to_wallet)`;
  const rows = await inOne<{ day: string; came: string; went: string; fees: string }>(
    actor.merchantId,
    sql`
    SELECT ${dayOf(sql`moment`, zone)}::text AS day,
      sum(CASE WHEN within OR in_minor = 0 THEN 0 ELSE in_minor - fee_minor END)::text AS came,
      sum(CASE WHEN within OR in_minor = 0 THEN out_minor + fee_minor - in_minor ELSE 0 END)::text
        AS went, sum(fee_minor)::text AS fees
    FROM (SELECT e.*, coalesce(${within}, FALSE) AS within
      FROM unnest(${own}) AS w(number), LATERAL (${moved}) e
        JOIN ledger_records l ON l.id = e.record_id) AS line GROUP BY 1`,
  );
  return new Map(
    rows.map((row) => [
      row.day,
      { in: BigInt(row.came), out: BigInt(row.went), fees: BigInt(row.fees) },
    ]),
  );
}

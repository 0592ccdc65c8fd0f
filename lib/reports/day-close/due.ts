import 'server-only';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';

/**
 * `days`: how many days have ended since the last closed one. `month`: that of the first of them, on
 * whose page they are closed.
 */
export type DaysToClose = { wallet: string; name: string; days: number; month: string };

/**
 * The wallets that have days to close and of which a person has closed a day before; empty for a
 * person who may not close days.
 */
export async function walletsToClose(actor: Person): Promise<DaysToClose[]> {
  if (!may(actor.role, 'day.close')) return [];
  return inOne<DaysToClose>(
    actor.merchantId,
    sql`
    SELECT wallet, coalesce(w.record ->> 'name', wallet) AS name, days, month FROM (
      SELECT wallet, to_char(max(day) + 1, 'YYYY-MM') AS month,
        (clock_timestamp() AT TIME ZONE ${env().timeZone})::date - max(day) - 1 AS days
      FROM closed_days GROUP BY wallet) c
    LEFT JOIN wallet_snapshots w ON w.number = c.wallet
    WHERE days > 0 ORDER BY days DESC, wallet`,
  );
}

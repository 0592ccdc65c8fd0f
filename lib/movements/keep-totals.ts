import 'server-only';
import { inOne, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { log } from '#lib/runtime/log.ts';
import { IS_ANY_KIND } from './kind-sql.ts';
import { KINDS } from './kinds.ts';

/**
 * The worker's part in the totals of the lists (migration "movement_totals"): it adds the changes
 * of movements to the totals, and compares the totals with the movements once a day.
 */

const AT_ONCE = 5_000;

/** Adds all changes that are waiting to the totals. Returns how many there were. */
export async function foldTotals(merchantId: string): Promise<number> {
  let all = 0;
  for (;;) {
    const [row] = await inOne<{ folded: number }>(
      merchantId,
      sql`SELECT fold_movement_totals(${AT_ONCE}::int) AS folded`,
    );
    all += row!.folded;
    if (row!.folded < AT_ONCE) return all;
  }
}

/**
 * Compares the totals with the movements, a month in each statement, unless it was done today.
 * Stores how many totals differ, of which people are notified, and returns it; null when it was
 * done before.
 */
export async function checkTotals(merchantId: string): Promise<number | null> {
  const [span] = await inOne<{ done: boolean; months: string[] | null }>(
    merchantId,
    sql`
    SELECT EXISTS (SELECT FROM movement_total_checks
        WHERE day >= movement_day(clock_timestamp())) AS done,
      (SELECT array_agg(to_char(month, 'YYYY-MM-DD') ORDER BY month) FROM generate_series(
        date_trunc('month', (SELECT least((SELECT movement_day(min(${FIRST_OF_KIND}))
          FROM unnest(${[...KINDS.keys()]}::text[]) AS k(kind)), (SELECT min(day) FROM movement_totals)))::timestamp),
        date_trunc('month', movement_day(clock_timestamp())::timestamp), '1 month') month) AS months`,
  );
  if (span!.done) return null;
  let wrong = 0;
  for (const month of span!.months ?? []) {
    const [found] = await inOne<{ wrong: number }>(merchantId, differencesOf(month));
    wrong += found!.wrong;
  }
  if (wrong > 0)
    log.error('totals of the lists differ from the movements: recount them', { count: wrong });
  await inTransaction(
    merchantId,
    (tx) => tx.$executeRaw`
    INSERT INTO movement_total_checks (merchant_id, day, at, wrong)
      VALUES (${merchantId}::uuid, movement_day(clock_timestamp()), clock_timestamp(), ${wrong})
    ON CONFLICT (merchant_id) DO UPDATE SET day = excluded.day, at = excluded.at,
      wrong = excluded.wrong`,
  );
  return wrong;
}

/** When the first movement of the kind `k` was made: one step in an index, however many there are. */
const FIRST_OF_KIND = sql`(SELECT m.created_at FROM movements m WHERE m.kind = k.kind
  ORDER BY m.created_at LIMIT 1)`;

/** The number of totals of a month, and of its days, that are not those of the movements. */
function differencesOf(month: string): Prisma.Sql {
  const end = sql`(${month}::date + interval '1 month')::date`;
  const spans = sql`CROSS JOIN LATERAL (VALUES ('day', c.day),
    ('month', date_trunc('month', c.day)::date)) s (span, day)`;
  return sql`
    SELECT count(*)::int AS wrong FROM (
      SELECT FROM (
        SELECT s.span, c.kind, s.day, c.wallet, c.bucket, c.part, c.currency, c.count, c.sum_minor
          FROM (SELECT m.kind, movement_day(m.created_at) AS day, m.wallet, m.bucket,
              movement_part(m.state, m.returned) AS part, m.currency, count(*) AS count,
              sum(m.amount_minor) AS sum_minor
            FROM movements m WHERE ${IS_ANY_KIND}
              AND m.created_at >= ${month}::timestamp AT TIME ZONE 'Europe/Istanbul'
              AND m.created_at < ${end}::timestamp AT TIME ZONE 'Europe/Istanbul'
            GROUP BY 1, 2, 3, 4, 5, 6) c ${spans}
        UNION ALL
        SELECT c.span, c.kind, c.day, c.wallet, c.bucket, c.part, c.currency, -c.count, -c.sum_minor
          FROM movement_totals c WHERE c.day >= ${month}::date AND c.day < ${end}
        UNION ALL
        SELECT s.span, c.kind, s.day, c.wallet, c.bucket, c.part, c.currency, -c.count, -c.sum_minor
          FROM movement_total_changes c ${spans}
          WHERE c.day >= ${month}::date AND c.day < ${end}) compared
      GROUP BY span, kind, day, wallet, bucket, part, currency
      HAVING sum(count) <> 0 OR sum(sum_minor) <> 0) different`;
}

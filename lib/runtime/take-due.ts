import 'server-only';
import { inTransaction, kept, sql } from './db.ts';
import type { Prisma } from './db.ts';

/** How long a row is claimed: longer than a provider may take to respond. */
const ASK_SECONDS = 60;

/**
 * A table with rows that become due; it has `id`, `merchant_id`, `next_at` and `tries`. `only` limits
 * the rows and names the table `due`.
 */
export type DueTable = { table: Prisma.Sql; only?: Prisma.Sql };

/**
 * Claims the row of a table that is due for longest, for a worker that only queries a provider: the
 * row's next time is postponed and its tries are counted before the query, so that the claim of a
 * dead worker expires by itself. A duplicate query is harmless; code that sends money claims with a
 * lease instead. `columns` are of the table `due`. Undefined when nothing is due.
 */
export async function takeDue<Row>(
  merchantId: string,
  { table, only = sql`TRUE` }: DueTable,
  columns: Prisma.Sql,
): Promise<Row | undefined> {
  const [row] = await inTransaction(merchantId, (tx) =>
    tx.$queryRaw<Row[]>(
      kept(sql`
    UPDATE ${table} due SET next_at = clock_timestamp() + make_interval(secs => ${ASK_SECONDS}),
      tries = tries + 1
    WHERE id = (SELECT id FROM ${table} due WHERE merchant_id = ${merchantId}::uuid
      AND next_at <= statement_timestamp() AND ${only} ORDER BY next_at LIMIT 1
      FOR UPDATE SKIP LOCKED)
    RETURNING ${columns}`),
    ),
  );
  return row;
}

/** When the first row of the table is due, as SQL for the merchant of the transaction. */
export function firstDue({ table, only = sql`TRUE` }: DueTable): Prisma.Sql {
  return sql`SELECT next_at FROM ${table} due WHERE next_at IS NOT NULL AND ${only}
    ORDER BY next_at LIMIT 1`;
}

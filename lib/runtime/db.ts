import 'server-only';
import { createHash } from 'node:crypto';
import { join, raw, sql } from '@prisma/client-runtime-utils';
import pg from 'pg';
import type { Prisma, PrismaClient } from '#lib/generated/prisma/client.ts';
import type { Rows } from '#lib/generated/rows.ts';
import { env } from './env.ts';

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 3_000;
/**
 * The server's own limits normally end a statement first; this one is for a server that does not
 * respond at all.
 */
const ANSWER_TIMEOUT_MS = 10_000;
const ROLLBACK_TIMEOUT_MS = 1_000;
/** "cached plan must not change result type": a column that a prepared statement names has changed. */
const PLAN_OUTDATED = '0A000';
/**
 * A lock or a statement that takes longer than this is a fault
 * (docs/money-rules.md, "The database").
 */
const SESSION_LIMITS =
  '-c TimeZone=UTC -c lock_timeout=2000 -c statement_timeout=5000 -c idle_in_transaction_session_timeout=10000';
/**
 * Under row-level security the merchant is an index condition or a function call per row: plans
 * that scan a whole index are cheaper than the default costs assume. A server that is built with
 * LLVM would compile a statement of several tables whenever it overestimates the rows, for seconds;
 * every statement here reads few rows. The embedded server is built without it.
 */
const SESSION_PLANS = '-c random_page_cost=1.1 -c max_parallel_workers_per_gather=0 -c jit=off';
/**
 * A queue is read in the order of its index. Without statistics (a new or restored database) a plan
 * with a sort seems just as cheap, and every claim would read all due rows.
 */
const QUEUE_PLANS = '-c enable_sort=off';

export type DatabaseRole = 'dashboard_web' | 'dashboard_worker';
/**
 * Statements inside one transaction. Columns arrive as `bigint` (int8), `Date` (timestamptz, to the
 * millisecond), parsed JSON, bytes, and text for types without an exact counterpart (numeric).
 */
export type Tx = {
  $queryRaw<T = unknown>(statement: Statement, ...values: unknown[]): Promise<T>;
  /**
   * Rows as PostgreSQL prints them, column by column: for copying thousands of rows.
   */
  $queryText(statement: Statement, ...values: unknown[]): Promise<(string | null)[][]>;
  /** Returns the number of rows. */
  $executeRaw(statement: Statement, ...values: unknown[]): Promise<number>;
};
type Statement = TemplateStringsArray | Prisma.Sql;

export type { Prisma };
export { join, sql };
/** SQL text that is written into the statement as it is. Only for constants of our own. */
export const literal = raw;

type Table = keyof Rows;
/**
 * Columns of a table as the row type of a statement: a column that is renamed in the schema no
 * longer compiles. `N` narrows columns to the values that we write: a text column to our state
 * names, a JSON column to its content. `N` can neither name a further column nor give a column an
 * incompatible type.
 */
export type Row<
  T extends Table,
  C extends keyof Rows[T],
  N extends Narrowing<Pick<Rows[T], C>, N> = NonNullable<unknown>,
> = Omit<Pick<Rows[T], C>, keyof N> & N;
type Narrowing<R, N> = { [K in keyof N]: K extends keyof R ? R[K] : never };

/** A list of columns for a SELECT or RETURNING; `of` gives the list for a table with that alias. */
export type Columns<R> = Prisma.Sql & { of(alias: string): Columns<R> };
/** The row type of a statement that reads such a list of columns, narrowed as in `Row`. */
export type RowOf<C, N extends Narrowing<Listed<C>, N> = NonNullable<unknown>> = Omit<
  Listed<C>,
  keyof N
> &
  N;
type Listed<C> = C extends Columns<infer R> ? R : never;

/**
 * The columns `names` of `table`. Written into the statement, its list and the type of its rows
 * (`RowOf`) cannot differ.
 */
export function columns<T extends Table, C extends keyof Rows[T] & string>(
  table: T,
  names: readonly C[],
): Columns<Pick<Rows[T], C>> {
  const of = (alias: string): Columns<Pick<Rows[T], C>> =>
    Object.assign(raw(names.map((name) => `${alias}.${name}`).join(', ')), { of });
  return of(table);
}

const AS_TEXT: Partial<pg.QueryArrayConfig> = {
  rowMode: 'array',
  types: { getTypeParser: () => (value: string) => value },
};

let pool: pg.Pool | undefined;
let role: DatabaseRole = 'dashboard_web';

/** The worker sets its role before its first query; every other process is the web. */
export function actAs(next: DatabaseRole): void {
  if (pool) throw new Error('the database role is chosen before the first query');
  role = next;
}

function connections(): pg.Pool {
  if (pool) return pool;
  pool = new pg.Pool({
    connectionString: env().databaseUrl,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    options: `-c role=${role} ${SESSION_LIMITS} ${SESSION_PLANS} ${role === 'dashboard_worker' ? QUEUE_PLANS : ''}`,
    types: {
      getTypeParser: (oid, format) =>
        oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format),
    },
  });
  // A query on a broken connection reports the error itself; without a listener, an idle broken
  // connection would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (connection) => connection.on('error', () => undefined));
  return pool;
}

/**
 * Runs `work` in one transaction that sees only this merchant's rows. Throwing rolls back. The
 * transaction is over when this settles; later statements are refused. Never keep it open during a
 * request to a provider.
 */
export async function inTransaction<T>(
  merchantId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const connection = await connections().connect();
  let open = true;
  const run = (
    statement: Statement,
    values: unknown[],
    as: Partial<pg.QueryArrayConfig> = {},
  ): Promise<pg.QueryResult> => {
    if (!open) throw new Error('this transaction is over');
    const query = 'raw' in statement ? sql(statement, ...values) : statement;
    return connection.query({ ...configOf(query), ...as });
  };
  const tx: Tx = {
    $queryRaw: async <R>(statement: Statement, ...values: unknown[]) =>
      (await run(statement, values)).rows as R,
    $queryText: async (statement, ...values) =>
      (await run(statement, values, AS_TEXT)).rows as unknown as (string | null)[][],
    $executeRaw: async (statement, ...values) => (await run(statement, values)).rowCount ?? 0,
  };
  try {
    // BEGIN and the merchant in one round trip; `true` resets the merchant with the transaction.
    await connection.query(
      `BEGIN; SELECT set_config('app.merchant_id', ${pg.escapeLiteral(merchantId)}, true)`,
    );
    const result = await work(tx);
    open = false;
    const { command } = await connection.query('COMMIT');
    // After a failed statement PostgreSQL turns a COMMIT into a rollback, without an error.
    if (command !== 'COMMIT')
      throw new Error('a statement failed: the transaction was rolled back');
    connection.release();
    return result;
  } catch (error) {
    open = false;
    await rollBack(connection, error);
    throw error;
  }
}

const keptPlans = new WeakSet<Prisma.Sql>();
const names = new Map<string, string>();

/**
 * Makes a statement a named prepared statement, for very frequent ones: the server keeps its plan
 * for the life of the connection. Its text must be constant but for the values, and it must name
 * its columns: a prepared `SELECT *` fails when a column is added.
 */
export function kept(statement: Prisma.Sql): Prisma.Sql {
  keptPlans.add(statement);
  return statement;
}

function configOf(statement: Prisma.Sql): pg.QueryConfig {
  const { text, values } = statement;
  return keptPlans.has(statement) ? { name: nameOf(text), text, values } : { text, values };
}

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined)
    names.set(text, (name = createHash('sha256').update(text).digest('base64url')));
  return name;
}

/**
 * One statement as a transaction of its own: one round trip where `inTransaction` takes three. Data
 * that must be read or written at one moment belongs into one statement. Rows are as in a
 * transaction.
 */
export async function inOne<T>(merchantId: string, statement: Prisma.Sql): Promise<T[]> {
  return (await queryAs(merchantId, configOf(statement))).rows;
}

const merchantOf = new WeakMap<pg.PoolClient, string>();

async function queryAs(merchantId: string, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const connection = await connections().connect();
  try {
    // Set the merchant for the life of the connection; each transaction sets its own merchant
    // anyway.
    if (merchantOf.get(connection) !== merchantId)
      await connection.query(
        `SELECT set_config('app.merchant_id', ${pg.escapeLiteral(merchantId)}, false)`,
      );
    merchantOf.set(connection, merchantId);
    const result = await connection.query(query);
    connection.release();
    return result;
  } catch (error) {
    await rollBack(connection, error);
    throw error;
  }
}

/** The models of ordinary records; movements, claims and the chain are SQL (decision 32). */
export type Records = Pick<
  PrismaClient,
  'cardPayment' | 'notice' | 'person' | 'recipient' | 'savedView'
>;
const recordsOf = new Map<string, Promise<Records>>();

/**
 * Prisma Client for this merchant's ordinary records, on the connections of `inOne`: each statement
 * is a transaction of its own, so an operation that needs several writes is refused. It is loaded
 * by its first use, as the worker needs none.
 */
export function records(merchantId: string): Promise<Records> {
  let client = recordsOf.get(merchantId);
  if (client === undefined) recordsOf.set(merchantId, (client = openRecords(merchantId)));
  return client;
}

async function openRecords(merchantId: string): Promise<Records> {
  const [{ PrismaClient }, { PrismaPg }] = await Promise.all([
    import('#lib/generated/prisma/client.ts'),
    import('@prisma/adapter-pg'),
  ]);
  // The pool opens no connection of its own, because those would not name the merchant.
  const pool = Object.assign(new pg.Pool(), {
    query: (query: pg.QueryConfig) => queryAs(merchantId, query),
    connect: () => Promise.reject(new Error('records have no transactions: use inTransaction')),
  });
  return new PrismaClient({ adapter: new PrismaPg(pool) });
}

/**
 * Closes a connection that cannot roll back: the server then rolls back. One whose prepared
 * statement no longer fits the schema is closed as well, so that a migration needs no restart.
 */
async function rollBack(connection: pg.PoolClient, cause: unknown): Promise<void> {
  const undo = { text: 'ROLLBACK', query_timeout: ROLLBACK_TIMEOUT_MS };
  const isOutdated = cause instanceof pg.DatabaseError && cause.code === PLAN_OUTDATED;
  await connection.query(undo).then(
    () => connection.release(isOutdated),
    () => connection.release(true),
  );
}

/** The database's own clock: the only clock for decisions about money. */
export async function databaseNow(tx: Tx): Promise<Date> {
  const [row] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
  return row.now;
}

/**
 * A separate listening connection, because a pool cannot hold one. The caller reconnects when it
 * ends.
 */
export async function listen(
  channel: string,
  onMessage: (payload: string) => void,
): Promise<pg.Client & { snapshot: string }> {
  const listener = new pg.Client({
    connectionString: env().databaseUrl,
    options: `-c role=${role}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  listener.on('notification', (message) => onMessage(message.payload ?? ''));
  // Without an error listener a broken connection would end the process; the caller waits for its
  // `end` event.
  listener.on('error', () => undefined);
  try {
    await listener.connect();
    await listener.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    const { rows } = await listener.query<{ snapshot: string }>(
      'SELECT pg_current_snapshot()::text AS snapshot',
    );
    return Object.assign(listener, { snapshot: rows[0]!.snapshot });
  } catch (error) {
    // Callers retry every second: half-open connections must not accumulate.
    await listener.end().catch(() => undefined);
    throw error;
  }
}

export async function disconnect(): Promise<void> {
  await pool?.end();
  pool = undefined;
}

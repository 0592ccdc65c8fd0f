import 'server-only';
import { createHash } from 'node:crypto';
import { join, raw, sql } from '@prisma/client-runtime-utils';
import pg from 'pg';
import type { Prisma, PrismaClient } from '#lib/generated/prisma/client.ts';
import type { Rows } from '#lib/generated/rows.ts';
import { env } from './env.ts';
import { sessionSettings } from './session-settings.ts';
import type { DatabaseRole } from './session-settings.ts';

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 3_000;
/**
 * The server's own limits end a statement first; this one is for a server that does not respond at
 * all, because its machine or the network to it is gone.
 */
const ANSWER_TIMEOUT_MS = 5_000;
/** A connection that is idle for so long is probed by TCP. */
const KEEP_ALIVE_MS = 1_000;
/** The interval of the queries by which a listening connection is known to be alive. */
const PING_MS = 2_000;
const PING_TIMEOUT_MS = 3_000;
/** What the driver says when a statement had no response in time. */
const UNANSWERED = 'Query read timeout';
const ROLLBACK_TIMEOUT_MS = 1_000;
/** "cached plan must not change result type": a column that a prepared statement names has changed. */
const PLAN_OUTDATED = '0A000';
export type { DatabaseRole };
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

/**
 * Whether DATABASE_URL is a pooler that gives a server's connection for one transaction (PgBouncer
 * in transaction mode). Then nothing may be set or prepared for a session: the next transaction may
 * be on another one.
 */
const isPooled = (): boolean => env().databaseDirectUrl !== null;

function connections(): pg.Pool {
  if (pool) return pool;
  const options = sessionSettings(role).map(([name, value]) => ` -c ${name}=${value}`);
  pool = new pg.Pool({
    connectionString: env().databaseUrl,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(isPooled() ? {} : { options: `-c role=${role}${options.join('')}` }),
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

/** When a connection answered last, and when one last did not answer in time, by no clock that is set. */
const answeredAt = new WeakMap<pg.PoolClient, number>();
let silentSince = 0;

/**
 * Takes a connection from the pool. When a server was silent, those that were idle at that time are
 * closed and not used: they lead to the same server, and each would cost the whole timeout.
 */
async function take(): Promise<pg.PoolClient> {
  for (;;) {
    const connection = await connections().connect();
    if ((answeredAt.get(connection) ?? Infinity) >= silentSince) return connection;
    connection.release(true);
  }
}

function giveBack(connection: pg.PoolClient): void {
  answeredAt.set(connection, performance.now());
  connection.release();
}

/**
 * BEGIN and everything that holds for this transaction, in one round trip; `true` resets a setting
 * with the transaction. Through a pooler that includes the role and all settings of a session.
 */
function opening(merchantId: string): string {
  const all = [['app.merchant_id', merchantId], ...(isPooled() ? sessionSettings(role) : [])];
  const set = all.map(
    ([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value!)}, true)`,
  );
  return `BEGIN; ${isPooled() ? `SET LOCAL ROLE ${role}; ` : ''}SELECT ${set.join(', ')}`;
}

async function commit(connection: pg.PoolClient): Promise<void> {
  const { command } = await connection.query('COMMIT');
  // After a failed statement PostgreSQL turns a COMMIT into a rollback, without an error.
  if (command !== 'COMMIT') throw new Error('a statement failed: the transaction was rolled back');
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
  const connection = await take();
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
    await connection.query(opening(merchantId));
    const result = await work(tx);
    open = false;
    await commit(connection);
    giveBack(connection);
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
  const isNamed = keptPlans.has(statement) && !isPooled();
  return isNamed ? { name: nameOf(text), text, values } : { text, values };
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
 * transaction. `on` a transaction that is open, the statement is one of that transaction.
 */
export async function inOne<T>(on: string | Tx, statement: Prisma.Sql): Promise<T[]> {
  if (typeof on !== 'string') return on.$queryRaw<T[]>(statement);
  return (await queryAs(on, configOf(statement))).rows;
}

const merchantOf = new WeakMap<pg.PoolClient, string>();

async function queryAs(merchantId: string, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const connection = await take();
  try {
    if (isPooled()) return await queryInTransaction(connection, merchantId, query);
    // Set the merchant for the life of the connection; each transaction sets its own merchant
    // anyway.
    if (merchantOf.get(connection) !== merchantId)
      await connection.query(
        `SELECT set_config('app.merchant_id', ${pg.escapeLiteral(merchantId)}, false)`,
      );
    merchantOf.set(connection, merchantId);
    const result = await connection.query(query);
    giveBack(connection);
    return result;
  } catch (error) {
    await rollBack(connection, error);
    throw error;
  }
}

async function queryInTransaction(
  connection: pg.PoolClient,
  merchantId: string,
  query: pg.QueryConfig,
): Promise<pg.QueryResult> {
  await connection.query(opening(merchantId));
  const result = await connection.query(query);
  await commit(connection);
  giveBack(connection);
  return result;
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
  if (cause instanceof Error && cause.message === UNANSWERED) {
    silentSince = performance.now();
    return connection.release(true);
  }
  const undo = { text: 'ROLLBACK', query_timeout: ROLLBACK_TIMEOUT_MS };
  const isOutdated = cause instanceof pg.DatabaseError && cause.code === PLAN_OUTDATED;
  await connection.query(undo).then(
    () => (isOutdated ? connection.release(true) : giveBack(connection)),
    () => connection.release(true),
  );
}

/** The database's own clock: the only clock for decisions about money. */
export async function databaseNow(tx: Tx): Promise<Date> {
  const [row] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
  return row.now;
}

/**
 * A separate listening connection, because a pool cannot hold one, nor can a pooler: it goes to the
 * server itself. The caller reconnects when it ends; it ends when the server is silent, too.
 */
export async function listen(
  channel: string,
  onMessage: (payload: string) => void,
): Promise<pg.Client & { snapshot: string }> {
  const listener = new pg.Client({
    connectionString: env().databaseDirectUrl ?? env().databaseUrl,
    options: `-c role=${role}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: PING_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
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
    endWhenSilent(listener);
    return Object.assign(listener, { snapshot: rows[0]!.snapshot });
  } catch (error) {
    // Callers retry every second: half-open connections must not accumulate.
    await listener.end().catch(() => undefined);
    throw error;
  }
}

function endWhenSilent(listener: pg.Client): void {
  // A query that has no response closes the connection with `end`.
  const look = () =>
    void listener.query('SELECT').catch(() => listener.end().catch(() => undefined));
  const timer = setInterval(look, PING_MS);
  timer.unref();
  listener.once('end', () => clearInterval(timer));
}

export async function disconnect(): Promise<void> {
  await pool?.end();
  pool = undefined;
}

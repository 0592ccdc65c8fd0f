/**
 * Runs the embedded PostgreSQL: real PostgreSQL from npm, for a demo, for development and for
 * tests. `node scripts/postgres.ts --data <folder> [--port N]` runs it alone, prints its address
 * and stays in the foreground.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { takeLock } from './lock.ts';
import { freePort } from './ports.ts';
import { initialise, postgresFiles } from './postgres-files.ts';
import type { Kept } from './postgres-keeper.ts';
import { ROOT, supervise, type Supervised } from './processes.ts';
import { Refused } from './refused.ts';
import { secretsOf } from './secrets.ts';

export const SUPERUSER = 'postgres';
/**
 * The role that owns the database and runs the migrations. It is not a superuser, so that the
 * migrations work on a server where the owner is none.
 */
export const OWNER = 'dashboard';
export const DATABASE = 'dashboard';
const READY_MS = 60_000;
const STOP_MS = 20_000;

export type Postgres = {
  /** The address for the owner of the database `dashboard`, who may create databases and roles. */
  url: string;
  port: number;
  process: Supervised;
  /**
   * Stops PostgreSQL by a fast shutdown: open transactions are rolled back, everything committed is
   * on disk.
   */
  stop(): Promise<void>;
};
export type PostgresOptions = {
  dataDir: string;
  port?: number;
  /** False for tests: a power cut may then lose a commit, which saves much time. */
  durable?: boolean;
  say?: (line: string) => void;
};

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, which is made when it is missing. The caller must hold
 * the lock of `dataDir`.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const say = options.say ?? (() => {});
  const password = secretsOf(options.dataDir).DATABASE_PASSWORD;
  const files = postgresFiles(options.dataDir);
  initialise(files, SUPERUSER, password);
  const port = options.port ?? (await freePort());
  const kept: Kept = {
    command: join(files.programs, 'bin', 'postgres'),
    args: ['-D', files.dataForPostgres, ...settings(port, options.durable ?? true)],
    data: files.data,
    account: files.account,
  };
  const keeper = {
    name: 'PostgreSQL',
    command: process.execPath,
    args: [join(ROOT, 'scripts', 'postgres-keeper.ts'), JSON.stringify(kept)],
    env: process.env,
    logFile: join(options.dataDir, 'logs', 'postgres.log'),
    stopMs: STOP_MS,
  };
  const running = supervise(keeper, say);
  const address = (user: string, database: string) =>
    `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`;
  try {
    await running.ready(() => makeOwner(address(SUPERUSER, 'postgres'), password), READY_MS);
  } catch (error) {
    await running.stop();
    throw error;
  }
  return { url: address(OWNER, DATABASE), port, process: running, stop: () => running.stop() };
}

function settings(port: number, durable: boolean): string[] {
  const on = durable ? 'on' : 'off';
  const values = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: on,
    synchronous_commit: on,
    full_page_writes: on,
    timezone: 'UTC',
    log_timezone: 'UTC',
    max_connections: 200,
    // pg_stat_activity shows whole statements: a statement that lists its columns is longer than 1
    // KiB.
    track_activity_query_size: 8192,
    password_encryption: 'scram-sha-256',
    log_min_messages: 'warning',
    // A failed statement may hold a name or an IBAN, so it is not written to the log.
    log_min_error_statement: 'panic',
    // The row that violated a constraint is not written to the log either.
    log_error_verbosity: 'terse',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Makes the owner and the database where they are missing. Returns true when both exist, false
 * while PostgreSQL does not answer yet.
 */
export async function makeOwner(superuserUrl: string, password: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: superuserUrl, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [OWNER]);
    if (role.rowCount === 0) {
      await client.query(
        `CREATE ROLE ${OWNER} LOGIN CREATEDB CREATEROLE PASSWORD ${client.escapeLiteral(password)}`,
      );
    }
    const database = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (database.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
    return true;
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === '28P01')
      throw new Refused(
        'The embedded database does not accept its password: secrets.json is not the one it ' +
          'was made with. Restore it, or `npm run reset`.',
      );
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { data: { type: 'string' }, port: { type: 'string' } } });
  if (values.data === undefined)
    throw new Refused('Usage: node scripts/postgres.ts --data <folder> [--port N]');
  const dataDir = resolve(values.data);
  const lock = takeLock(dataDir);
  if (lock === undefined) throw new Refused(`${dataDir} is in use by another start.`);
  const postgres = await startPostgres({
    dataDir,
    say: console.error,
    ...(values.port === undefined ? {} : { port: Number(values.port) }),
  });
  console.log(postgres.url);
  const stop = async () => {
    await postgres.stop();
    lock.release();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void stop());
}

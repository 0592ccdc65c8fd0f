/**
 * A login of the embedded database for which the time is earlier: its statements and the defaults
 * of its columns take the time from `demo_past` instead of PostgreSQL's own clock. Only the demo's
 * history is written by this login, before the web and the worker start.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';

const LOGIN = 'demo_history';
const SCHEMA = 'demo_past';
const CLOCKS = ['clock_timestamp', 'now', 'statement_timestamp'];
/**
 * Finds the column defaults that use the time. A default is bound to its function when the table is
 * made, so the search path of a session does not change it.
 */
const TIMED_DEFAULTS = `
  SELECT format('%I.%I', n.nspname, c.relname) AS "table", quote_ident(a.attname) AS "column",
    pg_get_expr(d.adbin, d.adrelid) AS expression
  FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
  WHERE n.nspname = 'public' AND a.attgenerated = ''
    AND pg_get_expr(d.adbin, d.adrelid) ~ '(CURRENT_TIMESTAMP|now\\(\\)|clock_timestamp\\(\\))'`;

/** Finds the functions that use the time and have a search path of their own. */
const TIMED_FUNCTIONS = `
  SELECT p.oid::regprocedure::text AS name FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace AND p.prosrc ~ 'clock_timestamp\\(\\)'
    AND EXISTS (SELECT FROM unnest(p.proconfig) one WHERE one = 'search_path=public, pg_temp')`;

export type Past = {
  /** The address of the database for the login that has the earlier time. */
  url: string;
  /** Removes the login and its clock, and restores the defaults and functions. */
  close(): Promise<void>;
};
type Changed = { defaults: readonly TimedDefault[]; functions: readonly string[] };
type TimedDefault = { table: string; column: string; expression: string };

/** Whether a database has never been used: it holds no merchant. */
export async function isFresh(ownerUrl: string): Promise<boolean> {
  return withOwner(ownerUrl, async (owner) => {
    const { rows } = await owner.query<{ used: boolean }>(
      'SELECT EXISTS (SELECT FROM merchants) AS used',
    );
    return rows[0]?.used === false;
  });
}

/**
 * Makes the login, its clock and the changed defaults in a fresh database. `ownerUrl`: the address
 * for its owner, who may create roles.
 */
export async function openPast(ownerUrl: string): Promise<Past> {
  const password = randomBytes(24).toString('base64url');
  const changed = await withOwner(ownerUrl, async (owner): Promise<Changed> => {
    await owner.query(`
      CREATE SCHEMA ${SCHEMA};
      CREATE TABLE ${SCHEMA}.clock (behind INTERVAL NOT NULL);
      INSERT INTO ${SCHEMA}.clock VALUES ('0');
      ${CLOCKS.map(
        (name) => `CREATE FUNCTION ${SCHEMA}.${name}() RETURNS timestamptz LANGUAGE sql VOLATILE AS
          'SELECT pg_catalog.clock_timestamp() - behind FROM ${SCHEMA}.clock';`,
      ).join('\n')}
      -- The guard of two people compares the start of the transaction with what happened in it.
      CREATE FUNCTION ${SCHEMA}.transaction_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
        'SELECT pg_catalog.transaction_timestamp() - behind FROM ${SCHEMA}.clock';
      CREATE ROLE ${LOGIN} LOGIN PASSWORD ${pg.escapeLiteral(password)}
        IN ROLE dashboard_web, dashboard_worker;
      GRANT ${LOGIN} TO CURRENT_USER;
      GRANT USAGE ON SCHEMA ${SCHEMA} TO dashboard_web, dashboard_worker, ${LOGIN};
      GRANT SELECT, UPDATE ON ${SCHEMA}.clock TO dashboard_web, dashboard_worker, ${LOGIN};
      ALTER ROLE ${LOGIN} SET search_path = ${SCHEMA}, pg_catalog, public;
      ALTER ROLE ${LOGIN} SET synchronous_commit = off`);
    const { rows } = await owner.query<TimedDefault>(TIMED_DEFAULTS);
    await setDefaults(owner, rows, () => `${SCHEMA}.clock_timestamp()`);
    const functions = await owner.query<{ name: string }>(TIMED_FUNCTIONS);
    const names = functions.rows.map(({ name }) => name);
    await setPaths(owner, names, `${SCHEMA}, pg_catalog, public, pg_temp`);
    return { defaults: rows, functions: names };
  });
  const url = new URL(ownerUrl);
  [url.username, url.password] = [LOGIN, password];
  return { url: url.href, close: () => closePast(ownerUrl, changed) };
}

async function closePast(ownerUrl: string, { defaults, functions }: Changed): Promise<void> {
  await withOwner(ownerUrl, async (owner) => {
    await setDefaults(owner, defaults, ({ expression }) => expression);
    await setPaths(owner, functions, 'public, pg_temp');
    await owner.query(`DROP OWNED BY ${LOGIN}; DROP ROLE ${LOGIN}; DROP SCHEMA ${SCHEMA} CASCADE`);
    // The planner has no statistics of rows that were written a moment ago.
    await owner.query('ANALYZE');
  });
}

async function setDefaults(
  owner: pg.Client,
  defaults: readonly TimedDefault[],
  to: (one: TimedDefault) => string,
): Promise<void> {
  const changes = defaults.map(
    (one) => `ALTER TABLE ${one.table} ALTER COLUMN ${one.column} SET DEFAULT ${to(one)}`,
  );
  await owner.query(`BEGIN; ${changes.join('; ')}; COMMIT`);
}

async function setPaths(owner: pg.Client, names: readonly string[], path: string): Promise<void> {
  for (const name of names) await owner.query(`ALTER FUNCTION ${name} SET search_path = ${path}`);
}

async function withOwner<T>(ownerUrl: string, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

/**
 * Applies the checked-in migrations with Prisma's own engine in WebAssembly, and with its
 * bookkeeping table (`_prisma_migrations`), so that `prisma migrate deploy` elsewhere finds the
 * same history. As a program: `node prisma/migrate.ts` migrates the database of
 * DATABASE_DIRECT_URL, else of DATABASE_URL: its lock needs a session, which a pooler does not give.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import * as engineGlue from '@prisma/schema-engine-wasm/schema_engine_bg';
import type * as AdapterUtils from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';

/**
 * Advisory lock: two concurrent starts on one database wait for each other. An arbitrary number
 * that nothing else uses.
 */
const MIGRATION_LOCK = 7_266_382_001;
const TURN_WAIT_MS = 120_000;
const TURN_PAUSE_MS = 100;
/** The oldest PostgreSQL on which the tests are run (docs/operations.md, "PostgreSQL versions"). */
const OLDEST_SERVER = 15;
/**
 * While a statement of a migration waits for a lock, everything that comes after it waits too, and
 * web and worker give up after two seconds. So it gives up earlier and is tried again.
 */
const TABLE_LOCK_WAIT = '1s';
const LOCK_TRIES = 60;
const LOCK_PAUSE_MS = 1_000;
/** Another transaction has a lock, or a deadlock was found: nothing of the migration was applied. */
const BUSY = ['55P03', '40P01'];
/** An index that is built beside writes: such a statement is alone in its migration. */
const CONCURRENT_INDEX = /^(?:--.*\n|\s)*CREATE (?:UNIQUE )?INDEX CONCURRENTLY "?(?<name>\w+)"?/i;
const glue = engineGlue as unknown as Record<string, unknown> & {
  __wbg_set_wasm(exports: WebAssembly.Exports): void;
  SchemaEngine: typeof SchemaEngine;
};
const require = createRequire(import.meta.url);
let engineLoaded: Promise<void> | undefined;
// The adapter's own dependency, resolved from the adapter.
const { bindMigrationAwareSqlAdapterFactory, DriverAdapterError } = createRequire(
  require.resolve('@prisma/adapter-pg'),
)('@prisma/driver-adapter-utils') as typeof AdapterUtils;
const FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Brings the database at `databaseUrl` (as the owner of its objects) to the newest migration.
 *
 * @returns the names of the migrations applied now; empty when the database was up to date
 * @throws Error in one readable sentence when a migration fails, failed before, or was edited after
 * it was applied
 */
export async function migrate(
  databaseUrl: string,
  folder = import.meta.dirname,
): Promise<string[]> {
  const guard = new pg.Client({ connectionString: databaseUrl });
  guard.on('error', () => {});
  await guard.connect();
  try {
    await refuseOldServer(guard);
    await waitForTurn(guard);
    return (await isUpToDate(guard, folder)) ? [] : await applyAll(databaseUrl, folder);
  } finally {
    // The lock ends with its connection.
    await guard.end();
  }
}

/**
 * Takes the lock of migrations. It is asked for again and again: a statement that waits for it would
 * be waited for by an index that another start builds CONCURRENTLY, and neither would go on.
 */
async function waitForTurn(guard: pg.Client): Promise<void> {
  const end = Date.now() + TURN_WAIT_MS;
  for (;;) {
    const { rows } = await guard.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS taken',
      [MIGRATION_LOCK],
    );
    if (rows[0]!.taken) return;
    if (Date.now() > end)
      throw new Error('another start has been migrating the database for long.');
    await pause(TURN_PAUSE_MS);
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const {
    rows: [server],
  } = await client.query<{ version: string; number: number }>(
    `SELECT current_setting('server_version') AS version,
      current_setting('server_version_num')::int AS number`,
  );
  const refusal = refusalOf(server!.version, server!.number);
  if (refusal !== undefined) throw new Error(refusal);
}

/** Why a server of this version is refused; `number` as in `server_version_num`. */
export function refusalOf(version: string, number: number): string | undefined {
  return number >= OLDEST_SERVER * 10_000
    ? undefined
    : `The database server is PostgreSQL ${version}: the oldest supported version is ` +
        `${OLDEST_SERVER}. Nothing was changed.`;
}

/**
 * Whether exactly the checked-in migrations were applied, each as it is now. Then the engine, which
 * takes half a second to load, has nothing to do. In every other case the engine decides.
 */
async function isUpToDate(client: pg.Client, folder: string): Promise<boolean> {
  const {
    rows: [table],
  } = await client.query<{ is: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS is`,
  );
  if (!table!.is) return false;
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
      FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const applied = new Map(rows.map((row) => [row.name, row.finished ? row.checksum : '']));
  const wanted = readMigrations(join(folder, 'migrations')).migrationDirectories;
  return (
    rows.length === wanted.length &&
    wanted.every(({ path, migrationFile: { content } }) => {
      const script = content.tag === 'ok' ? content.value : '';
      return applied.get(path) === createHash('sha256').update(script).digest('hex');
    })
  );
}

async function applyAll(databaseUrl: string, folder: string): Promise<string[]> {
  const migrationsList = readMigrations(join(folder, 'migrations'));
  const schema = join(folder, 'schema.prisma');
  const pool = new pg.Pool({ connectionString: databaseUrl });
  pool.on('error', () => {});
  const engine = await openEngine([[schema, readFileSync(schema, 'utf8')]], pool);
  try {
    const diagnose = () =>
      engine.diagnoseMigrationHistory({
        migrationsList,
        optInToShadowDatabase: false,
        filters: FILTERS,
      });
    // A migration is one script in one implicit transaction (see WholeScripts): when its process
    // was killed, or its SQL was wrong, none of it was applied. So a retry is safe, and after a
    // killed start no person has to repair the bookkeeping.
    for (const migrationName of (await diagnose()).failedMigrationNames)
      await engine.markMigrationRolledBack({ migrationName });
    const { editedMigrationNames } = await diagnose();
    if (editedMigrationNames.length > 0) {
      throw new Error(
        `applied migrations were edited afterwards: ${editedMigrationNames.join(', ')}. ` +
          'A change of the schema is a new migration.',
      );
    }
    const applied = await engine.applyMigrations({ migrationsList, filters: FILTERS });
    return applied.appliedMigrationNames;
  } catch (error) {
    throw new Error(`The database could not be migrated: ${readable(error)}`, { cause: error });
  } finally {
    engine.free();
    await pool.end();
  }
}

/**
 * The adapter splits a script at every `;`, even inside a function's body or a comment, and a split
 * script commits piece by piece. Sent whole, PostgreSQL splits it itself and runs all of it in one
 * transaction.
 */
class WholeScripts extends PrismaPg {
  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    adapter.executeScript = async (script) => {
      try {
        await apply(adapter.underlyingDriver(), script);
      } catch (error) {
        // Only an error of this class passes its message to the bookkeeping table and the caller.
        throw new DriverAdapterError({
          kind: 'postgres',
          severity: 'ERROR',
          column: undefined,
          hint: undefined,
          ...databaseWords(error, script),
        });
      }
    };
    return adapter;
  }
}

/** Runs a script in one transaction; a lock that is not free leads to another try. */
async function apply(pool: pg.Pool, script: string): Promise<void> {
  const index = CONCURRENT_INDEX.exec(script)?.groups?.['name'];
  const connection = await pool.connect();
  try {
    // Building an index beside writes holds nobody up while it waits.
    await connection.query(`SET lock_timeout = '${index === undefined ? TABLE_LOCK_WAIT : '0'}'`);
    for (let tries = 1; ; tries += 1) {
      try {
        if (index !== undefined) await dropUnfinishedIndex(pool, index);
        return void (await connection.query(script));
      } catch (error) {
        const isBusy = BUSY.includes((error as { code?: string }).code ?? '');
        if (!isBusy || tries >= LOCK_TRIES) throw error;
        await pause(LOCK_PAUSE_MS);
      }
    }
  } finally {
    // The next script uses this connection, because a new one reads the catalog of the database
    // anew, which takes longer than the script. It sets its own lock_timeout.
    connection.release();
  }
}

/** What is left of a build that was killed or failed: PostgreSQL keeps its index, which nothing reads. */
async function dropUnfinishedIndex(pool: pg.Pool, name: string): Promise<void> {
  const { rowCount } = await pool.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [name],
  );
  if (rowCount === 1) await pool.query(`DROP INDEX ${pg.escapeIdentifier(name)}`);
}

function databaseWords(
  error: unknown,
  script: string,
): { code: string; message: string; detail: string | undefined } {
  if (!(error instanceof pg.DatabaseError))
    return { code: '08000', message: String(error), detail: undefined };
  const line =
    error.position === undefined
      ? ''
      : ` (line ${script.slice(0, Number(error.position)).split('\n').length})`;
  return { code: error.code ?? '', message: `${error.message}${line}`, detail: error.detail };
}

/** Prisma's engine on one database. The caller frees it. */
export async function openEngine(
  datamodels: [string, string][],
  pool: pg.Pool,
  adapter: PrismaPg = new WholeScripts(pool),
): Promise<SchemaEngine> {
  await (engineLoaded ??= loadEngine());
  return glue.SchemaEngine.new(
    { datamodels },
    () => {},
    bindMigrationAwareSqlAdapterFactory(adapter),
  );
}

/**
 * The package's own entry imports its .wasm as a module, which Node marks as experimental; manual
 * instantiation avoids that. Once per process: the glue code keeps views of one memory.
 */
async function loadEngine(): Promise<void> {
  const file = join(
    dirname(require.resolve('@prisma/schema-engine-wasm')),
    'schema_engine_bg.wasm',
  );
  const { instance } = await WebAssembly.instantiate(readFileSync(file), {
    './schema_engine_bg.js': glue as WebAssembly.ModuleImports,
  });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
}

function readMigrations(baseDir: string): MigrationList {
  const lockfile = join(baseDir, 'migration_lock.toml');
  const names = readdirSync(baseDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
  return {
    baseDir,
    lockfile: {
      path: 'migration_lock.toml',
      content: existsSync(lockfile) ? readFileSync(lockfile, 'utf8') : null,
    },
    shadowDbInitScript: '',
    migrationDirectories: names.map((path) => ({
      path,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: readFileSync(join(baseDir, path, 'migration.sql'), 'utf8') },
      },
    })),
  };
}

/**
 * The engine throws objects as well as errors, and appends a position in its own source, which is
 * of no use here.
 */
function readable(error: unknown): string {
  const text = error instanceof Error ? error.message : JSON.stringify(error);
  return text.split(/\n\s+0: /)[0]!.trim();
}

if (import.meta.main) {
  const databaseUrl = process.env['DATABASE_DIRECT_URL'] || process.env['DATABASE_URL'];
  if (databaseUrl === undefined || databaseUrl === '') {
    console.error('DATABASE_URL is not set: name the PostgreSQL to migrate.');
    process.exit(1);
  }
  try {
    const applied = await migrate(databaseUrl);
    console.log(
      applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`,
    );
  } catch (error) {
    console.error(readable(error));
    process.exit(1);
  }
}

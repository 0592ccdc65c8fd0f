/**
 * Applies the checked-in migrations with Prisma's own engine in WebAssembly, and with its
 * bookkeeping table (`_prisma_migrations`), so that `prisma migrate deploy` elsewhere finds the
 * same history. As a program: `node prisma/migrate.ts` migrates the database of
 * DATABASE_DIRECT_URL, else of DATABASE_URL: its lock needs a session, which a pooler does not give.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
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
const LOCK_WAIT = '120s';
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
    await guard.query(`SET lock_timeout = '${LOCK_WAIT}'`);
    await guard.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await applyAll(databaseUrl, folder);
  } finally {
    // The lock ends with its connection.
    await guard.end();
  }
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
        await adapter.underlyingDriver().query(script);
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

/**
 * The differences between schema.prisma and the migrated database, computed by Prisma's own engine.
 * Objects that Prisma cannot express (triggers, policies, partial indexes, checks) are not
 * compared.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { openEngine } from './migrate.ts';

/** Known to migrations only: a table that no model reads. */
const ONLY_IN_MIGRATIONS = ['public.movement_steps'];
/**
 * PostgreSQL's one-byte "char", as catalogues use it, and the engine's name for it. The adapter
 * supports neither.
 */
const CATALOGUE_CHAR = 18;
const PADDED_CHAR = 1042;
const ENGINE_CHARACTER = 6;

/**
 * The SQL that would change the database at `databaseUrl` to match schema.prisma; empty when they
 * agree.
 */
export async function schemaDrift(
  databaseUrl: string,
  folder = import.meta.dirname,
): Promise<string> {
  const path = join(folder, 'schema.prisma');
  const content = readFileSync(path, 'utf8');
  const pool = new pg.Pool({ connectionString: databaseUrl });
  const engine = await openEngine([[path, content]], pool, new CatalogueReader(pool));
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files: [{ path, content }], configDir: folder },
      to: { tag: 'schemaDatamodel', files: [{ path, content }] },
      script: true,
      exitCode: true,
      filters: { externalTables: ONLY_IN_MIGRATIONS, externalEnums: [] },
    });
    return (stdout ?? '').replace('-- This is an empty migration.', '').trim();
  } finally {
    engine.free();
    await pool.end();
  }
}

/**
 * The engine sends one query at a time, so the columns of one response are still current when its
 * types are corrected.
 */
class CatalogueReader extends PrismaPg {
  private readonly pool: pg.Pool;

  constructor(pool: pg.Pool) {
    super(pool);
    this.pool = pool;
  }

  override async connect(): ReturnType<PrismaPg['connect']> {
    let characters: number[] = [];
    const ask = this.pool.query.bind(this.pool) as (
      ...question: unknown[]
    ) => Promise<pg.QueryResult>;
    Object.assign(this.pool, {
      query: async (...question: unknown[]) => {
        const answer = await ask(...question);
        characters = [];
        for (const [n, field] of answer.fields.entries()) {
          if (field.dataTypeID !== CATALOGUE_CHAR) continue;
          field.dataTypeID = PADDED_CHAR;
          characters.push(n);
        }
        return answer;
      },
    });
    const adapter = await super.connect();
    const read = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const answer = await read(query);
      for (const n of characters) answer.columnTypes[n] = ENGINE_CHARACTER;
      return answer;
    };
    return adapter;
  }
}

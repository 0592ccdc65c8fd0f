import { readFileSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { schemaDrift } from '#prisma/drift.ts';
import { schemaColumns } from '#prisma/rows.ts';

/** Indexes with extra columns (INCLUDE), which Prisma cannot express and would create again. */
const WITH_INCLUDED_COLUMNS = ['movements_merchant_id_kind_bucket_created_at_id_idx'];
/** The TypeScript type in which the driver returns each PostgreSQL type. */
const AS_TYPESCRIPT: Record<string, string> = {
  bigint: 'bigint',
  boolean: 'boolean',
  bytea: 'Uint8Array',
  date: 'unknown',
  integer: 'number',
  jsonb: 'unknown',
  text: 'string',
  'text[]': 'string[]',
  'timestamp with time zone': 'Date',
  tsvector: 'string',
  uuid: 'string',
};

describe('schema.prisma and the migrations', () => {
  it('say the same', async () => {
    const drift = await schemaDrift(process.env.TEST_DATABASE_URL!);
    const steps = drift
      .split(';')
      .map((step) => step.replace(/--.*$/gm, '').trim())
      .filter((step) => step !== '');
    expect(
      steps.filter((step) => !WITH_INCLUDED_COLUMNS.some((name) => step.includes(`"${name}"`))),
    ).toEqual([]);
  }, 60_000);
});

describe('rows that are deleted', () => {
  // PostgreSQL looks for what refers to each deleted row: without an index, in the whole table.
  it('have an index in every table that refers to them', async () => {
    const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL! });
    await client.connect();
    const { rows } = await client.query<{ table: string; key: string }>(
      `SELECT f.conrelid::regclass::text AS table, f.conname AS key FROM pg_constraint f
       WHERE f.contype = 'f' AND f.conparentid = 0
         AND (has_table_privilege('dashboard_web', f.confrelid, 'DELETE')
           OR has_table_privilege('dashboard_worker', f.confrelid, 'DELETE'))
         AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = f.conrelid
           AND f.conkey @> ARRAY(SELECT unnest((i.indkey::int2[])[0:cardinality(f.conkey) - 1]))
           AND i.indnkeyatts >= cardinality(f.conkey))
       ORDER BY 1, 2`,
    );
    await client.end();
    expect(rows).toEqual([]);
  });
});

describe('the generated row types', () => {
  // A list in Prisma cannot be null, and yet Prisma creates its column without NOT NULL.
  it('have every table and column of the migrated database, with its type and its nulls', async () => {
    const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL! });
    await client.connect();
    const { rows } = await client.query<{ name: string; type: string; nullable: boolean }>(
      `SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, NULL) AS type,
         NOT a.attnotnull AND a.attndims = 0 AS nullable
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0
         AND NOT a.attisdropped AND c.relname NOT IN ('_prisma_migrations', 'movement_steps')`,
    );
    await client.end();
    const generated = Array.from(
      schemaColumns(readFileSync('prisma/schema.prisma', 'utf8')),
      ([table, columns]) =>
        columns.map((column) => ({ ...column, name: `${table}.${column.name}` })),
    ).flat();
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(generated.toSorted(byName)).toEqual(
      rows
        .map(({ name, type, nullable }) => ({ name, type: AS_TYPESCRIPT[type], nullable }))
        .toSorted(byName),
    );
  });
});

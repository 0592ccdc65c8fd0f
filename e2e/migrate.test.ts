import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { migrate, refusalOf } from '../prisma/migrate.ts';
import { ROOT } from '../scripts/processes.ts';

const HERE = process.env['TEST_DATABASE_URL'] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'migrate-'));
let url = '';

async function query(databaseUrl: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

function write(name: string, text: string): void {
  mkdirSync(join(folder, 'migrations', name), { recursive: true });
  writeFileSync(join(folder, 'migrations', name, 'migration.sql'), text);
}

/** Each test has an empty database and an empty migrations folder of its own. */
beforeEach(async () => {
  const name = `migrate_${randomUUID().replaceAll('-', '')}`;
  await query(HERE, `CREATE DATABASE ${name}`);
  const made = new URL(HERE);
  made.pathname = `/${name}`;
  url = made.href;
  rmSync(join(folder, 'migrations'), { recursive: true, force: true });
  mkdirSync(join(folder, 'migrations'));
  cpSync(join(ROOT, 'prisma/schema.prisma'), join(folder, 'schema.prisma'));
  cpSync(
    join(ROOT, 'prisma/migrations/migration_lock.toml'),
    join(folder, 'migrations/migration_lock.toml'),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the checked-in migrations', () => {
  test('apply once; a second time there is nothing to do', async () => {
    expect((await migrate(url)).length).toBeGreaterThan(0);
    expect(await migrate(url)).toEqual([]);
  });

  test('apply once when two starts meet on one database', async () => {
    const [one, other] = await Promise.all([migrate(url), migrate(url)]);
    expect([one.length, other.length].toSorted()[0]).toBe(0);
    expect(one.length + other.length).toBeGreaterThan(0);
  });

  test("leave Prisma's own bookkeeping, so that its command line finds the same history elsewhere", async () => {
    const names = await migrate(url);
    const kept = await query(
      url,
      `SELECT migration_name, finished_at IS NOT NULL AS finished, applied_steps_count
        FROM _prisma_migrations ORDER BY 1`,
    );
    expect(kept).toEqual(
      names.map((name) => ({ migration_name: name, finished: true, applied_steps_count: 1 })),
    );
  });
});

test('a server that is older than PostgreSQL 15 is refused by its version', () => {
  expect(refusalOf('14.19 (Debian)', 140_019)).toBe(
    'The database server is PostgreSQL 14.19 (Debian): the oldest supported version is 15. ' +
      'Nothing was changed.',
  );
  expect(refusalOf('15.0', 150_000)).toBeUndefined();
});

describe('a migration', () => {
  test('with a semicolon inside a function or a comment is one script', async () => {
    write(
      '1_function',
      '-- not; a statement\n' +
        'CREATE FUNCTION one() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;\n' +
        "CREATE TABLE t (a text DEFAULT ';');",
    );
    await migrate(url, folder);
    expect(await query(url, 'SELECT one() AS one')).toEqual([{ one: 1 }]);
  });

  test('that fails leaves nothing behind, says where, and applies after it was repaired', async () => {
    write('1_broken', 'CREATE TABLE t (a int);\nSELEKT 1;');
    await expect(migrate(url, folder)).rejects.toThrow(
      /could not be migrated: .*SELEKT.*\(line 2\)/is,
    );
    expect(await query(url, "SELECT to_regclass('t') AS t")).toEqual([{ t: null }]);
    write('1_broken', 'CREATE TABLE t (a int);');
    expect(await migrate(url, folder)).toEqual(['1_broken']);
  });

  test('whose process was killed in the middle applies at the next start', async () => {
    write('1_slow', 'CREATE TABLE t (a int);\nSELECT pg_sleep(30);');
    const killed = migrate(url, folder).catch((error: Error) => error);
    const victim =
      "FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'CREATE TABLE t%'";
    while ((await query(url, `SELECT 1 ${victim}`)).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 50));
    await query(url, `SELECT pg_terminate_backend(pid) ${victim}`);
    expect(await killed).toBeInstanceOf(Error);
    write('1_slow', 'CREATE TABLE t (a int);');
    expect(await migrate(url, folder)).toEqual(['1_slow']);
  });

  test('gives up a lock that it waits for, lets others go on meanwhile, and tries again', async () => {
    write('1_table', 'CREATE TABLE t (a int);');
    await migrate(url, folder);
    write('2_column', 'ALTER TABLE t ADD COLUMN b int;');
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    await reader.query('BEGIN; SELECT a FROM t');
    const migrated = migrate(url, folder);
    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'ALTER%'";
    while ((await query(url, waiting)).length === 0);
    // It comes after the migration in the line for the table, and is answered while that waits.
    await query(url, "SET lock_timeout = '10s'; INSERT INTO t VALUES (1)");
    await reader.query('COMMIT');
    await reader.end();
    expect(await migrated).toEqual(['2_column']);
    expect(await query(url, 'SELECT a, b FROM t')).toEqual([{ a: 1, b: null }]);
  });

  test('builds an index beside writes, also after a build that was killed left half of one', async () => {
    write('1_table', 'CREATE TABLE t (a int);');
    await migrate(url, folder);
    await query(url, 'INSERT INTO t VALUES (1), (1)');
    await query(url, 'CREATE UNIQUE INDEX CONCURRENTLY t_a ON t (a)').catch(() => undefined);
    const valid =
      "SELECT indisvalid AS valid, indisunique AS only FROM pg_index WHERE indrelid = 't'::regclass";
    expect(await query(url, valid)).toEqual([{ valid: false, only: true }]);
    write('2_index', '-- Lists are read by it.\nCREATE INDEX CONCURRENTLY "t_a" ON "t"("a");');
    expect(await migrate(url, folder)).toEqual(['2_index']);
    expect(await query(url, valid)).toEqual([{ valid: true, only: false }]);
  });

  test('edited after it was applied is refused by name', async () => {
    write('1_table', 'CREATE TABLE t (a int);');
    await migrate(url, folder);
    write('1_table', 'CREATE TABLE t (a int, b int);');
    await expect(migrate(url, folder)).rejects.toThrow(/edited afterwards: 1_table/);
  });
});

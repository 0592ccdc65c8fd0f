import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '../prisma/migrate.ts';
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

  test('edited after it was applied is refused by name', async () => {
    write('1_table', 'CREATE TABLE t (a int);');
    await migrate(url, folder);
    write('1_table', 'CREATE TABLE t (a int, b int);');
    await expect(migrate(url, folder)).rejects.toThrow(/edited afterwards: 1_table/);
  });
});

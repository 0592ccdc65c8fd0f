import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../processes.ts';
import { checkMigrations, migrationProblems } from './migrations.ts';
import { statementsOf } from './sql-statements.ts';

const VERSION = '0.3.0';
const problems = (script: string): string => migrationProblems('m.sql', script, VERSION).join('\n');

test('the migrations of this project only expand the schema', () =>
  expect(checkMigrations(ROOT)).toEqual([]));

test.each([
  [
    'a table with all that belongs to it',
    `CREATE TABLE "notes" ("id" UUID NOT NULL, "text" TEXT NOT NULL);
     CREATE INDEX "notes_text" ON "notes"("text");
     ALTER TABLE "notes" ADD CONSTRAINT "notes_text" CHECK (text <> '');
     ALTER TABLE "notes" ENABLE ROW LEVEL SECURITY;
     GRANT SELECT ON "notes" TO dashboard_web;`,
  ],
  ['a column that may be null', 'ALTER TABLE "movements" ADD COLUMN "note" TEXT;'],
  [
    'a column with a default that is the same for all rows',
    `ALTER TABLE "worker_heartbeats" ADD COLUMN "figures" JSONB NOT NULL DEFAULT '{}';`,
  ],
  [
    'a constraint on a new column that old rows are not read for',
    `ALTER TABLE "movements" ADD COLUMN "note" TEXT;
     ALTER TABLE "movements" ADD CONSTRAINT "movements_note" CHECK (note <> '') NOT VALID;`,
  ],
  [
    'a wider constraint in the place of a narrower one',
    `ALTER TABLE "exports" DROP CONSTRAINT "exports_kind";
     ALTER TABLE "exports" ADD CONSTRAINT "exports_kind" CHECK (kind IN ('a', 'b')) NOT VALID;`,
  ],
  [
    'the validation of a constraint',
    'ALTER TABLE "movements" VALIDATE CONSTRAINT "movements_note";',
  ],
  [
    'an index that is built beside writes, alone in its migration',
    'CREATE INDEX CONCURRENTLY "movements_note" ON "movements"("note");',
  ],
  [
    'a function in whose body a column is dropped in words',
    'CREATE FUNCTION one() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DROP TABLE t; END $$;',
  ],
  [
    'what a version names that no longer reads it',
    '-- contract: 0.2.0 no longer reads movements.words\nALTER TABLE "movements" DROP COLUMN "words";',
  ],
  [
    'an index of a table that stays small',
    '-- small: one row for each worker\nCREATE INDEX "beats" ON "worker_heartbeats"("at");',
  ],
  [
    'a table that is renamed, and another one like it under its name',
    `ALTER TABLE "movements" RENAME TO "movements_first";
     REVOKE ALL ON "movements_first" FROM dashboard_web;
     CREATE TABLE "movements" (LIKE "movements_first");`,
  ],
  ['a renamed index', 'ALTER INDEX "movements_a" RENAME TO "movements_b";'],
  ['the names of columns in comments', '-- DROP TABLE movements;\n/* RENAME */ SELECT 1;'],
])('allows %s', (_what, script) => expect(problems(script)).toBe(''));

test.each([
  ['a dropped table', 'DROP TABLE "movements";', 'removes a table'],
  ['a dropped column', 'ALTER TABLE "movements" DROP COLUMN "iban";', 'removes a column'],
  ['a dropped column without its word', 'ALTER TABLE movements DROP iban;', 'removes a column'],
  ['a dropped function', 'DROP FUNCTION search_words;', 'removes a function'],
  ['an index without a successor', 'DROP INDEX "movements_search";', 'no other of its name'],
  ['a renamed table', 'ALTER TABLE "movements" RENAME TO "moves";', 'renames'],
  [
    'a renamed table, and another one with other columns under its name',
    'ALTER TABLE "movements" RENAME TO "moves"; CREATE TABLE "movements" ("id" UUID NOT NULL);',
    'renames',
  ],
  ['a renamed function', 'ALTER FUNCTION find_movements(text) RENAME TO find;', 'renames'],
  ['a renamed value', "ALTER TYPE state RENAME VALUE 'OPEN' TO 'NEW';", 'renames'],
  ['a table in another schema', 'ALTER TABLE "movements" SET SCHEMA old;', 'renames'],
  ['a function in another schema', 'ALTER FUNCTION find_movements SET SCHEMA old;', 'renames'],
  ['a column of unique values', 'ALTER TABLE a ADD COLUMN b TEXT UNIQUE;', 'builds an index'],
  ['a renamed column', 'ALTER TABLE "movements" RENAME COLUMN "iban" TO "account";', 'renames'],
  [
    'another type of a column',
    'ALTER TABLE "movements" ALTER COLUMN "iban" TYPE VARCHAR(26);',
    'changes the type',
  ],
  [
    'a column without a default that may not be null',
    'ALTER TABLE "movements" ADD COLUMN "a" TEXT, ADD COLUMN "note" TEXT NOT NULL;',
    'NOT NULL without DEFAULT',
  ],
  [
    'such a column without its word',
    'ALTER TABLE movements ADD note TEXT NOT NULL;',
    'NOT NULL without DEFAULT',
  ],
  ['a constraint without a name', 'ALTER TABLE a ADD UNIQUE (b);', 'builds an index'],
  [
    'a column that may no longer be null',
    'ALTER TABLE "movements" ALTER COLUMN "note" SET NOT NULL;',
    'requires a value',
  ],
  [
    'a default that is taken away',
    'ALTER TABLE "movements" ALTER COLUMN "note" DROP DEFAULT;',
    'takes away a default',
  ],
  [
    'a column that is computed for each row',
    'ALTER TABLE "movements" ADD COLUMN "n" BIGINT GENERATED ALWAYS AS (1) STORED;',
    'rewrites a table',
  ],
  [
    'a default that differs for each row',
    'ALTER TABLE "movements" ADD COLUMN "key" UUID NOT NULL DEFAULT gen_random_uuid();',
    'rewrites a table',
  ],
  [
    'a constraint on columns that the former version writes',
    'ALTER TABLE "movements" ADD CONSTRAINT "movements_iban" CHECK (iban <> \'\') NOT VALID;',
    'refuses what the former version may write',
  ],
  [
    'a constraint for which all rows are read',
    'ALTER TABLE "a" ADD COLUMN "b" UUID, ADD CONSTRAINT "c" FOREIGN KEY ("b") REFERENCES "d"("id");',
    'NOT VALID, validated later',
  ],
  [
    'an index that is built while nobody can write',
    'CREATE UNIQUE INDEX "movements_note" ON "movements" USING gin ("note");',
    'CONCURRENTLY',
  ],
  [
    'an index that cannot be built beside writes',
    'CREATE INDEX CONCURRENTLY "a" ON "movements"("note"); SELECT 1;',
    'beside other statements',
  ],
  ['a locked table', 'LOCK TABLE movements;', 'locks a table'],
  ['a change of all rows', "UPDATE movements SET note = '';", 'changes all rows'],
  [
    'a right that is taken away',
    'REVOKE SELECT ON people FROM dashboard_web;',
    'takes away a right',
  ],
  [
    'a column that a DO block drops',
    "DO $$ BEGIN EXECUTE 'ALTER TABLE movements DROP COLUMN iban'; END $$;",
    'in a DO block',
  ],
  [
    'a note that names a version of the future',
    '-- contract: 0.4.0 no longer reads movements.iban\nALTER TABLE "movements" DROP COLUMN "iban";',
    'this is 0.3.0',
  ],
  [
    'a note that names no version',
    '-- contract: nobody reads it\nALTER TABLE "movements" DROP COLUMN "iban";',
    'removes a column',
  ],
  [
    'a note of another statement',
    '-- contract: 0.2.0 no longer reads a.b\nALTER TABLE a DROP COLUMN b;\nALTER TABLE a DROP COLUMN c;',
    'm.sql:3',
  ],
])('refuses %s', (_what, script, message) => expect(problems(script)).toContain(message));

test('versions of notes are compared as numbers', () => {
  const dropped = (version: string): string =>
    `-- contract: ${version} no longer reads movements.iban\nALTER TABLE "movements" DROP COLUMN "iban";`;
  expect(migrationProblems('m.sql', dropped('0.9.0'), '0.10.0')).toEqual([]);
  expect(migrationProblems('m.sql', dropped('0.10.0'), '0.9.0')).toEqual([
    expect.stringContaining('this is 0.9.0'),
  ]);
});

test('a migration from before the rule that rewrote a table would be refused now', () => {
  const file = join(ROOT, 'prisma/migrations/20261126050000_list_search/migration.sql');
  expect(problems(readFileSync(file, 'utf8'))).toContain('rewrites a table');
});

test('a script is split at semicolons outside of comments, strings, names and bodies', () => {
  const script = `-- one; two\nSELECT ';', "a;b" /* ; */;\n\nDO $x$ BEGIN; END $x$;\nSELECT 1`;
  expect(statementsOf(script).map(({ line, text }) => [line, text])).toEqual([
    [2, `SELECT '', "a;b"`],
    [4, "DO ''"],
    [5, 'SELECT 1'],
  ]);
});

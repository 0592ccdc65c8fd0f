/**
 * Checks that migrations only expand the schema, so that the former version goes on reading and
 * writing while they run and until its last process has stopped (docs/operations.md, "Upgrade").
 * What no version reads any more is removed by a later migration with the note `-- contract: 0.2.0
 * no longer reads movements.words` above the statement. A statement that holds up others for as long
 * as a table is large needs the note `-- small: why the table stays small`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partsOf, statementsOf, type Statement } from './sql-statements.ts';

const FOLDER = 'prisma/migrations';
/** Migrations up to this one were written before the rule. */
const BASELINE = '20261126120000_worker_figures';
const CONTRACT = /^contract: (?<version>\d+\.\d+\.\d+) no longer (?:reads|writes|calls) \S+/m;
const SMALL = /^small: \S+/m;
/** A default that PostgreSQL computes for each row, which rewrites the table. */
const VOLATILE =
  /\b(?:BIGSERIAL|SMALLSERIAL|SERIAL|GENERATED|gen_random_uuid|random|nextval|clock_timestamp)\b/i;
const CONSTRAINT = /^ADD (?:CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)\b/i;
const DROPPED =
  /^DROP (?:MATERIALIZED )?(?<kind>\w+) (?:CONCURRENTLY )?(?:IF EXISTS )?(?<name>"?[\w.]+"?)/i;

/** `contract`: the former version may need what is changed. `blocking`: others wait meanwhile. */
type Problem = { kind: 'contract' | 'blocking'; what: string };
/** What a migration makes itself: no former version knows it. */
type Made = {
  /** Those that it creates, and those that it renames to create another like it. */
  tables: Set<string>;
  columns: Set<string>;
  /** Indexes, triggers, policies and constraints. */
  objects: Set<string>;
  /** Constraints that it drops. */
  dropped: Set<string>;
};

export function checkMigrations(root: string): string[] {
  const names = readdirSync(join(root, FOLDER), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  if (!names.includes(BASELINE)) return [`${FOLDER}: there is no ${BASELINE}.`];
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return names
    .filter((name) => name > BASELINE)
    .flatMap((name) => {
      const file = `${FOLDER}/${name}/migration.sql`;
      return migrationProblems(file, readFileSync(join(root, file), 'utf8'), version);
    });
}

/** `version`: that of package.json, which a note cannot be ahead of. */
export function migrationProblems(file: string, script: string, version: string): string[] {
  const statements = statementsOf(script);
  const made = madeBy(statements);
  const isAlone = statements.length === 1;
  return statements.flatMap((statement) => {
    const notes = statement.comments.join('\n');
    const where = `${file}:${statement.line}`;
    const contract = CONTRACT.exec(notes)?.groups?.['version'];
    if (contract !== undefined && isNewer(contract, version))
      return [`${where}: its note names version ${contract}, and this is ${version}.`];
    return problemsOf(statement, made, isAlone).flatMap(({ kind, what }) => {
      if (kind === 'contract' ? contract !== undefined : SMALL.test(notes)) return [];
      return [`${where}: ${what}. ${kind === 'contract' ? WAIT : SHORTEN}`];
    });
  });
}

const WAIT =
  'Let the version after the next one do it, with a note "-- contract: VERSION no longer reads …".';
const SHORTEN = 'A table that stays small has a note "-- small: why".';

function madeBy(statements: readonly Statement[]): Made {
  const named = (pattern: RegExp): Set<string> =>
    new Set(
      statements.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name]) => bare(name!))),
    );
  const tables = /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?("?[\w.]+"?)/gi;
  const columns =
    /\bADD (?!CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)(?:COLUMN )?(?:IF NOT EXISTS )?("?\w+"?)/gi;
  const objects =
    /^CREATE (?:UNIQUE |CONSTRAINT |OR REPLACE )?(?:INDEX|TRIGGER|POLICY) ("?\w+"?)/gi;
  const dropped = /\bDROP CONSTRAINT (?:IF EXISTS )?("?\w+"?)/gi;
  const created = named(tables);
  for (const { text } of statements) {
    const [, from, to] = /^ALTER TABLE ("?[\w.]+"?) RENAME TO ("?\w+"?)$/i.exec(text) ?? [];
    if (from === undefined || !created.has(bare(from))) continue;
    const alike = new RegExp(`^CREATE TABLE "?${bare(from)}"? \\(LIKE "?${bare(to!)}"?[ )]`, 'i');
    if (statements.some((other) => alike.test(other.text))) created.add(bare(to!));
    else created.delete(bare(from));
  }
  return {
    tables: created,
    columns: named(columns),
    objects: named(objects),
    dropped: named(dropped),
  };
}

function problemsOf(statement: Statement, made: Made, isAlone: boolean): Problem[] {
  const { text, body } = statement;
  const altered = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?("?[\w.]+"?) (.*)$/i.exec(text);
  if (altered !== null) {
    if (made.tables.has(bare(altered[1]!))) return [];
    return partsOf(altered[2]!).flatMap((action) => alterProblems(action, made));
  }
  if (/^DO\b/i.test(text)) return dynamicProblems(body);
  // Nobody names an index.
  if (/^ALTER (?!INDEX\b).*\b(?:RENAME|SET SCHEMA)\b/i.test(text))
    return [contract('renames what the former version names')];
  return [...dropProblems(text, made), ...blockingProblems(text, made, isAlone)];
}

/** One action of ALTER TABLE on a table that the former version uses. */
function alterProblems(action: string, made: Made): Problem[] {
  if (/^DROP (?:COLUMN )?(?!CONSTRAINT)/i.test(action)) return [contract('removes a column')];
  if (/^RENAME CONSTRAINT/i.test(action)) return [];
  if (/^(?:RENAME|SET SCHEMA)\b/i.test(action))
    return [contract('renames what the former version names')];
  if (/^ALTER (?:COLUMN )?"?\w+"? (?:SET DATA )?TYPE/i.test(action))
    return [contract('changes the type of a column'), blocking('rewrites a table')];
  if (/^ALTER (?:COLUMN )?"?\w+"? SET NOT NULL/i.test(action))
    return [contract('requires a value that the former version may leave out')];
  if (/^ALTER (?:COLUMN )?"?\w+"? DROP DEFAULT/i.test(action))
    return [contract('takes away a default that the former version relies on')];
  if (CONSTRAINT.test(action)) return constraintProblems(action, made);
  return /^ADD\b/i.test(action) ? addedColumnProblems(action) : [];
}

function addedColumnProblems(action: string): Problem[] {
  const isFilled = /\bDEFAULT\b|\bGENERATED\b|SERIAL\b/i.test(action);
  return [
    ...(/\bNOT NULL\b/i.test(action) && !isFilled
      ? [contract('adds a column that the former version leaves out, NOT NULL without DEFAULT')]
      : []),
    ...(VOLATILE.test(action) ? [blocking('rewrites a table for a computed column')] : []),
    ...(/\b(?:UNIQUE|PRIMARY KEY)\b/i.test(action) ? [blocking('builds an index')] : []),
  ];
}

function constraintProblems(action: string, made: Made): Problem[] {
  const name = bare(/^ADD CONSTRAINT ("?\w+"?)/i.exec(action)?.[1] ?? '');
  const ofNewColumns = [...made.columns].some((column) =>
    new RegExp(`\\b${column}\\b`, 'i').test(action),
  );
  const isKey = /\b(?:UNIQUE|PRIMARY KEY|EXCLUDE)\b/i.test(action);
  return [
    ...(made.dropped.has(name) || ofNewColumns
      ? []
      : [contract('refuses what the former version may write, by a constraint that is new')]),
    ...(isKey && !/\bUSING INDEX\b/i.test(action) ? [blocking('builds an index')] : []),
    ...(/\bNOT VALID\b/i.test(action) || isKey
      ? []
      : [blocking('reads a whole table to check a constraint: NOT VALID, validated later')]),
  ];
}

function dropProblems(text: string, made: Made): Problem[] {
  const { kind = '', name = '' } = DROPPED.exec(text)?.groups ?? {};
  if (/^(?:TABLE|VIEW|FUNCTION|TYPE|SEQUENCE|SCHEMA|ROLE|COLLATION)$/i.test(kind))
    return [contract(`removes a ${kind.toLowerCase()}`)];
  if (/^(?:INDEX|TRIGGER|POLICY)$/i.test(kind) && !made.objects.has(bare(name)))
    return [contract(`removes a ${kind.toLowerCase()} and makes no other of its name`)];
  const revokedFrom = /^REVOKE .*? ON (?:TABLE )?("?[\w.]+"?) FROM /i.exec(text)?.[1] ?? '';
  return /^REVOKE\b(?!.*\bFROM PUBLIC$)/i.test(text) && !made.tables.has(bare(revokedFrom))
    ? [contract('takes away a right that the former version uses')]
    : [];
}

function blockingProblems(text: string, made: Made, isAlone: boolean): Problem[] {
  const index = /^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?.*?\bON (?:ONLY )?("?[\w.]+"?)/i.exec(
    text,
  );
  if (index !== null && !made.tables.has(bare(index[2]!))) {
    if (index[1] === undefined)
      return [blocking('builds an index while nobody can write: CONCURRENTLY')];
    return isAlone ? [] : [blocking('builds an index CONCURRENTLY beside other statements')];
  }
  const whole = /^(?:UPDATE|DELETE FROM) (?:ONLY )?("?[\w.]+"?)(?!.*\bWHERE\b)/i.exec(text)?.[1];
  if (whole !== undefined && !made.tables.has(bare(whole)))
    return [blocking('changes all rows of a table in one transaction')];
  return /^(?:LOCK|TRUNCATE|CLUSTER|REINDEX|VACUUM)\b/i.test(text)
    ? [blocking('locks a table')]
    : [];
}

/** Statements that a DO block makes are not looked at one by one: only that none contracts. */
function dynamicProblems(body: string): Problem[] {
  return /\b(?:DROP (?:TABLE|COLUMN|FUNCTION|VIEW|TYPE)|RENAME|SET NOT NULL|TRUNCATE)\b/i.test(body)
    ? [contract('removes or changes something in a DO block')]
    : [];
}

const contract = (what: string): Problem => ({ kind: 'contract', what: `it ${what}` });
const blocking = (what: string): Problem => ({ kind: 'blocking', what: `it ${what}` });

function bare(name: string): string {
  return name
    .replaceAll('"', '')
    .replace(/^public\./i, '')
    .toLowerCase();
}

function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.split('.').map(Number));
  const at = a!.findIndex((part, index) => part !== b![index]);
  return at >= 0 && a![at]! > b![at]!;
}

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPEN_TABLES, RIGHTS } from '#lib/testing/rights.ts';

/** The rights of the web and worker roles, tested on a real PostgreSQL statement by statement. */

const ROLES = ['dashboard_web', 'dashboard_worker'] as const;
const STATEMENTS: Record<string, (table: string) => string> = {
  D: (table) => `DELETE FROM ${table} WHERE false`,
  truncate: (table) => `TRUNCATE ${table} CASCADE`,
  alter: (table) => `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`,
  disable: (table) => `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
  drop: (table) => `DROP TABLE ${table} CASCADE`,
  trigger: (table) =>
    `CREATE TRIGGER x BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION append_only()`,
  reference: (table) => `CREATE TABLE x (LIKE ${table})`,
  policy: (table) => `CREATE POLICY x ON ${table} USING (true)`,
};

/** The settings of functions beside their search_path. */
const OTHER_SETTINGS: Record<string, string[]> = {
  add_evidence_months: ['lock_timeout=500ms'],
  find_movements: ['plan_cache_mode=force_custom_plan'],
  match_movements: ['plan_cache_mode=force_custom_plan'],
};

let owner: pg.Client;
let tables: string[];
const columns = new Map<string, { name: string; generated: boolean }[]>();

beforeAll(async () => {
  owner = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL! });
  await owner.connect();
  tables = (
    await owner.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        AND NOT c.relispartition ORDER BY 1`,
    )
  ).rows.map((row) => row.name);
  for (const { table, name, generated } of (
    await owner.query<{ table: string; name: string; generated: boolean }>(
      `SELECT table_name AS table, column_name AS name, is_generated = 'ALWAYS' AS generated
        FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY ordinal_position`,
    )
  ).rows) {
    columns.set(table, [...(columns.get(table) ?? []), { name, generated }]);
  }
});
afterAll(() => owner.end());

/**
 * Whether the role has the privilege for a statement: runs the statement and rolls it back. Any
 * error other than a missing privilege is a mistake of this test.
 */
async function may(role: string, statement: string): Promise<boolean> {
  await owner.query('BEGIN');
  try {
    await owner.query(`SET LOCAL ROLE ${role}`);
    await owner.query(statement);
    return true;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    // A constraint, a trigger or row-level security refused the statement, so that the role has the
    // privilege to write.
    if (/^23|^MV/.test(code ?? '') || message.includes('row-level security policy')) return true;
    if (code !== '42501') throw new Error(`${statement}: ${message}`, { cause: error });
    return false;
  } finally {
    await owner.query('ROLLBACK');
  }
}

/** The catalogue lists columns in no particular order. */
function inOrder(rights: string): string {
  return rights.replace(
    /\((.*)\)/,
    (_, names: string) => `(${names.split(',').toSorted().join(',')})`,
  );
}

async function grantsOf(role: string, table: string): Promise<string> {
  let found = '';
  const changeable = (columns.get(table) ?? []).filter((column) => !column.generated);
  const names = changeable.map(({ name }) => `"${name}"`).join(', ');
  if (await may(role, `SELECT FROM ${table} WHERE false`)) found += 'S';
  if (
    await may(
      role,
      `INSERT INTO ${table} (${names}) VALUES (${changeable.map(() => 'NULL').join(', ')})`,
    )
  )
    found += 'I';
  const changed: string[] = [];
  for (const { name } of changeable)
    if (await may(role, `UPDATE ${table} SET "${name}" = DEFAULT WHERE false`)) changed.push(name);
  if (changed.length > 0)
    found += changed.length === changeable.length ? 'U' : inOrder(`U(${changed.join(',')})`);
  if (await may(role, STATEMENTS.D!(table))) found += 'D';
  return found;
}

describe('the roles of web and worker', () => {
  test('may do to every table of the catalogue exactly what the list of rights says', async () => {
    const found: typeof RIGHTS = {};
    for (const table of tables)
      found[table] = {
        web: await grantsOf('dashboard_web', table),
        worker: await grantsOf('dashboard_worker', table),
      };
    expect(found).toEqual(
      Object.fromEntries(
        Object.entries(RIGHTS).map(([table, { web, worker }]) => [
          table,
          { web: inOrder(web), worker: inOrder(worker) },
        ]),
      ),
    );
  });

  test('have no right on a part of a table by its own name', async () => {
    const { rows } = await owner.query<{ name: string; rights: boolean[] }>(
      `SELECT relname AS name, ARRAY(SELECT has_table_privilege(r, oid, 'SELECT, INSERT, UPDATE, DELETE')
          FROM unnest($1::text[]) r) AS rights
        FROM pg_class WHERE relispartition AND relkind = 'r' ORDER BY 1`,
      [ROLES],
    );
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['evidence_first', 'evidence_rest']),
    );
    for (const { name, rights } of rows) expect(rights, name).toEqual([false, false]);
  });

  test('may not empty, alter, drop, guard or open any table, nor make one', async () => {
    for (const role of ROLES) {
      for (const table of tables) {
        for (const verb of [
          'truncate',
          'alter',
          'disable',
          'drop',
          'trigger',
          'reference',
          'policy',
        ]) {
          expect(await may(role, STATEMENTS[verb]!(table)), `${role}: ${verb} ${table}`).toBe(
            false,
          );
        }
      }
    }
  });

  test('own nothing, inherit nothing, and see no row before they name their merchant', async () => {
    const { rows } = await owner.query(
      `SELECT rolname, rolcanlogin, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls,
        rolreplication FROM pg_roles WHERE rolname = ANY($1) ORDER BY 1`,
      [ROLES],
    );
    expect(rows).toEqual(
      ROLES.map((rolname) => ({
        rolname,
        rolcanlogin: false,
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolbypassrls: false,
        rolreplication: false,
      })),
    );
    expect(
      (
        await owner.query(
          `SELECT 1 FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.member WHERE r.rolname = ANY($1)`,
          [ROLES],
        )
      ).rows,
    ).toEqual([]);
    expect(
      (
        await owner.query(
          `SELECT 1 FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner WHERE r.rolname = ANY($1)`,
          [ROLES],
        )
      ).rows,
    ).toEqual([]);
    // A function that runs as its owner bypasses these rights: four write the audit log, seven search
    // the calling merchant's rows, three keep totals and months. Each has a fixed search_path.
    const definers = await owner.query<{ name: string; settings: string[]; open: boolean }>(
      `SELECT proname AS name, proconfig AS settings,
        has_function_privilege('public', p.oid, 'EXECUTE') AS open FROM pg_proc p
        JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = current_schema()
        AND p.prosecdef ORDER BY 1`,
    );
    expect(definers.rows).toEqual(
      [
        'add_evidence_months',
        'audit_append',
        'audit_enqueue',
        'audit_erase',
        'audit_link',
        'find_movements',
        'fold_movement_totals',
        'match_movements',
        'movements_counted',
        'search_card_customers',
        'search_card_payments',
        'search_ledger',
        'search_movements',
        'search_plans',
        'search_recipients',
        'search_withdrawals',
      ].map((name) => ({
        name,
        settings: ['search_path=public, pg_temp', ...(OTHER_SETTINGS[name] ?? [])],
        open: false,
      })),
    );
    const open = await owner.query<{ relname: string }>(
      `SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND NOT c.relrowsecurity
        ORDER BY 1`,
    );
    expect(
      open.rows.map((row) => row.relname),
      'tables without the wall',
    ).toEqual(OPEN_TABLES);
    for (const role of ROLES) {
      for (const table of tables.filter((name) => !OPEN_TABLES.includes(name))) {
        await owner.query('BEGIN');
        await owner.query(`SET LOCAL ROLE ${role}`);
        expect(
          (await owner.query(`SELECT count(*)::int AS count FROM ${table}`)).rows,
          `${role} reads ${table}`,
        ).toEqual([{ count: 0 }]);
        await owner.query('ROLLBACK');
      }
    }
  });
});

import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { openLogins } from '../scripts/logins.ts';

const OWNER_URL = process.env['TEST_DATABASE_URL']!;
const logins = await openLogins(OWNER_URL);

afterAll(async () => {
  // Other tests of this run use the same database server and create roles that cannot log in.
  await asked(
    OWNER_URL,
    'ALTER ROLE dashboard_web NOLOGIN PASSWORD NULL; ALTER ROLE dashboard_worker NOLOGIN PASSWORD NULL',
  );
});

async function asked(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

describe.each(['web', 'worker'] as const)('the %s of the embedded database', (side) => {
  const url = logins[side].DATABASE_URL;
  const role = `dashboard_${side}`;

  test('is signed in as itself, with the role that the product asks for', async () => {
    expect(
      await asked(url, 'SELECT session_user::text AS session, current_user::text AS current'),
    ).toEqual([{ session: role, current: role }]);
    expect(
      await asked(`${url}?options=-c%20role%3D${role}`, 'SELECT current_user::text AS current'),
    ).toEqual([{ current: role }]);
  });

  test('becomes neither the owner nor the other, by no statement', async () => {
    const owner = new URL(OWNER_URL).username;
    for (const other of [
      owner,
      'postgres',
      side === 'web' ? 'dashboard_worker' : 'dashboard_web',
    ]) {
      for (const statement of [
        `SET ROLE ${other}`,
        `SELECT set_config('role', '${other}', false)`,
        `SET SESSION AUTHORIZATION ${other}`,
      ]) {
        await expect(asked(url, statement), statement).rejects.toThrow(/permission denied/);
      }
    }
    expect(
      await asked(url, "SELECT set_config('role', 'none', false), current_user::text AS current"),
    ).toEqual([{ set_config: 'none', current: role }]);
  });
});

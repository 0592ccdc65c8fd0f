/**
 * Lets the web and the worker sign in to the embedded database as their own roles, with passwords
 * of this start. An SQL injection in such a session cannot become the owner; in a session of the
 * owner that only set a role, it could.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';

const PASSWORD_BYTES = 32;

/** The variables by which webs and workers reach the database. */
export type Logins = { web: LoginVariables; worker: LoginVariables };
type LoginVariables = { DATABASE_URL: string; DATABASE_DIRECT_URL?: string };

/**
 * Returns the addresses of the database for the two roles. `ownerUrl`: the address for the owner,
 * which made the roles by the migrations.
 */
export async function openLogins(ownerUrl: string): Promise<Logins> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const open = async (role: string): Promise<LoginVariables> => {
    const password = randomBytes(PASSWORD_BYTES).toString('base64url');
    await owner.query(
      `ALTER ROLE ${pg.escapeIdentifier(role)} LOGIN PASSWORD ${pg.escapeLiteral(password)}`,
    );
    const address = new URL(ownerUrl);
    [address.username, address.password] = [role, password];
    return { DATABASE_URL: address.href };
  };
  try {
    return { web: await open('dashboard_web'), worker: await open('dashboard_worker') };
  } finally {
    await owner.end();
  }
}

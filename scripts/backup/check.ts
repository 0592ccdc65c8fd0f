/** Proves that a backup can be restored: PostgreSQL starts on it, and the audit chain holds. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { runNode } from '../command.ts';
import { baseEnvironment } from '../environment.ts';
import { openLogins } from '../logins.ts';
import { postgresFiles } from '../postgres-files.ts';
import { startPostgres } from '../postgres.ts';
import { Refused } from '../refused.ts';
import { secretsOf } from '../secrets.ts';
import type { Settings } from '../settings.ts';
import { inThrowawayFolder } from '../throwaway.ts';
import { unpackBase } from './unpack.ts';

/** The product's environment names the providers; a check asks none of them anything. */
const NO_PROVIDER = Object.fromEntries(
  [
    ...['CARD_APP_ID', 'CARD_APP_SECRET', 'CARD_MERCHANT_KEY'],
    ...['WALLET_CLIENT_ID', 'WALLET_CLIENT_SECRET'],
  ].map((name) => [name, 'unused']),
);

/** What a restored database holds. */
export type Found = { movements: number; entries: number };

/**
 * Restores a backup of the embedded database beside it, and checks it.
 *
 * @throws Refused when it cannot be restored, or its audit chain does not hold
 */
export async function checkBackup(
  file: string,
  secret: string,
  settings: Settings,
): Promise<Found> {
  return inThrowawayFolder(async (dataDir) => {
    // The roles in the backup have the password of the data folder that it was made of.
    mkdirSync(dataDir, { recursive: true });
    const secrets = JSON.stringify(secretsOf(settings.dataDir));
    writeFileSync(join(dataDir, 'secrets.json'), secrets, { mode: 0o600 });
    const { data, account } = postgresFiles(dataDir);
    await unpackBase(file, data, { secret, account });
    const postgres = await startPostgres({ dataDir, durable: false });
    try {
      return await checkDatabase(postgres.url, settings);
    } finally {
      await postgres.stop();
    }
  });
}

/**
 * Counts the movements, and recomputes the audit chain of every merchant. `url`: for the owner.
 *
 * @throws Refused when the chain does not hold
 */
export async function checkDatabase(url: string, settings: Settings): Promise<Found> {
  const logins = await openLogins(url);
  const checked = await runNode(
    ['--conditions=react-server', 'lib/audit/check-database.ts', ...(await merchantsOf(url))],
    { env: { ...NO_PROVIDER, ...baseEnvironment(settings, {}), ...logins.web } },
  );
  if (checked.code !== 0)
    throw new Refused(`The restored database could not be checked:\n${checked.output}`);
  const found = JSON.parse(checked.output.trim().split('\n').at(-1) ?? '') as Found & {
    broken: string | null;
  };
  if (found.broken !== null)
    throw new Refused(`The audit chain of the restored database does not hold: ${found.broken}`);
  return found;
}

/** The owner sees every merchant; the web's own role sees one at a time. */
async function merchantsOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ id: string }>('SELECT id FROM merchants')).rows.map(
      ({ id }) => id,
    );
  } finally {
    await client.end();
  }
}

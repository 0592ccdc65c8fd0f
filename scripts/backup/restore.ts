/**
 * `npm run restore -- FILE [--at TIME] [--to FOLDER]`: makes the embedded database anew from a
 * backup, up to a moment where the log was kept. The former database is moved aside, never deleted.
 * `--to` only makes a data folder, for a server of one's own.
 */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { takeLock } from '../lock.ts';
import { postgresFiles } from '../postgres-files.ts';
import { startPostgres } from '../postgres.ts';
import { printError, readArgs, Refused } from '../refused.ts';
import { readSettings, type Settings } from '../settings.ts';
import { checkDatabase } from './check.ts';
import { backupPlace } from './target.ts';
import { addWal, forgetRecovery, unpackBase } from './unpack.ts';

const USAGE = 'Usage: npm run restore -- FILE [--at 2026-11-26T14:30:00Z] [--to FOLDER]';
const POLL_MS = 200;
/** What PostgreSQL writes to its log when it cannot end at the moment, and what that means. */
const UNREACHED = [
  [
    'before configured recovery target was reached',
    'The kept log ends before that moment: choose an earlier one.',
  ],
  [
    'before consistent recovery point',
    'That moment is before the end of this backup: choose an earlier backup.',
  ],
] as const;

try {
  const { values, positionals } = readArgs({
    options: { at: { type: 'string' }, to: { type: 'string' } },
    allowPositionals: true,
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new Refused(USAGE);
  if (!existsSync(file)) throw new Refused(`There is no file ${file}.`);
  const settings = readSettings(process.env);
  const at = readMoment(values.at);
  if (values.to === undefined) await restoreEmbedded(file, at, settings);
  else await restoreTo(resolve(values.to), file, at, settings);
} catch (error) {
  printError(error);
  process.exitCode = 1;
} finally {
  process.disconnect?.();
}

function readMoment(text: string | undefined): string | null {
  if (text === undefined) return null;
  const zoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  if (!zoned || Number.isNaN(Date.parse(text)) || !isDay(text.slice(0, 'YYYY-MM-DD'.length)))
    throw new Refused(`--at is "${text}": write a moment with its zone. ${USAGE}`);
  return new Date(text).toISOString();
}

/** The engine takes 30 February for 2 March. */
function isDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

async function restoreEmbedded(file: string, at: string | null, settings: Settings): Promise<void> {
  if (settings.databaseUrl !== undefined)
    throw new Refused('DATABASE_URL is a server of your own: restore with --to FOLDER.');
  const { dataDir } = settings;
  const lock = takeLock(dataDir);
  if (lock === undefined) throw new Refused('The dashboard is running on this DATA_DIR: stop it.');
  try {
    const { data, account } = postgresFiles(dataDir);
    const fresh = join(dirname(data), 'data.restored');
    rmSync(fresh, { recursive: true, force: true });
    await unpack(file, fresh, { at, account, settings });
    const aside = `${data}.before-${new Date().toISOString().replace(/[:.]/g, '-')}`;
    if (existsSync(data)) renameSync(data, aside);
    renameSync(fresh, data);
    try {
      await finish(settings, data);
    } catch (error) {
      renameSync(data, fresh);
      if (existsSync(aside)) renameSync(aside, data);
      throw error;
    }
    if (existsSync(aside)) console.log(`The former database is in ${aside}.`);
    console.log(
      'Start the dashboard (npm start): sending is off until Settings, Recovery has compared ' +
        'the database with the provider and two people agree.',
    );
  } finally {
    lock.release();
  }
}

async function restoreTo(
  folder: string,
  file: string,
  at: string | null,
  settings: Settings,
): Promise<void> {
  if (existsSync(folder)) throw new Refused(`${folder} is there already: name a new folder.`);
  await unpack(file, folder, { at, account: undefined, settings });
  console.log(
    `${folder} is a data folder of PostgreSQL: give it to the server's user and start the server ` +
      'on it. Then read "To restore" in docs/operations.md.',
  );
}

async function unpack(
  file: string,
  folder: string,
  {
    at,
    account,
    settings,
  }: {
    at: string | null;
    account: Parameters<typeof unpackBase>[2]['account'];
    settings: Settings;
  },
): Promise<void> {
  const { secret } = backupPlace(process.env, settings);
  const walFolder = join(dirname(resolve(file)), 'wal');
  try {
    await unpackBase(file, folder, { secret, account });
    const segments = await addWal(folder, at, { walFolder, secret, account });
    if (segments === 0 && at !== null)
      throw new Refused(
        `No write-ahead log was kept beside ${file} (npm run backup -- --follow): only the moment ` +
          'of the backup itself can be restored.',
      );
  } catch (error) {
    // A server would start on a part of a database, or at another moment than was asked for.
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Lets PostgreSQL replay the log to its target, and checks what it has then. */
async function finish(settings: Settings, data: string): Promise<void> {
  try {
    await replay(settings);
  } catch (error) {
    // With much to replay the server answers before it knows, and ends its connections then.
    const said = readFileSync(join(settings.dataDir, 'logs', 'postgres.log'), 'utf8');
    const [, refusal] = UNREACHED.find(([text]) => said.includes(text)) ?? [];
    throw refusal === undefined ? error : new Refused(refusal);
  }
  forgetRecovery(data);
}

async function replay(settings: Settings): Promise<void> {
  const postgres = await startPostgres({ dataDir: settings.dataDir });
  try {
    const reached = await recovered(postgres.url);
    const { movements, entries } = await checkDatabase(postgres.url, settings);
    console.log(
      `Restored${reached === null ? '' : ` up to the commit of ${reached}`}: ${movements} ` +
        `movements; the audit chain holds (${entries} entries).`,
    );
  } finally {
    await postgres.stop();
  }
}

/** Waits until the server takes writes; the time of the last commit that was replayed. */
async function recovered(url: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: url });
  // Without a listener, a server that ends between two questions would end this process, and the
  // former database would not be put back.
  client.on('error', () => {});
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ busy: boolean; last: Date | null }>(
        'SELECT pg_is_in_recovery() AS busy, pg_last_xact_replay_timestamp() AS last',
      );
      if (rows[0]?.busy === false) return rows[0].last?.toISOString() ?? null;
      await new Promise((later) => setTimeout(later, POLL_MS));
    }
  } finally {
    await client.end().catch(() => {});
  }
}

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { described, run, throwawayFolder, until } from './dashboard.ts';
import type { Run } from './dashboard.ts';

/** `npm run backup` and `npm run restore` on the demo's own database, while it works. */

async function query<T extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** The provider's webhook about a payout that nobody knows: what is stored of it is our mark. */
async function receive({ port, dataDir }: Run, extId: string): Promise<void> {
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as {
    WEBHOOK_KEY: string;
  };
  const answer = await fetch(
    `http://127.0.0.1:${port}/api/webhooks/${secrets.WEBHOOK_KEY}/wallet`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ext_transaction_id: extId, after_process_status: 4 }),
    },
  );
  expect(answer.status).toBe(200);
}

const received = async ({ dataDir }: Pick<Run, 'dataDir'>): Promise<string[]> =>
  (
    await query<{ id: string }>(
      described(dataDir).databaseUrl,
      `SELECT body::json ->> 'ext_transaction_id' AS id FROM notices
        WHERE body LIKE '%P-BACKUP-%' ORDER BY first_at`,
    )
  ).map(({ id }) => id);

const isBackup = (name: string): boolean => name.endsWith('.backup');

/** Resolves when the log up to now is on disk beside the backups. */
async function logIsKept(url: string): Promise<void> {
  const [end] = await query<{ lsn: string }>(url, 'SELECT pg_current_wal_lsn()::text AS lsn');
  await until('the log up to here is on disk', async () => {
    const [slot] = await query<{ kept: boolean }>(
      url,
      'SELECT restart_lsn >= $1::pg_lsn AS kept FROM pg_replication_slots',
      [end!.lsn],
    );
    return slot!.kept;
  });
}

/** Three starts, two backups and five restores. */
const WHOLE_STORY_MS = 600_000;

test(
  'a database is restored to a moment, its audit chain holds, and nothing is sent before people agree',
  { timeout: WHOLE_STORY_MS },
  async () => {
    const dashboard = await (await run({ args: [] })).ready();
    const { dataDir } = dashboard;
    const url = described(dataDir).databaseUrl;
    const [before] = await query<{ movements: number }>(
      url,
      'SELECT count(*)::int AS movements FROM movements',
    );
    const backup = await run({ script: 'backup.mjs', args: ['--follow'], dataDir });
    await until(
      'the log is kept',
      () => backup.output().includes('Keeping the write-ahead log'),
      180_000,
    );
    expect(backup.output()).toContain(`${before!.movements} movements; the audit chain holds`);

    await receive(dashboard, 'P-BACKUP-1');
    const [moment] = await query<{ at: Date }>(url, 'SELECT clock_timestamp() AS at');
    await receive(dashboard, 'P-BACKUP-2');
    expect(await received(dashboard)).toEqual(['P-BACKUP-1', 'P-BACKUP-2']);
    await logIsKept(url);
    backup.interrupt();
    expect(await backup.ended(), backup.output()).toBe(0);

    const folder = join(dataDir, 'backups');
    const file = join(folder, readdirSync(folder).find(isBackup)!);
    const at = ['--at', moment!.at.toISOString()];
    const beside = await run({ script: 'restore.mjs', args: [file, ...at], dataDir });
    expect(await beside.ended(), 'a running dashboard keeps its database').toBe(1);
    dashboard.interrupt();
    await dashboard.ended();

    const foreign = await run({
      script: 'restore.mjs',
      args: [file, ...at],
      dataDir,
      env: { BACKUP_KEY: 'a'.repeat(43) },
    });
    expect(await foreign.ended(), 'another key opens nothing').toBe(1);
    expect(foreign.output()).toContain('BACKUP_KEY');

    const later = ['--at', new Date(Date.now() + 3_600_000).toISOString()];
    const beyond = await run({ script: 'restore.mjs', args: [file, ...later], dataDir });
    expect(await beyond.ended(), 'the log ends before').toBe(1);
    expect(beyond.output()).toContain('choose an earlier one');

    const restore = await run({ script: 'restore.mjs', args: [file, ...at], dataDir });
    expect(await restore.ended(), restore.output()).toBe(0);
    expect(restore.output()).toContain(`${before!.movements} movements; the audit chain holds`);
    const aside = readdirSync(join(dataDir, 'postgres')).filter((name) =>
      name.includes('.before-'),
    );
    expect(aside, 'the former database is kept').toHaveLength(1);

    const again = await (await run({ dataDir })).ready();
    expect(await received(again)).toEqual(['P-BACKUP-1']);
    await until('sending stopped', async () => {
      const stops = await query<{ cause: string }>(
        described(dataDir).databaseUrl,
        `SELECT cause FROM send_switches WHERE off AND cause = 'recovery'`,
      );
      return stops.length > 0;
    });

    // A backup of the restored database is restored to its end, not to the moment of the first one.
    const next = await run({ script: 'backup.mjs', args: ['--follow'], dataDir });
    await until(
      'the log is kept',
      () => next.output().includes('Keeping the write-ahead log'),
      180_000,
    );
    await receive(again, 'P-BACKUP-3');
    await logIsKept(described(dataDir).databaseUrl);
    next.interrupt();
    expect(await next.ended(), next.output()).toBe(0);
    again.interrupt();
    await again.ended();
    const newest = join(folder, readdirSync(folder).filter(isBackup).sort().at(-1)!);
    const whole = await run({ script: 'restore.mjs', args: [newest], dataDir });
    expect(await whole.ended(), whole.output()).toBe(0);
    const settings = join(dataDir, 'postgres', 'data', 'postgresql.auto.conf');
    expect(readFileSync(settings, 'utf8')).not.toContain('recovery_target');
    const last = await (await run({ dataDir })).ready();
    expect(await received(last)).toEqual(['P-BACKUP-1', 'P-BACKUP-3']);
  },
);

test('what cannot be restored is refused in words, and changes nothing', async () => {
  const dataDir = throwawayFolder();
  const refused = async (args: string[]): Promise<string> => {
    const restore = await run({ script: 'restore.mjs', args, dataDir });
    expect(await restore.ended()).toBe(1);
    return restore.output();
  };
  const ours = join(import.meta.dirname, 'backup.test.ts');
  expect(await refused([])).toContain('Usage');
  expect(await refused(['/nowhere.backup'])).toContain('/nowhere.backup');
  expect(await refused([ours])).toContain('not a backup file');
  expect(await refused([ours, '--at', 'yesterday'])).toContain('with its zone');
  expect(existsSync(join(dataDir, 'postgres', 'data'))).toBe(false);
});

test('a restore that was killed between its two renames is not followed by an empty database', async () => {
  const dataDir = throwawayFolder();
  mkdirSync(join(dataDir, 'postgres', 'data.before-2026-11-26'), { recursive: true });
  const start = await run({ dataDir });
  expect(await start.ended()).toBe(1);
  expect(start.output()).toContain('the restore was interrupted');
  expect(existsSync(join(dataDir, 'postgres', 'data'))).toBe(false);
});

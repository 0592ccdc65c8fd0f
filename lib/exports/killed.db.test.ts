import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { startWorker } from '#lib/testing/worker.ts';
import type { WorkerProcess } from '#lib/testing/worker.ts';
import { storeDrafts } from './testing/drafts.ts';
import { FRAME } from './testing/frame.ts';
import { readCsv, unzip } from './testing/unzip.ts';

/** A worker in a process of its own is killed in the middle of an export. */

const ROWS = 12_000;
/** How many of the seven pieces are stored when the worker is killed. */
const KILLED_AFTER = 3;

let merchant: TestMerchant;
let web: Process;
let dataDir: string;
const workers: WorkerProcess[] = [];

beforeAll(async () => {
  merchant = await testMerchant();
  dataDir = mkdtempSync(join(tmpdir(), 'exports-'));
  await storeDrafts(merchant, 'KILL', ROWS);
  web = await openProcess('dashboard_web');
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  await Promise.all([web.db.disconnect(), merchant.close()]);
  rmSync(dataDir, { recursive: true, force: true });
});

function worker(): WorkerProcess {
  const started = startWorker({
    SANDBOX: 'on',
    DATABASE_URL: process.env.DATABASE_URL!,
    DATA_DIR: dataDir,
    CARD_MERCHANT_KEY: process.env.CARD_MERCHANT_KEY!,
    WALLET_AUTH_URL: 'http://127.0.0.1:9/wallet/auth',
    WALLET_API_URL: 'http://127.0.0.1:9/wallet/api',
  });
  workers.push(started);
  return started;
}

it('a worker killed during an export leaves it to the next one, which ends it with identical bytes', async () => {
  const { askForExport } = await import('./ask.ts');
  const { takeExport } = await import('./take.ts');
  const clerk = merchant.person('clerk');
  const one = await merchant.owner.connect();
  const id = await askForExport(clerk, {
    source: 'payouts',
    profile: 'csv',
    filter: '',
    frame: FRAME,
  });
  const {
    rows: [twin],
  } = await merchant.owner.query<{ id: string }>(
    `INSERT INTO exports (merchant_id, person_id, source, profile, filter, frame, expected,
      created_at, lease_until, expires_at)
     SELECT merchant_id, person_id, source, profile, filter, frame, expected, created_at,
       'infinity', expires_at FROM exports WHERE id = $1 RETURNING id`,
    [id],
  );
  // Another transaction locks the slot of the fourth piece and stays open, so that the worker
  // blocks there.
  await one.query('BEGIN');
  await one.query(
    `INSERT INTO export_pieces (merchant_id, export_id, n, bytes) VALUES ($1, $2, $3, '')`,
    [merchant.merchantId, id, KILLED_AFTER + 1],
  );
  const {
    rows: [holder],
  } = await one.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  /** Ends the session of the worker that waits for the slot; false when none waits. */
  const blocked = async (statement: string) =>
    (
      await merchant.owner.query(
        `SELECT ${statement} FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))`,
        [holder!.pid],
      )
    ).rowCount === 1;
  const first = worker();
  const pieces = async (of: string) =>
    (
      await merchant.owner.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM export_pieces WHERE export_id = $1',
        [of],
      )
    ).rows[0]!.n;
  const state = async (of: string) =>
    (await merchant.owner.query<{ state: string }>('SELECT state FROM exports WHERE id = $1', [of]))
      .rows[0]!.state;
  await until(async () => (await pieces(id)) === KILLED_AFTER && (await blocked('')));
  await first.kill();
  // The server notices a dead client only after the statement that waits, which would store a piece.
  await blocked('pg_terminate_backend(pid, 10000)');
  await one.query('ROLLBACK');
  one.release();
  expect([await state(id), await pieces(id)]).toEqual(['MAKING', KILLED_AFTER]);
  const taking = takeExport(clerk, id).then(async (file) =>
    Buffer.concat(await Array.fromAsync(file!.pieces)),
  );
  worker();
  await until(async () => (await state(id)) === 'READY');
  await merchant.owner.query('UPDATE exports SET lease_until = now() WHERE id = $1', [twin!.id]);
  const alone = await takeExport(clerk, twin!.id).then(async (file) =>
    Buffer.concat(await Array.fromAsync(file!.pieces)),
  );
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  const goneOn = await taking;
  expect(digest(goneOn)).toBe(digest(alone));
  const rows = readCsv(unzip(goneOn).get('odemeler.csv')!.toString(), ',');
  expect(rows.length).toBe(ROWS + 1);
  expect(new Set(rows.map((row) => row[0])).size).toBe(ROWS + 1);
}, 120_000);

async function until(check: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await check())) {
    if (Date.now() > end)
      throw new Error(`It did not happen.\n${workers.map((one) => one.output()).join('\n')}`);
    await pause(25);
  }
}

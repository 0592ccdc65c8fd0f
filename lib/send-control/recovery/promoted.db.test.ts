import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Held from '#lib/movements/checkpoint-held.ts';

/** Checkpoints of a process that keeps running while a standby of its database is promoted. */

/** While somebody holds this lock, the server counts as one that was promoted. */
const PROMOTED = 4_711_017;

vi.mock('#lib/movements/checkpoint-held.ts', async (importOriginal) => {
  const { sql } = await import('#lib/runtime/db.ts');
  const real = await importOriginal<typeof Held>();
  return {
    ...real,
    TIMELINE: sql`((${real.TIMELINE}) + (SELECT count(*)::int FROM pg_locks
      WHERE locktype = 'advisory' AND objid = ${PROMOTED}))`,
  };
});

const dataDir = mkdtempSync(join(tmpdir(), 'promoted-'));
let merchant: TestMerchant;
let webProcess: Process;
const closeAll: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  merchant = await testMerchant();
  process.env['DATA_DIR'] = dataDir;
  webProcess = await openProcess('dashboard_web');
  closeAll.push(() => webProcess.db.disconnect(), merchant.close);
  return async () => {
    for (const close of closeAll.splice(0)) await close();
  };
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function promote(): Promise<void> {
  const holder = await merchant.owner.connect();
  await holder.query('SELECT pg_advisory_lock($1)', [PROMOTED]);
  closeAll.unshift(async () => {
    await holder.query('SELECT pg_advisory_unlock($1)', [PROMOTED]);
    holder.release();
  });
}

const recoveries = async (): Promise<unknown[]> =>
  (
    await merchant.owner.query('SELECT why FROM recoveries WHERE merchant_id = $1', [
      merchant.merchantId,
    ])
  ).rows;

it('after a promotion no checkpoint is written before the database was compared', async () => {
  const { keepCheckpoint } = await import('./keep-checkpoint.ts');
  const marks = keepCheckpoint({
    merchantId: merchant.merchantId,
    worker: 'one',
    folder: join(dataDir, 'one'),
    quietMs: 1_000,
    isWorker: false,
  });
  await marks.look();
  expect(await marks.written()).toBe(true);
  await promote();
  expect(await marks.written()).toBe(false);
  await marks.look();
  expect(await marks.written()).toBe(true);
});

it('a web that has charged before compares the promoted database, and needs no restart', async () => {
  const { beginHere } = await import('#lib/cards/checkout/begin-here.ts');
  const web = beginHere();
  expect(await web.checkpointWritten()).toBe(true);
  const { timeline } = web.mark()!.database;
  await promote();
  expect(await web.checkpointWritten()).toBe(true);
  expect(web.mark()!.database.timeline).toBe(timeline + 1);
  // This server does not say which standby has every commit.
  expect(await recoveries()).toEqual([{ why: 'other_database' }]);
});

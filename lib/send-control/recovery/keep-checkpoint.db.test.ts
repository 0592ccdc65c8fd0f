import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Keeper from './keep-checkpoint.ts';
import { readCheckpoints } from './checkpoint-file.ts';

let merchant: TestMerchant;
let worker: Process;
let keeper: typeof Keeper;
const folder = mkdtempSync(join(tmpdir(), 'marks-'));

beforeAll(async () => {
  merchant = await testMerchant();
  worker = await openProcess('dashboard_worker');
  keeper = await import('./keep-checkpoint.ts');
});
afterAll(async () => {
  await worker.db.disconnect();
  await merchant.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The keeper of a worker that has compared the database and written its first mark. */
async function begun(name: string): Promise<Keeper.CheckpointKeeper> {
  const marks = keeper.keepCheckpoint({
    merchantId: merchant.merchantId,
    worker: name,
    folder,
    quietMs: 1_000,
    isWorker: true,
  });
  await marks.look();
  return marks;
}

it('many sends at once each get a mark that includes their own claim, and none is held back', async () => {
  const marks = await begun('one');
  const send = async (n: number): Promise<void> => {
    for (let turn = 0; turn < 25; turn++) {
      const { rows } = await merchant.owner.query<{ seq: string }>(
        `SELECT set_config('app.merchant_id', $1, true),
          audit_append($1::uuid, 'test', 'test', $2, '{}', '{}') AS seq`,
        [merchant.merchantId, `test:${n}`],
      );
      expect(await marks.written()).toBe(true);
      const [mark] = (await readCheckpoints(folder)).marks;
      expect(BigInt(mark!.seq)).toBeGreaterThanOrEqual(BigInt(rows[0]!.seq));
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_one, n) => send(n)));
});

it('a mark names the queued entry of the claim: it is linked before the mark is written', async () => {
  const marks = await begun('one');
  const send = async (n: number): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) {
      const subject = `queued:${n}:${turn}`;
      await merchant.owner.query(
        `SELECT set_config('app.merchant_id', $1, true),
          audit_enqueue($1::uuid, 'test', 'test', $2, '{}', '{}')`,
        [merchant.merchantId, subject],
      );
      expect(await marks.written()).toBe(true);
      const [mark] = (await readCheckpoints(folder)).marks;
      const { rows } = await merchant.owner.query<{ seq: string }>(
        'SELECT seq FROM audit_entries WHERE merchant_id = $1 AND subject = $2',
        [merchant.merchantId, subject],
      );
      expect(rows).toHaveLength(1);
      expect(BigInt(mark!.seq)).toBeGreaterThanOrEqual(BigInt(rows[0]!.seq));
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_one, n) => send(n)));
});

it('no mark is written while the queued entry of a claim cannot be linked', async () => {
  const marks = await begun('one');
  const holder = await merchant.owner.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM audit_heads WHERE merchant_id = $1 FOR UPDATE', [
      merchant.merchantId,
    ]);
    await merchant.owner.query(
      `SELECT set_config('app.merchant_id', $1, true),
        audit_enqueue($1::uuid, 'test', 'test', 'test:held', '{}', '{}')`,
      [merchant.merchantId],
    );
    expect(await marks.written()).toBe(false);
    expect(marks.known(), 'nothing is sent').toBeNull();
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  expect(await marks.written()).toBe(true);
});

it('writings follow each other, however closely they are asked for', async () => {
  const marks = await begun('two');
  const lane = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn++) expect(await marks.written()).toBe(true);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
});

it('workers leave the marks of each other alone, so that the newest of all is compared', async () => {
  const [one, other] = [await begun('one'), await begun('other')];
  const before = (await readCheckpoints(folder)).marks.length;
  expect(before).toBeGreaterThanOrEqual(2);
  await one.look();
  await other.look();
  expect((await readCheckpoints(folder)).marks).toHaveLength(before);
});

it('a worker that ended before writing its first mark, and workers that race, find no recovery', async () => {
  const other = await testMerchant();
  const own = mkdtempSync(join(tmpdir(), 'marks-'));
  const file = join(own, 'no-folder');
  writeFileSync(file, '');
  await expect(
    keeper
      .keepCheckpoint({
        merchantId: other.merchantId,
        worker: 'ended',
        folder: file,
        quietMs: 1_000,
        isWorker: true,
      })
      .look(),
  ).rejects.toThrow();
  const all = Array.from({ length: 6 }, (_one, n) =>
    keeper.keepCheckpoint({
      merchantId: other.merchantId,
      worker: `w${n}`,
      folder: own,
      quietMs: 1_000,
      isWorker: true,
    }),
  );
  await Promise.all(all.map((one) => one.look()));
  const { rows } = await other.owner.query('SELECT 1 FROM recoveries WHERE merchant_id = $1', [
    other.merchantId,
  ]);
  expect(rows).toEqual([]);
  // From now on a missing checkpoint is noticed.
  await keeper
    .keepCheckpoint({
      merchantId: other.merchantId,
      worker: 'late',
      folder: mkdtempSync(join(own, 'lost-')),
      quietMs: 1_000,
      isWorker: true,
      companyWatchMs: 50,
    })
    .look();
  expect(
    (
      await other.owner.query('SELECT why FROM recoveries WHERE merchant_id = $1', [
        other.merchantId,
      ])
    ).rows,
  ).toEqual([{ why: 'no_mark' }]);
  await other.close();
  rmSync(own, { recursive: true });
});

/**
 * Creates a merchant whose database has the checkpoint of a worker that no longer exists, and
 * entries that are newer than it.
 */
async function markedBefore(): Promise<{ other: TestMerchant; empty: string }> {
  const other = await testMerchant();
  const [own, empty] = [
    mkdtempSync(join(tmpdir(), 'marks-')),
    mkdtempSync(join(tmpdir(), 'marks-')),
  ];
  await keeper
    .keepCheckpoint({
      merchantId: other.merchantId,
      worker: 'a',
      folder: own,
      quietMs: 1_000,
      isWorker: true,
    })
    .look();
  await other.owner.query(
    `SELECT set_config('app.merchant_id', $1, true),
      audit_append($1::uuid, 'test', 'test', 'test', '{}', '{}')`,
    [other.merchantId],
  );
  await other.owner.query(
    `INSERT INTO worker_heartbeats (merchant_id, worker, at) VALUES ($1, 'a', now() - interval '12 seconds')`,
    [other.merchantId],
  );
  rmSync(own, { recursive: true });
  return { other, empty };
}
const recoveriesOf = async (other: TestMerchant) =>
  (await other.owner.query('SELECT why FROM recoveries WHERE merchant_id = $1', [other.merchantId]))
    .rows;

it('a worker without its folder does not trust a heartbeat that stands still: it may have been restored', async () => {
  const { other, empty } = await markedBefore();
  await keeper
    .keepCheckpoint({
      merchantId: other.merchantId,
      worker: 'b',
      folder: empty,
      quietMs: 1_000,
      isWorker: true,
      companyWatchMs: 50,
    })
    .look();
  expect(await recoveriesOf(other)).toEqual([{ why: 'no_mark' }]);
  await other.close();
  rmSync(empty, { recursive: true });
});

it('a worker without its folder trusts another one whose heartbeat grows while it looks', async () => {
  const { other, empty } = await markedBefore();
  const beats = setInterval(
    () =>
      void other.owner.query(
        `UPDATE worker_heartbeats SET at = clock_timestamp() WHERE worker = 'a' AND merchant_id = $1`,
        [other.merchantId],
      ),
    20,
  );
  await keeper
    .keepCheckpoint({
      merchantId: other.merchantId,
      worker: 'b',
      folder: empty,
      quietMs: 1_000,
      isWorker: true,
      companyWatchMs: 1_500,
    })
    .look();
  clearInterval(beats);
  expect(await recoveriesOf(other)).toEqual([]);
  await other.close();
  rmSync(empty, { recursive: true });
});

it('a worker at work begins no recovery of its own when a person has begun one since its mark', async () => {
  const other = await testMerchant();
  const own = mkdtempSync(join(tmpdir(), 'marks-'));
  const marks = keeper.keepCheckpoint({
    merchantId: other.merchantId,
    worker: 'a',
    folder: own,
    quietMs: 1_000,
    isWorker: true,
    companyWatchMs: 50,
  });
  await marks.look();
  await other.owner.query(
    `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by)
      VALUES ($1, 'asked', clock_timestamp(), clock_timestamp(), clock_timestamp())`,
    [other.merchantId],
  );
  for (let n = 0; n < 2; n++) await marks.look();
  expect(await recoveriesOf(other)).toEqual([{ why: 'asked' }]);
  await other.close();
  rmSync(own, { recursive: true });
});

it('a mark from before a recovery begins no second one, and a folder beside the marks is left alone', async () => {
  const other = await testMerchant();
  const own = mkdtempSync(join(tmpdir(), 'marks-'));
  const options = { merchantId: other.merchantId, folder: own, quietMs: 1_000, isWorker: true };
  await keeper
    .keepCheckpoint({ ...options, folder: join(own, 'web'), worker: 'web', isWorker: false })
    .look();
  await keeper.keepCheckpoint({ ...options, worker: 'a' }).look();
  // Replaces the entries of these checkpoints, so that no database has them any more.
  await other.owner.query('ALTER TABLE audit_entries DISABLE TRIGGER USER');
  await other.owner.query(
    `SELECT set_config('app.merchant_id', $1, true),
      audit_append($1::uuid, 'test', 'test', 'test', '{}', '{}')`,
    [other.merchantId],
  );
  await keeper
    .keepCheckpoint({ ...options, folder: join(own, 'web'), worker: 'web', isWorker: false })
    .look();
  await keeper.keepCheckpoint({ ...options, worker: 'a' }).look();
  await other.owner.query(
    `UPDATE audit_entries SET hash = decode(repeat('ab', 32), 'hex') WHERE merchant_id = $1`,
    [other.merchantId],
  );
  await other.owner.query('ALTER TABLE audit_entries ENABLE TRIGGER USER');
  const worker = keeper.keepCheckpoint({ ...options, worker: 'b' });
  await worker.look();
  expect(await recoveriesOf(other)).toEqual([{ why: 'behind' }]);
  await other.owner.query('ALTER TABLE recoveries DISABLE TRIGGER USER');
  await other.owner.query(
    'UPDATE recoveries SET ended_at = clock_timestamp() WHERE merchant_id = $1',
    [other.merchantId],
  );
  await other.owner.query('ALTER TABLE recoveries ENABLE TRIGGER USER');
  await worker.look();
  await keeper
    .keepCheckpoint({ ...options, folder: join(own, 'web'), worker: 'web', isWorker: false })
    .look();
  expect(await recoveriesOf(other)).toHaveLength(1);
  await other.close();
  rmSync(own, { recursive: true });
});

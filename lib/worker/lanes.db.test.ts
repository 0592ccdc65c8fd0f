import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Lanes from './lanes.ts';
import type { Queue } from './lanes.ts';

/** A queue of the worker on a real table: its work is a row of `wallet_snapshots` whose time has come. */

let merchant: TestMerchant;
let worker: Process;
let lanes: typeof Lanes;
let stopping: AbortController;
let running: Lanes.Lanes | undefined;

beforeAll(async () => {
  merchant = await testMerchant();
  worker = await openProcess('dashboard_worker');
  lanes = await import('./lanes.ts');
});
afterEach(async () => {
  stopping.abort();
  await running?.ended;
  await merchant.owner.query('DELETE FROM wallet_snapshots WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
});
afterAll(async () => {
  await Promise.all([worker.db.disconnect(), merchant.close()]);
});

/** Makes pieces of work that are due so much later. */
async function wanted(count: number, dueInMs: number): Promise<void> {
  await merchant.owner.query(
    `INSERT INTO wallet_snapshots (merchant_id, number, record, fetched_at)
     SELECT $1, 'w-' || n, '{}', now() + make_interval(secs => $3) FROM generate_series(1, $2) n`,
    [merchant.merchantId, count, dueInMs / 1_000],
  );
}

type Seen = { done: number; tries: number; atOnce: number; most: number };

/** Runs a queue of these pieces; each waits for `until` before it is done. */
function run(laneCount: number, until: Promise<unknown> = Promise.resolve()): Seen {
  const { sql, inTransaction } = worker.db;
  const seen: Seen = { done: 0, tries: 0, atOnce: 0, most: 0 };
  stopping = new AbortController();
  const queue: Queue = {
    lanes: laneCount,
    due: sql`SELECT min(fetched_at) FROM wallet_snapshots`,
    work: async () => {
      seen.tries += 1;
      const taken = await inTransaction(
        merchant.merchantId,
        (tx) => tx.$executeRaw`DELETE FROM wallet_snapshots WHERE number = (
          SELECT number FROM wallet_snapshots WHERE fetched_at <= clock_timestamp()
          LIMIT 1 FOR UPDATE SKIP LOCKED)`,
      );
      if (taken === 0) return false;
      seen.atOnce += 1;
      seen.most = Math.max(seen.most, seen.atOnce);
      await until;
      seen.atOnce -= 1;
      seen.done += 1;
      return true;
    },
  };
  running = lanes.runLanes(
    merchant.merchantId,
    { queue },
    { stopping: stopping.signal, fault: (_what, error) => expect.soft(error).toBeUndefined() },
  );
  return seen;
}

it('work that becomes due without a message is done soon after', async () => {
  const seen = run(2);
  await wanted(1, 700);
  await expect.poll(() => seen.done, { timeout: 10_000 }).toBe(1);
});

it('all lanes join in when more is due than one can do', async () => {
  let release = (): void => undefined;
  const seen = run(4, new Promise<void>((resolve) => (release = resolve)));
  await wanted(12, 0);
  running!.look();
  await expect.poll(() => seen.most, { timeout: 10_000 }).toBe(4);
  release();
  await expect.poll(() => seen.done, { timeout: 10_000 }).toBe(12);
});

it('an idle queue is not claimed from', async () => {
  const seen = run(4);
  await expect.poll(() => seen.tries, { timeout: 10_000 }).toBe(4);
  await wanted(1, 3_600_000);
  for (let n = 0; n < 20; n++) {
    running!.look();
    await worker.db.inTransaction(merchant.merchantId, (tx) => tx.$queryRaw`SELECT 1`);
  }
  expect(seen.tries).toBe(4);
});

it('a stop ends the lanes that rest, and waits for the work of the others', async () => {
  let release = (): void => undefined;
  await wanted(1, 0);
  const seen = run(2, new Promise<void>((resolve) => (release = resolve)));
  await expect.poll(() => seen.atOnce, { timeout: 10_000 }).toBe(1);
  stopping.abort();
  let hasEnded = false;
  void running!.ended.then(() => (hasEnded = true));
  await worker.db.inTransaction(merchant.merchantId, (tx) => tx.$queryRaw`SELECT 1`);
  expect(hasEnded).toBe(false);
  release();
  await running!.ended;
  expect(seen.done).toBe(1);
});

it('a queue is late by as long as its first row is due, and not at all before that', async () => {
  const { sql } = worker.db;
  stopping = new AbortController();
  running = lanes.runLanes(
    merchant.merchantId,
    {
      queue: {
        lanes: 1,
        due: sql`SELECT min(fetched_at) FROM wallet_snapshots`,
        // Nobody takes the row.
        work: async () => false,
      },
    },
    { stopping: stopping.signal, fault: (_what, error) => expect.soft(error).toBeUndefined() },
  );
  const late = () => running!.late().get('queue')!;
  await wanted(1, -5_000);
  running.look();
  await expect.poll(late).toBeGreaterThanOrEqual(5_000);
  await merchant.owner.query(
    `UPDATE wallet_snapshots SET fetched_at = now() + interval '1 hour' WHERE merchant_id = $1`,
    [merchant.merchantId],
  );
  running.look();
  await expect.poll(late).toBe(0);
});

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as TakeDue from './take-due.ts';

/** Rows that become due, claimed by workers that only query a provider. */

const TABLE = 'due_rows';
let merchant: TestMerchant;
let worker: Process;
let due: typeof TakeDue;
let rows: TakeDue.DueTable;

beforeAll(async () => {
  merchant = await testMerchant();
  worker = await openProcess('dashboard_worker');
  due = await import('./take-due.ts');
  const { sql } = worker.db;
  rows = { table: sql`due_rows`, only: sql`due.wanted` };
  await merchant.owner.query(
    `CREATE TABLE ${TABLE} (id text PRIMARY KEY, merchant_id uuid NOT NULL, next_at timestamptz,
      tries integer NOT NULL DEFAULT 0, wanted boolean NOT NULL DEFAULT true);
     GRANT SELECT, UPDATE ON ${TABLE} TO dashboard_worker`,
  );
});
beforeEach(() => merchant.owner.query(`DELETE FROM ${TABLE}`));
afterAll(async () => {
  await worker.db.disconnect();
  await merchant.owner.query(`DROP TABLE ${TABLE}`);
  await merchant.close();
});

/** Stores a row that has been due for so long; a negative time is to come. */
async function store(id: string, dueFor: string | null, wanted = true): Promise<void> {
  await merchant.owner.query(
    `INSERT INTO ${TABLE} (id, merchant_id, next_at, wanted)
      VALUES ($1, $2, now() - $3::interval, $4)`,
    [id, merchant.merchantId, dueFor, wanted],
  );
}
const take = async (): Promise<string | undefined> =>
  (await due.takeDue<{ id: string }>(merchant.merchantId, rows, worker.db.sql`id`))?.id;

it('the row that is due for longest is claimed first, and each once', async () => {
  await store('newer', '1 second');
  await store('oldest', '1 hour');
  await store('not yet', '-1 minute');
  await store('never', null);
  expect([await take(), await take(), await take()]).toEqual(['oldest', 'newer', undefined]);
});

it('a claim is counted, and expires only after a provider had its time to respond', async () => {
  await store('one', '1 hour');
  await take();
  const { rows: stored } = await merchant.owner.query<{ tries: number; seconds: number }>(
    `SELECT tries, extract(epoch FROM next_at - now())::float8 AS seconds FROM ${TABLE}`,
  );
  expect(stored[0]!.tries).toBe(1);
  expect(stored[0]!.seconds).toBeGreaterThan(45);
});

it('rows that are not wanted are neither claimed nor waited for', async () => {
  await store('unwanted', '1 hour', false);
  await store('later', '-1 hour');
  expect(await take()).toBeUndefined();
  const [first] = await worker.db.inOne<{ isToCome: boolean }>(
    merchant.merchantId,
    worker.db.sql`SELECT (${due.firstDue(rows)}) > now() AS "isToCome"`,
  );
  expect(first).toEqual({ isToCome: true });
});

it('a row that another worker is claiming is passed over, and not waited for', async () => {
  await store('held', '1 hour');
  await store('free', '1 second');
  const other = await merchant.owner.connect();
  try {
    await other.query('BEGIN');
    await other.query(`SELECT FROM ${TABLE} WHERE id = 'held' FOR UPDATE`);
    expect(await take()).toBe('free');
  } finally {
    await other.query('ROLLBACK');
    other.release();
  }
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Held from './checkpoint-held.ts';

let merchant: TestMerchant;
let worker: Process;
let held: typeof Held;
let timeline: number;

beforeAll(async () => {
  merchant = await testMerchant();
  worker = await openProcess('dashboard_worker');
  held = await import('./checkpoint-held.ts');
  const { rows } = await merchant.owner.query<{ timeline: number }>(
    'SELECT timeline_id AS timeline FROM pg_control_checkpoint()',
  );
  timeline = rows[0]!.timeline;
});
afterAll(async () => {
  await worker.db.disconnect();
  await merchant.close();
});

const holds = async (seq: string, hash: string, on: number): Promise<boolean> => {
  const mark = { seq, hash, database: { timeline: on } };
  const { sql } = worker.db;
  const [row] = await worker.db.inOne<{ holds: boolean }>(
    merchant.merchantId,
    sql`SELECT ${held.holdsCheckpoint(mark)} AS holds`,
  );
  return row!.holds;
};

it('a claim trusts no database on another timeline than that of its checkpoint, whatever it holds', async () => {
  const { rows } = await merchant.owner.query<{ seq: string }>(
    `SELECT set_config('app.merchant_id', $1, true),
      audit_append($1::uuid, 'test', 'test', 'test:1', '{}', '{}') AS seq`,
    [merchant.merchantId],
  );
  const { seq } = rows[0]!;
  const entry = await merchant.owner.query<{ hash: string }>(
    `SELECT encode(hash, 'hex') AS hash FROM audit_entries WHERE merchant_id = $1 AND seq = $2`,
    [merchant.merchantId, seq],
  );
  const { hash } = entry.rows[0]!;
  expect(await holds(seq, hash, timeline)).toBe(true);
  expect(await holds(seq, hash, timeline + 1)).toBe(false);
  expect(await holds('0', '', timeline)).toBe(true);
  expect(await holds('0', '', timeline + 1)).toBe(false);
  expect(await holds(seq, 'ff', timeline)).toBe(false);
});

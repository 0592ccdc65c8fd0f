import { afterAll, beforeAll, expect, it } from 'vitest';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as OfMovements from './of-movements.ts';

let merchant: TestMerchant;
let stranger: TestMerchant;
let web: Process;
let of: typeof OfMovements;

beforeAll(async () => {
  stranger = await testMerchant();
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  of = await import('./of-movements.ts');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close(), stranger.close()]);
});

async function paid(by: TestMerchant, day: string): Promise<{ id: string; receipt: string }> {
  const id = await storedMovement(by, 'COMPLETED', { ended_at: day });
  const { rows } = await by.owner.query<{ id: string }>(
    `INSERT INTO receipts (merchant_id, movement_id, state, next_at, paid_at)
      VALUES ($1, $2, 'WAITING', $3, $3) RETURNING id`,
    [by.merchantId, id, day],
  );
  return { id, receipt: rows[0]!.id };
}

it('the receipts of ticked payouts are theirs alone, newest first, and of one merchant', async () => {
  const [older, newer, foreign] = [
    await paid(merchant, '2026-03-05T09:00:00Z'),
    await paid(merchant, '2026-03-06T09:00:00Z'),
    await paid(stranger, '2026-03-06T09:00:00Z'),
  ];
  await paid(merchant, '2026-03-07T09:00:00Z');
  const rejected = await storedMovement(merchant, 'REJECTED');
  const picked = [older.id, rejected, newer.id, foreign.id, 'x', older.id];
  expect(await of.receiptsOfMovements(merchant.person('auditor'), picked)).toEqual([
    newer.receipt,
    older.receipt,
  ]);
  expect(await of.receiptsOfMovements(merchant.person('auditor'), [])).toEqual([]);
});

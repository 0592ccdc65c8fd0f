import { afterAll, beforeAll, expect, it } from 'vitest';
import type * as Month from '#lib/reports/day-close/view.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { addDays, dayIn, monthDays } from '#lib/values/dates.ts';
import type * as Days from './days.ts';

/** The days that the demo's merchant has closed can be closed on every day of a month. */

const MAIN = '4410270001';
let merchant: TestMerchant;
let worker: Process;
let web: Process;
let days: typeof Days;
let month: typeof Month;

beforeAll(async () => {
  merchant = await testMerchant();
  worker = await openProcess('dashboard_worker');
  days = await import('./days.ts');
  web = await openProcess('dashboard_web');
  month = await import('#lib/reports/day-close/view.ts');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), worker.db.disconnect(), merchant.close()]);
});

const nothing = async () => ({
  kind: 'answered' as const,
  value: { rows: [], index: 0, size: 200, pageCount: 0, rowCount: 0 },
});

it('also in its first week, when they are of the month before, which the worker reads only in part', async () => {
  const today = dayIn(new Date().toISOString());
  await merchant.owner.query(
    `INSERT INTO wallet_balances (merchant_id, wallet, at, total_minor, currency)
      VALUES ($1, $2, now() - interval '1 minute', 1000, 'TRY')`,
    [merchant.merchantId, MAIN],
  );
  await merchant.owner.query(
    `INSERT INTO wallet_snapshots (merchant_id, number, record, fetched_at)
      VALUES ($1, $2, '{}', now())`,
    [merchant.merchantId, MAIN],
  );
  // As far back as the seventh of a month reaches: the first day of the month before, and a day.
  const closed = addDays(monthDays(today).from, -1);
  const from = addDays(monthDays(closed).from, -1);
  const wallet = { listTransactions: nothing, listWithdrawals: nothing };
  await days.readDays(merchant.merchantId, 'ledger', wallet, { from, to: today });
  const view = await month.viewMonth(
    merchant.person('approver'),
    { wallet: MAIN, currency: 'TRY' },
    monthDays(closed).from,
  );
  expect(view.coverage.missing).toEqual([]);
  expect(view.closable).toContain(closed);
});

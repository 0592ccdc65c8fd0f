import { afterAll, beforeAll, expect, it } from 'vitest';
import { setColumns, storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { NO_FILTER } from '#lib/payouts/filter.ts';
import type * as Ask from './ask.ts';
import type * as List from './list.ts';
import { shownSums } from './profile.ts';
import { FRAME } from './testing/frame.ts';

/** The sums of a file of payouts: each outcome apart, as the list adds it up. */

let merchant: TestMerchant;
let web: Process;
let worker: Process;
let askForExport: typeof Ask.askForExport;
let listExports: typeof List.listExports;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  ({ askForExport } = await import('./ask.ts'));
  ({ listExports } = await import('./list.ts'));
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), worker.db.disconnect(), merchant.close()]);
});

it('adds what was paid, returned, refused, is on its way and is unknown apart, as the list does', async () => {
  const { sumPayouts } = await import('#lib/payouts/list.ts');
  let amountMinor = 1n;
  for (const state of [
    ...(['CANCELLED', 'SUBMITTING', 'UNKNOWN', 'PENDING', 'REJECTED', 'FAILED'] as const),
    ...(['MANUAL_REVIEW', 'APPROVED', 'COMPLETED', 'COMPLETED', 'COMPLETED'] as const),
  ]) {
    const id = await storedMovement(merchant, state, {}, { amountMinor });
    const returned = { 512: 'REPORTED', 1024: 'CONFIRMED' }[Number(amountMinor)];
    if (returned !== undefined) await setColumns(merchant, id, { returned });
    amountMinor *= 2n;
  }
  const clerk = merchant.person('clerk');
  const totals = await sumPayouts(clerk, NO_FILTER);
  await askForExport(clerk, { source: 'payouts', profile: 'csv', filter: '', frame: FRAME });
  worker = await openProcess('dashboard_worker');
  const { makeOneExport } = await import('./make.ts');
  while (await makeOneExport(merchant.merchantId, undefined, 3));
  const { sums } = (await listExports(clerk)).rows[0]!;
  expect(totals.map(({ part }) => part).toSorted()).toEqual([
    'paid',
    'pending',
    'returned',
    'unknown',
    'unpaid',
  ]);
  expect(new Set(sums)).toEqual(
    new Set(totals.map((total) => ({ ...total, part: FRAME.codes.part![total.part] }))),
  );
});

it('names a sum of rows of every outcome by the word that the file has for it', async () => {
  const { makeOneExport } = await import('./make.ts');
  await merchant.owner.query(
    `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
      fee_minor, currency, created_at, raw)
      VALUES ($1, 'one', 2002, 20, 'out', 10000, 640, 'TRY', '2026-03-06T09:00:00Z', '{}')`,
    [merchant.merchantId],
  );
  await askForExport(merchant.person('clerk'), {
    source: 'transactions',
    profile: 'csv',
    filter: '?from=2026-03-06&to=2026-03-06',
    frame: { ...FRAME, labels: { ...FRAME.labels, sum: 'Net etki' } },
  });
  while (await makeOneExport(merchant.merchantId));
  expect((await listExports(merchant.person('clerk'))).rows[0]!.sums).toEqual([
    { currency: 'TRY', part: 'Net etki', count: 1, sum: '-106.40' },
  ]);
});

it('shows rows that an earlier version has added up in no part, and does not add them twice', () => {
  expect(
    shownSums({
      TRY: { count: 5, minor: '500', parts: { paid: { count: 2, minor: '150' } } },
      EUR: { count: 1, minor: '7' },
    }),
  ).toEqual([
    { currency: 'EUR', part: null, count: 1, minor: '7' },
    { currency: 'TRY', part: 'paid', count: 2, minor: '150' },
    { currency: 'TRY', part: null, count: 3, minor: '350' },
  ]);
});

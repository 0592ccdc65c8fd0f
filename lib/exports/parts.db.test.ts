import { afterAll, beforeAll, expect, it } from 'vitest';
import { setColumns, storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { NO_FILTER } from '#lib/payouts/filter.ts';
import { shownSums } from './profile.ts';
import { FRAME } from './testing/frame.ts';

/** The sums of a file of payouts: each outcome apart, as the list adds it up. */

let merchant: TestMerchant;
let web: Process;
let worker: Process;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), worker.db.disconnect(), merchant.close()]);
});

it('adds what was paid, returned, refused, is on its way and is unknown apart, as the list does', async () => {
  const { askForExport } = await import('./ask.ts');
  const { listExports } = await import('./list.ts');
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

import { afterAll, beforeAll, expect, test } from 'vitest';
import { STATES } from '#lib/movements/state.ts';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { NO_FILTER, PAYOUT_PARTS } from './filter.ts';
import type { PayoutPart } from './filter.ts';
import type { Listed } from './conditions.ts';
import type * as List from './list.ts';

/**
 * The sums under the lists: each is the sum of one kind of outcome, and equals the sum of the rows
 * to which it links.
 */

/** All states except EXPIRED, in which only an unanswered request for approval ends. */
const REACHED = STATES.filter((state) => state !== 'EXPIRED');

let merchant: TestMerchant;
let web: Process;
let list: typeof List;

beforeAll(async () => {
  merchant = await testMerchant();
  let amountMinor = 1n;
  for (const kind of ['payout', 'transfer_person']) {
    const next = () => ({ kind, amountMinor: (amountMinor *= 2n) });
    for (const state of REACHED) await storedMovement(merchant, state, {}, next());
    for (const returned of ['REPORTED', 'CONFIRMED'])
      await storedMovement(merchant, 'COMPLETED', { returned }, next());
  }
  web = await openProcess('dashboard_web');
  list = await import('./list.ts');
}, 60_000);
afterAll(() => Promise.all([web.db.disconnect(), merchant.close()]));

const page = (of: Listed, part: PayoutPart | null) =>
  list.listPayouts(
    merchant.person('clerk'),
    { filter: { ...NO_FILTER, part }, place: null },
    { totals: true },
    of,
  );
const inMinor = (text: string): bigint => BigInt(text.replace('.', ''));

test.each(['payouts', 'transfers'] as const)(
  'each sum of the %s is the sum of the rows that its link shows, and no row is in two',
  async (of) => {
    const whole = await page(of, null);
    expect(whole.rows).toHaveLength(REACHED.length + 2);
    const shown: string[] = [];
    for (const part of PAYOUT_PARTS) {
      const { rows, totals } = await page(of, part);
      const own = whole.totals!.filter((total) => total.part === part);
      expect(totals).toEqual(own);
      expect(own).toMatchObject([{ currency: 'TRY', count: rows.length }]);
      expect(inMinor(own[0]!.sum)).toBe(
        rows.reduce((sum, { amount }) => sum + inMinor(amount), 0n),
      );
      shown.push(...rows.map(({ id }) => id));
    }
    expect(shown.toSorted()).toEqual(whole.rows.map(({ id }) => id).toSorted());
  },
);

test.each(['payouts', 'transfers'] as const)(
  'of the %s, only what was paid and did not come back is added as paid',
  async (of) => {
    const states = async (part: PayoutPart) =>
      (await page(of, part)).rows.map(({ state, returned }) => `${state} ${returned}`).toSorted();
    expect(await states('paid')).toEqual(['COMPLETED NONE']);
    expect(await states('returned')).toEqual(['COMPLETED CONFIRMED']);
    expect(await states('unknown')).toEqual([
      'COMPLETED REPORTED',
      'MANUAL_REVIEW NONE',
      'UNKNOWN NONE',
    ]);
    expect(await states('unpaid')).toEqual(['CANCELLED NONE', 'FAILED NONE', 'REJECTED NONE']);
  },
);

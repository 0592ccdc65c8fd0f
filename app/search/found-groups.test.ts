import { expect, test, vi } from 'vitest';
import type { Found } from '#lib/search/find.ts';
import { groupsOf } from './found-groups.ts';
import type { Writing } from './shown-hits.ts';

vi.mock('#lib/runtime/workspace.ts', () => ({
  workspace: () => ({ timeZone: 'Europe/Istanbul' }),
}));
vi.mock('next-intl/server', () => ({ getLocale: () => 'tr', getTranslations: () => undefined }));
// Its states are drawn, which needs the complete React.
vi.mock('./card-hits.ts', () => ({ cardGroups: async () => [] }));

const w = { t: (key: string) => key, locale: 'tr', now: '2026-03-09T09:00:00.000Z' };
const none = { rows: [], more: false, oldest: null };
const record = {
  id: '8800000000000000001',
  type: null,
  direction: 'in' as const,
  amount: '12.00',
  currency: 'TRY',
  sender: 'Gündüz Kargo',
  iban: null,
  description: null,
  extId: null,
  at: '2026-03-07T09:00:00.000Z',
};

test('the list of all matches begins on the day of the oldest, also where that one is not shown', async () => {
  const empty = { payouts: none, transfers: none, recipients: none, receipts: none, wallets: none };
  const cards = { cardPayments: none, links: none, plans: none, customers: none };
  const found: Found = {
    ...empty,
    ...cards,
    failedTopUps: none,
    notices: none,
    withdrawals: none,
    // 21:30 in Greenwich is the next day in Istanbul.
    ledger: { rows: [record], more: true, oldest: '2026-02-27T21:30:00.000Z' },
  };
  const groups = await groupsOf(found, [], 'gündüz', w as unknown as Writing);
  expect(groups.map(({ name, all }) => [name, all])).toEqual([
    ['ledger', `/reports/transactions?q=${encodeURIComponent('gündüz')}&from=2026-02-28`],
  ]);
});

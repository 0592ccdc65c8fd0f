import { expect, test, vi } from 'vitest';
import type { Found } from '#lib/search/find.ts';
import { gather } from './companions.ts';
import type { Writing } from './shown-hits.ts';

vi.mock('#lib/runtime/workspace.ts', () => ({
  workspace: () => ({ timeZone: 'Europe/Istanbul' }),
}));
vi.mock('next-intl/server', () => ({ getLocale: () => 'tr', getTranslations: () => undefined }));

const AT = '2026-03-06T09:00:00.000Z';
const IBAN = 'TR330006100519786457841326';
const w = { t: (key: string) => key, locale: 'tr', now: AT } as unknown as Writing;
const rows = <T>(...all: T[]) => ({ rows: all, more: false, oldest: null });
const money = { amount: '12.00', currency: 'TRY', at: AT };
const payout = (id: string) => ({
  ...money,
  id,
  name: 'Kaya Nakliyat',
  to: IBAN,
  extId: `EXT-${id}`,
  state: 'COMPLETED' as const,
  returned: 'NONE' as const,
  alert: null,
});
const withdrawal = (id: string, extId: string) => ({
  ...money,
  id,
  name: null,
  iban: IBAN,
  extId,
  level: 'completed',
});
const found = (part: Partial<Found>): Found => ({
  payouts: rows(),
  transfers: rows(),
  recipients: rows(),
  receipts: rows(),
  wallets: rows(),
  ledger: rows(),
  withdrawals: rows(),
  failedTopUps: rows(),
  notices: rows(),
  cardPayments: rows(),
  links: rows(),
  plans: rows(),
  customers: rows(),
  ...part,
});
const recipient = { id: 'r', name: 'KAYA NAKLİYAT', number: IBAN, at: AT };

test('a payment is one result: its recipient, receipt, request, entry and webhook stand under it', () => {
  const { under, rest } = gather(
    found({
      payouts: rows(payout('1')),
      recipients: rows(recipient),
      receipts: rows({ ...money, id: 'd', name: 'Kaya Nakliyat', movement: '1' }),
      withdrawals: rows(withdrawal('7', 'EXT-1')),
      notices: rows({ id: 'n', extId: 'EXT-1', at: AT }),
    }),
    w,
  );
  expect(under.get('1')!.map(({ title, under: isUnder }) => [title, isUnder])).toEqual(
    ['recipient', 'receipt', 'withdrawal', 'notice'].map((key) => [`under.${key}`, true]),
  );
  expect(Object.values(rest).filter((group) => group.rows.length > 0)).toEqual([rows(payout('1'))]);
});

test('what belongs to another payment, or to several, stays a result of its own', () => {
  const { under, rest } = gather(
    found({
      payouts: rows(payout('1'), payout('2')),
      recipients: rows(recipient),
      receipts: rows({ ...money, id: 'd', name: 'Kaya Nakliyat', movement: null }),
      withdrawals: rows(withdrawal('7', 'EXT-2'), withdrawal('8', 'OTHER')),
    }),
    w,
  );
  expect([under.get('1'), under.get('2')!.length]).toEqual([[], 1]);
  expect([rest.recipients.rows.length, rest.receipts.rows.length]).toEqual([1, 1]);
  expect(rest.withdrawals.rows.map(({ id }) => id)).toEqual(['8']);
});

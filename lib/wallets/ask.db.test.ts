import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Wallet } from '#lib/providers/wallet/types.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Ask from './ask.ts';

/** The provider's list of wallets, shown and kept for a time when it does not answer. */

const wallet = (number: string, name: string, totalMinor: bigint): Wallet =>
  ({ number, name, currency: 'TRY', access: 'active', totalMinor }) as Wallet;

let rows: Wallet[] = [];
let silent = false;
let merchant: TestMerchant;
let web: Process;
let ask: typeof Ask;

beforeAll(async () => {
  merchant = await testMerchant();
  vi.doMock('#lib/providers/wallet/configured-client.ts', () => ({
    walletClient: () => ({
      listWallets: async () =>
        silent
          ? { kind: 'no_answer', why: 'timeout' }
          : { kind: 'answered', value: { rows, index: 0, size: 200, pageCount: 1, rowCount: 2 } },
    }),
  }));
  web = await openProcess('dashboard_web');
  ask = await import('./ask.ts');
});
afterAll(async () => {
  await web.db.disconnect();
  await merchant.close();
});

const shown = async () => {
  const { value, fresh } = await ask.knownWallets(merchant.person('clerk'));
  return {
    fresh,
    wallets: value?.map(({ number, name, totalMinor }) => [number, name, totalMinor]),
  };
};

it('a name that the database cannot hold and a wallet that is named twice break no page', async () => {
  rows = [
    wallet('4410270001', 'Eski ad', 1n),
    wallet('4410270002', 'Kasa\u0000 \ud83d', 5n),
    wallet('4410270001', 'Yeni ad', 2n),
  ];
  expect(await shown()).toEqual({
    fresh: true,
    wallets: [
      ['4410270001', 'Yeni ad', 2n],
      ['4410270002', 'Kasa\u0000 \ud83d', 5n],
    ],
  });
  silent = true;
  ask.forgetWallets();
  const kept = await shown();
  expect(kept.fresh).toBe(false);
  expect(kept.wallets?.toSorted()).toEqual([
    ['4410270001', 'Yeni ad', 2n],
    ['4410270002', 'Kasa \ufffd', 5n],
  ]);
});

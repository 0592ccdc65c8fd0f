/**
 * Tests the wallet client's reads, and the sign-in endpoint, against a real test environment when
 * its variables are set (README, "Against a real provider"); skipped otherwise. No test here moves
 * money, creates a wallet, or sends a message.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseDecimal } from '#lib/values/money.ts';
import { createLoginClient } from '../login/client.ts';
import { createWalletClient } from './client.ts';
import type { WalletClient } from './client.ts';

const {
  CONTRACT_WALLET_AUTH_URL: authUrl = '',
  CONTRACT_WALLET_API_URL: apiUrl = '',
  CONTRACT_WALLET_CLIENT_ID: clientId = '',
  CONTRACT_WALLET_CLIENT_SECRET: clientSecret = '',
  CONTRACT_WALLET_SCOPE: scope = 'sts_business_api',
  CONTRACT_WALLET_EXT_ID: extId = '',
  CONTRACT_WALLET_AMOUNT: amount = '',
  CONTRACT_LOGIN_BASE_URL: loginUrl = '',
} = process.env;

const DAY_MS = 24 * 60 * 60 * 1_000;
const range = {
  from: new Date(Date.now() - 30 * DAY_MS).toISOString(),
  to: new Date(Date.now() + DAY_MS).toISOString(),
};
const FIRST = { index: 0, size: 20 };

describe.skipIf([authUrl, apiUrl, clientId, clientSecret].includes(''))(
  'a real wallet service',
  () => {
    const client = (more: { clientSecret?: string } = {}): WalletClient =>
      createWalletClient({ authUrl, apiUrl, clientId, clientSecret, scope, ...more });
    const wallet = client();

    test('gives a token for our credentials, and none for wrong ones', async () => {
      expect(await wallet.getBusinessAccount()).toMatchObject({
        kind: 'answered',
        value: { id: expect.stringMatching(/./) as string },
      });
      expect(await client({ clientSecret: 'wrong' }).getBusinessAccount()).toEqual({
        kind: 'no_answer',
        why: 'no_token',
      });
    });

    test('tells its wallets, each as when it is asked for alone', async () => {
      const list = await wallet.listWallets({}, FIRST);
      if (list.kind !== 'answered') throw new Error(`${list.kind}`);
      for (const one of list.value.rows.slice(0, 3))
        expect(await wallet.getWallet(one.number)).toMatchObject({
          kind: 'answered',
          value: { id: one.id, currency: one.currency },
        });
      expect(await wallet.getWallet('1')).not.toMatchObject({ kind: 'answered' });
    });

    test('tells the kinds of payment in both languages', async () => {
      const [turkish, english] = await Promise.all([
        wallet.getPaymentTypes('tr'),
        wallet.getPaymentTypes('en'),
      ]);
      if (turkish.kind !== 'answered' || english.kind !== 'answered') throw new Error('no answer');
      expect(turkish.value.map((type) => type.code)).toEqual(
        english.value.map((type) => type.code),
      );
    });

    test('lists its ledger and its withdraw requests, and a line has its receipt', async () => {
      const lines = await wallet.listTransactions(range, FIRST);
      expect(lines).toMatchObject({ kind: 'answered' });
      expect(await wallet.listWithdrawals(range, FIRST)).toMatchObject({ kind: 'answered' });
      const [line] = lines.kind === 'answered' ? lines.value.rows : [];
      if (line)
        expect(['pdf', 'html', 'not_ready']).toContain(
          (await wallet.getReceipt(line.transactionId)).kind,
        );
    });

    test('knows no reference that nobody used, in either of its books', async () => {
      const nobody = { extId: randomUUID(), amountMinor: 100n, currency: 'TRY', iban: '' };
      expect(await wallet.readPayout(nobody)).toMatchObject({ kind: 'not_found' });
      expect(await wallet.findInLedger({ extId: nobody.extId, ...range })).toMatchObject({
        kind: 'not_listed',
      });
      expect(await wallet.readTransfer({ ...nobody, wallet: '1', to: '2' }, range)).toMatchObject({
        kind: 'not_found',
      });
    });

    test('finds nobody behind an account number that is none', async () => {
      expect(
        (await wallet.findPersonalWallet({ by: 'account', account: '1', currency: 'TRY' })).kind,
      ).not.toBe('found');
    });

    test.skipIf([extId, amount].includes(''))(
      'knows the payout that was named, with its amount',
      async () => {
        const listed = await wallet.listWithdrawals({ ...range, extId }, FIRST);
        const [row] = listed.kind === 'answered' ? listed.value.rows : [];
        const expected = {
          extId,
          amountMinor: parseDecimal(amount),
          currency: row?.currency ?? 'TRY',
          iban: row?.iban ?? '',
        };
        expect(await wallet.readPayout(expected)).toMatchObject({
          kind: 'found',
          extId,
          amountMinor: expected.amountMinor,
        });
      },
    );
  },
);

describe.skipIf(loginUrl === '')('a real login service', () => {
  test('turns a stranger away, and a token that is none', async () => {
    const login = createLoginClient({ baseUrl: loginUrl });
    expect(
      await login.startLogin({
        email: `${randomUUID()}@example.com`,
        password: 'wrong',
        locale: 'tr',
      }),
    ).toEqual({ kind: 'wrong_credentials' });
    expect(await login.listCurrencies('no-token')).toMatchObject({
      kind: expect.stringMatching(/^(?:unauthorized|unavailable)$/) as string,
    });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../testing/sandbox.ts';
import type { ApiResponse } from '../testing/sandbox.ts';

let box: Sandbox;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());
beforeEach(() => box.post('reset'));

const create = (fields: object): Promise<ApiResponse> =>
  box.call('Wallet/CreateWalletForBusinessAccount', fields);
const info = async (number: unknown): Promise<Record<string, unknown>> =>
  (
    (await box.call('Wallet/Info', { wallet_number: number })).json.payload as {
      wallet_info: Record<string, unknown>;
    }
  ).wallet_info;

describe('CreateWalletForBusinessAccount', () => {
  it('answers a new, empty, usable wallet [CreateWalletForBusinessAccount: 100, number, name, usable]', async () => {
    const first = await create({ name: '  Kampanya  ' });
    expect(first.json).toMatchObject({ status: 0, code: '100' });
    const second = await create({ name: 'Kampanya' });
    expect(first.json.payload).toMatch(/^\d{10}$/);
    expect(second.json.payload).not.toBe(first.json.payload);
    expect(await info(first.json.payload)).toMatchObject({
      name: 'Kampanya',
      total_balance: 0,
      access_level_status_id: 1,
      account_number: '4410027815',
      updated_date_utc: null,
    });
    const moved = await box.call('Transaction/TransferToVirement', {
      sender_wallet_number: '4410270001',
      receiver_wallet_number: first.json.payload,
      ext_transaction_id: 'new-1',
      amount: 5,
      currency_code: 'TRY',
    });
    expect(moved.json.code).toBe('100');
    expect(await box.wallet(String(first.json.payload))).toMatchObject({
      available: '5.00',
      agrees: true,
    });
  });

  it('takes the currency, lira by default [CreateWalletForBusinessAccount: currency_code, currency]', async () => {
    expect((await info((await create({ name: 'Bir' })).json.payload)).currency_code).toBe('TRY');
    expect(
      (await info((await create({ name: 'İki', currency_code: 'EUR' })).json.payload))
        .currency_code,
    ).toBe('EUR');
  });

  it('gives a FAST IBAN of its own at will [CreateWalletForBusinessAccount: use_fast_iban, fast-iban]', async () => {
    const [one, two, none] = await Promise.all([
      create({ name: 'A', use_fast_iban: true }),
      create({ name: 'B', use_fast_iban: true }),
      create({ name: 'C', use_fast_iban: false }),
    ]);
    const ibans = await Promise.all(
      [one, two, none].map(async (response) => (await info(response.json.payload)).fast_iban),
    );
    expect(ibans[0]).toMatch(/^TR\d{24}$/);
    expect(ibans[1]).not.toBe(ibans[0]);
    expect(ibans[2]).toBeNull();
  });

  it.each([
    ['WrongGroupCode', { tenant_id: 7 }],
    ['TenantCurrencyCodeNotFound', { currency_code: 'JPY' }],
    ['KycLimitNotFound', { currency_code: 'GBP' }],
  ] as const)(
    'answers 500 %s [CreateWalletForBusinessAccount: 500, tenant_id]',
    async (message, fields) => {
      const before = (await box.get('wallets')) as unknown[];
      expect((await create({ name: 'X', ...fields })).json).toEqual({
        status: 2,
        code: '500',
        message,
        payload: null,
      });
      expect(await box.get('wallets')).toHaveLength(before.length);
      expect((await create({ name: 'X', tenant_id: 1042 })).json.code).toBe('100');
    },
  );

  it('answers 500 AccountNotActive while the account is blocked [CreateWalletForBusinessAccount: 500]', async () => {
    await box.post('accounts/4410027815', { access_level_status_id: 2 });
    expect((await create({ name: 'X' })).json).toMatchObject({
      code: '500',
      message: 'AccountNotActive',
    });
    expect(
      ((await box.call('Account/GetBusinessAccount', {})).json.payload as Record<string, unknown>)
        .access_level_status_id,
    ).toBe(2);
  });

  it('answers 999 to a bad name or a malformed currency [CreateWalletForBusinessAccount: 999]', async () => {
    for (const fields of [
      {},
      { name: ' ' },
      { name: 'x'.repeat(101) },
      { name: 'X', currency_code: 'lira' },
    ])
      expect((await create(fields)).json).toMatchObject({ status: 1, code: '999' });
  });
});

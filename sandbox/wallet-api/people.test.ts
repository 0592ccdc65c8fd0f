import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../testing/sandbox.ts';
import type { ApiResponse } from '../testing/sandbox.ts';

let box: Sandbox;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());
beforeEach(() => box.post('reset'));

const check = (fields: object): Promise<ApiResponse> =>
  box.call('Account/CheckPersonalWallet', fields);
const byPhone = (phone: string, currency = 'TRY', country = '90'): Promise<ApiResponse> =>
  check({ phone_country_number: country, phone_number: phone, currency_code: currency });
const NOBODY = { exist: false, wallet_number: null, first_name: null, last_name: null };

describe('CheckPersonalWallet', () => {
  it('takes a phone [CheckPersonalWallet: 100, phone_country_number, phone_number, phone-form, masked]', async () => {
    const response = await byPhone('5330000201');
    expect(response.json).toMatchObject({ status: 0, code: '100' });
    expect(response.json.payload).toEqual({
      exist: true,
      wallet_number: '5510100001',
      first_name: 'El**',
      last_name: 'Şa***',
      currency_code: 'TRY',
    });
    expect((await byPhone('533 000 02 01', 'TRY', '+90')).json.payload).toEqual(
      response.json.payload,
    );
    expect((await byPhone('5330000201', 'TRY', '49')).json.payload).toMatchObject(NOBODY);
  });

  it('finds a person by account before phone [CheckPersonalWallet: account_number, account-form]', async () => {
    expect(
      (await check({ account_number: '5510000002', currency_code: 'TRY' })).json.payload,
    ).toMatchObject({ exist: true, wallet_number: '5510100002' });
    expect(
      (
        await check({
          account_number: '5510000002',
          phone_country_number: '90',
          phone_number: '5330000201',
          currency_code: 'TRY',
        })
      ).json.payload,
    ).toMatchObject({ wallet_number: '5510100002' });
    expect(
      (await check({ account_number: '4488800801', currency_code: 'TRY' })).json.payload,
    ).toMatchObject(NOBODY);
  });

  it('gives the wallet of the asked currency [CheckPersonalWallet: currency_code]', async () => {
    expect((await byPhone('5330000201', 'USD')).json.payload).toMatchObject({
      exist: true,
      wallet_number: '5510101001',
      currency_code: 'USD',
    });
    expect((await byPhone('5330000202', 'USD')).json.payload).toMatchObject({
      ...NOBODY,
      currency_code: 'USD',
    });
  });

  it('says exist false without an open wallet, but true if blocked [CheckPersonalWallet: unknown]', async () => {
    for (const phone of ['5339999999', '5330000207', '5330000205'])
      expect((await byPhone(phone)).json.payload).toMatchObject(NOBODY);
    expect((await byPhone('5330000203')).json.payload).toMatchObject({ exist: true });
  });

  it.each(['313', '300'])(
    'answers %s for nobody when the switch says so [CheckPersonalWallet: 300, 313]',
    async (code) => {
      await box.post('questions', { unknown_person_answer: code });
      expect((await byPhone('5339999999')).json).toMatchObject({ status: 2, code, payload: null });
    },
  );

  it('names what is missing of the form in one 999 answer [CheckPersonalWallet: 999]', async () => {
    expect((await check({})).json).toMatchObject({
      status: 1,
      code: '999',
      errors: ["'Currency Code' must not be empty."],
    });
    expect((await check({ currency_code: 'TRY' })).json.errors).toEqual([
      "'Phone Country Number' must not be empty.",
      "'Phone Number' must not be empty.",
    ]);
    expect((await check({ currency_code: 'TRY', phone_number: '5330000201' })).json.errors).toEqual(
      ["'Phone Country Number' must not be empty."],
    );
    expect((await check({ currency_code: 'TRY', account_number: 5 })).status).toBe(400);
  });

  it('finds the wallet a transfer to that person needs [BusinessToPersonalTransfer: needs-check]', async () => {
    const { wallet_number: receiver } = (await byPhone('5330000202')).json.payload as {
      wallet_number: string;
    };
    const response = await box.call('Transaction/BusinessToPersonalTransfer', {
      sender_wallet_number: '4410270001',
      receiver_wallet_number: receiver,
      ext_transaction_id: 'p-1',
      amount: 5,
      currency_code: 'TRY',
    });
    expect(response.json.code).toBe('100');
    expect((await box.wallet(receiver)).available).toBe('1255.00');
  });
});

import { describe, expect, test } from 'vitest';
import { response, ok, preparedClient, refusal } from './testing/prepared.ts';
import type { PersonalWalletQuestion } from './types.ts';

const PHONE: PersonalWalletQuestion = {
  by: 'phone',
  country: '90',
  phone: '5550001122',
  currency: 'TRY',
};
const FOUND = {
  exist: true,
  wallet_number: '1000000002',
  first_name: 'A***',
  last_name: 'Y***',
  currency_code: 'TRY',
};
const SILENCE = [
  response(429, ''),
  response(500, ''),
  response(302, ''),
  response(200, '<html>'),
  ok({}),
  ok([]),
  { kind: 'unclear', why: 'timeout' } as const,
];

describe('whose wallet it is', () => {
  test('is asked by phone or by account number', async () => {
    const { made, asked } = preparedClient(ok(FOUND));
    expect(await made.findPersonalWallet(PHONE)).toEqual({
      kind: 'found',
      wallet: '1000000002',
      name: 'A*** Y***',
      currency: 'TRY',
    });
    await made.findPersonalWallet({ by: 'account', account: '5550001', currency: 'TRY' });
    expect(asked.map((one) => JSON.parse(one.body ?? '') as unknown)).toEqual([
      { phone_country_number: '90', phone_number: '5550001122', currency_code: 'TRY' },
      { account_number: '5550001', currency_code: 'TRY' },
    ]);
    expect(asked[0]?.url).toBe('http://api.test/wallet/v1/Account/CheckPersonalWallet');
  });

  test("is nobody's only when the provider says so in so many words", async () => {
    for (const answer of [
      ok({ exist: false }),
      ok({ ...FOUND, exist: 'false', wallet_number: null }),
      refusal('300'),
      refusal('313'),
      ok(null),
    ]) {
      expect(await preparedClient(answer).made.findPersonalWallet(PHONE)).toEqual({
        kind: 'nobody',
      });
    }
    for (const answer of [
      ...SILENCE,
      refusal('500'),
      { kind: 'not_sent', why: 'refused' } as const,
      ok({ ...FOUND, exist: null }),
      ok({ ...FOUND, exist: 0 }),
      ok({ ...FOUND, exist: 'no' }),
      ok({ ...FOUND, wallet_number: null }),
      ok({ ...FOUND, wallet_number: '0' }),
    ]) {
      expect((await preparedClient(answer).made.findPersonalWallet(PHONE)).kind).toBe('no_answer');
    }
  });

  test('of another currency is no answer, and a name that is missing is none', async () => {
    expect(
      await preparedClient(ok({ ...FOUND, currency_code: 'USD' })).made.findPersonalWallet(PHONE),
    ).toEqual({ kind: 'no_answer', why: 'mismatch' });
    expect(
      await preparedClient(
        ok({ ...FOUND, first_name: null, last_name: '' }),
      ).made.findPersonalWallet(PHONE),
    ).toMatchObject({ kind: 'found', name: null });
  });

  test('a code that the provider gives instead is handed up for its words', async () => {
    for (const code of ['330', '334', '336', '480', '307'])
      expect(await preparedClient(refusal(code)).made.findPersonalWallet(PHONE)).toEqual({
        kind: 'no_answer',
        why: 'unknown_code',
        code,
      });
  });
});

describe('a new wallet', () => {
  const NEW = { name: 'Maaş', currency: 'TRY', fastIban: true };

  test('is made with one request, its number kept digit by digit', async () => {
    const { made, asked } = preparedClient(
      response(200, '{"status":0,"code":"100","message":null,"payload":9007199254740993001}'),
    );
    expect(await made.createWallet({ ...NEW, tenantId: '9007199254740993' })).toEqual({
      kind: 'created',
      number: '9007199254740993001',
    });
    expect(asked).toMatchObject([
      {
        url: 'http://api.test/wallet/v1/Wallet/CreateWalletForBusinessAccount',
        body: '{"name":"Maaş","currency_code":"TRY","use_fast_iban":true,"tenant_id":9007199254740993}',
      },
    ]);
    await made.createWallet({ ...NEW, walletType: 1, productType: 2 });
    expect(asked[1]?.body).toBe(
      '{"name":"Maaş","currency_code":"TRY","use_fast_iban":true,"wallet_type":1,"product_type":2}',
    );
  });

  test.each([
    ['WrongGroupCode', 'group_code'],
    ['AccountNotActive', 'account_not_active'],
    ['Tenant Currency Code Not Found', 'currency'],
    ['KYC_LIMIT_NOT_FOUND', 'kyc_limit'],
    ['Beklenmeyen hata', 'other'],
    [null, 'other'],
  ])('refused with 500 and "%s" says %s', async (message, reason) => {
    expect(
      await preparedClient(
        response(200, { status: 2, code: '500', message, payload: null }),
      ).made.createWallet(NEW),
    ).toEqual({ kind: 'refused', code: '500', reason, message });
  });

  test('refused with 999 says that a field is wrong, under HTTP 200 or 400', async () => {
    for (const status of [200, 400])
      expect(
        await preparedClient(
          response(status, { status: 1, code: 999, message: "'Name' must not be empty." }),
        ).made.createWallet(NEW),
      ).toMatchObject({ kind: 'refused', code: '999', reason: 'validation' });
  });

  test('may be there after anything else: one request, and never "refused"', async () => {
    for (const answer of [
      ...SILENCE,
      response(400, { status: 2, code: '500' }),
      refusal('311'),
      refusal('300'),
      refusal(null),
      ok(null),
      ok(''),
      ok('0'),
      refusal('500', 0),
      response(200, { status: 2, code: '100', payload: '1' }),
    ]) {
      const { made, asked } = preparedClient(answer, ok('1000000009'));
      expect((await made.createWallet(NEW)).kind).toBe('unclear');
      expect(asked).toHaveLength(1);
    }
  });

  test('is not there when nothing left, or the token was refused', async () => {
    expect(await preparedClient({ kind: 'not_sent', why: 'dns' }).made.createWallet(NEW)).toEqual({
      kind: 'not_sent',
      why: 'dns',
    });
    expect(await preparedClient(response(401, ''), ok('1')).made.createWallet(NEW)).toEqual({
      kind: 'not_sent',
      why: 'unauthorized',
    });
  });
});

import { describe, expect, test } from 'vitest';
import type { Exchange } from '../outcome.ts';
import type { ProviderRequest } from '../transport.ts';
import { createLoginClient } from './client.ts';

const response = (status: number, body: unknown): Exchange => ({
  kind: 'response',
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  contentType: 'application/json',
});
const MERCHANT = {
  id: 11,
  user_id: 7,
  merchant_key: '$2y$10$abc.def/ghi',
  site_url: 'https://shop.test',
  success_link: '',
  fail_link: '',
};
const USER = {
  id: 7,
  name: 'Ayşe Yılmaz',
  first_name: 'Ayşe',
  last_name: 'Yılmaz',
  email: 'ayse@demo.test',
  avatar: null,
  ip: null,
  tc_number: null,
  user_type: 2,
  account_status: 1,
  merchants: MERCHANT,
};
const coded = (statuscode: unknown, data: unknown = [], status = 200) =>
  response(status, { statuscode, description: '…', data });

function client(answer: Exchange) {
  const asked: ProviderRequest[] = [];
  const made = createLoginClient({
    baseUrl: 'http://login.test/dpl/',
    transport: async (request) => (asked.push(request), answer),
  });
  return { made, asked };
}
const start = (answer: Exchange) =>
  client(answer).made.startLogin({ email: 'ayse@demo.test', password: 'p', locale: 'tr' });
const verify = (answer: Exchange, userId = '7') =>
  client(answer).made.verifyCode({ userId, code: '123456', locale: 'en' });

const SILENCE: Exchange[] = [
  { kind: 'not_sent', why: 'refused' },
  { kind: 'unclear', why: 'timeout' },
  response(500, { statuscode: 100, data: { user: USER } }),
  response(429, { statuscode: 46, data: [] }),
  response(302, ''),
  response(200, '<html>'),
  response(200, []),
  response(422, { message: 'The email field is required.', errors: {} }),
  coded(99),
  coded(null),
  coded(100),
  coded(100, { user: null }),
  coded(100, { user: { ...USER, id: 0 } }),
];

describe('step one', () => {
  test("sends the contract's fields and reads the person", async () => {
    const { made, asked } = client(coded(100, { user: USER }));
    expect(await made.startLogin({ email: 'ayse@demo.test', password: 'p', locale: 'tr' })).toEqual(
      {
        kind: 'code_sent',
        userId: '7',
        merchantKeys: ['$2y$10$abc.def/ghi'],
        user: {
          id: '7',
          name: 'Ayşe Yılmaz',
          firstName: 'Ayşe',
          lastName: 'Yılmaz',
          email: 'ayse@demo.test',
          userType: '2',
          accountStatus: '1',
        },
      },
    );
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: 'http://login.test/dpl/api/corporatelogin',
      body: '{"email":"ayse@demo.test","password":"p","app_lang":"tr"}',
    });
  });

  test('statuscode may be text or number, merchants one, several or none', async () => {
    const keys = async (merchants: unknown, statuscode: unknown = '100') => {
      const outcome = await start(coded(statuscode, { user: { ...USER, merchants } }));
      return outcome.kind === 'code_sent' ? outcome.merchantKeys : outcome.kind;
    };
    const other = { ...MERCHANT, id: 12, merchant_key: 'other' };
    expect(await keys(MERCHANT)).toEqual(['$2y$10$abc.def/ghi']);
    expect(await keys([MERCHANT, other], 100)).toEqual(['$2y$10$abc.def/ghi', 'other']);
    expect(await keys({ 0: MERCHANT, 1: other })).toEqual(['$2y$10$abc.def/ghi', 'other']);
    for (const none of [[], {}, null, undefined]) expect(await keys(none)).toEqual([]);
    for (const broken of ['x', 5, [{}], { id: 1 }]) expect(await keys(broken)).toBe('unavailable');
  });

  test('46 is wrong credentials, under HTTP 200 or 4xx, as text or number', async () => {
    for (const answer of [
      coded(46),
      coded('46'),
      coded(46, [], 401),
      coded(46, [], 422),
      response(200, { statuscode: 46 }),
    ])
      expect(await start(answer)).toEqual({ kind: 'wrong_credentials' });
  });

  test('everything else is unavailable, never "wrong password"', async () => {
    for (const answer of SILENCE) expect((await start(answer)).kind).toBe('unavailable');
    expect((await start(coded(1))).kind).toBe('unavailable');
  });
});

describe('step two', () => {
  const SIGNED_IN = { token: 'abc.def', user: USER };

  test('writes the user id digit by digit and reads token and merchants', async () => {
    const { made, asked } = client(
      coded(100, { token: 'abc', user: { ...USER, id: '9007199254740993' } }),
    );
    expect(
      await made.verifyCode({ userId: '9007199254740993', code: '012345', locale: 'en' }),
    ).toMatchObject({
      kind: 'signed_in',
      token: 'abc',
      user: { id: '9007199254740993' },
      merchants: [{ merchantKey: MERCHANT.merchant_key, siteUrl: 'https://shop.test' }],
    });
    expect(asked[0]?.body).toBe('{"OTP":"012345","user_id":9007199254740993,"app_lang":"en"}');
  });

  test('1 is a wrong code, everything else is unavailable', async () => {
    for (const answer of [coded(1), coded('1'), coded(1, [], 400)])
      expect(await verify(answer)).toEqual({ kind: 'wrong_code' });
    for (const answer of [
      ...SILENCE,
      coded(46),
      coded(100, { user: USER }),
      coded(100, { token: '', user: USER }),
      coded(100, { token: 'a b', user: USER }),
      coded(100, { token: 'a\nb', user: USER }),
    ])
      expect((await verify(answer)).kind).toBe('unavailable');
  });

  test('a token for somebody else opens nothing', async () => {
    expect(await verify(coded(100, SIGNED_IN), '8')).toEqual({
      kind: 'unavailable',
      why: 'mismatch',
    });
    expect(await verify(coded(100, SIGNED_IN))).toMatchObject({ kind: 'signed_in' });
  });
});

describe('currencies', () => {
  test("are asked with the person's token", async () => {
    const { made, asked } = client(
      coded(100, {
        currencies: [{ id: 1, name: 'Turkish Lira', symbol: '₺', code: 'TRY', iso_code: 949 }],
      }),
    );
    expect(await made.listCurrencies('abc')).toEqual({
      kind: 'listed',
      currencies: [{ id: '1', name: 'Turkish Lira', symbol: '₺', code: 'TRY', isoCode: '949' }],
    });
    expect(asked[0]).toMatchObject({
      method: 'GET',
      url: 'http://login.test/dpl/api/dpl/create',
      headers: { authorization: 'Bearer abc' },
    });
  });

  test('401 is unauthorized, silence is unavailable', async () => {
    expect(await client(coded(30, [], 401)).made.listCurrencies('abc')).toEqual({
      kind: 'unauthorized',
    });
    for (const answer of SILENCE)
      expect((await client(answer).made.listCurrencies('abc')).kind).toBe('unavailable');
  });
});

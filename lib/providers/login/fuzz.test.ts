import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../outcome.ts';
import { spoiltMore, spoiltOnce, textOf, tokensIn, valuesIn } from '../testing/spoil.ts';
import { createLoginClient } from './client.ts';
import type { LoginClient } from './client.ts';

/**
 * Corrupts each response to each step of the sign-in: the client must not crash, and must not sign
 * in or refuse a person by something that the response does not say.
 */

const response = (body: string, status = 200): Exchange => ({
  kind: 'response',
  status,
  body,
  contentType: 'application/json',
});
const USER_ID = '9007199254740993001';
const PERSON = `{"id":${USER_ID},"name":"Ayşe Yılmaz","first_name":"Ayşe","last_name":"Yılmaz",
  "email":"ayse@demo.test","avatar":null,"ip":null,"tc_number":null,"user_type":2,
  "account_status":1,
  "merchants":{"id":9007199254740993002,"user_id":${USER_ID},"merchant_key":"$2y$10$abc.def/ghi",
  "site_url":"https://shop.test","success_link":"","fail_link":""}}`;
const envelope = (data: string, statuscode = '100') =>
  `{"statuscode":${statuscode},"description":"Başarılı","data":${data}}`;

type Result = { kind: string } & Record<string, unknown>;
const VERBS: [
  name: string,
  verb: (login: LoginClient) => Promise<unknown>,
  samples: string[],
  final: Record<string, string>,
][] = [
  [
    'startLogin',
    (login) => login.startLogin({ email: 'ayse@demo.test', password: 'p', locale: 'tr' }),
    [envelope(`{"user":${PERSON}}`), envelope('[]', '46')],
    { code_sent: '100', wrong_credentials: '46' },
  ],
  [
    'verifyCode',
    (login) => login.verifyCode({ userId: USER_ID, code: '123456', locale: 'tr' }),
    [envelope(`{"token":"eyJ0.abc-DEF_1","user":${PERSON}}`), envelope('[]', '1')],
    { signed_in: '100', wrong_code: '1' },
  ],
  [
    'listCurrencies',
    (login) => login.listCurrencies('abc'),
    [
      envelope(
        '{"currencies":[{"id":1,"name":"Turkish Lira","symbol":"₺","code":"TRY","iso_code":949},' +
          '{"id":2,"name":"Euro","symbol":"€","code":"EUR","iso_code":978}]}',
      ),
      envelope('[]', '30'),
    ],
    { listed: '100' },
  ],
];

describe.each(VERBS)('%s', (_name, verb, samples, final) => {
  const resultOf = async (body: string, status = 200): Promise<Result> =>
    (await verb(
      createLoginClient({
        baseUrl: 'http://login.test',
        transport: async () => response(body, status),
      }),
    )) as Result;

  const keepsItsWord = (outcome: Result, body: string): void => {
    if (outcome.kind === 'unavailable') return;
    expect(textOf((JSON.parse(body) as { statuscode: unknown }).statuscode)).toBe(
      final[outcome.kind],
    );
    if (outcome.kind === 'signed_in') expect((outcome['user'] as { id: string }).id).toBe(USER_ID);
    const tokens = tokensIn(body);
    for (const [key, value] of valuesIn(outcome))
      if (typeof value === 'string' && /^(?:id|userId|token|merchantKeys?|isoCode|code)$/.test(key))
        expect(tokens, key).toContain(value);
  };

  test('with any one field dropped, changed or of another type never says more than was said', async () => {
    for (const sample of samples)
      for (const body of spoiltOnce(sample)) keepsItsWord(await resultOf(body), body);
  });

  test('with several fields spoilt, scarred bytes, or anything at all does not either', async () => {
    for (const sample of samples)
      await fc.assert(
        fc.asyncProperty(
          spoiltMore(sample),
          async (body) => void keepsItsWord(await resultOf(body), body),
        ),
        { numRuns: 300 },
      );
  });

  test("under a redirect, a limit or a server's error says nothing", async () => {
    for (const status of [100, 201, 204, 301, 302, 307, 429, 500, 502, 503, 504])
      for (const sample of samples)
        expect((await resultOf(sample, status)).kind).toBe('unavailable');
  });
});

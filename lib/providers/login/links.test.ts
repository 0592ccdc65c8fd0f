import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../outcome.ts';
import { spoiltMore, spoiltOnce, tokensIn } from '../testing/spoil.ts';
import type { ProviderRequest } from '../transport.ts';
import { createLoginClient } from './client.ts';
import type { LoginClient } from './client.ts';
import type { PaymentLink, PaymentLinkContent } from './types.ts';

/**
 * A record as text, because ids and amounts of the real service are too long for a JavaScript
 * number.
 */
const RECORD =
  '{"id":9007199254740993001,"amount":12400.10,"payment_method":1,"type":1,"currency":1,' +
  '"expire_date":"2026-11-28","expire_time":"19:20:20",' +
  '"max_number_of_uses":1,"number_of_uses":0,"gsm":"5320000142","email":"x@demo.test",' +
  '"photo":null,"distance_sale_status":0,"is_amount_set_by_user":0,' +
  '"name_of_product":"Çanta","merchant_id":20417,"created_by":5101,"created_by_name":"Ayşe",' +
  '"token":"bd81ef","description":"Kırmızı","status":"ACTIVE"}';
const ID = '9007199254740993001';
const MADE = `{"statuscode":100,"description":"Success","data":{"dpl":${RECORD}}}`;
const SENT = `{"statuscode":100,"description":"Success","data":{"dpl":${RECORD},"link":"https://pay.test/l/bd81ef"}}`;
const LISTED =
  '{"statuscode":100,"description":"Success","data":{"current_page":1,' +
  `"data":[${RECORD}],"from":1,"last_page":3,"per_page":1,"to":1,"total":3}}`;
const CONTENT: PaymentLinkContent = {
  amountMinor: 1_240_010n,
  currency: 'TRY',
  payerSetsAmount: false,
  use: 'single',
  product: 'Çanta',
  description: null,
  photo: null,
};

const response = (body: string, status = 200): Exchange => ({
  kind: 'response',
  status,
  body,
  contentType: 'application/json',
});
function client(answer: Exchange): { made: LoginClient; asked: ProviderRequest[] } {
  const asked: ProviderRequest[] = [];
  return {
    made: createLoginClient({
      baseUrl: 'http://login.test/dpl/',
      transport: async (request) => (asked.push(request), answer),
    }),
    asked,
  };
}
const create = (answer: Exchange, content = CONTENT) =>
  client(answer).made.createPaymentLink('abc', content);
const textOf = (request: ProviderRequest | undefined): string =>
  Buffer.from(request?.bytes ?? []).toString('latin1');

describe('making a link', () => {
  test('posts one form with the exact amount, and reads the link with every digit', async () => {
    const { made, asked } = client(response(MADE));
    expect(await made.createPaymentLink('abc', CONTENT)).toEqual({
      kind: 'answered',
      value: {
        id: ID,
        token: 'bd81ef',
        amountMinor: 1_240_010n,
        currency: 'TRY',
        payerSetsAmount: false,
        use: 'single',
        status: 'active',
        product: 'Çanta',
        description: 'Kırmızı',
        usesMax: '1',
        uses: '0',
        expiresOn: '2026-11-28',
        expiresAt: '19:20:20',
        photo: null,
        merchantId: '20417',
        createdBy: 'Ayşe',
      } satisfies PaymentLink,
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: 'http://login.test/dpl/api/dpl/create',
      headers: {
        authorization: 'Bearer abc',
        'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/) as string,
      },
    });
    expect(textOf(asked[0])).toMatch(/name="amount"\r\n\r\n12400\.10\r\n/);
    expect(textOf(asked[0])).not.toMatch(/description|product_photo/);
  });

  test('sends a picture byte by byte', async () => {
    const { made, asked } = client(response(MADE));
    await made.createPaymentLink('abc', {
      ...CONTENT,
      photo: { bytes: Uint8Array.from([0, 255, 13, 10, 45, 45]), type: 'image/png' },
    });
    expect(textOf(asked[0])).toContain(
      'filename="photo.png"\r\nContent-Type: image/png\r\n\r\n\u0000\u00ff\r\n--\r\n',
    );
  });

  test('with an amount that is not positive reaches nobody', async () => {
    for (const amountMinor of [0n, -1n, null, undefined, Number.NaN, 1.5, '', '1']) {
      const { made, asked } = client(response(MADE));
      await expect(
        made.createPaymentLink('abc', { ...CONTENT, amountMinor: amountMinor as bigint }),
      ).rejects.toThrow(RangeError);
      expect(asked).toHaveLength(0);
    }
  });

  test('of another amount or currency than asked for is no link of ours', async () => {
    for (const content of [
      { ...CONTENT, amountMinor: 1_240_011n },
      { ...CONTENT, currency: 'USD' as const },
    ])
      expect(await create(response(MADE), content)).toEqual({
        kind: 'unavailable',
        why: 'mismatch',
      });
    expect(await create(response(MADE.replace('"currency":1', '"currency":"TRY"')))).toMatchObject({
      kind: 'answered',
    });
    expect(
      await create(
        response(
          MADE.replace('12400.10', '0.00').replace(
            '"is_amount_set_by_user":0',
            '"is_amount_set_by_user":1',
          ),
        ),
        { ...CONTENT, payerSetsAmount: true },
      ),
    ).toMatchObject({ kind: 'answered', value: { amountMinor: null } });
  });
});

test('a link that was asked for by id or sent is that link, or no answer', async () => {
  const { made, asked } = client(response(SENT));
  expect(await made.getPaymentLink('abc', ID)).toMatchObject({
    kind: 'answered',
    value: { id: ID },
  });
  expect(await made.getPaymentLink('abc', '9007199254740993000')).toEqual({
    kind: 'unavailable',
    why: 'mismatch',
  });
  expect(
    await made.sendPaymentLink('abc', { id: ID, use: 'multi' }, { phones: ['5551112233'] }),
  ).toMatchObject({ kind: 'answered', value: { address: 'https://pay.test/l/bd81ef' } });
  expect(asked[2]?.body).toBe(`{"dpl_id":${ID},"payment_link_type":2,"phone":["5551112233"]}`);
  expect(
    await client(response(SENT.replace('https://pay', 'javascript:pay'))).made.sendPaymentLink(
      'abc',
      { id: ID, use: 'single' },
      { emails: ['a@b.test'] },
    ),
  ).toEqual({ kind: 'unavailable', why: 'shape' });
});

test('a page is the page that was asked for', async () => {
  expect(
    await client(response(LISTED)).made.listPaymentLinks('abc', 'active', { index: 0, size: 1 }),
  ).toMatchObject({ kind: 'answered', value: { pageCount: 3, rowCount: 3, rows: [{ id: ID }] } });
  expect(
    await client(response(LISTED)).made.listPaymentLinks('abc', 'active', { index: 1, size: 1 }),
  ).toEqual({ kind: 'unavailable', why: 'mismatch' });
});

test('what says nothing about a link makes none, and refuses none', async () => {
  expect(await create(response('{"statuscode":30,"description":"x"}', 401))).toEqual({
    kind: 'unauthorized',
  });
  expect(await create(response('{"statuscode":"1","description":"x","data":[]}'))).toEqual({
    kind: 'refused',
    code: '1',
  });
  const silences: Exchange[] = [
    { kind: 'unclear', why: 'timeout' },
    { kind: 'not_sent', why: 'refused' },
    response(MADE, 500),
    response('<html>'),
    response('[]'),
    response('{"statuscode":46}'),
    response('{"statuscode":100,"data":[]}'),
  ];
  for (const silence of silences) expect((await create(silence)).kind).toBe('unavailable');
});

describe('spoilt answers', () => {
  const keepsItsWord = async (body: string): Promise<void> => {
    const keepLink = (link: PaymentLink): void => {
      for (const text of [link.id, link.token]) expect(tokensIn(body)).toContain(text);
    };
    const answer = await create(response(body));
    if (answer.kind === 'answered') {
      keepLink(answer.value);
      expect([answer.value.amountMinor, answer.value.currency]).toEqual([1_240_010n, 'TRY']);
      expect(String((JSON.parse(body) as { statuscode: unknown }).statuscode)).toBe('100');
    }
    const { made } = client(response(body));
    const found = await made.getPaymentLink('abc', ID);
    if (found.kind === 'answered') expect(found.value.id).toBe(ID);
    const page = await made.listPaymentLinks('abc', 'active', { index: 0, size: 1 });
    if (page.kind === 'answered') for (const row of page.value.rows) keepLink(row);
  };

  test('never crash, and never change an id or an amount', async () => {
    for (const sample of [MADE, LISTED, SENT]) {
      for (const body of spoiltOnce(sample)) await keepsItsWord(body);
      await fc.assert(fc.asyncProperty(spoiltMore(sample), keepsItsWord));
    }
  });

  test('of any shape at all are answered, never thrown', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.integer({ min: 100, max: 599 }),
        async (value, status) => {
          const answer = response(JSON.stringify(value), status);
          expect((await create(answer)).kind).not.toBe('answered');
          expect(
            (await client(answer).made.listPaymentLinks('abc', 'active', { index: 0, size: 1 }))
              .kind,
          ).not.toBe('answered');
        },
      ),
    );
  });
});

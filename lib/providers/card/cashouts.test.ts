import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../outcome.ts';
import { spoiltMore, spoiltOnce, tokensIn } from '../testing/spoil.ts';
import { cashoutBody } from './cashout-body.ts';
import type { CashoutContent, CashoutRow } from './cashout-body.ts';
import { APP_SECRET, clientOf, response as responseWith, MERCHANT_KEY } from './client-fixture.ts';
import { classifyCashout } from './classify-cashout.ts';
import { ERRAND_CODES } from './management-codes.ts';
import { hashKeyAgrees } from './hash-key.ts';

const row = (uniqueId: string, more: Partial<CashoutRow> = {}): CashoutRow => ({
  uniqueId,
  name: 'Işık Öğüt',
  iban: 'TR330006100519786457841326',
  bankName: null,
  amountMinor: 12_340n,
  taxNumber: null,
  phone: '+905551112233',
  description: null,
  ...more,
});
const CONTENT: CashoutContent = {
  currency: 'TRY',
  rows: [row('C-1'), row('C-2', { amountMinor: 5n }), row('C-3')],
  reverseKey: null,
};

const ACCEPTED = '{"statuscode":100,"description":"Başarılı","data":[]}';
const PARTLY =
  '{"statuscode":112,"description":"Kısmen","data":[{"unique_id":"C-2","reason":"IBAN hatalı"}]}';
const response = (body: unknown, status = 200): Exchange => responseWith(status, body);
const classify = (exchange: Exchange, content = CONTENT) =>
  classifyCashout(exchange, content, ERRAND_CODES);
const answer = (statuscode: unknown, data: unknown = [], http = 200): Exchange =>
  response({ statuscode, description: 'bir açıklama', data }, http);
const REFUSED = ['1', '14', '30', '68', '85', '90', '422'];

describe('the body of a cashout', () => {
  test('writes each amount digit by digit, the phone without its plus sign, and omits unknown fields', () => {
    const { fields } = cashoutBody({
      ...CONTENT,
      rows: [row('C-1', { bankName: 'Garanti', taxNumber: '10000000146', description: 'x' })],
      reverseKey: 'back',
    });
    expect(JSON.stringify(fields)).toBe(
      '{"cashout_type":1,"cashout_data":[{"unique_id":"C-1","name_surname":"Işık Öğüt",' +
        '"iban":"TR330006100519786457841326","name_of_bank":"Garanti","amount":123.40,' +
        '"currency":"TRY","id_tc_kn":"10000000146","gsm_number":"905551112233",' +
        '"description":"x"}],"reverse_web_hook_key":"back"}',
    );
    expect(JSON.stringify(cashoutBody({ ...CONTENT, rows: [row('C-1')] }).fields)).not.toMatch(
      /null|name_of_bank|id_tc_kn|description|reverse/,
    );
  });

  test('sums the amounts of all rows exactly in its hash', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 1n, max: 99_999_999_900n }), { minLength: 1, maxLength: 20 }),
        (amounts) => {
          const { hashParts } = cashoutBody({
            ...CONTENT,
            rows: amounts.map((amountMinor, index) => row(`C-${index}`, { amountMinor })),
          });
          const sum = amounts
            .reduce((total, amount) => total + amount, 0n)
            .toString()
            .padStart(3, '0');
          expect(hashParts[0]).toBe(`${sum.slice(0, -2)}.${sum.slice(-2)}`);
        },
      ),
    );
  });

  test('never carries an amount that is not positive, one id twice, no row, or what is no telephone number', () => {
    for (const amountMinor of [0n, -1n, null, undefined, Number.NaN, 1.5, '', '1'])
      expect(() =>
        cashoutBody({
          ...CONTENT,
          rows: [row('C-1'), row('C-2', { amountMinor: amountMinor as bigint })],
        }),
      ).toThrow(RangeError);
    for (const rows of [
      [],
      [row('C-1'), row('C-1')],
      [row('')],
      Array.from({ length: 101 }, (_, index) => row(`C-${index}`)),
    ])
      expect(() => cashoutBody({ ...CONTENT, rows })).toThrow(RangeError);
    for (const phone of ['', '555', '+90 555 111 22 33', '++905551112233', '90555111223x'])
      expect(() => cashoutBody({ ...CONTENT, rows: [row('C-1', { phone })] })).toThrow(RangeError);
  });
});

describe('sending a cashout', () => {
  const NOW = { beforeWrite: () => true };

  test('makes one request, with the hash of the sum and of the first row', async () => {
    const { made, asked } = clientOf([response(ACCEPTED)]);
    expect(await made.sendCashout(CONTENT, NOW)).toEqual({
      kind: 'accepted',
      code: '100',
      message: 'Başarılı',
      raw: ACCEPTED,
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: 'http://card.test/base/ccpayment/api/cashout/tobank',
      headers: { authorization: 'Bearer T1' },
    });
    const { hash_key: hashKey, merchant_key: merchantKey } = JSON.parse(asked[0]?.body ?? '') as {
      hash_key: string;
      merchant_key: string;
    };
    expect(
      hashKeyAgrees(APP_SECRET, hashKey, [
        '246.85',
        'TR330006100519786457841326',
        '123.40',
        'TRY',
        '905551112233',
      ]),
    ).toBe(true);
    expect(merchantKey).toBe(MERCHANT_KEY);
  });

  test('is never repeated, not even after a 401', async () => {
    for (const first of [
      response('', 401),
      response('', 500),
      response('', 307),
      response(PARTLY),
      { kind: 'unclear', why: 'reset' } as const,
      { kind: 'not_sent', why: 'refused' } as const,
    ]) {
      const { made, asked } = clientOf([first, response(ACCEPTED)]);
      await made.sendCashout(CONTENT, NOW);
      expect(asked).toHaveLength(1);
    }
  });

  test('is held back by the last check', async () => {
    const { made, asked } = clientOf([response(ACCEPTED)]);
    expect(await made.sendCashout(CONTENT, { beforeWrite: () => false })).toMatchObject({
      kind: 'not_sent',
      why: 'held_back',
    });
    expect(asked).toHaveLength(0);
  });
});

describe('an answer to a cashout', () => {
  test('is accepted with HTTP 200, 100 and no row named, however "no row" is written', () => {
    for (const data of [[], {}, null, undefined, ''])
      expect(classify(answer(100, data))).toMatchObject({ kind: 'accepted' });
    expect(classify(answer('100'))).toMatchObject({ kind: 'accepted' });
    for (const data of [[{ unique_id: 'C-1', reason: 'x' }], ['x'], 'x', 0, { a: 1 }])
      expect(classify(answer(100, data))).toMatchObject({ kind: 'unclear', why: 'shape' });
  });

  test('that was taken in part names the rows that were not; the others were', () => {
    expect(classify(response(PARTLY))).toMatchObject({
      kind: 'partly_accepted',
      accepted: ['C-1', 'C-3'],
      refused: [{ uniqueId: 'C-2', reason: 'IBAN hatalı' }],
    });
  });

  test('in part, with a row that is not ours, named twice, without its id or with none at all, is unclear', () => {
    for (const data of [
      [{ unique_id: 'C-9' }],
      [{ unique_id: 'C-2' }, { unique_id: 'C-9' }],
      [{ unique_id: 'C-2' }, { unique_id: 'C-2' }],
    ])
      expect(classify(answer(112, data))).toMatchObject({ kind: 'unclear', why: 'mismatch' });
    for (const data of [[], {}, null, 'x', [{}], [{ reason: 'x' }], [{ unique_id: 'C-2' }, {}]])
      expect(classify(answer(112, data))).toMatchObject({ kind: 'unclear', why: 'shape' });
  });

  test.each(REFUSED)('code %s refuses everything, unless rows are listed', (code) => {
    for (const http of [200, 400, 422])
      expect(classify(answer(code, [], http))).toMatchObject({ kind: 'refused', code });
    expect(classify(answer(code, [{ unique_id: 'C-1' }]))).toMatchObject({ kind: 'unclear' });
  });

  test('no other code from 0 to 1200 proves anything', () => {
    for (let code = 0; code <= 1_200; code++) {
      if ([...REFUSED, '100', '112'].includes(String(code))) continue;
      expect(classify(answer(code))).toMatchObject({ kind: 'unclear', why: 'unknown_code' });
      expect(classify(answer(String(code), [{ unique_id: 'C-2' }]))).toMatchObject({
        kind: 'unclear',
        why: 'unknown_code',
      });
    }
    for (const code of [null, undefined, '', ' 100', '100.0', '0100', 'OK', true, {}])
      expect(classify(answer(code)).kind).toBe('unclear');
  });

  test("under the other host's name for the code is no answer", () => {
    expect(
      classify(response({ status_code: 100, status_description: 'x', data: [] })),
    ).toMatchObject({
      kind: 'unclear',
      why: 'shape',
    });
  });

  test('no other HTTP status carries an acceptance', () => {
    for (let status = 100; status < 600; status++) {
      if (status === 200) continue;
      expect(classify(response(ACCEPTED, status)).kind).toBe(
        status === 401 ? 'unauthorized' : 'unclear',
      );
      expect(classify(response(PARTLY, status)).kind).toBe(
        status === 401 ? 'unauthorized' : 'unclear',
      );
    }
  });

  const keepsItsWord = (body: string): void => {
    const outcome = classify(response(body));
    const plain = (): { statuscode: unknown } => JSON.parse(body) as { statuscode: unknown };
    if (outcome.kind === 'accepted') expect(String(plain().statuscode)).toBe('100');
    if (outcome.kind === 'refused') expect(REFUSED).toContain(String(plain().statuscode));
    if (outcome.kind !== 'partly_accepted') return;
    expect(String(plain().statuscode)).toBe('112');
    expect([...outcome.accepted, ...outcome.refused.map((one) => one.uniqueId)].sort()).toEqual([
      'C-1',
      'C-2',
      'C-3',
    ]);
    for (const { uniqueId } of outcome.refused) expect(tokensIn(body)).toContain(uniqueId);
  };

  test('spoilt in any field or byte never becomes more than it says', () => {
    for (const sample of [ACCEPTED, PARTLY, '{"statuscode":422,"description":"Hash","data":[]}']) {
      for (const body of spoiltOnce(sample)) keepsItsWord(body);
      fc.assert(fc.property(spoiltMore(sample), keepsItsWord), { numRuns: 500 });
    }
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 100, max: 599 }), (value, status) => {
        expect(classify(response(JSON.stringify(value), status)).kind).toMatch(
          /^(unclear|unauthorized)$/,
        );
      }),
    );
  });
});

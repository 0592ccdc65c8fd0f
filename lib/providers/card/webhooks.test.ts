import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { APP_SECRET, clientOf, MERCHANT_KEY } from './client-fixture.ts';
import { makeHashKey } from './hash-key.ts';

const { made } = clientOf([]);
const read = (body: string) => made.readNotice(body);
const hash = (...parts: string[]): string => makeHashKey(APP_SECRET, parts);
const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();
const without = (fields: Record<string, string>, ...names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

const SALE = {
  svc_status: '1',
  order_no: 'VP17012345678901',
  invoice_id: 'INV-1',
  status_code: '100',
  status_description: 'Başarılı',
  svc_payment_method: '1',
  credit_card_no: '450803******4509',
  transaction_type: 'Auth',
  payment_status: '1',
  payment_method: '1',
  error_code: '100',
  error: '',
  status: 'Completed',
  hash_key: hash('1', '123.40', 'INV-1', 'VP17012345678901', 'TRY'),
};
const RECURRING = {
  merchant_key: MERCHANT_KEY,
  invoice_id: 'INV-1',
  order_id: 'VP2',
  product_price: '10',
  plan_code: 'PLAN-1',
  recurring_number: '2',
  status: 'Completed',
  attempts: '1',
  action_date: '2026-11-21 12:00:00',
};
const REFUND = {
  invoice_id: 'INV-1',
  order_id: 'VP1',
  amount: '10.00',
  status: 'Completed',
  hash_key: hash('Completed', '10', 'INV-1', 'VP1'),
};
const CHARGEBACK = {
  action: 'chargeback',
  previous_trx_status: 'Completed',
  current_trx_status: 'Charge Backed',
  invoice_id: 'INV-1',
  order_id: 'VP1',
  amount: 10.5,
  currency: 'TRY',
  event_date: '2026-11-21',
  ref_no: '9007199254740993001',
  hash_key: hash('INV-1', 'VP1', '10.50'),
};
const REVERSE = {
  unique_id: 'C-1',
  iban: 'TR330006100519786457841326',
  amount: '10.00',
  currency: 'TRY',
  status: 'Reversed',
  reason: 'hesap kapalı',
  hash_key: hash('C-1', '10.00'),
};

describe('a notice', () => {
  test('of a sale hints at its end, and its hash speaks for it', () => {
    expect(read(form(SALE))).toEqual({
      kind: 'notice',
      topic: 'sale',
      hint: 'succeeded',
      invoiceId: 'INV-1',
      orderId: 'VP17012345678901',
      planCode: null,
      number: null,
      uniqueId: null,
      proof: 'hash',
    });
    expect(read(JSON.stringify(SALE))).toMatchObject({ topic: 'sale', hint: 'succeeded' });
    const failed = {
      ...SALE,
      svc_status: '0',
      payment_status: '0',
      status: 'Failed',
      hash_key: hash('0', '123.40', 'INV-1', 'VP17012345678901', 'TRY'),
    };
    expect(read(form(failed))).toMatchObject({ hint: 'failed', proof: 'hash' });
  });

  test('of a failed sale may come without a hash, one of success may not', () => {
    const failed = {
      ...without(SALE, 'hash_key', 'order_no'),
      svc_status: '0',
      payment_status: '0',
    };
    expect(read(form(failed))).toMatchObject({
      kind: 'notice',
      hint: 'failed',
      orderId: null,
      proof: 'none',
    });
    expect(read(form(without(SALE, 'hash_key')))).toEqual({ kind: 'not_believed' });
  });

  test("of an older sale names its order by order_id and its status by the maker's prefix", () => {
    expect(
      read(form({ ...without(SALE, 'order_no', 'payment_status'), order_id: 'VP17012345678901' })),
    ).toMatchObject({ topic: 'sale', hint: 'succeeded', orderId: 'VP17012345678901' });
    const other = clientOf([], { fieldPrefix: 'acme_' }).made;
    const renamed = Object.fromEntries(
      Object.entries(without(SALE, 'payment_status')).map(([name, value]) => [
        name.replace('svc_', 'acme_'),
        value,
      ]),
    );
    expect(other.readNotice(form(renamed))).toMatchObject({ topic: 'sale' });
    expect(read(form(renamed))).toEqual({ kind: 'not_believed' });
  });

  test('of a plan is believed by our merchant key, or by its hash in each of its spellings', () => {
    expect(read(form(RECURRING))).toMatchObject({
      topic: 'recurring',
      hint: 'succeeded',
      planCode: 'PLAN-1',
      number: '2',
      invoiceId: 'INV-1',
      proof: 'merchant_key',
    });
    expect(read(form({ ...RECURRING, merchant_key: 'somebody' }))).toEqual({
      kind: 'not_believed',
    });
    for (const [status, spelling] of [
      ['Completed', 'COMPLETED'],
      ['Completed', 'Completed'],
      ['Failed', 'FAILED'],
      ['Failed', 'Fail'],
      ['Fail', 'Fail'],
    ] as const) {
      expect(
        read(
          form({ ...RECURRING, status, hash_key: hash(spelling, '10.00', 'INV-1', 'VP2', 'TRY') }),
        ),
      ).toMatchObject({
        topic: 'recurring',
        hint: status === 'Completed' ? 'succeeded' : 'failed',
        proof: 'hash',
      });
    }
    expect(
      read(form({ ...RECURRING, hash_key: hash('FAILED', '10.00', 'INV-1', 'VP2', 'TRY') })),
    ).toEqual({ kind: 'not_believed' });
  });

  test('of a refund, a chargeback and a cashout that came back are told apart', () => {
    expect(read(form(REFUND))).toMatchObject({
      topic: 'refund',
      hint: 'refunded',
      invoiceId: 'INV-1',
      orderId: 'VP1',
      proof: 'hash',
    });
    expect(read(JSON.stringify(CHARGEBACK))).toMatchObject({
      topic: 'chargeback',
      hint: 'charged_back',
      invoiceId: 'INV-1',
      orderId: 'VP1',
    });
    expect(read(form(REVERSE))).toMatchObject({
      topic: 'cashout_reverse',
      hint: 'came_back',
      uniqueId: 'C-1',
      invoiceId: null,
    });
  });

  test('with a word nobody knows hints at nothing', () => {
    expect(
      read(form({ ...REFUND, status: 'Maybe', hash_key: hash('Maybe', '10', 'INV-1', 'VP1') })),
    ).toMatchObject({ topic: 'refund', hint: 'unknown' });
    expect(read(form({ ...RECURRING, status: 'Maybe' }))).toMatchObject({ hint: 'unknown' });
  });

  test('carries no amount, card number or IBAN out of the text', () => {
    for (const body of [
      form(SALE),
      form(RECURRING),
      form(REFUND),
      JSON.stringify(CHARGEBACK),
      form(REVERSE),
    ])
      expect(JSON.stringify(read(body))).not.toMatch(/123\.40|10\.00|10\.5|450803|TR33/);
  });
});

describe('what is not to be believed is one and the same answer', () => {
  const all: [string, Record<string, string | number>][] = [
    ['sale', SALE],
    ['refund', REFUND],
    ['chargeback', CHARGEBACK],
    ['cashout', REVERSE],
  ];

  test.each(all)(
    '%s: without its hash, with one that cannot be read, of another secret, or of other fields',
    (_name, fields) => {
      const changed = (hashKey: string): string => JSON.stringify({ ...fields, hash_key: hashKey });
      const bad = [
        '',
        'x',
        'a:b:c',
        '0123456789abcdef:9f3c:AAAA',
        `${'0'.repeat(16)}:0000:${'A'.repeat(64)}`,
        'x'.repeat(10_000),
        makeHashKey('another secret', ['1', '123.40', 'INV-1', 'VP1']),
        hash('INV-2', 'C-2'),
      ];
      for (const hashKey of bad) expect(read(changed(hashKey))).toEqual({ kind: 'not_believed' });
      expect(read(JSON.stringify(without(fields as Record<string, string>, 'hash_key')))).toEqual({
        kind: 'not_believed',
      });
    },
  );

  test.each([
    ['invoice_id', 'INV-2'],
    ['order_no', 'VP9'],
    ['payment_status', '0'],
    ['payment_status', '2'],
  ])('a sale whose %s disagrees with its hash', (name, value) => {
    expect(read(form({ ...SALE, [name]: value }))).toEqual({ kind: 'not_believed' });
  });

  test.each([
    ['invoice_id', 'INV-2'],
    ['order_id', 'VP9'],
    ['amount', '10.01'],
    ['amount', 'x'],
    ['status', 'Failed'],
  ])('a refund whose %s disagrees with its hash', (name, value) => {
    expect(read(form({ ...REFUND, [name]: value }))).toEqual({ kind: 'not_believed' });
  });

  test('a field that comes twice, no field at all, and what is no form and no object', () => {
    for (const body of [
      '',
      ' ',
      'null',
      '[]',
      '{}',
      '{',
      '<html>',
      'a=1',
      `${form(SALE)}&invoice_id=INV-2`,
      `invoice_id=INV-2&${form(SALE)}`,
      `{"a":${'['.repeat(100)}`,
      form(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, '1']))),
    ]) {
      expect(read(body)).toEqual({ kind: 'not_believed' });
    }
  });

  test('whatever else comes, without an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.jsonValue().map((value) => JSON.stringify(value)),
        ),
        (body) => {
          expect(read(body)).toEqual({ kind: 'not_believed' });
        },
      ),
    );
  });

  test('a believed notice with any field changed names what its hash names, or is not believed', () => {
    const changes = [
      '',
      '0',
      '1',
      'x',
      '\u0000',
      'INV-2',
      '9007199254740993001',
      '10.00',
      'Completed',
      'Failed',
    ];
    for (const fields of [SALE, RECURRING, REFUND, CHARGEBACK, REVERSE] as Record<
      string,
      string
    >[]) {
      for (const name of Object.keys(fields))
        for (const value of changes) {
          const answer = read(JSON.stringify({ ...fields, [name]: value }));
          if (answer.kind !== 'notice' || answer.proof !== 'hash') continue;
          // For two topics the composition of the hash is not published: the hash must contain the
          // topic's id as one part.
          if (answer.topic === 'cashout_reverse')
            expect(['C-1', '10.00']).toContain(answer.uniqueId);
          else
            expect(answer.topic === 'chargeback' ? ['INV-1', 'VP1'] : ['INV-1']).toContain(
              answer.invoiceId,
            );
        }
    }
  });
});

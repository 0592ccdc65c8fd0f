import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../outcome.ts';
import { cardOrder } from './bank-page-fixture.ts';
import { APP_SECRET, clientOf, gatewayHash, response, MERCHANT_KEY } from './client-fixture.ts';
import { hashKeyAgrees } from './hash-key.ts';
import { TypedCard } from './typed-card.ts';
import type { CardOrder, SavedCardOrder } from './types.ts';

const ORDER: CardOrder = cardOrder({ invoiceId: 'INV-1' });
const CARD = new TypedCard({
  holder: 'Işık Öğüt',
  number: '4508 0345-0803 4509',
  expiryMonth: '12',
  expiryYear: '2030',
  securityCode: '123',
});
const SAVED: SavedCardOrder & { ip: string; cardProgram: 'MAXIMUM' } = {
  invoiceId: 'INV-1',
  description: 'Sipariş 4711',
  amountMinor: 12_340n,
  currency: 'TRY',
  installments: 1,
  items: ORDER.items,
  cardToken: 'TOKEN1',
  customer: {
    number: '9007199254740993001',
    email: 'a@desk.test',
    phone: '05000000000',
    name: 'Işık Öğüt',
  },
  ip: '203.0.113.7',
  cardProgram: 'MAXIMUM',
};
const SENDING = { beforeWrite: () => true };
const WAYS = { returnUrl: 'https://desk.test/ok', cancelUrl: 'https://desk.test/no' };
const result = (more: object = {}) => ({
  svc_status: 1,
  order_no: 'VP1',
  order_id: 'VP1',
  invoice_id: 'INV-1',
  status_code: 100,
  transaction_type: 'Auth',
  payment_status: 1,
  payment_method: 1,
  error_code: 100,
  credit_card_no: '450803******4509',
  hash_key: gatewayHash('1', '123.40', 'INV-1', 'VP1', 'TRY'),
  ...more,
});
const PAID = response(200, { status_code: 100, status_description: 'Onaylandı', data: result() });
const flat = (more: object) =>
  response(200, { status_code: 100, status_description: 'ok', invoice_id: 'INV-1', ...more });

const sent = (asked: { body?: string }[]): Record<string, unknown> =>
  JSON.parse(asked[0]?.body ?? '{}') as Record<string, unknown>;
const isHashOf = (hashKey: unknown, parts: string[]): boolean =>
  hashKeyAgrees(APP_SECRET, hashKey, parts);

describe('the bytes of a payment', () => {
  test("are the contract's fields, amounts with two decimals, and a hash of just these", async () => {
    const { made, asked } = clientOf([PAID]);
    expect(await made.payByCard(ORDER, CARD, SENDING)).toMatchObject({
      kind: 'approved',
      held: false,
      orderId: 'VP1',
      card: '450803******4509',
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: 'http://card.test/base/ccpayment/api/paySmart2D',
      headers: { authorization: 'Bearer T1', 'content-type': 'application/json' },
    });
    expect(asked[0]?.body).toContain('"total":123.40,');
    expect(asked[0]?.body).toContain(
      '"items":[{"name":"Çanta","price":61.70,"quantity":2,"description":"deri"}]',
    );
    const { hash_key: hashKey, ...fields } = sent(asked);
    expect(isHashOf(hashKey, ['123.40', '1', 'TRY', MERCHANT_KEY, 'INV-1'])).toBe(true);
    expect(fields).toEqual({
      cc_holder_name: 'Işık Öğüt',
      cc_no: '4508034508034509',
      expiry_month: '12',
      expiry_year: '2030',
      cvv: '123',
      name: 'Işık',
      surname: 'Öğüt',
      currency_code: 'TRY',
      installments_number: 1,
      invoice_id: 'INV-1',
      invoice_description: 'Sipariş 4711',
      total: 123.4,
      items: [{ name: 'Çanta', price: 61.7, quantity: 2, description: 'deri' }],
      merchant_key: MERCHANT_KEY,
      app_lang: 'tr',
    });
  });

  test('of its variants carry their fields and no others', async () => {
    const variant = async (
      more: Partial<CardOrder>,
      insurance?: { identityNumber: string },
    ): Promise<Record<string, unknown>> => {
      const { made, asked } = clientOf([PAID]);
      await made.payByCard({ ...ORDER, ...more }, CARD, SENDING, insurance);
      return sent(asked);
    };
    expect(await variant({ hold: true })).toMatchObject({ transaction_type: 'PreAuth' });
    expect(
      await variant({
        recurring: { count: 12, cycle: 'month', interval: 2, hook: 'desk-recurring' },
        saleHook: 'desk-sale',
      }),
    ).toMatchObject({
      order_type: 1,
      recurring_payment_number: 12,
      recurring_payment_cycle: 'M',
      recurring_payment_interval: 2,
      recurring_web_hook_key: 'desk-recurring',
      sale_web_hook_key: 'desk-sale',
    });
    const insured = await variant({}, { identityNumber: '10000000146' });
    expect(insured).toMatchObject({ vpos_type: 'insurance', identity_number: '10000000146' });
    expect(insured).not.toHaveProperty('cvv');
    expect(
      await variant({
        bill: { city: 'İstanbul', email: 'a@desk.test' },
        ip: '203.0.113.7',
        cardProgram: 'BONUS',
        commissionBy: 'user',
        metadata: 'm',
      }),
    ).toMatchObject({
      bill_city: 'İstanbul',
      bill_email: 'a@desk.test',
      ip: '203.0.113.7',
      card_program: 'BONUS',
      commission_by: 'user',
      is_commission_from_user: 1,
      metadata: 'm',
    });
  });

  test('with a saved card contain its token, the exact customer number and the interval as text', async () => {
    const { made, asked } = clientOf([PAID]);
    expect(
      await made.payBySavedCard(
        { ...SAVED, recurring: { count: 2, cycle: 'day', interval: 7, hook: 'desk-recurring' } },
        SENDING,
      ),
    ).toMatchObject({ kind: 'approved' });
    expect(asked[0]?.url).toBe('http://card.test/base/ccpayment/api/payByCardTokenNonSecure');
    expect(asked[0]?.body).toContain('"customer_number":9007199254740993001,');
    const { hash_key: hashKey, ...fields } = sent(asked);
    expect(isHashOf(hashKey, ['123.40', '1', 'TRY', MERCHANT_KEY, 'INV-1'])).toBe(true);
    expect(fields).toMatchObject({
      card_token: 'TOKEN1',
      customer_email: 'a@desk.test',
      customer_phone: '05000000000',
      customer_name: 'Işık Öğüt',
      recurring_payment_interval: '7',
      ip: '203.0.113.7',
    });
    expect(Object.keys(fields).filter((name) => /^cc_|cvv|expiry/.test(name))).toEqual([]);
  });

  test('are none for an order that cannot be meant', async () => {
    const { made, asked } = clientOf([PAID]);
    const item = ORDER.items[0]!;
    const recurring = { count: 2, cycle: 'day', interval: 1, hook: 'h' } as const;
    const impossible: Partial<CardOrder>[] = [
      { amountMinor: 0n },
      { amountMinor: -1n },
      { amountMinor: 12_341n },
      { amountMinor: 123.4 as unknown as bigint },
      { amountMinor: null as unknown as bigint },
      { items: [] },
      { invoiceId: '' },
      { invoiceId: 'a|b' },
      { items: [{ ...item, quantity: 0 }] },
      { items: [{ ...item, quantity: 1.5 }] },
      { items: [item, { ...item, priceMinor: -1n, quantity: 1 }] },
      { installments: 0 },
      { installments: 1.5 },
      { recurring, installments: 2 },
      { recurring: { ...recurring, count: 1 } },
      { recurring: { ...recurring, count: 122 } },
      { recurring: { ...recurring, interval: 0 } },
      { recurring: { ...recurring, interval: 100 } },
      { recurring: { ...recurring, hook: '' } },
    ];
    for (const more of impossible) {
      await expect(
        made.payByCard({ ...ORDER, ...more }, CARD, SENDING),
        inspect(more),
      ).rejects.toThrow(RangeError);
      expect(() => made.threeDForm({ ...ORDER, ...more }, WAYS), inspect(more)).toThrow(RangeError);
    }
    expect(asked).toHaveLength(0);
  });
});

describe('the bytes of what follows a payment', () => {
  test('name amount, invoice and our own refund, never an amount that is none', async () => {
    const { made, asked } = clientOf([flat({ order_no: 'VP1', ref_no: '7', ref_number: '8' })]);
    expect(
      await made.refundPayment(
        { invoiceId: 'INV-1', amountMinor: 5n, refundId: 'R-1', hook: 'desk-refund' },
        SENDING,
      ),
    ).toMatchObject({ kind: 'refunded', orderId: 'VP1', refundNumber: '8' });
    expect(asked[0]?.body).toContain('"amount":0.05,');
    const { hash_key: hashKey, ...fields } = sent(asked);
    expect(isHashOf(hashKey, ['0.05', 'INV-1', MERCHANT_KEY])).toBe(true);
    expect(fields).toEqual({
      invoice_id: 'INV-1',
      amount: 0.05,
      merchant_key: MERCHANT_KEY,
      app_id: 'app',
      app_secret: APP_SECRET,
      refund_transaction_id: 'R-1',
      refund_web_hook_key: 'desk-refund',
      app_lang: 'tr',
    });
    for (const amountMinor of [0n, -1n, null, undefined, Number.NaN, 1, '', '1']) {
      await expect(
        made.refundPayment(
          { invoiceId: 'INV-1', amountMinor: amountMinor as bigint, refundId: 'R-2' },
          SENDING,
        ),
      ).rejects.toThrow(RangeError);
      await expect(
        made.captureHold({ invoiceId: 'INV-1', amountMinor: amountMinor as bigint }, SENDING),
      ).rejects.toThrow(RangeError);
    }
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['captureHold', 1, 50],
    ['releaseHold', 2, undefined],
  ] as const)('of %s say which of the two and how much', async (verb, status, total) => {
    const { made, asked } = clientOf([flat({ order_id: 'VP1', transaction_status: 'Completed' })]);
    expect(await made[verb]({ invoiceId: 'INV-1', amountMinor: 5_000n }, SENDING)).toMatchObject({
      kind: 'confirmed',
      orderId: 'VP1',
    });
    const { hash_key: hashKey, ...fields } = sent(asked);
    expect(isHashOf(hashKey, [MERCHANT_KEY, 'INV-1', String(status)])).toBe(true);
    expect(fields).toEqual({
      invoice_id: 'INV-1',
      merchant_key: MERCHANT_KEY,
      status,
      ...(total === undefined ? {} : { total }),
      app_lang: 'tr',
    });
  });

  test('complete or call off an order outside the api folder', async () => {
    const { made, asked } = clientOf([PAID]);
    const waiting = {
      invoiceId: 'INV-1',
      orderId: 'VP1',
      amountMinor: 12_340n,
      currency: 'TRY',
      hold: false,
    };
    expect(await made.completePayment(waiting, 'complete', SENDING)).toMatchObject({
      kind: 'approved',
    });
    expect(asked[0]?.url).toBe('http://card.test/base/ccpayment/payment/complete');
    expect(isHashOf(sent(asked)['hash_key'], [MERCHANT_KEY, 'INV-1', 'VP1', 'complete'])).toBe(
      true,
    );
    const other = clientOf([
      response(200, { status_code: 100, data: result({ invoice_id: 'INV-2' }) }),
    ]);
    expect(await other.made.completePayment(waiting, 'cancel', SENDING)).toMatchObject({
      kind: 'unclear',
    });
    expect(sent(other.asked)).toMatchObject({ status: 'cancel' });
  });
});

describe('a form for the browser', () => {
  test('has everything but the card, which the person types and the browser posts past us', () => {
    const form = clientOf([]).made.threeDForm(
      { ...ORDER, hold: true },
      {
        ...WAYS,
        backBy: 'POST',
        completedBy: 'merchant',
        agriculture: { maturityPeriod: 60, paymentFrequency: 2 },
      },
    );
    const { hash_key: hashKey, ...fields } = Object.fromEntries(form.fields);
    expect(form).toMatchObject({
      action: 'http://card.test/base/ccpayment/api/paySmart3D',
      method: 'POST',
      cardFields: ['cc_holder_name', 'cc_no', 'expiry_month', 'expiry_year', 'cvv'],
    });
    expect(fields).toEqual({
      name: 'Işık',
      surname: 'Öğüt',
      currency_code: 'TRY',
      installments_number: '1',
      invoice_id: 'INV-1',
      invoice_description: 'Sipariş 4711',
      total: '123.40',
      items: '[{"name":"Çanta","price":61.70,"quantity":2,"description":"deri"}]',
      transaction_type: 'PreAuth',
      merchant_key: MERCHANT_KEY,
      return_url: 'https://desk.test/ok',
      cancel_url: 'https://desk.test/no',
      response_method: 'POST',
      payment_completed_by: 'merchant',
      maturity_period: '60',
      payment_frequency: '2',
      app_lang: 'tr',
    });
    expect(isHashOf(hashKey, ['123.40', '1', 'TRY', MERCHANT_KEY, 'INV-1'])).toBe(true);
  });

  test('for a kept card asks the person for nothing', () => {
    const { ip: _ip, cardProgram: _program, ...order } = SAVED;
    const form = clientOf([]).made.savedCardForm(order, WAYS);
    expect(form).toMatchObject({
      action: 'http://card.test/base/ccpayment/api/payByCardToken',
      cardFields: [],
    });
    expect(Object.fromEntries(form.fields)).toMatchObject({
      card_token: 'TOKEN1',
      customer_number: '9007199254740993001',
      total: '123.40',
    });
  });
});

describe('money', () => {
  const SILENCES: Exchange[] = [
    response(500, ''),
    response(502, '<html>'),
    response(429, ''),
    response(307, ''),
    response(201, { status_code: 100, data: result() }),
    response(200, '<html>'),
    response(200, ''),
    response(200, '[]'),
    response(200, '{"status_code":'),
    response(200, { status_code: null }),
    response(200, { status_code: 100 }),
    response(200, { status_code: 100, data: null }),
    response(200, { status_code: 999 }),
    response(200, { status_code: 99 }),
    response(400, ''),
    response(404, { status_code: 1 }),
    response(500, { status_code: 1 }),
    response(422, { message: 'x', errors: {} }),
    response(404, ''),
    { kind: 'unclear', why: 'timeout' },
    { kind: 'unclear', why: 'reset' },
    { kind: 'unclear', why: 'truncated' },
  ];
  const waiting = {
    invoiceId: 'INV-1',
    orderId: 'VP1',
    amountMinor: 12_340n,
    currency: 'TRY',
    hold: false,
  };
  const send = (made: ReturnType<typeof clientOf>['made'], sending = SENDING) => [
    () => made.payByCard(ORDER, CARD, sending),
    () => made.payBySavedCard(SAVED, sending),
    () => made.completePayment(waiting, 'complete', sending),
    () => made.completePayment(waiting, 'cancel', sending),
    () => made.captureHold(waiting, sending),
    () => made.releaseHold(waiting, sending),
    () => made.refundPayment({ ...waiting, refundId: 'R-1' }, sending),
  ];

  test('is asked for once, whatever the response: no call repeats, and none throws', async () => {
    for (const answer of [
      ...SILENCES,
      response(401, ''),
      PAID,
      { kind: 'not_sent', why: 'refused' } as const,
    ]) {
      for (let index = 0; index < 7; index++) {
        const { made, asked } = clientOf([answer, PAID]);
        await send(made)[index]!();
        expect(asked).toHaveLength(1);
      }
    }
  });

  test('that went unheard is unclear, never refused', async () => {
    for (const answer of SILENCES) {
      for (let index = 0; index < 7; index++) {
        const outcome = await send(clientOf([answer]).made)[index]!();
        // Code 100 for a cancelled order needs no data (`published`).
        if (
          index === 3 &&
          answer.kind === 'response' &&
          answer.status === 200 &&
          outcome.code === '100'
        )
          continue;
        expect(outcome.kind, `${index} ${inspect(answer)}`).toBe('unclear');
      }
    }
  });

  test('that provably was not sent says so, as does a 401', async () => {
    for (let index = 0; index < 7; index++) {
      expect(await send(clientOf([{ kind: 'not_sent', why: 'dns' }]).made)[index]!()).toMatchObject(
        { kind: 'not_sent', why: 'dns' },
      );
      expect(
        await send(clientOf([response(401, { status_code: 30 })]).made)[index]!(),
      ).toMatchObject({
        kind: 'unauthorized',
      });
      const held = clientOf([PAID]);
      expect(await send(held.made, { beforeWrite: () => false })[index]!()).toMatchObject({
        kind: 'not_sent',
        why: 'held_back',
      });
      expect(held.asked).toHaveLength(0);
    }
  });

  test('after a 401 goes out with a fresh token when it is sent again', async () => {
    const { made, asked } = clientOf([response(401, ''), PAID]);
    expect(await made.payByCard(ORDER, CARD, SENDING)).toMatchObject({ kind: 'unauthorized' });
    expect(await made.payByCard(ORDER, CARD, SENDING)).toMatchObject({ kind: 'approved' });
    expect(asked.map((request) => request.headers?.['authorization'])).toEqual([
      'Bearer T1',
      'Bearer T2',
    ]);
  });

  test.each([
    ['another invoice', { invoice_id: 'INV-2' }],
    ['another order than its hash', { order_no: 'VP2', order_id: 'VP2' }],
    ['two order numbers', { order_id: 'VP2' }],
    ['no hash', { hash_key: undefined }],
    ['a hash over another amount', { hash_key: gatewayHash('1', '1.00', 'INV-1', 'VP1', 'TRY') }],
    ['a hash over a failure', { hash_key: gatewayHash('0', '123.40', 'INV-1', 'VP1', 'TRY') }],
    [
      'a hash over another currency',
      { hash_key: gatewayHash('1', '123.40', 'INV-1', 'VP1', 'USD') },
    ],
    ['a payment status of failure', { payment_status: 0 }],
    ['a status of failure', { svc_status: 0 }],
    ['an error code', { error_code: 41 }],
    ['a hold that nobody asked for', { transaction_type: 'Pre-Authorization' }],
    ['an unknown kind', { transaction_type: 'Something' }],
    ['no order number', { order_no: null, order_id: null }],
  ])('whose success names %s is unclear', async (_name, more) => {
    expect(
      (
        await clientOf([response(200, { status_code: 100, data: result(more) })]).made.payByCard(
          ORDER,
          CARD,
          SENDING,
        )
      ).kind,
    ).toBe('unclear');
  });

  test('whose refusal says somewhere that it was paid is unclear', async () => {
    for (const data of [
      { payment_status: 1 },
      { svc_status: '1' },
      { transaction_status: 'Completed' },
    ]) {
      expect(
        await clientOf([response(200, { status_code: 41, data })]).made.payByCard(
          ORDER,
          CARD,
          SENDING,
        ),
      ).toMatchObject({ kind: 'unclear', why: 'mismatch' });
      expect(
        await clientOf([response(200, { status_code: 41, ...data })]).made.captureHold(
          waiting,
          SENDING,
        ),
      ).toMatchObject({ kind: 'unclear', why: 'mismatch' });
    }
    expect(
      await clientOf([
        response(200, { status_code: 41, data: { payment_status: 0, svc_status: 0 } }),
      ]).made.payByCard(ORDER, CARD, SENDING),
    ).toMatchObject({ kind: 'refused', code: '41' });
  });

  test("is judged by each operation's own codes, which are configuration", async () => {
    const kinds = async (code: number | string) =>
      Promise.all(
        send(clientOf([response(200, { status_code: code, status_description: 'x' })]).made).map(
          async (call) => (await call()).kind,
        ),
      );
    expect(await kinds(49)).toEqual([
      'refused',
      'refused',
      'unclear',
      'unclear',
      'unclear',
      'unclear',
      'look',
    ]);
    expect(await kinds('101')).toEqual([
      'unclear',
      'unclear',
      'unclear',
      'unclear',
      'unclear',
      'unclear',
      'pending',
    ]);
    expect(await kinds(113)).toEqual([
      'unclear',
      'unclear',
      'unclear',
      'unclear',
      'look',
      'look',
      'unclear',
    ]);
    expect(await kinds(117)).toEqual([
      'look',
      'look',
      'look',
      'look',
      'unclear',
      'unclear',
      'unclear',
    ]);
    expect(await kinds('13')).toEqual([
      'refused',
      'refused',
      'unclear',
      'unclear',
      'unclear',
      'unclear',
      'unclear',
    ]);
    expect(await kinds(68)).toEqual(Array.from({ length: 7 }, () => 'refused'));
    const { CARD_CODES } = await import('./codes.ts');
    const other = clientOf([response(200, { status_code: 555 })], {
      codes: { ...CARD_CODES, charge: new Map([['555', 'refused']]) },
    });
    expect(await other.made.payByCard(ORDER, CARD, SENDING)).toMatchObject({
      kind: 'refused',
      code: '555',
    });
  });

  test("under another maker's prefix is read by it", async () => {
    const { made } = clientOf(
      [
        response(200, {
          status_code: 100,
          data: { ...result({ svc_status: undefined }), brand_status: 0 },
        }),
      ],
      { fieldPrefix: 'brand_' },
    );
    expect(await made.payByCard(ORDER, CARD, SENDING)).toMatchObject({
      kind: 'unclear',
      why: 'mismatch',
    });
    expect(
      made.decodeReturn(new URLSearchParams('brand_status=1&payment_status=1&invoice_id=INV-1')),
    ).toMatchObject({ hint: 'succeeded' });
    expect(
      made.decodeReturn(new URLSearchParams('svc_status=1&payment_status=1&invoice_id=INV-1')),
    ).toMatchObject({ hint: 'unknown' });
  });

  test('validation that is refused with another status is believed only by its own code', async () => {
    for (const status of [400, 422]) {
      expect(
        await clientOf([
          response(status, { status_code: 1, status_description: 'total' }),
        ]).made.payByCard(ORDER, CARD, SENDING),
      ).toMatchObject({ kind: 'refused', code: '1' });
      expect(
        (
          await clientOf([response(status, { status_code: 41 })]).made.payByCard(
            ORDER,
            CARD,
            SENDING,
          )
        ).kind,
      ).toBe('unclear');
      expect(
        (
          await clientOf([response(status, { status_code: 100, data: result() })]).made.payByCard(
            ORDER,
            CARD,
            SENDING,
          )
        ).kind,
      ).toBe('unclear');
    }
  });
});

test('each request that is not sent for want of a token is counted', async () => {
  let counted = 0;
  const { made } = clientOf([], {
    transport: async () => response(401, ''),
    onNoToken: () => counted++,
  });
  for (let i = 0; i < 5; i++)
    expect(await made.payByCard(ORDER, CARD, SENDING)).toMatchObject({ why: 'no_token' });
  expect(counted).toBe(5);
});

describe('where CARD_ENTRY keeps card numbers away', () => {
  test.each(['off', '3d'] as const)(
    '(%s) no typed card leaves this server, and nothing is asked',
    async (entry) => {
      const { made, asked, tokens } = clientOf([PAID], { entry });
      await expect(made.payByCard(ORDER, CARD, SENDING)).rejects.toThrow('CARD_ENTRY');
      expect([asked.length, tokens()]).toEqual([0, 0]);
      if (entry === 'off') expect(() => made.threeDForm(ORDER, WAYS)).toThrow('CARD_ENTRY');
      else expect(made.threeDForm(ORDER, WAYS).cardFields).toContain('cc_no');
    },
  );

  test('a kept card may be charged: nobody types a number', async () => {
    expect(
      await clientOf([PAID], { entry: 'off' }).made.payBySavedCard(SAVED, SENDING),
    ).toMatchObject({ kind: 'approved' });
  });
});

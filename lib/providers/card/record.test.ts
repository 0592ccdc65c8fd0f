import { describe, expect, test } from 'vitest';
import type { Exchange } from '../outcome.ts';
import { clientOf, gatewayHash, response, MERCHANT_KEY } from './client-fixture.ts';
import { createCardToken } from './token.ts';

const EXPECTED = { invoiceId: 'INV-1', amountMinor: 12_340n };
const record = (more: object = {}) =>
  response(200, {
    status_code: 100,
    transaction_status: 'Completed',
    invoice_id: 'INV-1',
    order_id: 'VP1',
    transaction_type: 'Auth',
    product_price: '123.40',
    transaction_amount: 123.4,
    ...more,
  });
const read = async (answer: Exchange) => {
  const { raw: _raw, ...outcome } = await clientOf([answer]).made.readRecord(EXPECTED);
  return outcome;
};

describe('the record of an order', () => {
  test.each([
    [100, 'Completed', 'Auth', 'completed'],
    [100, 'COMPLETED ', 'Auth', 'completed'],
    ['100', 'Completed', null, 'completed'],
    [100, 'Completed', 'Pre-Authorization', 'captured'],
    [100, 'Completed', 'PreAuth', 'captured'],
    [100, 'Pre-Authorized', 'Pre-Authorization', 'held'],
    [100, 'Refunded', 'Auth', 'refunded'],
    [100, 'Partially Refunded', 'Auth', 'partly_refunded'],
    [100, 'Cancelled', 'Pre-Authorization', 'cancelled'],
    [100, 'Chargebacked', 'Auth', 'charged_back'],
    [100, 'Pending', 'Auth', 'pending'],
    [41, 'Failed', 'Auth', 'failed'],
    [41, 'Cancelled', 'Auth', 'cancelled'],
    [69, 'Pending', 'Auth', 'pending'],
    [69, '', 'Auth', 'pending'],
  ])(
    'with code %s, "%s" and %s is %s',
    async (status_code, transaction_status, transaction_type, state) => {
      expect(
        await read(record({ status_code, transaction_status, transaction_type })),
      ).toMatchObject({ kind: 'found', state });
    },
  );

  test.each([
    ['success that failed', { transaction_status: 'Failed' }],
    ['failure that completed', { status_code: 41 }],
    ['failure that is pending', { status_code: 41, transaction_status: 'Pending' }],
    ['failure without a word', { status_code: 41, transaction_status: '' }],
    ['not processed, and completed', { status_code: 69 }],
    ['success without a word', { transaction_status: null }],
    ['a word nobody knows', { transaction_status: 'Settled' }],
    ['a code nobody knows', { status_code: 77 }],
    ['another invoice', { invoice_id: 'INV-2' }],
    ['no invoice', { invoice_id: undefined }],
    ['another amount', { product_price: '123.41' }],
    ['no amount', { product_price: null, transaction_amount: null }],
    ['an amount finer than a kuruş', { product_price: '123.405', transaction_amount: null }],
    ['a list of two', [1, 2]],
  ])('that says %s is no answer', async (_name, more) => {
    const answer = Array.isArray(more)
      ? response(200, [{ status_code: 100 }, { status_code: 100 }])
      : record(more);
    expect((await read(answer)).kind).toBe('no_answer');
  });

  test('may come as a list of one', async () => {
    expect(
      await read(
        response(200, [
          {
            status_code: 100,
            transaction_status: 'Completed',
            invoice_id: 'INV-1',
            product_price: '123.40',
          },
        ]),
      ),
    ).toMatchObject({ kind: 'found', state: 'completed' });
  });

  test('captured in part or charged with commission names the charged and the ordered amount', async () => {
    expect(
      await read(
        record({
          transaction_amount: '50.00',
          transaction_type: 'Pre-Authorization',
          total_refunded_amount: '10',
          user_commission: '2.50',
        }),
      ),
    ).toMatchObject({
      amountMinor: 12_340n,
      chargedMinor: 5_000n,
      refundedMinor: 1_000n,
      buyerCommissionMinor: 250n,
    });
    for (const none of [undefined, null, '', '-', '-1.00', {}])
      expect(await read(record({ user_commission: none }))).toMatchObject({
        kind: 'found',
        buyerCommissionMinor: null,
      });
  });

  test('that is pending and names no amount is not given ours', async () => {
    expect(
      await read(
        record({
          status_code: 69,
          transaction_status: 'Pending',
          product_price: null,
          transaction_amount: null,
        }),
      ),
    ).toMatchObject({ kind: 'found', state: 'pending', amountMinor: null, chargedMinor: null });
  });

  test('lists the refunds that name their id, exactly, and none that it cannot read', async () => {
    const refund_info = [
      {
        refund_transaction_id: 'R-1',
        amount: '0.05',
        date: '2026-11-21 10:00:00',
        status: 'Completed',
      },
      { refund_transaction_id: 'R-2', amount: 1.005 },
      { amount: 1 },
      null,
      'x',
    ];
    expect(await read(record({ refund_info }))).toMatchObject({
      refunds: [
        { refundId: 'R-1', amountMinor: 5n, at: '2026-11-21 10:00:00', status: 'Completed' },
      ],
    });
    for (const other of [undefined, null, {}, 'x', 1])
      expect(await read(record({ refund_info: other }))).toMatchObject({
        kind: 'found',
        refunds: [],
      });
  });

  test('names no amount and no count that the database could not hold', async () => {
    const beyond = '92233720368547758.08';
    expect(
      await read(record({ total_refunded_amount: beyond, merchant_commission: 1e30 })),
    ).toMatchObject({ kind: 'found', refundedMinor: null, commissionMinor: null });
    expect(await read(record({ product_price: beyond, transaction_amount: beyond }))).toMatchObject(
      { kind: 'no_answer' },
    );
  });

  test('nobody knows is not found; of a stranger it is no answer', async () => {
    for (const status_code of [31, '32'])
      expect(await read(response(200, { status_code, transaction_status: '' }))).toEqual({
        kind: 'not_found',
      });
    expect(await read(response(200, { status_code: 32, invoice_id: 'INV-2' }))).toEqual({
      kind: 'no_answer',
      why: 'mismatch',
    });
    for (const status_code of [14, 1, 30, 68, 90, 99])
      expect(await read(response(200, { status_code }))).toEqual({
        kind: 'no_answer',
        why: 'unknown_code',
      });
    expect((await read(response(404, { status_code: 32 }))).kind).toBe('no_answer');
    expect((await read(response(422, { status_code: 32 }))).kind).toBe('no_answer');
  });

  test('never shows more of a card than its ends', async () => {
    for (const cc_no of ['4508034508034509', 4508034508034509, '45080345080345', '12345678901']) {
      const outcome = await read(record({ cc_no }));
      expect(
        String(outcome.kind === 'found' ? outcome.card : '').replace(/\D/g, '').length,
      ).toBeLessThanOrEqual(10);
    }
  });

  test('is asked for with a hash, and again with a fresh token after a 401, once', async () => {
    const { made, asked, tokens } = clientOf([response(401, ''), record()]);
    expect(await made.readRecord(EXPECTED)).toMatchObject({ kind: 'found' });
    expect([asked.length, tokens()]).toEqual([2, 2]);
    const { hash_key: hashKey, ...fields } = JSON.parse(asked[0]?.body ?? '') as Record<
      string,
      unknown
    >;
    expect(fields).toEqual({
      merchant_key: MERCHANT_KEY,
      invoice_id: 'INV-1',
      include_pending_status: true,
      show_refund_info: 'Y',
      app_lang: 'tr',
    });
    expect(typeof hashKey).toBe('string');
    const refused = clientOf([response(401, '')]);
    expect(await refused.made.readRecord(EXPECTED)).toMatchObject({
      kind: 'no_answer',
      why: 'unauthorized',
    });
    expect(refused.asked).toHaveLength(2);
  });
});

describe('what a browser brings back', () => {
  const { made } = clientOf([]);
  const back = (more: Record<string, string> = {}) =>
    new URLSearchParams({
      svc_status: '1',
      order_no: 'VP1',
      invoice_id: 'INV-1',
      status_code: '100',
      payment_status: '1',
      hash_key: gatewayHash('1', '123.40', 'INV-1', 'VP1', 'TRY'),
      ...more,
    });
  const order = { ...EXPECTED, currency: 'TRY' };

  test('is a hint and the way to an order, whichever name the order number has', () => {
    const returned = made.decodeReturn(back());
    expect(returned).toMatchObject({
      hint: 'succeeded',
      invoiceId: 'INV-1',
      orderId: 'VP1',
      code: '100',
    });
    expect(made.returnAgrees(returned, order)).toBe(true);
    expect(made.decodeReturn(back({ order_no: '', order_id: 'VP1' })).orderId).toBe('VP1');
    expect(made.decodeReturn(back({ order_id: 'VP2' })).orderId).toBeNull();
  });

  test.each([
    ['another amount of ours', {}, { amountMinor: 1n }],
    ['another invoice of ours', {}, { invoiceId: 'INV-2' }],
    ['another currency of ours', {}, { currency: 'USD' }],
    ['another invoice', { invoice_id: 'INV-2' }, {}],
    ['another order', { order_no: 'VP2' }, {}],
    ['no hash', { hash_key: '' }, {}],
    ['a broken hash', { hash_key: 'x:y:z' }, {}],
    [
      'the hash of a success on a failure',
      { svc_status: '0', payment_status: '0', status_code: '41' },
      {},
    ],
    [
      'a hash of somebody else',
      { hash_key: gatewayHash('1', '123.40', 'INV-9', 'VP9', 'TRY') },
      {},
    ],
  ])('disagrees when it names %s, always with the same false', (_name, more, other) => {
    expect(made.returnAgrees(made.decodeReturn(back(more)), { ...order, ...other })).toBe(false);
  });

  test.each([
    ['succeeded', { svc_status: '1', payment_status: '1' }],
    ['succeeded', { svc_status: '1', payment_status: '' }],
    ['failed', { svc_status: '0', payment_status: '0', status_code: '41' }],
    ['failed', { svc_status: '0', payment_status: '0', md_status: '1', status_code: '41' }],
    ['verified', { svc_status: '0', payment_status: '0', md_status: '1', status_code: '69' }],
    ['unknown', { svc_status: '1', payment_status: '0' }],
    ['unknown', { svc_status: '0', payment_status: '1' }],
    ['unknown', { svc_status: 'yes', payment_status: '' }],
    ['unknown', { svc_status: '' }],
  ])('hints at "%s" for %j', (hint, more) => {
    expect(made.decodeReturn(back(more)).hint).toBe(hint);
  });

  test('agrees also when the gateway forgot to escape its address', () => {
    for (let tries = 0; tries < 100; tries++) {
      const raw = gatewayHash('1', '123.40', 'INV-1', 'VP1', 'TRY');
      expect(
        made.returnAgrees(
          made.decodeReturn(
            new URLSearchParams(`svc_status=1&order_no=VP1&invoice_id=INV-1&hash_key=${raw}`),
          ),
          order,
        ),
      ).toBe(true);
    }
  });

  test('that says something twice, too long or with control characters has not said it', () => {
    const twice = back();
    twice.append('svc_status', '0');
    twice.append('invoice_id', 'INV-2');
    expect(made.decodeReturn(twice)).toMatchObject({ hint: 'unknown', invoiceId: null });
    expect(
      made.decodeReturn(back({ invoice_id: 'x'.repeat(129), order_no: 'a\u0000b' })),
    ).toMatchObject({ invoiceId: null, orderId: null });
    expect(made.decodeReturn(new URLSearchParams())).toEqual({
      hint: 'unknown',
      invoiceId: null,
      orderId: null,
      code: null,
      message: null,
      hashKey: null,
    });
  });
});

describe('the token of the gateway', () => {
  const source = (answer: (count: number) => Exchange) => {
    const asked: string[] = [];
    const clock = { ms: 0 };
    const token = createCardToken({
      baseUrl: 'http://card.test',
      appId: 'app',
      appSecret: 'canary',
      lang: 'en',
      now: () => clock.ms,
      transport: async (request) => answer(asked.push(`${request.url} ${request.body ?? ''}`)),
    });
    return { token, asked, clock };
  };
  const granted = (count: number, more: object = {}) =>
    response(200, {
      status_code: 100,
      status_description: 'ok',
      data: { token: `T${count}`, is_3d: 2, expires_at: '2000-01-01 00:00:00', ...more },
    });

  test('is asked for once by a hundred callers, as the contract says', async () => {
    const { token, asked } = source((count) => granted(count));
    const answers = await Promise.all(Array.from({ length: 100 }, () => token.get()));
    expect(new Set(answers.map((answer) => answer.kind === 'token' && answer.token))).toEqual(
      new Set(['T1']),
    );
    expect(asked).toEqual([
      'http://card.test/ccpayment/api/token {"app_id":"app","app_secret":"canary","app_lang":"en"}',
    ]);
  });

  test("is used for two hours less five minutes from its receipt, whatever the gateway's clock says", async () => {
    const { token, clock } = source((count) => granted(count));
    await token.get();
    clock.ms = 115 * 60_000 - 1;
    expect(await token.get()).toEqual({ kind: 'token', token: 'T1' });
    clock.ms = 115 * 60_000;
    expect(await token.get()).toEqual({ kind: 'token', token: 'T2' });
  });

  test.each([
    [0, 'non_secure'],
    [1, 'choice'],
    ['2', 'three_d'],
    [4, 'branded'],
    [3, 'unknown'],
    [null, 'unknown'],
    ['x', 'unknown'],
  ])('names the ways to pay: %j is %s', async (is_3d, mode) => {
    expect(await source((count) => granted(count, { is_3d })).token.mode()).toEqual({
      kind: 'answered',
      value: mode,
    });
  });

  test.each([
    ['wrong credentials', response(200, { status_code: 30, status_description: 'x' }), 'refused'],
    ['a 401', response(401, ''), 'refused'],
    ['success without a token', response(200, { status_code: 100, data: {} }), 'unavailable'],
    ['a token that no header can carry', granted(1, { token: 'a\r\nb' }), 'unavailable'],
    ['nonsense', response(200, '<html>'), 'unavailable'],
    ['trouble', response(503, ''), 'unavailable'],
    ['nobody there', { kind: 'not_sent', why: 'refused' } as Exchange, 'unavailable'],
  ])('is none for %s', async (_name, answer, why) => {
    expect(await source(() => answer).token.get()).toEqual({ kind: 'no_token', why });
  });

  test('is not asked for in a storm when the credentials are wrong', async () => {
    const { token, asked } = source(() => response(200, { status_code: 30 }));
    for (let i = 0; i < 1_000; i++) await token.get();
    expect(asked).toHaveLength(3);
  });
});

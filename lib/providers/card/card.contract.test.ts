/**
 * Tests the card client against the sandbox, which was written from the same contracts and shares
 * no code with the client. `real.contract.test.ts` has the reads against a real test environment.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../sandbox-fixture.ts';
import type { Sandbox } from '../sandbox-fixture.ts';
import { answerBank, cardOrder, submit } from './bank-page-fixture.ts';
import { TypedCard } from './typed-card.ts';
import type { CardOrder, FormWays } from './types.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
}, 30_000);
afterAll(() => sandbox?.stop());
afterEach(async () => {
  await sandbox.control('DELETE', 'faults');
  // Renews the token by a read: a test that moved the clock leaves an expired one.
  await sandbox.card.readRecord(cardOrder());
});

const SENDING = { beforeWrite: () => true };
const WAYS: FormWays = {
  returnUrl: 'http://desk.test/api/cards/return?way=ok',
  cancelUrl: 'http://desk.test/api/cards/return?way=no',
};

const typed = (number = '4508034508034509', securityCode: string | null = '000'): TypedCard =>
  new TypedCard({
    holder: 'Işık Öğüt',
    number,
    expiryMonth: '12',
    expiryYear: '2030',
    securityCode,
  });
const pay = (order: CardOrder, card = typed()) => sandbox.card.payByCard(order, card, SENDING);
const expected = (order: CardOrder) => ({
  invoiceId: order.invoiceId,
  amountMinor: order.amountMinor,
  currency: order.currency,
  hold: order.hold ?? false,
});
const refund = (invoiceId: string, amountMinor: bigint, refundId = randomUUID()) =>
  sandbox.card.refundPayment({ invoiceId, amountMinor, refundId }, SENDING);

describe('the token', () => {
  test('comes with the ways to pay that are configured', async () => {
    expect(await sandbox.card.paymentMode()).toEqual({ kind: 'answered', value: 'choice' });
  });

  test('is not given to a stranger, and nothing is sent without it', async () => {
    const stranger = sandbox.newCardClient({ app_secret: 'wrong' });
    expect(await stranger.paymentMode()).toEqual({ kind: 'no_answer', why: 'refused' });
    expect(await stranger.readRecord(cardOrder())).toEqual({
      kind: 'no_answer',
      why: 'no_token',
      raw: null,
    });
    expect(await stranger.payByCard(cardOrder(), typed(), SENDING)).toMatchObject({
      kind: 'not_sent',
      why: 'no_token',
    });
  });

  test('that has run out is renewed once for a question; a payment is handed up and works the next time', async () => {
    const client = sandbox.newCardClient();
    await client.paymentMode();
    await sandbox.control('POST', 'clock', { advance: '3h' });
    expect(await client.readRecord(cardOrder())).toMatchObject({ kind: 'not_found' });
    await sandbox.control('POST', 'clock', { advance: '3h' });
    const order = cardOrder();
    expect(await client.payByCard(order, typed(), SENDING)).toMatchObject({ kind: 'unauthorized' });
    expect(await client.payByCard(order, typed(), SENDING)).toMatchObject({ kind: 'approved' });
  });
});

describe('a card that is typed in', () => {
  test('is charged, and the record says completed', async () => {
    const order = cardOrder();
    const paid = await pay(order);
    expect(paid).toMatchObject({ kind: 'approved', held: false, card: '450803******4509' });
    expect(await sandbox.card.readRecord(order)).toMatchObject({
      kind: 'found',
      state: 'completed',
      orderId: paid.kind === 'approved' ? paid.orderId : '',
      amountMinor: 12_340n,
      refundedMinor: 0n,
      card: '450803******4509',
    });
  });

  test('pays for the same invoice once: the second answer makes us look', async () => {
    const order = cardOrder();
    await pay(order);
    expect(await pay(order)).toMatchObject({ kind: 'look', code: '117' });
  });

  test.each([
    ['currency', { currency: 'GBP' }, '12'],
    ['web hook key', { saleHook: 'nobody-registered-this' }, '56'],
    [
      'recurring web hook key',
      { recurring: { count: 3, cycle: 'month', interval: 1, hook: 'nobody-registered-this' } },
      '55',
    ],
    ['installments', { installments: 99 }, '40'],
  ] as const)('is refused for a wrong %s, and nothing is recorded', async (_name, more, code) => {
    const order = cardOrder(more as Partial<CardOrder>);
    expect(await pay(order)).toMatchObject({ kind: 'refused', code });
    expect(await sandbox.card.readRecord(order)).toMatchObject({ kind: 'not_found' });
  });

  test('whose number is none is refused', async () => {
    expect(await pay(cardOrder(), typed('4508034508034508'))).toMatchObject({
      kind: 'refused',
      code: '108',
    });
  });

  test('of an insured person needs no security code', async () => {
    const order = cardOrder();
    expect(
      await sandbox.card.payByCard(order, typed('4508034508034509', null), SENDING, {
        identityNumber: '10000000146',
      }),
    ).toMatchObject({ kind: 'approved' });
  });

  test('pays every field that an order may have', async () => {
    const order = cardOrder({
      bill: {
        address1: 'Bağdat Cd. 1',
        address2: 'D 2',
        city: 'İstanbul',
        postcode: '34000',
        state: 'Kadıköy',
        country: 'TURKEY',
        email: 'alici@desk.test',
        phone: '05000000000',
      },
      ip: '203.0.113.7',
      commissionBy: 'merchant',
      metadata: 'sipariş=4711',
    });
    expect(await pay(order)).toMatchObject({ kind: 'approved' });
  });

  test('is not charged when the last check says no', async () => {
    const order = cardOrder();
    expect(
      await sandbox.card.payByCard(order, typed(), { beforeWrite: () => false }),
    ).toMatchObject({ kind: 'not_sent', why: 'held_back' });
    expect(await sandbox.card.readRecord(order)).toMatchObject({ kind: 'not_found' });
  });

  test('whose answer is lost is unclear, and the record tells what became of it', async () => {
    const order = cardOrder();
    await sandbox.fault('paySmart2D', 'lost_after', { times: 1 });
    expect(await pay(order)).toMatchObject({ kind: 'unclear' });
    expect(await sandbox.card.readRecord(order)).toMatchObject({
      kind: 'found',
      state: 'completed',
    });
    const other = cardOrder();
    await sandbox.fault('paySmart2D', 'lost_before', { times: 1 });
    expect(await pay(other)).toMatchObject({ kind: 'unclear' });
    expect(await sandbox.card.readRecord(other)).toMatchObject({ kind: 'not_found' });
  });

  test.each([
    ['status', { status: 500 }],
    ['status', { status: 429 }],
    ['status', { status: 307 }],
    ['html', {}],
    ['malformed', {}],
    ['truncated', {}],
    ['reset', {}],
    ['unknown_code', {}],
  ] as const)('met by trouble of kind "%s" %j is unclear, never refused', async (kind, more) => {
    await sandbox.fault('paySmart2D', kind, { times: 1, ...more });
    expect(await pay(cardOrder())).toMatchObject({ kind: 'unclear' });
    await sandbox.fault('checkstatus', kind, { times: 1, ...more });
    expect(await sandbox.card.readRecord(cardOrder())).toMatchObject({ kind: 'no_answer' });
  });
});

describe('a pre-authorization', () => {
  const held = async (): Promise<CardOrder> => {
    const order = cardOrder({ hold: true });
    expect(await pay(order)).toMatchObject({ kind: 'approved', held: true });
    expect(await sandbox.card.readRecord(order)).toMatchObject({ kind: 'found', state: 'held' });
    return order;
  };

  test('is captured in part, once: the second answer makes us look', async () => {
    const { invoiceId, amountMinor } = await held();
    expect(
      await sandbox.card.captureHold({ invoiceId, amountMinor: 5_000n }, SENDING),
    ).toMatchObject({ kind: 'confirmed' });
    expect(await sandbox.card.readRecord({ invoiceId, amountMinor })).toMatchObject({
      kind: 'found',
      state: 'captured',
      chargedMinor: 5_000n,
    });
    expect(
      await sandbox.card.captureHold({ invoiceId, amountMinor: 5_000n }, SENDING),
    ).toMatchObject({ kind: 'look', code: '113' });
  });

  test('is not captured beyond what is held', async () => {
    const { invoiceId, amountMinor } = await held();
    expect(
      await sandbox.card.captureHold({ invoiceId, amountMinor: amountMinor + 1n }, SENDING),
    ).toMatchObject({ kind: 'refused', code: '1' });
    expect(await sandbox.card.readRecord({ invoiceId, amountMinor })).toMatchObject({
      kind: 'found',
      state: 'held',
    });
  });

  test('is let go by hand, or by itself after twenty days', async () => {
    const order = await held();
    expect(await sandbox.card.releaseHold(order, SENDING)).toMatchObject({ kind: 'confirmed' });
    expect(await sandbox.card.readRecord(order)).toMatchObject({
      kind: 'found',
      state: 'cancelled',
    });
    const forgotten = await held();
    await sandbox.control('POST', 'clock', { advance: '21d' });
    expect(await sandbox.card.readRecord(forgotten)).toMatchObject({
      kind: 'found',
      state: 'cancelled',
    });
  });

  test('whose capture went unheard shows in the record', async () => {
    const order = await held();
    await sandbox.fault('confirmPayment', 'lost_after', { times: 1 });
    expect(await sandbox.card.captureHold(order, SENDING)).toMatchObject({ kind: 'unclear' });
    expect(await sandbox.card.readRecord(order)).toMatchObject({
      kind: 'found',
      state: 'captured',
      chargedMinor: 12_340n,
    });
  });
});

describe('a refund', () => {
  test('in parts adds up in the record to the whole', async () => {
    const order = cardOrder();
    await pay(order);
    expect(await refund(order.invoiceId, 1_000n)).toMatchObject({
      kind: 'refunded',
      refundNumber: expect.any(String) as string,
    });
    expect(await sandbox.card.readRecord(order)).toMatchObject({
      state: 'partly_refunded',
      refundedMinor: 1_000n,
    });
    await sandbox.control('POST', 'clock', { advance: '1m' });
    expect(await refund(order.invoiceId, 11_340n)).toMatchObject({ kind: 'refunded' });
    expect(await sandbox.card.readRecord(order)).toMatchObject({
      state: 'refunded',
      refundedMinor: 12_340n,
    });
  });

  test('that is repeated, too soon, too large or with the same id only makes us look', async () => {
    const order = cardOrder();
    await pay(order);
    const refundId = randomUUID();
    await refund(order.invoiceId, 1_000n, refundId);
    expect(await refund(order.invoiceId, 1_000n)).toMatchObject({ kind: 'look', code: '49' });
    await sandbox.control('POST', 'clock', { advance: '1m' });
    expect(await refund(order.invoiceId, 1_000n, refundId)).toMatchObject({
      kind: 'look',
      code: '104',
    });
    expect(await refund(order.invoiceId, 99_999n)).toMatchObject({ kind: 'look', code: '49' });
    expect(await sandbox.card.readRecord(order)).toMatchObject({
      state: 'partly_refunded',
      refundedMinor: 1_000n,
    });
  });

  test('of an invoice that nobody paid is refused', async () => {
    expect(await refund(cardOrder().invoiceId, 1_000n)).toMatchObject({ kind: 'refused' });
  });

  test('whose answer is lost shows in the record, by total and by our own id', async () => {
    const order = cardOrder();
    await pay(order);
    const refundId = randomUUID();
    await sandbox.fault('refund', 'lost_after', { times: 1 });
    expect(await refund(order.invoiceId, 1_000n, refundId)).toMatchObject({ kind: 'unclear' });
    expect(await sandbox.card.readRecord(order)).toMatchObject({
      refundedMinor: 1_000n,
      refunds: [{ refundId, amountMinor: 1_000n }],
    });
  });
});

describe('a card form that the browser posts', () => {
  test.each(['GET', 'POST'] as const)(
    "leads through the bank's page and back by %s with a hash that agrees",
    async (backBy) => {
      const order = cardOrder();
      const back = await answerBank(
        sandbox,
        await submit(sandbox.card.threeDForm(order, { ...WAYS, backBy })),
      );
      if (!('back' in back)) throw new Error('not back');
      expect(back.back.href).toContain('way=ok');
      const returned = sandbox.card.decodeReturn(back.fields);
      expect(returned).toMatchObject({
        hint: 'succeeded',
        invoiceId: order.invoiceId,
        code: '100',
      });
      expect(sandbox.card.returnAgrees(returned, expected(order))).toBe(true);
      expect(
        sandbox.card.returnAgrees(returned, { ...expected(order), amountMinor: 12_341n }),
      ).toBe(false);
      expect(await sandbox.card.readRecord(order)).toMatchObject({
        state: 'completed',
        orderId: returned.orderId,
      });
    },
  );

  test('of a pre-authorization holds', async () => {
    const order = cardOrder({ hold: true });
    await answerBank(sandbox, await submit(sandbox.card.threeDForm(order, WAYS)));
    expect(await sandbox.card.readRecord(order)).toMatchObject({ state: 'held' });
  });

  test('comes back failed when the person gives up, without a hash, and the record agrees', async () => {
    const order = cardOrder();
    const back = await answerBank(
      sandbox,
      await submit(sandbox.card.threeDForm(order, WAYS)),
      'give_up',
    );
    if (!('back' in back)) throw new Error('not back');
    expect(back.back.href).toContain('way=no');
    const returned = sandbox.card.decodeReturn(back.fields);
    expect(returned).toMatchObject({
      hint: 'failed',
      invoiceId: order.invoiceId,
      code: '41',
      hashKey: null,
    });
    expect(sandbox.card.returnAgrees(returned, expected(order))).toBe(false);
    expect(await sandbox.card.readRecord(order)).toMatchObject({
      state: 'failed',
      reason: expect.any(String) as string,
    });
  });

  test("is pending while the person is at the bank's page", async () => {
    const order = cardOrder();
    await submit(sandbox.card.threeDForm(order, WAYS));
    expect(await sandbox.card.readRecord(order)).toMatchObject({ kind: 'found', state: 'pending' });
  });

  test('that is tampered with is refused before the bank', async () => {
    const form = sandbox.card.threeDForm(cardOrder(), WAYS);
    const arrival = await submit({
      ...form,
      fields: form.fields.map(([name, value]) => [
        name,
        name === 'total' ? '1.00' : name === 'items' ? value.replace('61.70', '0.50') : value,
      ]),
    });
    expect('back' in arrival && sandbox.card.decodeReturn(arrival.fields)).toMatchObject({
      hint: 'failed',
      code: '68',
    });
  });
});

describe('an order that the merchant completes', () => {
  const verified = async (more: Partial<CardOrder> = {}) => {
    const order = cardOrder(more);
    const back = await answerBank(
      sandbox,
      await submit(sandbox.card.threeDForm(order, { ...WAYS, completedBy: 'merchant' })),
    );
    if (!('back' in back)) throw new Error('not back');
    const returned = sandbox.card.decodeReturn(back.fields);
    expect(returned).toMatchObject({ hint: 'verified', invoiceId: order.invoiceId });
    expect(await sandbox.card.readRecord(order)).toMatchObject({ state: 'pending' });
    return { ...order, ...expected(order), orderId: returned.orderId ?? '' };
  };

  test('takes the money when it is completed, once', async () => {
    const order = await verified();
    expect(await sandbox.card.completePayment(order, 'complete', SENDING)).toMatchObject({
      kind: 'approved',
      held: false,
      orderId: order.orderId,
    });
    expect(await sandbox.card.readRecord(order)).toMatchObject({ state: 'completed' });
    expect(await sandbox.card.completePayment(order, 'complete', SENDING)).toMatchObject({
      kind: 'look',
      code: '117',
    });
  });

  test('holds it when it is a pre-authorization', async () => {
    const order = await verified({ hold: true });
    expect(await sandbox.card.completePayment(order, 'complete', SENDING)).toMatchObject({
      kind: 'approved',
      held: true,
    });
  });

  test('takes nothing when it is called off', async () => {
    const order = await verified();
    expect(await sandbox.card.completePayment(order, 'cancel', SENDING)).toMatchObject({
      kind: 'called_off',
    });
    expect(['failed', 'cancelled']).toContain(
      ((await sandbox.card.readRecord(order)) as { state?: string }).state,
    );
  });

  test('fails by itself after a quarter of an hour', async () => {
    const order = await verified();
    await sandbox.control('POST', 'clock', { advance: '16m' });
    expect((await sandbox.card.completePayment(order, 'complete', SENDING)).kind).not.toBe(
      'approved',
    );
    expect(await sandbox.card.readRecord(order)).toMatchObject({ state: 'failed' });
  });
});

/**
 * Tests payment variants against the sandbox: saved cards, plans, agriculture cards, every code,
 * and every way in which a bank declines.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../sandbox-fixture.ts';
import type { Sandbox } from '../sandbox-fixture.ts';
import { answerBank, cardOrder, submit } from './bank-page-fixture.ts';
import { CARD_CODES } from './codes.ts';
import { TypedCard } from './typed-card.ts';
import type { CardOrder, CardProgram, SavedCardOrder } from './types.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
  for (const kind of ['sale', 'recurring', 'refund'])
    await sandbox.control('POST', 'card/hooks', {
      key: `desk-${kind}`,
      kind,
      url: 'http://127.0.0.1:1/none',
    });
}, 30_000);
afterAll(() => sandbox?.stop());
afterEach(async () => {
  await sandbox.control('DELETE', 'faults');
  // Renews the token by a read: a test that moved the clock leaves an expired one.
  await sandbox.card.readRecord(cardOrder());
});

const SENDING = { beforeWrite: () => true };
const WAYS = {
  returnUrl: 'http://desk.test/api/cards/return?way=ok',
  cancelUrl: 'http://desk.test/api/cards/return?way=no',
};
const GOOD = '4508034508034509';

const typed = (number: string): TypedCard =>
  new TypedCard({
    holder: 'Işık Öğüt',
    number,
    expiryMonth: '12',
    expiryYear: '2030',
    securityCode: '000',
  });
const pay = (order: CardOrder, number = GOOD) =>
  sandbox.card.payByCard(order, typed(number), SENDING);
const settings = (values: Record<string, unknown>) =>
  sandbox.control('POST', 'card/settings', values);
const savedOrder = async (
  more: Partial<SavedCardOrder> = {},
): Promise<SavedCardOrder & { ip: string; cardProgram: CardProgram }> => {
  const customer = {
    number: String(1_000_000 + Math.floor(Math.random() * 1_000_000)),
    email: 'alici@desk.test',
    phone: '05000000000',
    name: 'Işık Öğüt',
  };
  const saved = await sandbox.card.saveCard(customer, typed(GOOD));
  const { buyer: _buyer, ...order } = cardOrder();
  if (saved.kind !== 'done') throw new Error(saved.kind);
  return {
    ...order,
    cardToken: saved.value,
    customer,
    ip: '203.0.113.7',
    cardProgram: 'MAXIMUM',
    ...more,
  };
};

describe('a card that the gateway keeps', () => {
  test("is charged without the bank's page", async () => {
    const order = await savedOrder();
    expect(await sandbox.card.payBySavedCard(order, SENDING)).toMatchObject({
      kind: 'approved',
      held: false,
      card: '450803******4509',
    });
    expect(await sandbox.card.readRecord(order)).toMatchObject({ state: 'completed' });
    expect(await sandbox.card.payBySavedCard(order, SENDING)).toMatchObject({
      kind: 'look',
      code: '117',
    });
  });

  test("is charged through the bank's page by a form without a card", async () => {
    const { ip, cardProgram: _program, ...order } = await savedOrder();
    const back = await answerBank(
      sandbox,
      await submit(sandbox.card.savedCardForm({ ...order, ip }, WAYS)),
    );
    if (!('back' in back)) throw new Error('not back');
    const returned = sandbox.card.decodeReturn(back.fields);
    expect(returned).toMatchObject({ hint: 'succeeded', invoiceId: order.invoiceId });
    expect(sandbox.card.returnAgrees(returned, order)).toBe(true);
    expect(await sandbox.card.readRecord(order)).toMatchObject({ state: 'completed' });
  });

  test('may be paid at once with a body that our browser shows to nobody: the record tells', async () => {
    await settings({ card_token_answer: 'body' });
    const { cardProgram: _program, ...order } = await savedOrder();
    expect(await submit(sandbox.card.savedCardForm(order, WAYS))).toHaveProperty('page');
    expect(await sandbox.card.readRecord(order)).toMatchObject({ state: 'completed' });
    await settings({ card_token_answer: 'redirect' });
  });

  test("whose token is not this customer's is refused", async () => {
    const order = await savedOrder();
    for (const wrong of [
      { cardToken: 'A'.repeat(48) },
      { customer: { ...order.customer, number: '1' } },
    ]) {
      expect(
        await sandbox.card.payBySavedCard(
          { ...order, ...wrong, invoiceId: `I-${randomUUID()}` },
          SENDING,
        ),
      ).toMatchObject({ kind: 'refused' });
    }
  });

  test('begins a plan too', async () => {
    const order = await savedOrder({
      recurring: { count: 3, cycle: 'month', interval: 1, hook: 'desk-recurring' },
    });
    expect(await sandbox.card.payBySavedCard(order, SENDING)).toMatchObject({ kind: 'approved' });
    expect(await sandbox.card.readRecord(order)).toMatchObject({
      state: 'completed',
      recurring: { planCode: expect.any(String) as string },
    });
  });
});

describe('a plan', () => {
  test.each(['day', 'month', 'year'] as const)(
    'by the %s begins with its first charge, and the record names it',
    async (cycle) => {
      const order = cardOrder({
        recurring: { count: 3, cycle, interval: 2, hook: 'desk-recurring' },
        saleHook: 'desk-sale',
      });
      expect(await pay(order)).toMatchObject({ kind: 'approved' });
      expect(await sandbox.card.readRecord(order)).toMatchObject({
        state: 'completed',
        recurring: {
          id: expect.stringMatching(/^\d+$/) as string,
          planCode: expect.any(String) as string,
          status: 'Active',
          nextAt: expect.any(String) as string,
        },
      });
    },
  );

  test("begins at the bank's page too", async () => {
    const order = cardOrder({
      recurring: { count: 2, cycle: 'day', interval: 1, hook: 'desk-recurring' },
    });
    await answerBank(sandbox, await submit(sandbox.card.threeDForm(order, WAYS)));
    expect(await sandbox.card.readRecord(order)).toMatchObject({
      state: 'completed',
      recurring: { status: 'Active' },
    });
  });
});

describe('an agriculture card', () => {
  test('pays with a maturity and a frequency that getpos allows, and with no others', async () => {
    const order = cardOrder();
    const options = await sandbox.card.getPos({
      card: { agriculture: typed('9792000000000011') },
      amountMinor: order.amountMinor,
      currency: 'TRY',
    });
    const [option] =
      options.kind === 'answered'
        ? options.value.filter((one) => one.maturityPeriods.length > 0)
        : [];
    const agriculture = {
      maturityPeriod: option?.maturityPeriods[0] ?? 0,
      paymentFrequency: option?.paymentFrequencies[0] ?? 0,
    };
    await answerBank(
      sandbox,
      await submit(sandbox.card.threeDForm(order, { ...WAYS, agriculture }), {
        number: '9792000000000011',
      }),
    );
    expect(await sandbox.card.readRecord(order)).toMatchObject({ state: 'completed' });
    const arrival = await submit(
      sandbox.card.threeDForm(cardOrder(), {
        ...WAYS,
        agriculture: { ...agriculture, maturityPeriod: 9_999 },
      }),
      { number: '9792000000000011' },
    );
    expect('back' in arrival && sandbox.card.decodeReturn(arrival.fields).hint).toBe('failed');
  });
});

describe('a bank that says no', () => {
  test.each([
    ['4000000000000416', '41'],
    ['4000000000000432', '41'],
    ['4000000000000440', '44'],
    ['4000000000000606', '60'],
  ])('to card %s refuses with %s, and the record does not say paid', async (number, code) => {
    const order = cardOrder();
    expect(await pay(order, number)).toMatchObject({ kind: 'refused', code });
    const record = await sandbox.card.readRecord(order);
    expect(
      record.kind === 'not_found' || (record.kind === 'found' && record.state === 'failed'),
    ).toBe(true);
  });

  test('at the 3D step, in spite of the right code or after it, comes back failed', async () => {
    for (const number of ['4000000000000135', '4000000000000333']) {
      const order = cardOrder();
      const back = await answerBank(
        sandbox,
        await submit(sandbox.card.threeDForm(order, WAYS), { number }),
      );
      expect('back' in back && sandbox.card.decodeReturn(back.fields)).toMatchObject({
        hint: 'failed',
        invoiceId: order.invoiceId,
      });
      expect(await sandbox.card.readRecord(order)).toMatchObject({ state: 'failed' });
    }
  });

  test('and one that never answers leaves the order pending, until the record says completed', async () => {
    const order = cardOrder();
    expect(await pay(order, '4000000000000697')).toMatchObject({ kind: 'unclear' });
    expect(await sandbox.card.readRecord(order)).toMatchObject({ state: 'pending' });
    expect(await pay(order)).toMatchObject({ kind: 'look', code: '3' });
    await sandbox.control('POST', 'clock', { advance: '2m' });
    expect(await sandbox.card.readRecord(order)).toMatchObject({ state: 'completed' });
  });

  test('and a person who waits too long: the order fails by itself', async () => {
    const order = cardOrder();
    await submit(sandbox.card.threeDForm(order, WAYS));
    await sandbox.control('POST', 'clock', { advance: '10m' });
    expect(await sandbox.card.readRecord(order)).toMatchObject({ state: 'failed' });
  });
});

describe('every code of our tables, as the sandbox answers it', () => {
  /**
   * An order number with one of the sandbox's prefixes: the sandbox answers with the code after the
   * prefix.
   */
  const invoice = (prefix: string, code: string): string => `${prefix}${code}-${randomUUID()}`;

  test('is what the table says for a payment', async () => {
    for (const [code, meaning] of CARD_CODES.charge) {
      if (meaning === 'approved') continue;
      expect(await pay(cardOrder({ invoiceId: invoice('PAY', code) })), code).toMatchObject({
        kind: meaning,
        code,
      });
    }
  });

  test('is what the table says for a capture and a release', async () => {
    for (const [code, meaning] of CARD_CODES.confirm) {
      if (meaning === 'approved') continue;
      const order = cardOrder({ hold: true, invoiceId: invoice('CONFIRM', code) });
      await pay(order);
      expect(await sandbox.card.captureHold(order, SENDING), code).toMatchObject({
        kind: meaning,
        code,
      });
      expect(await sandbox.card.releaseHold(order, SENDING), code).toMatchObject({
        kind: meaning,
        code,
      });
    }
  });

  test('is what the table says for a refund', async () => {
    for (const [code, meaning] of CARD_CODES.refund) {
      if (meaning === 'approved') continue;
      const order = cardOrder({ invoiceId: invoice('REFUND', code) });
      await pay(order);
      expect(
        await sandbox.card.refundPayment(
          {
            invoiceId: order.invoiceId,
            amountMinor: 100n,
            refundId: randomUUID(),
            hook: 'desk-refund',
          },
          SENDING,
        ),
        code,
      ).toMatchObject({ kind: meaning, code });
    }
  });

  test('of no table leaves the payment unclear', async () => {
    for (const code of ['2', '15', '99'])
      expect(await pay(cardOrder({ invoiceId: invoice('PAY', code) })), code).not.toMatchObject({
        kind: 'refused',
      });
  });
});

describe('a merchant whose contract with the gateway is another', () => {
  test.each([
    [0, 'non_secure'],
    [2, 'three_d'],
    [4, 'branded'],
  ] as const)('learns it with the token: is_3d %i is %s', async (is_3d, mode) => {
    await settings({ is_3d });
    expect(await sandbox.newCardClient().paymentMode()).toEqual({ kind: 'answered', value: mode });
    await settings({ is_3d: 1 });
  });

  test('gets the record as a list of one, and reads it', async () => {
    const order = cardOrder();
    await pay(order);
    await settings({ checkstatus_answer: 'array' });
    expect(await sandbox.card.readRecord(order)).toMatchObject({ state: 'completed' });
    await settings({ checkstatus_answer: 'object' });
  });

  test('may not give back in parts', async () => {
    const order = cardOrder();
    await pay(order);
    await settings({ partial_refund: false });
    expect(
      await sandbox.card.refundPayment(
        { invoiceId: order.invoiceId, amountMinor: 100n, refundId: randomUUID() },
        SENDING,
      ),
    ).toMatchObject({ kind: 'refused', code: '110' });
    await settings({ partial_refund: true });
  });
});

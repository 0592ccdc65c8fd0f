/**
 * Tests plans, links and webhooks of the card gateway against the sandbox, which was written from
 * the same contracts and shares no code with the client.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freshIban, startSandbox } from '../sandbox-fixture.ts';
import type { Sandbox } from '../sandbox-fixture.ts';
import { answerBank, cardOrder, submit } from './bank-page-fixture.ts';
import type { CardWebhook, CardNoticeAnswer } from './webhooks.ts';
import type { Plan } from './plan-record.ts';
import type { LinkContent } from './purchase-body.ts';
import { TypedCard } from './typed-card.ts';
import type { CardOrder } from './types.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
}, 30_000);
afterAll(() => sandbox?.stop());
afterEach(() => sandbox.control('DELETE', 'faults'));

const NOW = { beforeWrite: () => true };
/** Webhook keys that the sandbox's panel has from its start. */
const HOOKS = {
  sale: 'sale_hook',
  recurring: 'recurring_hook',
  refund: 'refund_hook',
  cashoutReverse: 'cashout_reverse_hook',
};
const typed = (): TypedCard =>
  new TypedCard({
    holder: 'Işık Öğüt',
    number: '4508034508034509',
    expiryMonth: '12',
    expiryYear: '2030',
    securityCode: '000',
  });

async function pay(more: Partial<CardOrder> = {}): Promise<CardOrder> {
  const order = cardOrder(more);
  const paid = await sandbox.card.payByCard(order, typed(), NOW);
  if (paid.kind !== 'approved') throw new Error(JSON.stringify(paid));
  return order;
}

async function newPlan(): Promise<{ order: CardOrder; plan: Plan }> {
  const order = await pay({
    recurring: { count: 3, cycle: 'month', interval: 1, hook: HOOKS.recurring },
  });
  const record = await sandbox.card.readRecord(order);
  if (record.kind !== 'found' || record.recurring === null)
    throw new Error(JSON.stringify(record.raw));
  return { order, plan: await readPlan(record.recurring.planCode) };
}

async function readPlan(planCode: string): Promise<Plan> {
  const plan = await sandbox.card.readPlan({ planCode });
  if (plan.kind !== 'answered') throw new Error(JSON.stringify(plan));
  return plan.value;
}

/** Waits for a matching webhook. The client decodes each body exactly as it was delivered. */
async function notice(fits: (notice: CardWebhook) => boolean): Promise<CardWebhook> {
  for (let tries = 0; tries < 300; tries++) {
    const found = sandbox.notices
      .map((body) => sandbox.card.readNotice(body))
      .find(
        (answer): answer is Extract<CardNoticeAnswer, { kind: 'notice' }> =>
          answer.kind === 'notice' && fits(answer),
      );
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no such notice among ${sandbox.notices.join('\n')}`);
}

describe('a plan', () => {
  test('is known by the code that its first order has, with every charge', async () => {
    const { plan } = await newPlan();
    expect(plan).toMatchObject({
      status: 'active',
      recurringMinor: 12_340n,
      payments: 3,
      interval: 1,
      cycle: 'month',
      card: '450803******4509',
    });
    expect(plan.charges.find((charge) => charge.number === 1)).toMatchObject({
      status: 'completed',
      amountMinor: 12_340n,
    });
    expect(await sandbox.card.readPlan({ planCode: plan.planCode, number: 1 })).toMatchObject({
      kind: 'answered',
      value: { charges: [{ number: 1 }] },
    });
    expect(await sandbox.card.readPlan({ planCode: 'PLN-nobody' })).toEqual({ kind: 'not_found' });
  });

  test('is charged when it is told to be, once, and its notice says which charge it was', async () => {
    const { plan } = await newPlan();
    const { planCode } = plan;
    await sandbox.control('POST', 'clock', { advance: '1d' });
    await sandbox.card.listInstallments();
    expect(
      await sandbox.card.processPlan({ merchantId: plan.merchantId ?? '', planCode }, NOW),
    ).toMatchObject({ kind: 'approved' });
    const completed = (await readPlan(planCode)).charges.filter(
      (charge) => charge.status === 'completed',
    );
    expect(completed.map((charge) => charge.number).sort()).toEqual([1, 2]);
    expect(
      await notice((one) => one.topic === 'recurring' && one.planCode === planCode),
    ).toMatchObject({ hint: 'succeeded', number: '2' });
  });

  test('is changed for the charges to come, paused and taken up again', async () => {
    const { planCode } = (await newPlan()).plan;
    expect(await sandbox.card.updatePlan(planCode, { amountMinor: 999n, payments: 5 })).toEqual({
      kind: 'done',
      value: null,
    });
    expect(await readPlan(planCode)).toMatchObject({ recurringMinor: 999n, payments: 5 });
    for (const status of ['inactive', 'active'] as const) {
      expect(await sandbox.card.updatePlan(planCode, { status })).toEqual({
        kind: 'done',
        value: null,
      });
      expect(await readPlan(planCode)).toMatchObject({ status });
    }
    expect(await sandbox.card.updatePlan('PLN-nobody', { payments: 5 })).toEqual({
      kind: 'not_found',
    });
  });

  test.each([
    ['lost_after', {}],
    ['status', { status: 502, work: true }],
    ['truncated', {}],
    ['reset', {}],
    ['unknown_code', {}],
  ] as const)('told to charge is one request and unclear after %s', async (kind, more) => {
    const { plan } = await newPlan();
    const asked = async (): Promise<number> =>
      (await sandbox.control<unknown[]>('GET', 'requests?operation=process')).length;
    const before = await asked();
    await sandbox.fault('recurring/plan/process', kind, more);
    expect(
      (
        await sandbox.card.processPlan(
          { merchantId: plan.merchantId ?? '', planCode: plan.planCode },
          NOW,
        )
      ).kind,
    ).toBe('unclear');
    expect((await asked()) - before).toBe(1);
    expect((await readPlan(plan.planCode)).charges.length).toBeGreaterThan(0);
  });
});

describe("a link of the gateway's own page", () => {
  const content = (more: Partial<LinkContent> = {}): LinkContent => {
    const { invoiceId, description, amountMinor, currency, items, buyer } = cardOrder();
    return {
      invoiceId,
      description,
      amountMinor,
      currency,
      items,
      buyer,
      returnUrl: 'http://desk.test/ok',
      cancelUrl: 'http://desk.test/no',
      ...more,
    };
  };

  test('is made once for an invoice, leads to a page, and its record waits', async () => {
    const link = content({ saleHook: HOOKS.sale, installmentsMax: 3, bill: { city: 'İzmir' } });
    const made = await sandbox.card.makeLink(link);
    expect(made).toMatchObject({
      kind: 'done',
      value: {
        address: expect.stringMatching(/^https?:\/\//) as string,
        orderId: expect.any(String) as string,
      },
    });
    expect(await sandbox.card.readLink(link)).toMatchObject({
      kind: 'found',
      state: 'pending',
      amountMinor: 12_340n,
    });
    expect(await sandbox.card.makeLink(link)).toEqual({ kind: 'exists' });
    const page = await fetch(made.kind === 'done' ? made.value.address : '');
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
  });

  test('whose answer was lost is found to be there, and is not made twice', async () => {
    const link = content();
    await sandbox.fault('purchase/link', 'lost_after');
    expect((await sandbox.card.makeLink(link)).kind).toBe('no_answer');
    expect(await sandbox.card.makeLink(link)).toEqual({ kind: 'exists' });
    expect(await sandbox.card.readLink(link)).toMatchObject({ kind: 'found', state: 'pending' });
  });

  test('with a discount asks for what is left', async () => {
    const link = content({ amountMinor: 12_000n, discountMinor: 340n, coupon: 'YAZ' });
    expect(await sandbox.card.makeLink(link)).toMatchObject({ kind: 'done' });
    expect(await sandbox.card.readLink(link)).toMatchObject({
      kind: 'found',
      state: 'pending',
      amountMinor: 12_000n,
    });
  });

  test('is not made for a web hook key that nobody registered', async () => {
    const link = content({ saleHook: 'nobody-registered-this' });
    expect(await sandbox.card.makeLink(link)).toEqual({ kind: 'refused', code: '56' });
    expect(await sandbox.card.readLink(link)).toMatchObject({ kind: 'not_found' });
  });
});

describe('a web hook', () => {
  test('of a sale, a refund and a chargeback is believed by its hash and names the invoice', async () => {
    const { invoiceId, amountMinor } = await pay({ saleHook: HOOKS.sale });
    const isOurs = (topic: string) => (one: CardWebhook) =>
      one.topic === topic && one.invoiceId === invoiceId;
    expect(await notice(isOurs('sale'))).toMatchObject({ hint: 'succeeded', proof: 'hash' });
    expect(
      await sandbox.card.refundPayment(
        { invoiceId, amountMinor: 100n, refundId: randomUUID(), hook: HOOKS.refund },
        NOW,
      ),
    ).toMatchObject({ kind: 'refunded' });
    expect(await notice(isOurs('refund'))).toMatchObject({ hint: 'refunded', proof: 'hash' });
    await sandbox.control('POST', `card/orders/${invoiceId}/chargeback`, {});
    expect(await notice(isOurs('chargeback'))).toMatchObject({
      hint: 'charged_back',
      proof: 'hash',
    });
    expect(amountMinor).toBe(12_340n);
  });

  test('of a sale that failed says so, and the record says the same', async () => {
    const order = cardOrder({ saleHook: HOOKS.sale });
    await answerBank(
      sandbox,
      await submit(
        sandbox.card.threeDForm(order, {
          returnUrl: 'http://desk.test/ok',
          cancelUrl: 'http://desk.test/no',
        }),
      ),
      'give_up',
    );
    expect(await notice((one) => one.invoiceId === order.invoiceId)).toMatchObject({
      topic: 'sale',
      hint: 'failed',
    });
    expect(await sandbox.card.readRecord(order)).toMatchObject({ kind: 'found', state: 'failed' });
  });

  test('of a cashout that came back names the row', async () => {
    const uniqueId = `C-${randomUUID()}`;
    const rows = [
      {
        uniqueId,
        name: 'Işık',
        iban: freshIban(),
        bankName: null,
        amountMinor: 5_000n,
        taxNumber: null,
        phone: '905551112233',
        description: null,
      },
    ];
    expect(
      await sandbox.card.sendCashout(
        { currency: 'TRY', rows, reverseKey: HOOKS.cashoutReverse },
        NOW,
      ),
    ).toMatchObject({ kind: 'accepted' });
    const { cashouts } = await sandbox.control<{ cashouts: { id: string; unique_id: string }[] }>(
      'GET',
      'card',
    );
    await sandbox.control(
      'POST',
      `card/cashouts/${cashouts.find((one) => one.unique_id === uniqueId)?.id}/reverse`,
      {},
    );
    expect(await notice((one) => one.uniqueId === uniqueId)).toMatchObject({
      topic: 'cashout_reverse',
      hint: 'came_back',
      proof: 'hash',
    });
  });

  test("read with another secret or another merchant's key is not believed, whichever it is", async () => {
    const stranger = sandbox.newCardClient({
      app_secret: 'another secret',
      merchant_key: 'somebody',
    });
    expect(sandbox.notices.length).toBeGreaterThan(3);
    // A webhook of a failure has no hash (`contract`): it is accepted without any proof.
    for (const body of sandbox.notices)
      expect(stranger.readNotice(body)).toEqual(
        body.includes('hash_key') || !body.includes('payment_status=0')
          ? { kind: 'not_believed' }
          : expect.objectContaining({ hint: 'failed', proof: 'none' }),
      );
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../testing/sandbox.ts';
import type { ApiResponse } from '../testing/sandbox.ts';
import { CANCEL, RETURN, Shop, codeOf } from '../testing/shop.ts';

let box: Sandbox;
let shop: Shop;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());
beforeEach(async () => {
  await box.post('reset');
  box.notices.length = 0;
  shop = await new Shop(box).open();
});

type Row = Record<string, unknown>;
const PLAN = {
  order_type: 1,
  recurring_payment_number: 4,
  recurring_payment_cycle: 'M',
  recurring_payment_interval: 1,
  recurring_web_hook_key: 'recurring_hook',
};
const subscribe = async (fields: Row = {}): Promise<{ invoice: string; plan: string }> => {
  const invoice = await shop.paid({ ...PLAN, total: 50, ...fields });
  return { invoice, plan: String((await shop.check(invoice)).json.recurring_plan_code) };
};
const query = (plan: string, more: Row = {}): Promise<ApiResponse> =>
  shop.call('api/recurringPlan/query', { merchant_key: shop.key, plan_code: plan, ...more });
const update = (plan: string, more: Row = {}): Promise<ApiResponse> =>
  shop.call('api/recurringPlan/update', { merchant_key: shop.key, plan_code: plan, ...more });
const process = (plan: string, more: Row = {}): Promise<ApiResponse> =>
  shop.call('api/recurring/plan/process', { merchant_id: 20417, plan_code: plan, ...more });
const histories = (response: ApiResponse): unknown[] =>
  (response.json.transactionHistories as Row[]).map(
    (row) => `${String(row.recurring_number)} ${String(row.status)} ${String(row.attempts)}`,
  );
const later = async (by: string): Promise<void> => {
  await box.post('clock', { advance: by });
  await shop.login();
};
const hooks = (): Row[] =>
  box.notices.filter((one) => one.json.plan_code !== undefined).map((one) => one.json);

describe('recurring payments', () => {
  it('open a plan whose code checkstatus tells [paySmart2D: recurring] [checkstatus: recurring]', async () => {
    const { invoice, plan } = await subscribe();
    const response = await shop.check(invoice);
    expect(response.json).toMatchObject({ recurring_plan_code: plan, recurring_status: 'Active' });
    expect(String(response.json.next_action_date)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });

  it.each([
    { installments_number: 2 },
    { recurring_payment_number: 1 },
    { recurring_payment_number: 122 },
    { recurring_payment_number: '' },
    { recurring_payment_number: 2.5 },
    { recurring_payment_cycle: 'W' },
    { recurring_payment_cycle: undefined },
    { recurring_payment_interval: 0 },
    { recurring_payment_interval: 100 },
    { recurring_web_hook_key: '' },
    { recurring_web_hook_key: 'unknown' },
    { recurring_web_hook_key: 'sale_hook' },
  ])(
    'are refused with 55 for %j [paySmart2D, paySmart3D, payByCardToken, payByCardTokenNonSecure: recurring_payment_number, recurring_payment_cycle, recurring_payment_interval, recurring_web_hook_key, 55]',
    async (fields) => {
      expect(codeOf(await shop.pay({ ...PLAN, ...fields }))).toBe(55);
      expect(
        Shop.back(
          await shop.secure({
            ...PLAN,
            ...fields,
            ...('recurring_payment_cycle' in fields ? { recurring_payment_cycle: '' } : {}),
          }),
        ).status_code,
      ).toBe('55');
      const saved = {
        card_token: 'unknown',
        customer_number: 41,
        customer_email: 'e@shop.test',
        customer_phone: '905321112233',
        customer_name: 'Elif',
        ip: '10.0.0.1',
        card_program: 'WORLD',
      };
      const order = shop.order({ ...saved, ...PLAN, ...fields });
      expect(codeOf(await shop.call('api/payByCardTokenNonSecure', order))).toBe(55);
      expect(
        codeOf(
          await shop.form('api/payByCardToken', {
            ...order,
            recurring_payment_cycle: order.recurring_payment_cycle ?? '',
            return_url: RETURN,
            cancel_url: CANCEL,
          }),
        ),
      ).toBe(55);
    },
  );

  it('are charged on their day [web hooks: recurring] [recurringPlan/query: histories, envelope, 100]', async () => {
    const { invoice, plan } = await subscribe({
      recurring_payment_cycle: 'D',
      recurring_payment_interval: 10,
    });
    expect(histories(await query(plan))).toEqual(['1 Completed 1', '2 Pending 0']);
    await later('9d');
    expect(await shop.money('kind=card_recurring&seeded=0')).toEqual([]);
    await later('21d');
    const response = await query(plan);
    expect(histories(response)).toEqual([
      '1 Completed 1',
      '2 Completed 1',
      '3 Completed 1',
      '4 Completed 1',
    ]);
    expect(response.json).toMatchObject({
      status_code: 100,
      recurring_status: 'Completed',
      payment_number: 4,
      payment_interval: 10,
      payment_cycle: 'D',
      first_amount: 50,
      total_amount: 200,
      card_no: '450803******4509',
      next_action_date: '',
    });
    expect('message' in response.json && !('status_description' in response.json)).toBe(true);
    await box.until(() => hooks().length === 3);
    expect(
      hooks()
        .map((hook) => [hook.recurring_number, hook.status, hook.product_price, hook.invoice_id])
        .sort(),
    ).toEqual([
      ['2', 'Completed', '50.00', `${invoice}-R2`],
      ['3', 'Completed', '50.00', `${invoice}-R3`],
      ['4', 'Completed', '50.00', `${invoice}-R4`],
    ]);
    await later('400d');
    expect(await shop.money('kind=card_recurring&seeded=0')).toHaveLength(3);
  });

  it('keep the day of the month in Turkish time, or its last day [paySmart2D: recurring]', async () => {
    await box.post('clock', { now: `${new Date().getUTCFullYear() + 1}-01-30T22:30:00Z` });
    await shop.login();
    const { plan } = await subscribe();
    expect(String((await query(plan)).json.next_action_date).slice(5, 16)).toMatch(
      /^02-2[89] 01:30$/,
    );
  });

  it('fail after three daily attempts, report it, and go on [web hooks: recurring failed]', async () => {
    const { plan } = await subscribe({
      cc_no: '4000000000000721',
      recurring_payment_cycle: 'D',
      recurring_payment_interval: 30,
    });
    await later('31d');
    expect(histories(await query(plan))).toEqual(['1 Completed 1', '2 Pending 2']);
    await later('1d');
    expect(histories(await query(plan))).toEqual(['1 Completed 1', '2 Failed 3', '3 Pending 0']);
    await box.until(() => hooks().length === 1);
    expect(hooks()[0]).toMatchObject({ status: 'Failed', attempts: '3', recurring_number: '2' });
    expect(await shop.money('kind=card_recurring&seeded=0')).toEqual([]);
  });

  it('succeed at a later attempt [recurringPlan/query: histories]', async () => {
    const { plan } = await subscribe({
      cc_no: '4000000000000739',
      recurring_payment_cycle: 'D',
      recurring_payment_interval: 30,
    });
    await later('32d');
    expect(histories(await query(plan))).toEqual(['1 Completed 1', '2 Completed 2', '3 Pending 0']);
  });

  it('can be asked for one charge [recurringPlan/query: one-number, 1, 14, 31]', async () => {
    const { plan } = await subscribe();
    expect(histories(await query(plan, { recurring_number: 2 }))).toEqual(['2 Pending 0']);
    expect(codeOf(await query(plan, { merchant_key: '' }))).toBe(1);
    expect(codeOf(await query(plan, { merchant_key: 'x' }))).toBe(14);
    expect(codeOf(await query('unknown'))).toBe(31);
  });

  it('are charged at once by process: 100, or 72 [recurring/plan/process: runs-next, 100, 72, 1, 14, 31]', async () => {
    const { plan } = await subscribe({ recurring_payment_number: 2 });
    expect((await process(plan)).json).toMatchObject({ status_code: 100, message: 'Successful' });
    expect(codeOf(await process(plan))).toBe(72);
    expect(codeOf(await process((await subscribe({ cc_no: '4000000000000721' })).plan))).toBe(72);
    expect(codeOf(await process(plan, { merchant_id: 'x' }))).toBe(1);
    expect(codeOf(await process(plan, { merchant_id: 1 }))).toBe(14);
    expect(codeOf(await process('unknown'))).toBe(31);
    expect(await shop.money('kind=card_recurring&seeded=0')).toHaveLength(1);
  });

  it('sleep while Passive or Inactive without being charged [recurringPlan/update: pause, 100]', async () => {
    const { plan } = await subscribe({
      recurring_payment_cycle: 'D',
      recurring_payment_interval: 10,
    });
    expect(codeOf(await update(plan, { recurring_status: 'PASSIVE' }))).toBe(100);
    await later('25d');
    expect((await query(plan)).json).toMatchObject({ recurring_status: 'Inactive' });
    expect(await shop.money('kind=card_recurring&seeded=0')).toEqual([]);
    expect(codeOf(await update(plan, { recurring_status: 'Active' }))).toBe(100);
    expect(await shop.money('kind=card_recurring&seeded=0')).toEqual([]);
    await later('6d');
    expect(await shop.money('kind=card_recurring&seeded=0')).toHaveLength(1);
  });

  it('take a new amount and number for later ones [recurringPlan/update: number-and-amount, form-too]', async () => {
    const { plan } = await subscribe();
    expect(
      codeOf(await update(plan, { recurring_amount: 61.5, recurring_payment_number: 2 })),
    ).toBe(100);
    const response = await shop.form(
      'api/recurringPlan/update',
      { merchant_key: shop.key, plan_code: plan, recurring_status: 'active' },
      { authorization: `Bearer ${shop.token}` },
    );
    expect(codeOf(response)).toBe(100);
    await later('32d');
    expect((await query(plan)).json).toMatchObject({
      recurring_amount: 61.5,
      first_amount: 50,
      total_amount: 111.5,
      recurring_status: 'Completed',
    });
  });

  it('are not changed to what cannot be [recurringPlan/update: 71, 1, 14, 31, 73]', async () => {
    const { plan } = await subscribe();
    for (const fields of [
      { recurring_amount: 0 },
      { recurring_payment_number: 1 },
      { recurring_payment_number: 122 },
      { recurring_status: 'Asleep' },
    ])
      expect(codeOf(await update(plan, fields))).toBe(71);
    expect(codeOf(await update(plan, { recurring_amount: 'much' }))).toBe(1);
    expect(codeOf(await update(plan, { merchant_key: 'x' }))).toBe(14);
    expect(codeOf(await update('unknown'))).toBe(31);
    await box.post('faults', { operation: 'recurringPlan/update', kind: 'code', code: '73' });
    expect(codeOf(await update(plan))).toBe(73);
  });

  it('are charged although the merchant used the invoice of a charge for something else', async () => {
    const { invoice, plan } = await subscribe({ recurring_payment_cycle: 'D' });
    await shop.paid({ invoice_id: `${invoice}-R2` });
    await later('49h');
    expect(histories(await query(plan))).toEqual([
      '1 Completed 1',
      '2 Completed 1',
      '3 Completed 1',
      '4 Pending 0',
    ]);
  });

  it('are charged by the desk’s button, once per press [web hooks: recurring]', async () => {
    const { plan } = await subscribe();
    expect(await box.post(`card/plans/${plan}/charge`)).toMatchObject({
      number: 2,
      outcome: 'paid',
    });
    expect((await box.until(() => hooks()[0])).recurring_number).toBe('2');
    expect(histories(await query(plan)).at(-1)).toBe('3 Pending 0');
  });

  it('go on after kill -9 [gateway: durable]', async () => {
    const { plan } = await subscribe({ recurring_payment_cycle: 'D' });
    await box.end('SIGKILL');
    await box.boot();
    await later('25h');
    expect(histories(await query(plan))).toContain('2 Completed 1');
  });
});

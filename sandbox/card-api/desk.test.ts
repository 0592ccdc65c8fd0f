import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../testing/sandbox.ts';
import { Shop } from '../testing/shop.ts';

let box: Sandbox;
let shop: Shop;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());
beforeEach(async () => {
  await box.post('reset');
  shop = await new Shop(box).open();
});

type Desk = {
  payments: { invoice_id: string; card: string; possible: string[] }[];
  holds: { invoice_id: string; due_at: string }[];
  plans: { state: string }[];
  balances: { currency: string; amount: string }[];
  hooks: { key: string }[];
};
const desk = async (): Promise<Desk> => (await box.get('card')) as Desk;
const status = async (path: string, method = 'POST', body = '{}'): Promise<number> =>
  (await box.raw(`/sandbox/card/${path}`, { method, body: method === 'GET' ? undefined : body }))
    .status;

describe('the card desk', () => {
  it('begins with a merchant that has payments, holds, a plan, keys and a balance', async () => {
    const { payments, holds, plans, balances, hooks } = await desk();
    expect(payments.length).toBeGreaterThan(20);
    expect(holds).toHaveLength(10);
    expect(plans).toMatchObject([{ state: 'Active' }]);
    expect(balances.map((one) => one.currency)).toEqual(['EUR', 'TRY', 'USD']);
    expect(hooks.map((one) => one.key).sort()).toEqual([
      'cashout_reverse_hook',
      'chargeback_hook',
      'recurring_hook',
      'refund_hook',
      'sale_hook',
    ]);
  });

  it('tells the same story for the same seed', async () => {
    const story = async (seed: number): Promise<unknown> => {
      await box.post('reset', { seed });
      const { payments, balances } = await desk();
      // The day in an invoice id is counted from the moment of the reset.
      return [payments.map((one) => [one.invoice_id.replace(/\d{8}/, ''), one.card]), balances];
    };
    expect(await story(7)).toEqual(await story(7));
    expect(await story(7)).not.toEqual(await story(8));
  });

  it('shows a new payment with its last four digits, and when a hold ends', async () => {
    const [sale, hold] = [await shop.paid(), await shop.paid({ transaction_type: 'PreAuth' })];
    const { payments, holds } = await desk();
    expect(payments[0]).toMatchObject({ invoice_id: sale, card: '4509', possible: ['chargeback'] });
    const due = Date.parse(holds.find((one) => one.invoice_id === hold)?.due_at ?? '');
    expect(Math.abs(due - Date.now() - 20 * 86_400_000)).toBeLessThan(10_000);
  });

  it('refuses what makes no sense', async () => {
    expect(await status('settings', 'POST', '{"is_3d":3}')).toBe(400);
    expect(await status('settings', 'POST', '{"nothing":1}')).toBe(400);
    for (const path of [
      'orders/unknown/chargeback',
      'plans/unknown/charge',
      'refunds/999/complete',
      'cashouts/999/reverse',
    ])
      expect(await status(path)).toBe(404);
    expect(
      await status(`orders/${await shop.paid({ transaction_type: 'PreAuth' })}/chargeback`),
    ).toBe(409);
    expect(await status('hooks?kind=sale&key=unknown', 'DELETE')).toBe(404);
  });

  it('goes back to its defaults on a reset', async () => {
    await shop.set({ is_3d: 2 });
    await box.post('card/hooks', { key: 'mine', kind: 'sale' });
    await box.post('reset');
    expect(((await box.get('card/settings')) as { is_3d: { value: number } }).is_3d.value).toBe(1);
    expect((await desk()).hooks).toHaveLength(5);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../testing/sandbox.ts';
import type { Notice } from '../testing/sandbox.ts';
import { Shop, unseal } from '../testing/shop.ts';

let box: Sandbox;
let shop: Shop;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());
beforeEach(async () => {
  await box.post('reset');
  box.notices.length = 0;
  box.receiverAnswers = [];
  shop = await new Shop(box).open();
});

const response = (count: number): Promise<Notice[]> =>
  box.until(() => (box.notices.length >= count ? box.notices : null));
const nothingMore = async (): Promise<void> => {
  const { deliveries } = (await box.get('webhooks')) as { deliveries: { state: string }[] };
  expect(deliveries.filter((one) => one.state === 'waiting')).toEqual([]);
};

describe('web hooks', () => {
  it('send a sale as a form with a hash to the key’s address [web hooks: sale, form-encoded, registry]', async () => {
    const invoice = await shop.paid({ sale_web_hook_key: 'sale_hook', total: 64.5 });
    const [notice] = await response(1);
    expect(notice?.path).toBe('/hook/key/card');
    expect(notice?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(notice?.json).toMatchObject({
      svc_status: '1',
      order_no: notice?.json.order_id,
      invoice_id: invoice,
      status_code: '100',
      svc_payment_method: '1',
      credit_card_no: '450803******4509',
      transaction_type: 'Auth',
      payment_status: '1',
      payment_method: '1',
      error_code: '100',
      status: 'Completed',
    });
    expect(unseal(String(notice?.json.hash_key), shop.secret)).toEqual([
      '1',
      '64.50',
      invoice,
      notice?.json.order_no,
      'TRY',
    ]);
  });

  it('tell a failed sale without a hash, and nothing without a key [web hooks: sale failed]', async () => {
    await shop.pay({ cc_no: '4000000000000416' });
    await shop.paid();
    await shop.pay({
      cc_no: '4000000000000416',
      sale_web_hook_key: 'sale_hook',
      invoice_id: 'F-1',
    });
    const [notice] = await response(1);
    expect(notice?.json).toMatchObject({
      invoice_id: 'F-1',
      status: 'Failed',
      payment_status: '0',
      error_code: '41',
    });
    expect(notice?.json).not.toHaveProperty('hash_key');
    await nothingMore();
    expect(box.notices).toHaveLength(1);
  });

  it('tell a sale that ends after its answer [web hooks: sale]', async () => {
    await expect(
      shop.pay({ cc_no: '4000000000000697', sale_web_hook_key: 'sale_hook' }),
    ).rejects.toThrow();
    expect(box.notices).toHaveLength(0);
    await box.post('clock', { advance: '61s' });
    expect((await response(1))[0]?.json.status).toBe('Completed');
  });

  it('tell a refund when it is approved, also by hand [web hooks: refund]', async () => {
    const invoice = await shop.paid();
    await shop.refund(invoice, 12.34, { refund_web_hook_key: 'refund_hook' });
    const [notice] = await response(1);
    expect(notice?.json).toMatchObject({
      invoice_id: invoice,
      amount: '12.34',
      status: 'Completed',
    });
    expect(unseal(String(notice?.json.hash_key), shop.secret)).toEqual([
      'Completed',
      '12.34',
      invoice,
      notice?.json.order_id,
    ]);
    await shop.paid({ invoice_id: 'REFUND101-9' });
    await shop.refund('REFUND101-9', 5, { refund_web_hook_key: 'refund_hook' });
    await nothingMore();
    expect(box.notices).toHaveLength(1);
    const { refunds } = (await box.get('card')) as { refunds: { id: number }[] };
    await box.post(`card/refunds/${refunds[0]?.id}/complete`);
    expect((await response(2))[1]?.json).toMatchObject({
      invoice_id: 'REFUND101-9',
      amount: '5.00',
    });
  });

  it('tell a chargeback as JSON, once [web hooks: chargeback]', async () => {
    const invoice = await shop.paid({ total: 90 });
    await shop.refund(invoice, 30);
    expect(await box.post(`card/orders/${invoice}/chargeback`)).toMatchObject({
      charged_back: '60.00',
    });
    const [notice] = await response(1);
    expect(notice?.headers['content-type']).toContain('application/json');
    expect(notice?.text).toContain('"amount":60.00,');
    expect(notice?.json).toMatchObject({
      action: 'chargeback',
      previous_trx_status: 'Partially Refunded',
      invoice_id: invoice,
      currency: 'TRY',
    });
    expect(unseal(String(notice?.json.hash_key), shop.secret).slice(1, 3)).toEqual([
      '60.00',
      invoice,
    ]);
    expect(
      (await box.raw(`/sandbox/card/orders/${invoice}/chargeback`, { method: 'POST', body: '{}' }))
        .status,
    ).toBe(409);
    expect(await shop.money(`invoice_id=${invoice}&kind=card_chargeback`)).toHaveLength(1);
  });

  it('go to the address a key has, and to none once the key is gone [web hooks: registry]', async () => {
    const other = await new Sandbox().start();
    try {
      await box.post('card/hooks', {
        key: 'mine',
        kind: 'sale',
        url: `${other.receiver}/elsewhere`,
      });
      await shop.paid({ sale_web_hook_key: 'mine' });
      await other.until(() => other.notices.length === 1);
      expect([other.notices[0]?.path, box.notices.length]).toEqual(['/elsewhere', 0]);
      await box.raw('/sandbox/card/hooks?kind=sale&key=mine', { method: 'DELETE' });
      expect((await shop.pay({ sale_web_hook_key: 'mine' })).json.status_code).toBe(56);
      for (const bad of [
        { key: 'x y', kind: 'sale' },
        { key: 'x', kind: 'other' },
        { key: 'x', kind: 'sale', url: 'ftp://x' },
      ])
        expect(
          (await box.raw('/sandbox/card/hooks', { method: 'POST', body: JSON.stringify(bad) }))
            .status,
        ).toBe(400);
    } finally {
      await other.stop();
    }
  });

  it('are tried three times, and again by hand [web hooks: retries]', async () => {
    box.receiverAnswers = [500, 500, 500];
    await shop.paid({ sale_web_hook_key: 'sale_hook' });
    const state = async (): Promise<{ id: number; state: string; tries: number } | undefined> =>
      (
        (await box.get('webhooks')) as {
          deliveries: { id: number; state: string; tries: number }[];
        }
      ).deliveries[0];
    for (let tries = 1; tries <= 3; tries++) {
      await box.until(async () => ((await state())?.tries ?? 0) >= tries);
      await box.post('clock', { advance: '11s' });
    }
    const failed = await state();
    expect(failed?.state).toBe('failed');
    await box.post(`webhooks/${failed?.id}/resend`);
    await response(4);
    expect(new Set(box.notices.map((one) => one.text)).size).toBe(1);
  });

  it('obey the delivery modes [web hooks: modes]', async () => {
    await box.post('webhooks/mode', { duplicate: 2 });
    await shop.paid({ sale_web_hook_key: 'sale_hook' });
    await response(3);
    await box.post('webhooks/mode', { duplicate: 0, drop: true });
    await shop.paid({ sale_web_hook_key: 'sale_hook' });
    await nothingMore();
    expect(box.notices).toHaveLength(3);
  });
});

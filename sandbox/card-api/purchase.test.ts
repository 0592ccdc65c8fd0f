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
  shop = await new Shop(box).open();
});

type Row = Record<string, unknown>;
const invoice = (fields: Row = {}): Row => ({
  invoice_id: shop.invoice(),
  invoice_description: 'Sipariş',
  total: 80,
  items: [{ name: 'Şal', price: 80, quantity: 1, description: '' }],
  return_url: RETURN,
  cancel_url: CANCEL,
  ...fields,
});
const link = (of: Row = invoice(), more: Row = {}): Promise<ApiResponse> =>
  shop.call('purchase/link', {
    merchant_key: shop.key,
    invoice: JSON.stringify(of),
    currency_code: 'TRY',
    name: 'Elif',
    surname: 'Şahin',
    ...more,
  });
const status = (id: string, more: Row = {}): Promise<ApiResponse> =>
  shop.call('purchase/status', { merchant_key: shop.key, invoice_id: id, ...more });
const pageOf = (response: ApiResponse): string =>
  `${new URL(String(response.json.link)).pathname}${new URL(String(response.json.link)).search}`;
const PLAN = {
  order_type: 1,
  recurring_payment_number: 4,
  recurring_payment_cycle: 'M',
  recurring_payment_interval: 1,
  recurring_web_hook_key: 'recurring_hook',
};
const CARD = {
  cc_holder_name: 'Elif Şahin',
  cc_no: '4508034508034509',
  expiry_month: '12',
  expiry_year: '30',
  cvv: '000',
};

describe('purchase link', () => {
  it('is paid at a bank [purchase/link: branded-page, 100] [purchase/status: 100, 69, as-checkstatus]', async () => {
    const of = invoice();
    const response = await link(of);
    expect(response.json).toMatchObject({ status: true, status_code: 100 });
    expect(codeOf(await status(String(of.invoice_id)))).toBe(69);
    expect((await box.raw(pageOf(response))).text).toContain('80.00 TRY');
    expect(
      (await shop.form(pageOf(response), { ...CARD, cc_no: '4985170000702810' })).text,
    ).toContain('role="alert"');
    const bank = (await shop.form(pageOf(response), CARD)).headers.get('location') ?? '';
    expect(Shop.back(await shop.type(bank, await shop.sms()))).toMatchObject({
      status_code: '100',
      invoice_id: of.invoice_id,
    });
    expect((await status(String(of.invoice_id))).json).toMatchObject({
      status_code: 100,
      transaction_status: 'Completed',
      cc_no: '450803******4509',
    });
    expect((await shop.form(pageOf(response), CARD)).status).toBe(200);
    expect(await shop.money(`invoice_id=${String(of.invoice_id)}`)).toHaveLength(1);
  });

  it('is over after a day [purchase/link: expires]', async () => {
    const of = invoice();
    const response = await link(of);
    await box.post('clock', { advance: '25h' });
    await shop.login();
    expect((await shop.form(pageOf(response), CARD)).status).toBe(200);
    expect(codeOf(await status(String(of.invoice_id)))).toBe(41);
    expect((await box.raw('/card/pay?id=guess')).status).toBe(404);
  });

  it('takes a discount off the items [purchase/link: discount, 13]', async () => {
    expect(codeOf(await link(invoice({ total: 70, discount: 10 })))).toBe(100);
    expect(codeOf(await link(invoice({ total: 70 })))).toBe(13);
  });

  it.each([
    [1, { invoice: 'x' }],
    [1, { invoice: '{}' }],
    [1, { invoice: '[]' }],
    [12, { currency_code: 'GBP' }],
    [14, { merchant_key: 'x' }],
    [55, { order_type: 1 }],
    [55, { ...PLAN, recurring_payment_number: 1 }],
    [55, { ...PLAN, recurring_payment_cycle: 'W' }],
    [55, { ...PLAN, recurring_payment_interval: 0 }],
    [55, { ...PLAN, recurring_web_hook_key: 'x' }],
    [56, { sale_web_hook_key: 'x' }],
    [68, { hash_key: 'sealed' }],
    [90, { hash_key: 'x' }],
  ])(
    'answers %i with %j, status false [purchase/link: 1, 12, 14, 55, 56, 68, 90, hash, recurring_payment_number, recurring_payment_cycle, recurring_payment_interval, recurring_web_hook_key]',
    async (code, more) => {
      const response = await link(invoice(), {
        ...more,
        ...('hash_key' in more && more.hash_key === 'sealed'
          ? { hash_key: shop.hash('1', 'TRY', shop.key, 'x') }
          : {}),
      });
      expect(response.json).toMatchObject({ status: false, status_code: code });
    },
  );

  it('refuses items and used invoices as payments do [purchase/link: 1, 3, 12, 33, 117]', async () => {
    expect(codeOf(await link(invoice({ items: 'x' })))).toBe(12);
    expect(
      codeOf(
        await link(
          invoice({ items: [{ name: 'Şal', price: 80, quantity: 1.5, description: '' }] }),
        ),
      ),
    ).toBe(33);
    expect(codeOf(await link(invoice({ return_url: 'javascript:1' })))).toBe(1);
    expect(codeOf(await link(invoice({ invoice_id: await shop.paid() })))).toBe(117);
    await shop.secure({ invoice_id: 'L-1' });
    expect(codeOf(await link(invoice({ invoice_id: 'L-1' })))).toBe(3);
  });

  it('takes its hash when it is right [purchase/link: hash]', async () => {
    const of = invoice();
    expect(
      codeOf(await link(of, { hash_key: shop.hash('80', 'TRY', shop.key, String(of.invoice_id)) })),
    ).toBe(100);
  });

  it('is looked up by the merchant and the invoice [purchase/status: 14, 32]', async () => {
    expect(codeOf(await status('x', { merchant_key: 'x' }))).toBe(14);
    expect(codeOf(await status('unknown'))).toBe(32);
  });
});

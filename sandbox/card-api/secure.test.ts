import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../testing/sandbox.ts';
import { CANCEL, RETURN, Shop, VISA, codeOf, unseal } from '../testing/shop.ts';
import type { ApiResponse } from '../testing/sandbox.ts';

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

const pageOf = (response: ApiResponse): string => {
  const location = response.headers.get('location') ?? '';
  if (response.status !== 303 || !location.startsWith('/card/bank/verify?'))
    throw new Error(`no bank page: ${response.status} ${location} ${response.text}`);
  return location;
};
/**
 * Pays through the bank page with the code sent to the phone; returns the redirect to the merchant.
 */
const through = async (fields: Record<string, unknown> = {}): Promise<ApiResponse> => {
  const page = pageOf(await shop.secure(fields));
  return shop.type(page, await shop.sms());
};
const to = (response: ApiResponse): string =>
  (response.headers.get('location') ?? '').split('?')[0] ?? '';
const kinds = async (invoice: string): Promise<string[]> =>
  (await shop.money(`invoice_id=${invoice}`)).map((line) => line.kind);

describe('paySmart3D', () => {
  it('sends the buyer to the bank and back [paySmart3D: redirect-get, bank-page, 100, md-status, hash]', async () => {
    const page = pageOf(await shop.secure({ invoice_id: 'S-1', total: 250 }));
    const shown = await box.raw(page);
    expect([
      shown.status,
      shown.text.includes('250.00 TRY'),
      shown.text.includes('•••• 4509'),
      shown.text.includes(VISA),
    ]).toEqual([200, true, true, false]);
    expect(shown.headers.get('content-security-policy')).toContain(
      "form-action 'self' https://shop.test;",
    );
    const response = await shop.type(page, await shop.sms());
    const back = Shop.back(response);
    expect(response.headers.get('location')?.startsWith(RETURN)).toBe(true);
    expect(back).toMatchObject({
      cart: '7',
      svc_status: '1',
      invoice_id: 'S-1',
      order_id: back.order_no,
      status_code: '100',
      payment_status: '1',
      payment_method: '1',
      transaction_type: 'Auth',
      md_status: '1',
      status: 'Completed',
      error_code: '100',
    });
    expect(unseal(String(back.hash_key), shop.secret)).toEqual([
      '1',
      '250.00',
      'S-1',
      back.order_no,
      'TRY',
    ]);
    expect((await shop.check('S-1')).json).toMatchObject({ status_code: 100, md_status: '1' });
    expect(await kinds('S-1')).toEqual(['card_sale']);
  });

  it('comes back by a form that sends itself when asked to [paySmart3D: redirect-post]', async () => {
    const response = await through({
      response_method: 'POST',
      invoice_id: 'S-2"><script>'.replace(/[<>]/g, ''),
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(response.text).toContain(`method="post" action="${RETURN}"`);
    expect(response.text).toContain('name="svc_status" value="1"');
    expect(response.text).toContain('value="S-2&#34;script"');
  });

  it('takes the fixed code of a test card too [paySmart3D: bank-page]', async () => {
    expect(to(await shop.type(pageOf(await shop.secure()), 'a'))).toBe(RETURN.split('?')[0]);
    expect(
      to(await shop.type(pageOf(await shop.secure({ cc_no: '6501700139082826' })), '123456')),
    ).toBe(RETURN.split('?')[0]);
  });

  it('ends at cancel_url after three bad codes [paySmart3D: wrong-code, 41, no-order-hash-on-failure]', async () => {
    const page = pageOf(await shop.secure({ invoice_id: 'S-3' }));
    for (let i = 0; i < 2; i++)
      expect((await shop.type(page, '------')).text).toContain('role="alert"');
    const response = await shop.type(page, '------');
    expect(to(response)).toBe(CANCEL);
    expect(Shop.back(response)).toMatchObject({
      svc_status: '0',
      payment_status: '0',
      status_code: '41',
      md_status: '0',
      invoice_id: 'S-3',
    });
    expect(Shop.back(response)).not.toHaveProperty('hash_key');
    expect(to(await shop.type(page, await shop.sms()))).toBe(CANCEL);
    expect(await kinds('S-3')).toEqual([]);
  });

  it('ends at cancel_url when the buyer gives up or is too slow [paySmart3D: give-up, time-out]', async () => {
    const given = pageOf(await shop.secure({ invoice_id: 'S-4' }));
    expect(to(await shop.type(given, '', 'give_up'))).toBe(CANCEL);
    const late = pageOf(await shop.secure({ invoice_id: 'S-5', cc_no: '4000000000000234' }));
    const count = ((await box.get('messages')) as unknown[]).length;
    expect(count).toBe(1);
    await box.post('clock', { advance: '301s' });
    expect((await shop.check('S-5')).json).toMatchObject({
      status_code: 41,
      reason: 'Doğrulama süresi doldu',
    });
    expect(to(await shop.type(late, 'a'))).toBe(CANCEL);
  });

  it('can fail at the bank, or be declined afterwards [paySmart3D: 3d-fails, declined-after-3d, 41]', async () => {
    const failed = Shop.back(await through({ cc_no: '4000000000000135' }));
    expect(failed).toMatchObject({ svc_status: '0', md_status: '0', status_code: '41' });
    const declined = Shop.back(await through({ cc_no: '4000000000000333' }));
    expect(declined).toMatchObject({
      svc_status: '0',
      md_status: '1',
      status_code: '41',
      original_bank_error_code: '05',
    });
  });

  it('takes the money once, however often the code is sent [paySmart3D: bank-page]', async () => {
    const page = pageOf(await shop.secure({ invoice_id: 'S-6' }));
    const code = await shop.sms();
    const answers = await Promise.all(Array.from({ length: 6 }, () => shop.type(page, code)));
    expect(answers.map(to)).toEqual(Array.from({ length: 6 }, () => RETURN.split('?')[0]));
    expect(await kinds('S-6')).toEqual(['card_sale']);
  });

  it('sends refusals to cancel_url [paySmart3D: refused-to-cancel-url, 1, 13, 34, 68, 90, 102, 108]', async () => {
    const code = async (fields: Record<string, unknown>): Promise<unknown[]> => {
      const response = await shop.secure(fields);
      return [to(response), Shop.back(response).status_code, Shop.back(response).svc_status];
    };
    for (const [wanted, fields] of [
      [1, { name: '' }],
      [13, { items: [{ name: 'x', price: 1, quantity: 1, description: '' }] }],
      [68, { hash_key: shop.hash('1', '1', 'TRY', shop.key, 'x') }],
      [90, { hash_key: 'x' }],
      [102, { cc_no: '6501700139082826', currency_code: 'USD' }],
      [108, { cc_no: '4985170000702810' }],
    ] as const)
      expect(await code(fields)).toEqual([CANCEL, String(wanted), '0']);
    await shop.set({ is_3d: 0 });
    expect(await code({})).toEqual([CANCEL, '34', '0']);
  });

  it('answers JSON where there is nowhere to go back to [paySmart3D: 404, 1] [payByCardToken: 404]', async () => {
    for (const [fields, code] of [
      [{ cancel_url: '' }, 404],
      [{ cancel_url: 'javascript:alert(1)' }, 1],
      [{ return_url: '/relative' }, 1],
    ] as const)
      expect([codeOf(await shop.secure(fields)), (await shop.secure(fields)).status]).toEqual([
        code,
        200,
      ]);
    expect(
      codeOf(
        await shop.form('api/payByCardToken', {
          ...shop.order(),
          return_url: RETURN,
          cancel_url: '',
        }),
      ),
    ).toBe(404);
  });

  it('is a browser form without JSON, with an optional bearer [paySmart3D: browser-form, bearer]', async () => {
    const order = shop.order({ return_url: RETURN, cancel_url: CANCEL });
    expect((await shop.call('api/paySmart3D', order)).status).toBe(400);
    expect(
      codeOf(await shop.form('api/paySmart3D', order, { 'x-requested-with': 'XMLHttpRequest' })),
    ).toBe(1);
    expect(
      (await shop.form('api/paySmart3D', order, { authorization: 'Bearer nonsense' })).status,
    ).toBe(401);
    pageOf(await shop.form('api/paySmart3D', order, { authorization: `Bearer ${shop.token}` }));
  });

  it('authorizes a pre-authorization and opens a plan [paySmart3D: pre-authorization, recurring]', async () => {
    expect(
      Shop.back(await through({ transaction_type: 'PreAuth', invoice_id: 'S-7' })),
    ).toMatchObject({ transaction_type: 'Pre-Authorization', payment_status: '1' });
    expect((await shop.check('S-7')).json.transaction_status).toBe('Pre-Authorized');
    await through({
      invoice_id: 'S-8',
      order_type: 1,
      recurring_payment_number: 3,
      recurring_payment_cycle: 'M',
      recurring_payment_interval: 2,
      recurring_web_hook_key: 'recurring_hook',
    });
    expect((await shop.check('S-8')).json).toMatchObject({ recurring_status: 'Active' });
  });

  it('wants what getpos offers from an agriculture card [paySmart3D: agriculture, 40] [paySmart2D: 60]', async () => {
    const cc_no = '9792000000000011';
    expect(Shop.back(await shop.secure({ cc_no })).status_code).toBe('1');
    expect(
      Shop.back(await shop.secure({ cc_no, maturity_period: 5, payment_frequency: 3 })).status_code,
    ).toBe('40');
    pageOf(await shop.secure({ cc_no, maturity_period: 6, payment_frequency: 3 }));
    expect(codeOf(await shop.pay({ cc_no }))).toBe(60);
  });

  it('leaves a foreign page no bank step to see or take [paySmart3D: bank-page]', async () => {
    pageOf(await shop.secure());
    expect((await box.raw('/card/bank/verify?id=guess')).status).toBe(404);
    expect((await shop.type('/card/bank/verify?id=', 'a')).status).toBe(404);
  });
});

describe('payment/complete', () => {
  const verify = async (
    invoice: string,
    more: Record<string, unknown> = {},
  ): Promise<Record<string, string>> =>
    Shop.back(await through({ invoice_id: invoice, payment_completed_by: 'merchant', ...more }));
  const complete = (
    invoice: string,
    order: string,
    status = 'complete',
    more: Record<string, unknown> = {},
  ): Promise<ApiResponse> =>
    shop.call('payment/complete', {
      merchant_key: shop.key,
      invoice_id: invoice,
      order_id: order,
      status,
      hash_key: shop.hash(shop.key, invoice, order, status),
      ...more,
    });

  it('takes money once [payment/complete: complete, 100, 117] [paySmart3D: completed-by-merchant, 69]', async () => {
    const back = await verify('C-1');
    expect(back).toMatchObject({
      md_status: '1',
      status_code: '69',
      payment_status: '0',
      svc_status: '0',
    });
    expect(unseal(String(back.hash_key), shop.secret)[0]).toBe('0');
    expect((await shop.check('C-1')).json.status_code).toBe(69);
    expect(await kinds('C-1')).toEqual([]);
    const response = await complete('C-1', String(back.order_no));
    expect(response.json).toMatchObject({
      status_code: 100,
      data: { payment_status: 1, transaction_type: 'Auth', status: 'Completed' },
    });
    expect(codeOf(await complete('C-1', String(back.order_no)))).toBe(117);
    expect(await kinds('C-1')).toEqual(['card_sale']);
  });

  it('lets it go on cancel [payment/complete: cancel]', async () => {
    const { order_no } = await verify('C-2');
    expect((await complete('C-2', String(order_no), 'cancel')).json).toMatchObject({
      status_code: 100,
      data: { payment_status: 0, status: 'Cancelled' },
    });
    expect((await shop.check('C-2')).json.transaction_status).toBe('Cancelled');
    expect(codeOf(await complete('C-2', String(order_no)))).toBe(117);
    expect(await kinds('C-2')).toEqual([]);
  });

  it('has failed after 15 minutes, and not before [payment/complete: fifteen-minutes, 41]', async () => {
    const [early, late] = [await verify('C-3'), await verify('C-4')];
    await box.post('clock', { advance: '14m' });
    expect(codeOf(await complete('C-3', String(early.order_no)))).toBe(100);
    await box.post('clock', { advance: '2m' });
    expect((await shop.check('C-4')).json).toMatchObject({
      status_code: 41,
      transaction_status: 'Failed',
    });
    expect(codeOf(await complete('C-4', String(late.order_no)))).toBe(41);
  });

  it('completes a hold as a hold [payment/complete: pre-authorization]', async () => {
    const { order_no } = await verify('C-5', { transaction_type: 'PreAuth' });
    expect((await complete('C-5', String(order_no))).json).toMatchObject({
      data: { transaction_type: 'Pre-Authorization' },
    });
    expect((await shop.check('C-5')).json.transaction_status).toBe('Pre-Authorized');
  });

  it('refuses as published [payment/complete: hash, 1, 14, 31, 32, 41, 68, 69, 90]', async () => {
    const order = String((await verify('C-6')).order_no);
    expect(codeOf(await complete('C-6', order, 'maybe'))).toBe(1);
    expect(codeOf(await complete('C-6', order, 'complete', { merchant_key: 'x' }))).toBe(14);
    expect(codeOf(await complete('C-6', 'SB1'))).toBe(31);
    expect(codeOf(await complete('unknown', order))).toBe(32);
    expect(codeOf(await complete('C-6', order, 'complete', { status: 'cancel' }))).toBe(68);
    expect(codeOf(await complete('C-6', order, 'complete', { hash_key: 'x' }))).toBe(90);
    await shop.secure({ invoice_id: 'C-7' });
    expect(codeOf(await complete('C-7', String((await shop.check('C-7')).json.order_id)))).toBe(69);
    const declined = await verify('C-8', { cc_no: '4000000000000333' });
    expect(codeOf(await complete('C-8', String(declined.order_no)))).toBe(41);
    const forced = await verify('COMPLETE41-1');
    expect(codeOf(await complete('COMPLETE41-1', String(forced.order_no)))).toBe(41);
  });
});

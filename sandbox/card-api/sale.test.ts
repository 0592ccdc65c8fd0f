import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../testing/sandbox.ts';
import { Shop, VISA, codeOf, unseal } from '../testing/shop.ts';

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
const items = (...list: [string | number, string | number][]): Row[] =>
  list.map(([price, quantity]) => ({ name: 'Kumaş', price, quantity, description: '' }));
const balance = async (): Promise<number> => {
  const { balances } = (await box.get('card')) as {
    balances: { currency: string; amount: string }[];
  };
  return Number(balances.find((one) => one.currency === 'TRY')?.amount.replace('.', '') ?? 0);
};

describe('paySmart2D', () => {
  it('takes the money and answers with the contract’s result [paySmart2D: sale, 100, answer-hash]', async () => {
    const order = shop.order({ total: 123.45 });
    const response = await shop.call('api/paySmart2D', order);
    const data = response.json.data as Row;
    expect(response.json.status_code).toBe(100);
    expect(data).toMatchObject({
      svc_status: 1,
      order_no: data.order_id,
      invoice_id: order.invoice_id,
      svc_payment_method: 1,
      credit_card_no: '450803******4509',
      transaction_type: 'Auth',
      payment_status: 1,
      payment_method: 1,
      error_code: 100,
      error: response.json.status_description,
    });
    expect(String(data.order_id)).toMatch(/^[A-Z]{2}\d+$/);
    expect(unseal(String(data.hash_key), shop.secret)).toEqual([
      '1',
      '123.45',
      order.invoice_id,
      data.order_id,
      'TRY',
    ]);
    expect(await shop.money(`invoice_id=${String(order.invoice_id)}`)).toMatchObject([
      { kind: 'card_sale', amount: '123.45', currency: 'TRY' },
    ]);
  });

  it('pre-authorizes: blocked, no money moved [paySmart2D: pre-authorization]', async () => {
    const order = shop.order({ transaction_type: 'PreAuth' });
    expect((await shop.call('api/paySmart2D', order)).json.data).toMatchObject({
      transaction_type: 'Pre-Authorization',
      payment_status: 1,
    });
    expect(await shop.money(`invoice_id=${String(order.invoice_id)}`)).toEqual([]);
  });

  it('refuses with code and description and nothing else [paySmart2D: refusal-shape, 13]', async () => {
    expect(Object.keys((await shop.pay({ items: items([1, 1]) })).json).sort()).toEqual([
      'status_code',
      'status_description',
    ]);
  });

  it('adds items up exactly, to the last digit [paySmart2D: items-sum, 13, 12, 33]', async () => {
    for (const [total, list] of [
      [0.3, items(['0.1', 3])],
      ['1.00', items(['0.333333', 3], ['0.000001', 1])],
      [100, items([33.33, 3], ['0.01', '1'])],
      [999999999999.99, items(['999999999999.99', 1])],
    ] as const) {
      await shop.set({ max_amount: 10_000_000_000 });
      expect([total, codeOf(await shop.pay({ total, items: list }))]).toEqual([
        total,
        total === 999999999999.99 ? 49 : 100,
      ]);
    }
    expect(codeOf(await shop.pay({ total: 0.3, items: items(['0.1', 2], ['0.10001', 1]) }))).toBe(
      13,
    );
    for (const list of [
      '[]',
      [],
      [1],
      [null],
      [{ name: 'x', price: 100.5 }],
      [{ price: 100.5, quantity: 1, description: '' }],
      items(['x', 1]),
      JSON.stringify(items([100.5, 1])),
    ])
      expect(codeOf(await shop.pay({ items: list }))).toBe(12);
    for (const quantity of [1.5, 0, -1, 'two'])
      expect(codeOf(await shop.pay({ items: items([100.5, quantity]) }))).toBe(33);
  });

  it('counts the commission to the kuruş [paySmart2D: commission]', async () => {
    const before = await balance();
    const response = await shop.pay({ total: 33.33, commission_by: 'user' });
    // 1.50 % of 33.33 is 0.49995 and 0.25 on top; the buyer's 1.25 % is 0.416625
    expect(response.json.data).toMatchObject({
      merchant_commission: '0.75',
      user_commission: '0.42',
      amount: '33.75',
      merchant_commission_percentage: '1.5000',
      merchant_commission_fixed: '0.2500',
    });
    expect((await balance()) - before).toBe(3258);
  });

  it('compares the hash with amounts as numbers and texts [paySmart2D: hash, hash-tolerance, 68, 90]', async () => {
    const order = shop.order({ total: 10, items: items([10, 1]) });
    const hash = (...parts: string[]): Promise<unknown> =>
      shop
        .call('api/paySmart2D', {
          ...order,
          invoice_id: order.invoice_id,
          hash_key: shop.hash(...parts),
        })
        .then(codeOf);
    const invoice = String(order.invoice_id);
    expect(await hash('10.01', '1', 'TRY', shop.key, invoice)).toBe(68);
    expect(await hash('10', '01', 'TRY', shop.key, invoice)).toBe(68);
    expect(await hash('10', '1', 'USD', shop.key, invoice)).toBe(68);
    expect(await hash('10', '1', 'TRY', 'x', invoice)).toBe(68);
    expect(await hash('10', '1', 'TRY', shop.key, 'other')).toBe(68);
    expect(await hash('10', '1', 'TRY', shop.key)).toBe(68);
    for (const hash_key of ['x', 'a:b:c', `${String(order.hash_key).slice(0, -8)}AAAAAAA=`])
      expect([68, 90]).toContain(codeOf(await shop.call('api/paySmart2D', { ...order, hash_key })));
    expect(codeOf(await shop.call('api/paySmart2D', { ...order, hash_key: 'no hash' }))).toBe(90);
    expect(await hash('10.00', '1', 'TRY', shop.key, invoice)).toBe(100);
  });

  it('takes an invoice id once: 3 while in process, 117 afterwards [paySmart2D: 3, 117]', async () => {
    const order = shop.order();
    await shop.call('api/paySmart2D', order);
    expect(codeOf(await shop.call('api/paySmart2D', order))).toBe(117);
    expect(await shop.money(`invoice_id=${String(order.invoice_id)}`)).toHaveLength(1);
    const waiting = shop.order({ invoice_id: 'W-1' });
    await shop.secure({ invoice_id: 'W-1' });
    expect(codeOf(await shop.call('api/paySmart2D', waiting))).toBe(3);
    const declined = shop.order({ cc_no: '4000000000000416', invoice_id: 'D-1' });
    await shop.call('api/paySmart2D', declined);
    expect(codeOf(await shop.pay({ invoice_id: 'D-1' }))).toBe(117);
    await shop.set({ failed_invoice: 'free' });
    expect(codeOf(await shop.pay({ invoice_id: 'D-1' }))).toBe(100);
  });

  it('charges insurance without a security code, with an identity number [paySmart2D: insurance]', async () => {
    const order = shop.order({ vpos_type: 'insurance', identity_number: '10000000146' });
    delete order.cvv;
    expect(codeOf(await shop.call('api/paySmart2D', order))).toBe(100);
    for (const identity_number of ['123', undefined])
      expect(
        codeOf(
          await shop.call('api/paySmart2D', {
            ...shop.order({ vpos_type: 'insurance' }),
            identity_number,
          }),
        ),
      ).toBe(1);
    expect(codeOf(await shop.pay({ vpos_type: 'other' }))).toBe(1);
  });

  it('gives no answer for the slow card: in process, then completed, charged once [paySmart2D: time-out]', async () => {
    const order = shop.order({ cc_no: '4000000000000697' });
    await expect(shop.call('api/paySmart2D', order)).rejects.toThrow();
    const invoice = String(order.invoice_id);
    expect((await shop.check(invoice)).json).toMatchObject({
      status_code: 69,
      transaction_status: 'Pending',
    });
    expect(codeOf(await shop.call('api/paySmart2D', order))).toBe(3);
    await box.post('clock', { advance: '61s' });
    expect((await shop.check(invoice)).json).toMatchObject({
      status_code: 100,
      transaction_status: 'Completed',
    });
    expect(await shop.money(`invoice_id=${invoice}`)).toHaveLength(1);
  });

  it.each([
    ['4000000000000416', 41, '51'],
    ['4000000000000432', 41, '43'],
    ['4000000000000549', 41, '54'],
    ['4000000000000440', 44, '62'],
    ['4000000000000606', 60, '57'],
  ])(
    'is declined by the bank of card %s with %i [paySmart2D: 41, 44, 60]',
    async (cc_no, code, bank) => {
      const order = shop.order({ cc_no });
      expect(codeOf(await shop.call('api/paySmart2D', order))).toBe(code);
      expect((await shop.check(String(order.invoice_id))).json).toMatchObject({
        status_code: 41,
        transaction_status: 'Failed',
        original_bank_error_code: bank,
      });
      expect(await shop.money(`invoice_id=${String(order.invoice_id)}`)).toEqual([]);
    },
  );

  it('declines a card whose month is over, and takes any other [paySmart2D: expired-card]', async () => {
    expect(codeOf(await shop.pay({ expiry_month: '01', expiry_year: '24' }))).toBe(41);
    expect(codeOf(await shop.pay({ expiry_month: '1', expiry_year: '31' }))).toBe(100);
    for (const bad of [{ expiry_month: '13' }, { expiry_year: '203' }, { cvv: '12' }])
      expect(codeOf(await shop.pay(bad))).toBe(1);
  });

  it.each([
    [1, {}, { total: 0 }],
    [1, {}, { total: -5 }],
    [1, {}, { total: '1.001' }],
    [1, {}, { installments_number: 0 }],
    [1, {}, { card_program: 'GOLD' }],
    [1, {}, { transaction_type: 'Hold' }],
    [1, {}, { commission_by: 'me' }],
    [12, {}, { currency_code: 'GBP' }],
    [14, {}, { merchant_key: 'nobody' }],
    [34, { is_3d: 2 }, {}],
    [34, { is_3d: 4 }, {}],
    [35, { card_payment: false }, {}],
    [37, { pos_commission: false }, {}],
    [38, { commission: 'missing' }, {}],
    [40, {}, { installments_number: 4 }],
    [40, {}, { installments_number: 2, cc_no: '4000100000000018' }],
    [42, {}, { total: 0.25 }],
    [43, { settlement_term: false }, {}],
    [44, { daily_count: 1 }, {}],
    [45, { daily_amount: 15_000 }, {}],
    [46, { monthly_count: 1 }, {}],
    [47, { monthly_amount: 15_000 }, {}],
    [48, { min_amount: 20_000 }, {}],
    [49, { max_amount: 10_000 }, {}],
    [56, {}, { sale_web_hook_key: 'unknown' }],
    [56, {}, { sale_web_hook_key: 'refund_hook' }],
    [70, {}, { card_program: 'BONUS' }],
    [76, { foreign_cards: 'refused' }, { cc_no: '4577270000134621' }],
    [77, { foreign_cards: 'no_commission' }, { cc_no: '4000000000000762' }],
    [85, {}, { invoice_id: 'A|B' }],
    [60, {}, { cc_no: '9792000000000011' }],
    [102, {}, { cc_no: '6501700139082826', currency_code: 'EUR' }],
    [102, { pos: false }, {}],
    [108, {}, { cc_no: '4985170000702810' }],
    [108, {}, { cc_no: 'abc' }],
  ])(
    'answers %i with %j and %j, and makes no order [paySmart2D: 1, 12, 14, 34, 35, 37, 38, 40, 42, 43, 44, 45, 46, 47, 48, 49, 56, 60, 70, 76, 77, 85, 102, 108, card-limits, installments]',
    async (code, settings, fields) => {
      await shop.paid();
      await shop.set(settings);
      const order = shop.order(fields);
      expect(codeOf(await shop.call('api/paySmart2D', order))).toBe(code);
      if (code !== 85) expect(codeOf(await shop.check(String(order.invoice_id)))).toBe(32);
    },
  );

  it('answers the code that the id asks for [paySmart2D: 80, 81, 99, 105, 106, 107, 109, chosen-code]', async () => {
    for (const code of [1, 3, 12, 41, 80, 81, 99, 105, 106, 107, 109, 117])
      expect(codeOf(await shop.pay({ invoice_id: `PAY${code}-${code}` }))).toBe(code);
    await box.post('questions', { magic_values: false });
    expect(codeOf(await shop.pay({ invoice_id: 'PAY41-x' }))).toBe(100);
  });

  it('keeps a day’s limit to its day [paySmart2D: card-limits]', async () => {
    await shop.set({ daily_count: 1 });
    await shop.paid();
    expect(codeOf(await shop.pay())).toBe(44);
    await box.post('clock', { advance: '1d' });
    await shop.login();
    expect(codeOf(await shop.pay())).toBe(100);
  });

  it('pays once however often and however quickly it is sent [paySmart2D: 117]', async () => {
    const order = shop.order({ cc_no: VISA });
    const codes = (
      await Promise.all(Array.from({ length: 12 }, () => shop.call('api/paySmart2D', order)))
    ).map(codeOf);
    expect(codes.filter((code) => code === 100)).toHaveLength(1);
    expect(await shop.money(`invoice_id=${String(order.invoice_id)}`)).toHaveLength(1);
  });
});

describe('checkstatus', () => {
  it('tells the truth about one order [checkstatus: 100, 14, 32, exact]', async () => {
    const invoice = await shop.paid({ total: '1234567.89', installments_number: 3 });
    const response = await shop.check(invoice);
    expect(response.json).toMatchObject({
      status_code: 100,
      transaction_status: 'Completed',
      invoice_id: invoice,
      transaction_type: 'Auth',
      product_price: '1234567.89',
      cc_no: '450803******4509',
      installment: 3,
      card_type: 'CREDIT CARD',
    });
    expect(response.text).toContain('"transaction_amount":1234567.89,');
    expect(response.text).toContain('"total_refunded_amount":0.00,');
    expect(String(response.json.transaction_id)).toMatch(/^[0-9A-F]+-[0-9A-F]+-TC10-\d+-\d{6}$/);
    expect(codeOf(await shop.check('nothing'))).toBe(32);
    expect(
      (await shop.call('api/checkstatus', { merchant_key: 'x', invoice_id: invoice })).json,
    ).toMatchObject({ status_code: 14, transaction_status: '' });
  });

  it('checks its hash when one is sent [checkstatus: hash, 68, 90, 1]', async () => {
    const invoice = await shop.paid();
    expect(
      codeOf(await shop.call('api/checkstatus', { merchant_key: shop.key, invoice_id: invoice })),
    ).toBe(100);
    expect(codeOf(await shop.check(invoice, { hash_key: shop.hash(shop.key, invoice) }))).toBe(68);
    expect(codeOf(await shop.check(invoice, { hash_key: 'x' }))).toBe(90);
    expect(codeOf(await shop.call('api/checkstatus', { merchant_key: shop.key }))).toBe(1);
  });

  it('may answer an array of one [checkstatus: one-element-array]', async () => {
    await shop.set({ checkstatus_answer: 'array' });
    expect(JSON.parse((await shop.check(await shop.paid())).text)).toHaveLength(1);
  });

  it('has a word for each state [checkstatus: words, 41, 69]', async () => {
    const word = async (invoice: string): Promise<unknown[]> => [
      (await shop.check(invoice)).json.status_code,
      (await shop.check(invoice)).json.transaction_status,
    ];
    const hold = await shop.paid({ transaction_type: 'PreAuth' });
    expect(await word(hold)).toEqual([100, 'Pre-Authorized']);
    await shop.confirm(hold, { status: 2 });
    expect(await word(hold)).toEqual([100, 'Cancelled']);
    const failed = shop.order({ cc_no: '4000000000000416' });
    await shop.call('api/paySmart2D', failed);
    expect(await word(String(failed.invoice_id))).toEqual([41, 'Failed']);
    await shop.secure({ invoice_id: 'P-1' });
    expect(await word('P-1')).toEqual([69, 'Pending']);
    const sale = await shop.paid({ total: 10 });
    await shop.refund(sale, 4);
    expect(await word(sale)).toEqual([100, 'Partially Refunded']);
    await box.post('clock', { advance: '31s' });
    await shop.refund(sale, '');
    expect(await word(sale)).toEqual([100, 'Refunded']);
    const disputed = await shop.paid();
    await box.post(`card/orders/${disputed}/chargeback`);
    expect(await word(disputed)).toEqual([100, 'Chargebacked']);
  });
});

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox, payout } from '../testing/sandbox.ts';
import { MASTERCARD, Shop, VISA, codeOf, unseal } from '../testing/shop.ts';

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
const ask = (body: object): ReturnType<Sandbox['raw']> =>
  box.raw('/card/ccpayment/api/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const getpos = (fields: Row = {}): ReturnType<Shop['call']> =>
  shop.call('api/getpos', {
    credit_card: '534261',
    amount: 100,
    currency_code: 'TRY',
    merchant_key: shop.key,
    ...fields,
  });

describe('token', () => {
  it('is a bearer for two hours, with mode and end [token: lifetime, expires_at, is_3d, 100, bearer]', async () => {
    const response = await ask({ app_id: shop.id, app_secret: shop.secret, app_lang: 'en' });
    const data = response.json.data as Row;
    expect(response.json).toMatchObject({ status_code: 100, data: { is_3d: 1 } });
    expect(data.expires_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(
      Math.abs(
        Date.parse(`${String(data.expires_at).replace(' ', 'T')}+03:00`) - Date.now() - 7_200_000,
      ),
    ).toBeLessThan(5000);
    await box.post('clock', { advance: '119m' });
    expect(codeOf(await shop.check('none'))).toBe(32);
    await box.post('clock', { advance: '61s' });
    const late = await shop.check('none');
    expect([late.status, late.json.status_code]).toEqual([401, 30]);
  });

  it('is refused for wrong credentials, without data [token: 30, no-data-on-failure]', async () => {
    for (const body of [
      { app_id: shop.id, app_secret: 'x' },
      { app_id: 'x', app_secret: shop.secret },
    ]) {
      const response = await ask(body);
      expect([response.status, response.json.status_code, 'data' in response.json]).toEqual([
        200,
        30,
        false,
      ]);
    }
  });

  it('wants both of its fields [token: 1]', async () => {
    expect(codeOf(await ask({ app_id: shop.id }))).toBe(1);
    expect(codeOf(await ask({ app_id: shop.id, app_secret: 5 }))).toBe(1);
  });

  it('of one provider is nothing to the other [token: separate]', async () => {
    expect(
      (
        await shop.call(
          'api/installments',
          { merchant_key: shop.key },
          { authorization: `Bearer ${box.token}` },
        )
      ).status,
    ).toBe(401);
    const response = await box.raw('/wallet/api/v1/Transaction/SendMoneyToBankAccount', {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(payout('x-1')),
    });
    expect(response.status).toBe(401);
  });

  it('tells the configured mode [token: is_3d]', async () => {
    await shop.set({ is_3d: 4 });
    expect(((await ask({ app_id: shop.id, app_secret: shop.secret })).json.data as Row).is_3d).toBe(
      4,
    );
  });
});

describe('getpos', () => {
  it('lists one row per installment count, single payment first [getpos: rows, scheme, 100]', async () => {
    const response = await getpos();
    const rows = response.json.data as Row[];
    expect(rows.map((row) => row.installments_number)).toEqual([1, 2, 3, 6, 9, 12]);
    expect(rows[0]).toMatchObject({
      card_program: 'BONUS',
      card_scheme: 'mastercard',
      card_type: 'CREDIT CARD',
      currency_code: 'TRY',
      currency_id: 1,
      payable_amount: 100,
      amount_to_be_paid: '100.00',
      is_commercial: 0,
    });
    expect(unseal(String(rows[1]?.hash_key), shop.secret)).toEqual([
      '100.00',
      '2',
      'TRY',
      shop.key,
    ]);
  });

  it('shows only single payments for recurring, foreign and debit cards [getpos: recurring, hash]', async () => {
    for (const fields of [
      { is_recurring: 1 },
      { currency_code: 'USD' },
      { credit_card: '4000100000000018' },
      { credit_card: '4577270000134621' },
    ])
      expect(
        ((await getpos(fields)).json.data as Row[]).map((row) => row.installments_number),
      ).toEqual([1]);
  });

  it('adds the buyer’s commission exactly, half a kuruş up [getpos: user-commission]', async () => {
    const rows = (await getpos({ amount: '33.33', commission_by: 'user' })).json.data as Row[];
    // 1.25 % of 33.33 is 0.416625; 1.55 % is 0.516615
    expect(rows.slice(0, 2).map((row) => row.amount_to_be_paid)).toEqual(['33.75', '33.85']);
  });

  it('lists the pairs of an agriculture card [getpos: agriculture]', async () => {
    const rows = (await getpos({ credit_card: '9792000000000011' })).json.data as Row[];
    expect(rows.map((row) => [row.maturity_period, row.payment_frequency])).toEqual([
      [3, 3],
      [6, 3],
      [6, 6],
      [12, 6],
      [12, 12],
    ]);
  });

  it.each([
    [1, {}, { credit_card: '12' }],
    [1, {}, { amount: 0 }],
    [1, {}, { currency_code: 'XYZ' }],
    [14, {}, { merchant_key: 'nobody' }],
    [36, { pos: false }, {}],
    [36, {}, { credit_card: '650170', currency_code: 'USD' }],
    [37, { pos_commission: false }, {}],
    [38, { commission: 'missing' }, {}],
    [40, { most_installments: 0 }, {}],
  ])('answers %i when it must [getpos: 1, 14, 36, 37, 38, 40]', async (code, settings, fields) => {
    await shop.set(settings);
    expect(codeOf(await getpos(fields))).toBe(code);
  });
});

describe('installments and commissions', () => {
  it('lists the merchant’s counts beside a message [installments: envelope, 100]', async () => {
    const response = await shop.call('api/installments', { merchant_key: shop.key });
    expect(response.json).toEqual({
      status_code: 100,
      message: 'Successful',
      installments: [1, 2, 3, 6, 9, 12],
    });
  });

  it('refuses as published [installments: 14, 62, 422]', async () => {
    expect(codeOf(await shop.call('api/installments', { merchant_key: 'x' }))).toBe(14);
    const missing = await shop.call('api/installments', {});
    expect([missing.status, Object.keys(missing.json.errors as object)]).toEqual([
      422,
      ['merchant_key'],
    ]);
    await shop.set({ most_installments: 0 });
    expect(codeOf(await shop.call('api/installments', { merchant_key: shop.key }))).toBe(62);
  });

  it('keys rows by count and marks disabled ones [commissions: by-count, markers, both-methods, 100]', async () => {
    await shop.set({ most_installments: 6 });
    const response = await shop.call('api/commissions', { currency_code: 'TRY' });
    const data = response.json.data as Record<string, Row[]>;
    expect(Object.keys(data)).toEqual(['1', '2', '3', '6', '9', '12']);
    expect(data['2']?.[0]).toMatchObject({
      card_program: 'WORLD',
      merchant_commission_percentage: '1.8500',
      merchant_commission_fixed: '0.2500',
      user_commission_fixed: '-',
      installment: 2,
    });
    expect(data['9']?.[0]).toMatchObject({ merchant_commission_percentage: 'x' });
    const byGet = await box.raw('/card/ccpayment/api/commissions?currency_code=TRY', {
      headers: { authorization: `Bearer ${shop.token}` },
    });
    expect(byGet.json).toEqual(response.json);
  });

  it('refuses as published [commissions: 0, 39, 422]', async () => {
    expect((await shop.call('api/commissions', { currency_code: 'ABC' })).status).toBe(422);
    await shop.set({ commission: 'missing' });
    expect(codeOf(await shop.call('api/commissions', {}))).toBe(39);
    await shop.set({ commission: 'no_data' });
    expect((await shop.call('api/commissions', {})).json).toMatchObject({ status_code: 0 });
  });
});

describe('every path of the gateway', () => {
  it('is 404 when unknown and 405 by another method [gateway: unknown-operation, method]', async () => {
    expect((await shop.call('api/nothing', {})).status).toBe(404);
    expect((await box.raw('/card/ccpayment/api/paySmart2D')).status).toBe(405);
  });

  it('is 400 for a bad body and 413 for a large one [gateway: unreadable, content-type, too-large]', async () => {
    const answers = await Promise.all([
      shop.call('api/paySmart2D', '{"cc_no":'),
      shop.call('api/paySmart2D', '[1]'),
      shop.call('api/paySmart2D', 'a=1', { 'content-type': 'text/plain' }),
      shop.call('api/paySmart2D', ' '.repeat(70_000)),
    ]);
    expect(answers.map((one) => one.status)).toEqual([400, 400, 400, 413]);
    expect(answers.map((one) => one.json.status_code)).toEqual([1, 1, 1, 1]);
  });

  it('ignores fields it does not know and speaks the wanted language [gateway: unknown-fields, language]', async () => {
    expect(codeOf(await shop.pay({ future_field: { a: [1] }, __proto__: 1 }))).toBe(100);
    const tr = await shop.call('api/checkstatus', {
      merchant_key: shop.key,
      invoice_id: 'yok',
      app_lang: 'tr',
    });
    expect(tr.json.status_description).toContain('Fatura');
    expect((await shop.check('yok')).json.status_description).toContain('invoice');
  });

  it('is named in faults by the end of its path [gateway: faults]', async () => {
    await box.post('faults', { operation: 'ccpayment/api/token', kind: 'status', status: 503 });
    await box.login();
    expect((await ask({ app_id: shop.id, app_secret: shop.secret })).status).toBe(503);
    await box.post('faults', { operation: 'paySmart2D', kind: 'lost_after' });
    const order = shop.order();
    await expect(shop.call('api/paySmart2D', order)).rejects.toThrow();
    expect(codeOf(await shop.check(String(order.invoice_id)))).toBe(100);
    await box.post('faults', { operation: 'checkstatus', kind: 'unknown_code' });
    expect(codeOf(await shop.check(String(order.invoice_id)))).toBe(7777);
    await box.post('faults', { operation: 'paySmart2D', kind: 'late', ms: 60_000 });
    const late = shop.order();
    await expect(shop.call('api/paySmart2D', late)).rejects.toThrow();
    expect(codeOf(await shop.check(String(late.invoice_id)))).toBe(32);
    await box.post('clock', { advance: '61s' });
    expect(codeOf(await shop.check(String(late.invoice_id)))).toBe(100);
  });

  it('leaves no card number, security code, expiry or hash in the log or on the desk [gateway: log]', async () => {
    const spaced = '5406 6754 0667 5403';
    const order = shop.order({ cvv: '739', invoice_description: `card ${spaced}` });
    await shop.call('api/paySmart2D', order);
    await shop.call(
      'api/paySmart2D',
      JSON.stringify(shop.order({ cc_no: MASTERCARD, cvv: '739' })).replace(
        '"cc_no"',
        '"cc_n\\u006f"',
      ),
    );
    await shop.call('api/paySmart2D', `{"cc_no":"${VISA}","cvv":"739", broken`);
    await shop.secure({ cc_no: MASTERCARD, cvv: '739' });
    await getpos({ credit_card: MASTERCARD });
    // Its check digit is wrong, so that only the field name shows that this is a card number.
    const mistyped = '4985170000702810';
    await shop.pay({ cc_no: mistyped });
    await shop.secure({ cc_no: mistyped });
    const seen = JSON.stringify([
      await box.get('requests'),
      await box.get('card'),
      await box.get('messages'),
      await box.get('ledger?seeded=0'),
    ]);
    for (const secret of [VISA, MASTERCARD, mistyped, spaced, String(order.hash_key)])
      expect(seen).not.toContain(secret);
    // The digits 739 may occur inside a time or an id, but not as a value of their own (the CVV).
    expect(seen).not.toMatch(/(?<![\w.-])739(?![\w-])/);
    expect(seen).toContain('…4509');
  });

  it('keeps a card number on the disk only while its work is late [gateway: log]', async () => {
    const disk = (): string =>
      readdirSync(join(box.folder, 'sandbox'))
        .map((name) => readFileSync(join(box.folder, 'sandbox', name), 'latin1'))
        .join('');
    const cc_no = '5218487962459752';
    await box.post('faults', { operation: 'paySmart2D', kind: 'late', ms: 60_000 });
    await expect(shop.pay({ cc_no })).rejects.toThrow();
    expect(disk()).toContain(cc_no);
    await box.post('clock', { advance: '61s' });
    await box.until(() => !disk().includes(cc_no));
  });

  it('keeps what it acknowledged over kill -9 [gateway: durable]', async () => {
    const [sale, hold] = [await shop.paid(), await shop.paid({ transaction_type: 'PreAuth' })];
    await box.end('SIGKILL');
    await box.boot();
    expect((await shop.check(sale)).json.transaction_status).toBe('Completed');
    expect((await shop.check(hold)).json.transaction_status).toBe('Pre-Authorized');
    expect(await shop.money(`invoice_id=${sale}`)).toHaveLength(1);
  });
});

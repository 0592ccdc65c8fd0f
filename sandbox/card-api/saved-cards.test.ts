import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../testing/sandbox.ts';
import type { ApiResponse } from '../testing/sandbox.ts';
import { CANCEL, MASTERCARD, RETURN, Shop, VISA, codeOf, unseal } from '../testing/shop.ts';

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
const card = (fields: Row = {}): Row => ({
  merchant_key: shop.key,
  customer_number: 41,
  card_holder_name: 'Elif Şahin',
  card_number: VISA,
  expiry_month: '12',
  expiry_year: '2030',
  ...fields,
});
const HASHED = [
  'merchant_key',
  'customer_number',
  'card_holder_name',
  'card_number',
  'expiry_month',
  'expiry_year',
];
const save = (fields: Row = {}, hashed: Row = {}): Promise<ApiResponse> => {
  const body = card(fields);
  return shop.call('api/saveCard', {
    hash_key: shop.hash(...HASHED.map((name) => String({ ...body, ...hashed }[name]))),
    ...body,
  });
};
const tokenOf = async (fields: Row = {}): Promise<string> =>
  String((await save(fields)).json.card_token);
const list = (customer: unknown): Promise<ApiResponse> => {
  const query = new URLSearchParams({
    merchant_key: shop.key,
    customer_number: String(customer),
  }).toString();
  return box.raw(`/card/ccpayment/api/getCardTokens?${query}`, {
    headers: { authorization: `Bearer ${shop.token}` },
  });
};
const change = (
  operation: 'editCard' | 'deleteCard',
  token: string,
  fields: Row = {},
  hashed: Row = {},
): Promise<ApiResponse> => {
  const body: Row = {
    merchant_key: shop.key,
    card_token: token,
    customer_number: 41,
    ...(operation === 'editCard' ? { expiry_month: 11, expiry_year: 2031 } : {}),
    ...fields,
  };
  const parts = { ...body, ...hashed };
  return shop.call(`api/${operation}`, {
    hash_key: shop.hash(
      String(parts.merchant_key),
      String(parts.customer_number),
      String(parts.card_token),
    ),
    ...body,
  });
};
const byToken = (token: string, fields: Row = {}): Row => {
  const {
    cc_holder_name: _a,
    cc_no: _b,
    expiry_month: _c,
    expiry_year: _d,
    cvv: _e,
    name: _f,
    surname: _g,
    ...order
  } = shop.order(fields);
  return {
    ...order,
    card_token: token,
    customer_number: 41,
    customer_email: 'e@shop.test',
    customer_phone: '905321112233',
    customer_name: 'Elif Şahin',
    ...fields,
  };
};

describe('saved cards', () => {
  it('gives the same token for the same card of a customer [saveCard: 100, hash, same-card]', async () => {
    const token = await tokenOf();
    expect(token).toMatch(/^[A-Z0-9]{48}$/);
    expect(await tokenOf()).toBe(token);
    expect(await tokenOf({ customer_number: 42 })).not.toBe(token);
  });

  it('keeps every digit of a customer number, up to 64 bits [saveCard: customer_number] [getCardTokens: customer_number] [deleteCard: customer_number]', async () => {
    const [one, next, none] = ['9000000000000000001', '9000000000000000002', '9223372036854775808'];
    const bodyFor = (customer: string): string =>
      JSON.stringify({
        ...card(),
        customer_number: 0,
        hash_key: shop.hash(
          ...HASHED.map((name) => (name === 'customer_number' ? customer : String(card()[name]))),
        ),
      }).replace('"customer_number":0', `"customer_number":${customer}`);
    const token = String((await shop.call('api/saveCard', bodyFor(one))).json.card_token);
    expect((await list(one)).text).toContain(`"customer_number":"${one}-20417",`);
    await shop.set({ saved_card_record: 'table' });
    expect((await list(one)).text).toContain(`"customer_number":${one},`);
    expect((await list(next)).json.data).toEqual([]);
    expect(
      (
        await shop.form('api/payByCardToken', {
          ...byToken(token, { customer_number: one }),
          return_url: RETURN,
          cancel_url: CANCEL,
        })
      ).status,
    ).toBe(303);
    expect(
      codeOf(
        await shop.form('api/payByCardToken', {
          ...byToken(token, { customer_number: next }),
          return_url: RETURN,
          cancel_url: CANCEL,
        }),
      ),
    ).toBe(1);
    expect((await shop.call('api/saveCard', bodyFor(none))).status).toBe(422);
    expect(
      codeOf(
        await shop.call('api/deleteCard', {
          merchant_key: shop.key,
          card_token: token,
          customer_number: one,
          hash_key: shop.hash(shop.key, one, token),
        }),
      ),
    ).toBe(100);
    expect((await list(one)).json.data).toEqual([]);
  });

  it('takes the hash with and without the card number [saveCard: hash-five-parts]', async () => {
    const body = card();
    expect(
      codeOf(
        await shop.call('api/saveCard', {
          ...body,
          hash_key: shop.hash(
            ...HASHED.filter((name) => name !== 'card_number').map((name) => String(body[name])),
          ),
        }),
      ),
    ).toBe(100);
  });

  it.each([
    ['merchant_key', 91],
    ['customer_number', 92],
    ['card_holder_name', 93],
    ['card_number', 94],
    ['expiry_month', 95],
    ['expiry_year', 96],
  ])(
    'names the part of the hash that differs: %s %i [saveCard: 91, 92, 93, 94, 95, 96]',
    async (name, code) => {
      expect(codeOf(await save({}, { [name]: '0' }))).toBe(code);
    },
  );

  it('refuses as published [saveCard: 1, 14, 86, 90, 108, 422]', async () => {
    expect(codeOf(await save({ hash_key: 'x' }))).toBe(90);
    expect(codeOf(await save({ merchant_key: 'x' }))).toBe(14);
    expect(codeOf(await save({ card_number: '4985170000702810' }))).toBe(108);
    expect(codeOf(await save({ card_number: '4000000000000861' }))).toBe(86);
    expect(codeOf(await save({ expiry_month: '13' }))).toBe(1);
    expect(codeOf(await save({ expiry_year: '30' }))).toBe(1);
    const missing = await save({ card_holder_name: '' });
    expect([missing.status, Object.keys(missing.json.errors as object)]).toEqual([
      422,
      ['card_holder_name'],
    ]);
  });

  it('lists masked cards in three ways [getCardTokens: three-ways, record, unknown-customer, 100]', async () => {
    const token = await tokenOf({ customer_name: 'Elif' });
    await tokenOf({ card_number: MASTERCARD });
    const response = await list(41);
    const rows = response.json.data as Row[];
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      card_token: token,
      card_number: '450803****4509',
      customer_number: '41-20417',
      merchant_id: 20417,
      customer_name: 'Elif',
      card_issuer_bank: 'İş Bankası',
      card_user_key: null,
    });
    expect(
      (await shop.call('api/getCardTokens', { merchant_key: shop.key, customer_number: 41 })).json,
    ).toEqual(response.json);
    expect((await list(999)).json).toMatchObject({ status_code: 100, data: [] });
  });

  it('writes a card as the SDK’s fixture or the field table has it [getCardTokens: record-forms]', async () => {
    await tokenOf();
    expect(
      ((await list(41)).json.data as Row[]).map((row) => [
        row.customer_number,
        row.card_number,
        'bin' in row,
      ]),
    ).toEqual([['41-20417', '450803****4509', false]]);
    await shop.set({ saved_card_record: 'table' });
    expect(
      ((await list(41)).json.data as Row[]).map((row) => [
        row.customer_number,
        row.card_number,
        row.bin,
      ]),
    ).toEqual([[41, '450803******4509', '450803']]);
  });

  it('takes card number and phone as JSON numbers [saveCard: json-number, card_number, customer_phone]', async () => {
    const token = await tokenOf();
    const response = await save({
      card_number: Number(VISA),
      customer_phone: 5321112233,
      customer_number: 43,
    });
    expect(codeOf(response)).toBe(100);
    expect((await list(43)).json.data).toMatchObject([
      { card_number: '450803****4509', customer_phone: '5321112233' },
    ]);
    expect(await tokenOf({ card_number: Number(VISA) })).toBe(token);
    for (const card_number of [[VISA], { number: VISA }, true])
      expect((await save({ card_number })).status).toBe(422);
  });

  it('refuses to list as published [getCardTokens: 1, 14]', async () => {
    expect(codeOf(await shop.call('api/getCardTokens', { merchant_key: shop.key }))).toBe(1);
    expect(
      codeOf(await shop.call('api/getCardTokens', { merchant_key: 'x', customer_number: 41 })),
    ).toBe(14);
  });

  it('is edited: the new expiry counts [editCard: 100, hash]', async () => {
    const token = await tokenOf({ expiry_year: '2024' });
    expect(
      codeOf(
        await shop.call(
          'api/payByCardTokenNonSecure',
          byToken(token, { ip: '10.0.0.1', card_program: 'MAXIMUM' }),
        ),
      ),
    ).toBe(41);
    expect((await change('editCard', token)).json).toMatchObject({
      status_code: 100,
      card_token: token,
    });
    expect(
      codeOf(
        await shop.call(
          'api/payByCardTokenNonSecure',
          byToken(token, { ip: '10.0.0.1', card_program: 'MAXIMUM' }),
        ),
      ),
    ).toBe(100);
  });

  it('is deleted, and pays no more [deleteCard: 100, hash]', async () => {
    const token = await tokenOf();
    expect(codeOf(await change('deleteCard', token))).toBe(100);
    expect(codeOf(await change('deleteCard', token))).toBe(87);
    expect((await list(41)).json.data).toEqual([]);
  });

  it.each(['editCard', 'deleteCard'] as const)(
    '%s names what is wrong [editCard, deleteCard: 1, 14, 87, 90, 91, 92, 97]',
    async (operation) => {
      const token = await tokenOf();
      expect(codeOf(await change(operation, token, { customer_number: 'x' }))).toBe(1);
      expect(codeOf(await change(operation, token, { merchant_key: 'x' }))).toBe(14);
      expect(codeOf(await change(operation, token, { customer_number: 42 }))).toBe(87);
      expect(codeOf(await change(operation, 'unknown'))).toBe(87);
      expect(codeOf(await change(operation, token, { hash_key: 'x' }))).toBe(90);
      for (const [name, code] of [
        ['merchant_key', 91],
        ['customer_number', 92],
        ['card_token', 97],
      ] as const)
        expect(codeOf(await change(operation, token, {}, { [name]: 'other' }))).toBe(code);
    },
  );

  it('is not edited to an invalid month, nor deleted under a plan [editCard: 89] [deleteCard: 88]', async () => {
    const token = await tokenOf();
    expect(codeOf(await change('editCard', token, { expiry_month: 13 }))).toBe(89);
    const plan = {
      order_type: 1,
      recurring_payment_number: 2,
      recurring_payment_cycle: 'M',
      recurring_payment_interval: 1,
      recurring_web_hook_key: 'recurring_hook',
    };
    expect(
      codeOf(
        await shop.call(
          'api/payByCardTokenNonSecure',
          byToken(token, { ...plan, ip: '10.0.0.1', card_program: 'MAXIMUM' }),
        ),
      ),
    ).toBe(100);
    expect(codeOf(await change('deleteCard', token))).toBe(88);
  });

  it('leaves no full number and no security code on the disk [saveCard: never-whole]', async () => {
    await tokenOf({ card_number: MASTERCARD });
    await shop.pay({ cc_no: '5269737320050521', cvv: '817' });
    await shop.secure({ cc_no: '5167400000496745', cvv: '817' });
    const folder = join(box.folder, 'sandbox');
    const disk = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('');
    expect(disk).toContain('540667******5403');
    for (const number of [MASTERCARD, '5269737320050521', '5167400000496745'])
      expect(disk).not.toContain(number);
  });
});

describe('payment with a saved card', () => {
  const NOW = { ip: '10.0.0.1', card_program: 'MAXIMUM' };

  it('without a bank page answers like paySmart2D [payByCardTokenNonSecure: 100, hash, answer-hash]', async () => {
    const order = byToken(await tokenOf(), { ...NOW, total: 77.7 });
    const response = await shop.call('api/payByCardTokenNonSecure', order);
    const data = response.json.data as Row;
    expect(data).toMatchObject({
      payment_status: 1,
      credit_card_no: '450803******4509',
      invoice_id: order.invoice_id,
    });
    expect(unseal(String(data.hash_key), shop.secret)).toEqual([
      '1',
      '77.70',
      order.invoice_id,
      data.order_id,
      'TRY',
    ]);
  });

  it.each([
    ['payByCardTokenNonSecure', NOW],
    ['payByCardToken', { return_url: RETURN, cancel_url: CANCEL }],
  ] as const)(
    '%s refuses by code [payByCardTokenNonSecure, payByCardToken: 1, 68, 79, 90, 103] [payByCardToken: refusal-body]',
    async (operation, fields) => {
      const token = await tokenOf();
      const send = (more: Row = {}): Promise<ApiResponse> =>
        operation === 'payByCardToken'
          ? shop.form(`api/${operation}`, byToken(token, { ...fields, ...more }))
          : shop.call(`api/${operation}`, byToken(token, { ...fields, ...more }));
      const unknown = await send({ card_token: 'unknown' });
      expect(unknown.json.status_code).toBe(1);
      expect(Object.keys(unknown.json)).toEqual(['status_code', 'status_description']);
      expect(codeOf(await send({ customer_number: 42 }))).toBe(1);
      expect(codeOf(await send({ hash_key: shop.hash('1', '2', '3', '4', '5') }))).toBe(68);
      expect(codeOf(await send({ hash_key: 'x' }))).toBe(90);
      for (const [token_payment, code] of [
        ['refused', 79],
        ['no_commission', 103],
      ] as const) {
        await shop.set({ token_payment });
        expect(codeOf(await send())).toBe(code);
      }
    },
  );

  it('answers any code asked for [payByCardTokenNonSecure, payByCardToken, paySmart3D: chosen-code]', async () => {
    const token = await tokenOf();
    for (const code of [
      3, 12, 13, 14, 33, 34, 35, 37, 38, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 55, 56, 60, 68, 70,
      76, 77, 85, 90, 99, 102, 117,
    ]) {
      const invoice_id = `PAY${code}-${code}`;
      expect(
        codeOf(
          await shop.call('api/payByCardTokenNonSecure', byToken(token, { ...NOW, invoice_id })),
        ),
      ).toBe(code);
      expect(
        codeOf(
          await shop.form(
            'api/payByCardToken',
            byToken(token, { return_url: RETURN, cancel_url: CANCEL, invoice_id }),
          ),
        ),
      ).toBe(code);
      expect(Shop.back(await shop.secure({ invoice_id })).status_code).toBe(String(code));
    }
  });

  it('goes through the bank page and back [payByCardToken: redirect, hash, 100]', async () => {
    const order = byToken(await tokenOf(), { return_url: RETURN, cancel_url: CANCEL });
    const page = (await shop.form('api/payByCardToken', order)).headers.get('location') ?? '';
    expect(Shop.back(await shop.type(page, await shop.sms()))).toMatchObject({
      svc_status: '1',
      status_code: '100',
      invoice_id: order.invoice_id,
    });
  });

  it('answers the JSON body of the contract where the switch says so [payByCardToken: success-body]', async () => {
    await shop.set({ card_token_answer: 'body' });
    const response = await shop.form(
      'api/payByCardToken',
      byToken(await tokenOf(), { return_url: RETURN, cancel_url: CANCEL }),
    );
    expect(response.json).toMatchObject({
      status_code: 100,
      data: { svc_status: 1, payment_status: 1 },
    });
  });
});

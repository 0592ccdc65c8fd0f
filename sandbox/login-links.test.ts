import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from './testing/sandbox.ts';
import type { ApiResponse } from './testing/sandbox.ts';
import { Shop } from './testing/shop.ts';

let box: Sandbox;
let shop: Shop;
let bearer = '';
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());
beforeEach(async () => {
  await box.post('reset');
  shop = await new Shop(box).open();
  const json = { 'content-type': 'application/json' };
  const first = await box.raw('/login/api/corporatelogin', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email: 'selin@demo.test', password: 'demo-Parola-1' }),
  });
  const second = await box.raw('/login/api/verifysms', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({
      OTP: await shop.sms(),
      user_id: (first.json.data as { user: { id: number } }).user.id,
    }),
  });
  bearer = `Bearer ${String((second.json.data as { token: string }).token)}`;
});

type Row = Record<string, unknown>;
type Dpl = { dpl: Row; link: string };
const FIELDS = {
  amount: '125.50',
  currency: 1,
  is_amount_set_by_user: 0,
  payment_link_type: 1,
  name_of_product: 'Keten gömlek',
  description: 'Mavi',
};
const create = (fields: Row = {}): Promise<ApiResponse> => {
  const form = new FormData();
  for (const [name, value] of Object.entries<unknown>({ ...FIELDS, ...fields }))
    if (value !== undefined) form.set(name, value instanceof Blob ? value : String(value));
  return box.raw('/login/api/dpl/create', {
    method: 'POST',
    headers: { authorization: bearer, accept: 'application/json' },
    body: form,
  });
};
const made = async (fields: Row = {}): Promise<Row> =>
  ((await create(fields)).json.data as Dpl).dpl;
const get = (path: string): Promise<ApiResponse> =>
  box.raw(`/login/api/dpl/${path}`, { headers: { authorization: bearer } });
const send = (operation: string, body: object): Promise<ApiResponse> =>
  box.raw(`/login/api/dpl/${operation}`, {
    method: 'POST',
    headers: { authorization: bearer, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const CARD = {
  cc_holder_name: 'Elif Şahin',
  cc_no: '4508034508034509',
  expiry_month: '12',
  expiry_year: '30',
  cvv: '000',
};
const pay = async (token: unknown, fields: Row = {}): Promise<ApiResponse> => {
  const bank =
    (await shop.form(`/card/pay?id=${String(token)}`, { ...CARD, ...fields })).headers.get(
      'location',
    ) ?? '';
  return shop.type(bank, await shop.sms());
};

describe('payment links', () => {
  it('are made from a multipart form, with or without a photo [dpl/create (link): 100, amount, currency, is_amount_set_by_user, payment_link_type, name_of_product, description, product_photo]', async () => {
    expect(await made({ product_photo: new Blob(['x'.repeat(2000)]) })).toMatchObject({
      amount: 125.5,
      currency: 'TRY',
      type: 1,
      status: 'ACTIVE',
      number_of_uses: 0,
      max_number_of_uses: 1,
      name_of_product: 'Keten gömlek',
      description: 'Mavi',
      photo: 'blob',
      created_by_name: 'Selin Arslan',
      merchant_id: 20417,
    });
    expect(await made({ description: undefined, currency: 2 })).toMatchObject({
      currency: 'USD',
      description: '',
      photo: null,
    });
  });

  it('are refused with a field wrong or missing, and without a token [dpl/create (link): 1, 30, bearer, amount, currency, is_amount_set_by_user, payment_link_type, name_of_product]', async () => {
    for (const fields of [
      { amount: undefined },
      { amount: '0' },
      { amount: 'x' },
      { currency: 4 },
      { is_amount_set_by_user: undefined },
      { payment_link_type: 3 },
      { payment_link_type: undefined },
      { name_of_product: '' },
      { currency: undefined },
    ])
      expect((await create(fields)).json).toMatchObject({ statuscode: 1, data: [] });
    bearer = 'Bearer none';
    expect([(await create()).status, (await create()).json.statuscode]).toEqual([401, 30]);
  });

  it('of the single kind are paid once on the bank page [dpl/create (link): single-use, buyer-page]', async () => {
    const dpl = await made();
    const back = await pay(dpl.token);
    expect(new URL(back.headers.get('location') ?? '').searchParams.get('status_code')).toBe('100');
    expect(
      (
        await box.raw(
          new URL(back.headers.get('location') ?? '').pathname +
            new URL(back.headers.get('location') ?? '').search,
        )
      ).text,
    ).toContain('Ödemeniz alındı');
    expect((await shop.form(`/card/pay?id=${String(dpl.token)}`, CARD)).status).toBe(200);
    expect((await shop.money('kind=card_sale&seeded=0')).map((line) => line.amount)).toEqual([
      '125.50',
    ]);
    expect(((await get(`details/${String(dpl.id)}`)).json.data as Dpl).dpl).toMatchObject({
      status: 'EXPIRED',
      number_of_uses: 1,
    });
  });

  it('of the multi kind are paid often, with the buyer’s amount [dpl/create (link): multi-use]', async () => {
    const dpl = await made({ payment_link_type: 2, is_amount_set_by_user: 1, amount: undefined });
    await pay(dpl.token, { amount: '10.10' });
    await pay(dpl.token, { amount: '20.20' });
    expect((await shop.money('kind=card_sale&seeded=0')).map((line) => line.amount).sort()).toEqual(
      ['10.10', '20.20'],
    );
    expect(((await get(`details/${String(dpl.id)}`)).json.data as Dpl).dpl).toMatchObject({
      status: 'ACTIVE',
      number_of_uses: 2,
    });
  });

  it('are sent by e-mail and SMS [dpl/sendemail: 100, 1, link, dpl_id, payment_link_type, email] [dpl/sendsms: 100, 1, link, dpl_id, payment_link_type, phone]', async () => {
    const dpl = await made();
    const response = await send('sendsms', {
      dpl_id: dpl.id,
      payment_link_type: 1,
      phone: ['905321112233'],
    });
    expect((response.json.data as Dpl).link).toContain(String(dpl.token));
    expect(((await box.get('messages?to=905321112233')) as { text: string }[])[0]?.text).toContain(
      String(dpl.token),
    );
    expect(
      (await send('sendemail', { dpl_id: dpl.id, payment_link_type: 1, email: ['elif@shop.test'] }))
        .json.statuscode,
    ).toBe(100);
    expect((await box.get('messages?to=elif@shop.test')) as unknown[]).toHaveLength(1);
    for (const body of [
      {},
      { dpl_id: dpl.id, payment_link_type: 1, email: [] },
      { dpl_id: dpl.id, payment_link_type: 1, email: 'x' },
      { dpl_id: 999, payment_link_type: 1, email: ['x'] },
      { dpl_id: dpl.id, email: ['x'] },
    ])
      expect((await send('sendemail', body)).json.statuscode).toBe(1);
    expect((await send('sendsms', { dpl_id: dpl.id, payment_link_type: 1 })).json.statuscode).toBe(
      1,
    );
  });

  it('are shown singly and paged [dpl/details: 100, 31, record] [dpl/list: 100, paginator, page_limit]', async () => {
    for (let i = 0; i < 3; i++) await made({ name_of_product: `Ürün ${i}` });
    expect((await get('list/active?page_limit=2')).json.data).toMatchObject({
      current_page: 1,
      per_page: 2,
      total: 3,
      last_page: 2,
      from: 1,
      to: 2,
    });
    expect((await get('list/active?page_limit=2&page=2')).json.data).toMatchObject({
      current_page: 2,
      from: 3,
      to: 3,
    });
    expect((await get('list/passive')).json.data).toMatchObject({ total: 0, data: [], from: null });
    const { id } = await made();
    expect((await get(`details/${String(id)}`)).json).toMatchObject({
      statuscode: 100,
      data: { dpl: { id } },
    });
    expect((await get('details/999')).json).toMatchObject({ statuscode: 31, data: [] });
    await box.post('clock', { advance: '7d' });
    expect((await get('list/passive')).status).toBe(401);
  });
});

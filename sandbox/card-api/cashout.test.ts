import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox, freshIban, ibanOf } from '../testing/sandbox.ts';
import type { ApiResponse } from '../testing/sandbox.ts';
import { Shop } from '../testing/shop.ts';

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
const row = (fields: Row = {}): Row => ({
  unique_id: `c-${Math.random()}`,
  name_surname: 'Elif Şahin',
  iban: freshIban(),
  amount: '10.10',
  currency: 'TRY',
  gsm_number: '905321112233',
  id_tc_kn: '10000000146',
  ...fields,
});
const send = (rows: Row[], more: Row = {}, wrap = false): Promise<ApiResponse> => {
  const sum = rows.reduce((total, one) => total + Math.round(Number(one.amount) * 100), 0);
  const first = rows[0] ?? {};
  const hash_key = shop.hash(
    (sum / 100).toFixed(2),
    String(first.iban),
    String(first.amount),
    String(first.currency),
    String(first.gsm_number),
  );
  return shop.call('api/cashout/tobank', {
    merchant_key: shop.key,
    cashout_type: 1,
    cashout_data: wrap ? rows.map((one) => [one]) : rows,
    hash_key,
    ...more,
  });
};
const money = (): Promise<{ kind: string; amount: string }[]> => shop.money('kind=cashout');

describe('cashout to bank', () => {
  it('pays each row once, in the other envelope [cashout/tobank: 100, envelope, hash]', async () => {
    const response = await send([row(), row({ amount: '0.01' }), row({ amount: 250 })]);
    expect(response.json).toMatchObject({ statuscode: 100, data: [] });
    expect(Object.keys(response.json).sort()).toEqual(['data', 'description', 'statuscode']);
    expect((await money()).map((one) => one.amount).sort()).toEqual(['0.01', '10.10', '250.00']);
  });

  it('takes rows wrapped in an array of one [cashout/tobank: wrapped-rows]', async () => {
    expect((await send([row(), row()], {}, true)).json.statuscode).toBe(100);
  });

  it('pays what it can and names the rest with its reason [cashout/tobank: 112, rows]', async () => {
    const bad = [
      { iban: 'TR00' },
      { amount: '-1' },
      { currency: 'GBP' },
      { gsm_number: '+90' },
      { id_tc_kn: '11111111111' },
      { name_surname: '' },
      { amount: '99999999.00' },
    ];
    const response = await send(
      [
        row({ unique_id: 'good' }),
        ...bad.map((fields, index) => row({ unique_id: `bad-${index}`, ...fields })),
      ],
      { app_lang: 'en' },
    );
    expect(response.json.statuscode).toBe(112);
    expect((response.json.data as Row[]).map((one) => one.unique_id)).toEqual(
      bad.map((_one, index) => `bad-${index}`),
    );
    expect((response.json.data as Row[]).at(-1)?.reason).toBe('Insufficient balance');
    expect(await money()).toHaveLength(1);
  });

  it('pays a unique_id once, also within one request [cashout/tobank: unique-id]', async () => {
    await send([row({ unique_id: 'u-1' }), row({ unique_id: 'u-1' })]);
    expect((await send([row({ unique_id: 'u-1' })])).json.statuscode).toBe(112);
    expect(await money()).toHaveLength(1);
  });

  it('pays a repeated unique_id again where the gateway compares none', async () => {
    await shop.set({ repeated_ids: 'executed' });
    for (const _time of [1, 2])
      expect((await send([row({ unique_id: 'u-1' })])).json.statuscode).toBe(100);
    expect(await money()).toHaveLength(2);
  });

  it('refuses as published, and pays nothing then [cashout/tobank: 1, 14, 422, hash]', async () => {
    expect((await send([row()], { hash_key: 'x' })).json.statuscode).toBe(422);
    expect((await send([row()], { hash_key: shop.hash(shop.key) })).json.statuscode).toBe(422);
    expect(
      (await send([row()], { cashout_data: [row({ amount: '11.00' })] })).json.statuscode,
    ).toBe(422);
    expect((await send([row()], { merchant_key: 'x' })).json.statuscode).toBe(14);
    for (const more of [
      { cashout_type: 2 },
      { cashout_data: [] },
      { cashout_data: 'x' },
      { cashout_data: [1] },
      { reverse_web_hook_key: 'unknown' },
    ])
      expect((await send([row()], more)).json.statuscode).toBe(1);
    expect(await money()).toEqual([]);
  });

  it('comes back from the bank with its web hook, by itself or by the desk [web hooks: cashout reverse]', async () => {
    await send([row({ unique_id: 'back', iban: ibanOf('19005') }), row({ unique_id: 'by-hand' })], {
      reverse_web_hook_key: 'cashout_reverse_hook',
    });
    await box.post('clock', { advance: '61m' });
    const { cashouts } = (await box.get('card')) as {
      cashouts: { id: number; unique_id: string; state: string }[];
    };
    expect(cashouts.find((one) => one.unique_id === 'back')?.state).toBe('reversed');
    await box.post('card/cashouts/by-hand/reverse');
    await box.until(() => box.notices.length === 2);
    expect(box.notices[0]).toMatchObject({
      path: '/hook/key/card',
      json: { unique_id: 'back', amount: '10.10', currency: 'TRY', status: 'Reversed' },
    });
    expect(await shop.money('kind=cashout_reverse')).toHaveLength(2);
    expect(
      (await box.raw('/sandbox/card/cashouts/by-hand/reverse', { method: 'POST', body: '{}' }))
        .status,
    ).toBe(404);
  });
});

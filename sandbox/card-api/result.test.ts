import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contractData } from '../coverage.ts';
import { Sandbox } from '../testing/sandbox.ts';
import type { ApiResponse } from '../testing/sandbox.ts';
import { Shop, VISA } from '../testing/shop.ts';

/** Tests that the result of a payment has exactly the fields of coverage/, each with its type. */

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
const DECLINED = '4000000000000333';
const OPERATIONS = contractData().flatMap((one) => one.operations);

function expectRecord(record: Row, name: string): void {
  const fields = OPERATIONS.find((one) => one.operation === name)?.fields ?? {};
  expect(Object.keys(record).toSorted()).toEqual(Object.keys(fields).toSorted());
  for (const [field, says] of Object.entries(fields)) {
    const fits = says.startsWith('integer')
      ? Number.isInteger(record[field])
      : typeof record[field] === 'string';
    expect([field, record[field], fits]).toEqual([field, record[field], true]);
  }
}

async function byBank(fields: Row): Promise<ApiResponse> {
  const bank =
    (
      await shop.secure({
        return_url: 'https://shop.test/done',
        cancel_url: 'https://shop.test/failed',
        ...fields,
      })
    ).headers.get('location') ?? '';
  return shop.type(bank, await shop.sms());
}

/** Returns the fields of the form on a page that submits itself. */
const formOf = (page: string): Row =>
  Object.fromEntries(
    [...page.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(
      ([, name = '', value]) => [name, value],
    ),
  );

describe('the result of a payment', () => {
  it.each([
    ['a sale', {}, 'Auth'],
    ['a pre-authorization', { transaction_type: 'PreAuth' }, 'Pre-Authorization'],
  ])('has exactly its fields after %s [payment result: fields]', async (_what, fields, type) => {
    const { json } = await shop.pay({ cc_no: VISA, ...fields });
    expect(Object.keys(json).toSorted()).toEqual(['data', 'status_code', 'status_description']);
    const data = json.data as Row;
    expectRecord(data, 'payment result');
    expect(data).toMatchObject({
      svc_status: 1,
      payment_status: 1,
      status_code: 100,
      error_code: 100,
      order_id: data['order_no'],
      error: data['status_description'],
      transaction_type: type,
    });
  });

  it('has exactly its fields after payment/complete [payment/complete: 100]', async () => {
    const back = Shop.back(await byBank({ invoice_id: 'C-1', payment_completed_by: 'merchant' }));
    const parts = {
      merchant_key: shop.key,
      invoice_id: 'C-1',
      order_id: String(back['order_no']),
      status: 'complete',
    };
    const { json } = await shop.call('payment/complete', {
      ...parts,
      hash_key: shop.hash(...Object.values(parts)),
    });
    const { status: word, ...data } = json.data as Row;
    expect(word).toBe('Completed');
    expectRecord(data, 'payment result');
  });

  it.each(['GET', 'POST'])(
    'comes back through the browser by %s with exactly its fields [payment result by browser: fields]',
    async (response_method) => {
      const response = await byBank({ response_method });
      const back = response_method === 'GET' ? Shop.back(response) : formOf(response.text);
      expectRecord(back, 'payment result by browser');
      expect(back).toMatchObject({
        svc_status: '1',
        payment_status: '1',
        status_code: '100',
        error_code: '100',
        status: 'Completed',
        order_id: back['order_no'],
      });
    },
  );

  it('comes back without a hash when the bank declines [failed payment result by browser: fields]', async () => {
    const back = Shop.back(await byBank({ cc_no: DECLINED }));
    expectRecord(back, 'failed payment result by browser');
    expect(back).toMatchObject({
      svc_status: '0',
      payment_status: '0',
      status_code: '41',
      error_code: '41',
      status: 'Failed',
    });
  });

  it('names no order and no card when it was refused before the bank [paySmart3D: refused-to-cancel-url]', async () => {
    const back = Shop.back(await shop.secure({ merchant_key: 'nobody' }));
    expect(Object.keys(back).toSorted()).toEqual([
      'error',
      'error_code',
      'invoice_id',
      'md_status',
      'order_id',
      'order_no',
      'payment_method',
      'payment_status',
      'status',
      'status_code',
      'status_description',
      'svc_status',
      'transaction_type',
    ]);
    expect(back).toMatchObject({
      svc_status: '0',
      payment_status: '0',
      order_no: '',
      order_id: '',
      status_code: '14',
      error_code: '14',
    });
  });

  it('is code and description alone in a refusal [paySmart2D: refusal-shape]', async () => {
    for (const fields of [{ cc_no: '4000000000000416' }, { merchant_key: 'nobody' }])
      expect(Object.keys((await shop.pay(fields)).json)).toEqual([
        'status_code',
        'status_description',
      ]);
  });
});

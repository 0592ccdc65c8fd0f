import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractData } from '../coverage.ts';
import { PLAIN_IBAN, Sandbox } from '../testing/sandbox.ts';
import type { ApiResponse } from '../testing/sandbox.ts';
import { CANCEL, RETURN, Shop, VISA } from '../testing/shop.ts';

/**
 * Tests every field of every operation against coverage/: a missing required field and a wrong type
 * are refused.
 */

let box: Sandbox;
let shop: Shop;
beforeAll(async () => {
  box = await new Sandbox().start();
  await box.post('reset');
  shop = await new Shop(box).open();
});
afterAll(() => box.stop());

type Row = Record<string, unknown>;
const SAVED = {
  card_token: 'unknown',
  customer_number: 41,
  customer_email: 'e@shop.test',
  customer_phone: '905321112233',
  customer_name: 'Elif Şahin',
};

/**
 * A request of each operation with right fields; it need not succeed, only get past the check of
 * its fields.
 */
const SAMPLES: Record<string, () => { path: string; form?: true; body: Row }> = {
  token: () => ({ path: 'api/token', body: { app_id: 'x', app_secret: 'y' } }),
  getpos: () => ({
    path: 'api/getpos',
    body: { credit_card: VISA, amount: 10, currency_code: 'TRY', merchant_key: shop.key },
  }),
  installments: () => ({ path: 'api/installments', body: { merchant_key: shop.key } }),
  commissions: () => ({ path: 'api/commissions', body: {} }),
  paySmart2D: () => ({ path: 'api/paySmart2D', body: shop.order() }),
  paySmart3D: () => ({
    path: 'api/paySmart3D',
    form: true,
    body: shop.order({ return_url: RETURN, cancel_url: CANCEL }),
  }),
  payByCardToken: () => ({
    path: 'api/payByCardToken',
    form: true,
    body: shop.order({ ...SAVED, card_token: 'unknown', return_url: RETURN, cancel_url: CANCEL }),
  }),
  payByCardTokenNonSecure: () => ({
    path: 'api/payByCardTokenNonSecure',
    body: shop.order({ ...SAVED, ip: '10.0.0.1', card_program: 'WORLD' }),
  }),
  'payment/complete': () => ({
    path: 'payment/complete',
    body: {
      merchant_key: shop.key,
      invoice_id: 'x',
      order_id: 'y',
      status: 'complete',
      hash_key: shop.hash(shop.key, 'x', 'y', 'complete'),
    },
  }),
  confirmPayment: () => ({
    path: 'api/confirmPayment',
    body: {
      merchant_key: shop.key,
      invoice_id: 'x',
      status: 1,
      hash_key: shop.hash(shop.key, 'x', '1'),
    },
  }),
  checkstatus: () => ({
    path: 'api/checkstatus',
    body: { merchant_key: shop.key, invoice_id: 'x' },
  }),
  refund: () => ({
    path: 'api/refund',
    body: {
      merchant_key: shop.key,
      invoice_id: 'x',
      amount: 1,
      hash_key: shop.hash('1', 'x', shop.key),
    },
  }),
  saveCard: () => ({
    path: 'api/saveCard',
    body: {
      merchant_key: 'x',
      card_holder_name: 'E',
      card_number: VISA,
      expiry_month: '12',
      expiry_year: '2030',
      customer_number: 1,
      hash_key: 'x',
    },
  }),
  getCardTokens: () => ({
    path: 'api/getCardTokens',
    body: { merchant_key: shop.key, customer_number: 1 },
  }),
  editCard: () => ({
    path: 'api/editCard',
    body: {
      merchant_key: 'x',
      card_token: 'x',
      customer_number: 1,
      expiry_month: 1,
      expiry_year: 2030,
      hash_key: 'x',
    },
  }),
  deleteCard: () => ({
    path: 'api/deleteCard',
    body: { merchant_key: 'x', card_token: 'x', customer_number: 1, hash_key: 'x' },
  }),
  'recurringPlan/query': () => ({
    path: 'api/recurringPlan/query',
    body: { merchant_key: shop.key, plan_code: 'x' },
  }),
  'recurring/plan/process': () => ({
    path: 'api/recurring/plan/process',
    body: { merchant_id: 1, plan_code: 'x' },
  }),
  'recurringPlan/update': () => ({
    path: 'api/recurringPlan/update',
    body: { merchant_key: shop.key, plan_code: 'x' },
  }),
  'cashout/tobank': () => ({
    path: 'api/cashout/tobank',
    body: {
      merchant_key: 'x',
      cashout_type: 1,
      cashout_data: [{ iban: PLAIN_IBAN, amount: 1, currency: 'TRY', gsm_number: '1' }],
      hash_key: 'x',
    },
  }),
  'purchase/link': () => ({
    path: 'purchase/link',
    body: {
      merchant_key: shop.key,
      invoice: JSON.stringify({
        invoice_id: shop.invoice(),
        invoice_description: 'x',
        total: 1,
        items: [{ name: 'x', price: 1, quantity: 1, description: '' }],
        return_url: RETURN,
        cancel_url: CANCEL,
      }),
      currency_code: 'TRY',
      name: 'E',
      surname: 'Ş',
    },
  }),
  'purchase/status': () => ({
    path: 'purchase/status',
    body: { merchant_key: shop.key, invoice_id: 'x' },
  }),
};

const ask = (operation: string, change: Row): Promise<ApiResponse> => {
  const sample = SAMPLES[operation]?.();
  if (!sample) throw new Error(`no sample of ${operation}`);
  const body = Object.fromEntries(
    Object.entries({ ...sample.body, ...change }).filter(([, value]) => value !== undefined),
  );
  return sample.form ? shop.form(sample.path, body) : shop.call(sample.path, body);
};

/** A right value of every optional field: with it, an operation ends as it does without. */
const RIGHT: Row = {
  app_lang: 'en',
  is_recurring: 0,
  is_2d: 1,
  commission_by: 'merchant',
  is_comission_from_user: 0,
  is_commission_from_user: 0,
  currency_code: 'TRY',
  card_program: 'MAXIMUM',
  bill_address1: 'Moda Cd. 1',
  bill_address2: 'Kat 2',
  bill_city: 'İstanbul',
  bill_postcode: '34710',
  bill_state: 'Kadıköy',
  bill_country: 'TR',
  bill_email: 'e@shop.test',
  bill_phone: '905321112233',
  sale_web_hook_key: 'sale_hook',
  ip: '10.0.0.1',
  transaction_type: 'Auth',
  metadata: { cart: 7 },
  payment_completed_by: 'app',
  order_type: 0,
  response_method: 'GET',
  identity_number: '10000000146',
  maturity_period: 3,
  payment_frequency: 3,
  total: 1,
  include_pending_status: true,
  show_refund_info: 'Y',
  refund_transaction_id: 'own-1',
  refund_web_hook_key: 'refund_hook',
  customer_name: 'Elif',
  customer_email: 'e@shop.test',
  customer_phone: '905321112233',
  card_holder_name: 'Elif',
  recurring_number: 1,
  recurring_amount: 5,
  recurring_payment_number: 3,
  recurring_status: 'Active',
  reverse_web_hook_key: 'cashout_hook',
  max_installment: 3,
};
/** Valid values that depend on the request, and the other fields that they require. */
const MADE: Record<string, (body: Row) => Row> = {
  'paySmart2D vpos_type': () => ({ vpos_type: 'insurance', identity_number: '10000000146' }),
  'checkstatus hash_key': () => ({ hash_key: shop.hash('x', shop.key) }),
  'purchase/link hash_key': ({ invoice }) => ({
    hash_key: shop.hash(
      '1',
      'TRY',
      shop.key,
      String((JSON.parse(String(invoice)) as Row).invoice_id),
    ),
  }),
  'refund app_id': () => ({ app_id: shop.id, app_secret: shop.secret }),
  'refund app_secret': () => ({ app_id: shop.id, app_secret: shop.secret }),
};

function withField(operation: string, field: string): Row {
  const made = MADE[`${operation} ${field}`];
  if (made === undefined && !Object.hasOwn(RIGHT, field))
    throw new Error(`no right value of ${field}`);
  const body = SAMPLES[operation]!().body;
  return { ...body, ...(made?.(body) ?? { [field]: RIGHT[field] }) };
}

/**
 * Returns the code that refused the fields, from the place where this operation's answer has its
 * code; null when the fields were accepted.
 */
function refusal(response: ApiResponse): string | null {
  const code =
    response.status === 422
      ? '422'
      : response.status === 303
        ? Shop.back(response).status_code
        : String(response.json.status_code ?? response.json.statuscode);
  return code === '1' || code === '422' ? code : null;
}

const CASES = contractData()
  .filter((one) => one.area === 'card')
  .flatMap((one) => one.operations)
  .filter((one) => Object.hasOwn(SAMPLES, one.operation))
  .flatMap((one) =>
    Object.entries(one.fields ?? {}).map(([field, rule]) => ({
      operation: one.operation,
      field,
      need: rule.split(' ')[0] ?? '',
      type: rule.split(' ')[1] ?? '',
    })),
  );

const WRONG: Record<string, unknown> = { text: ['x'], whole: 'x', amount: '1,5', flag: 'maybe' };
/**
 * Whether the answer names the field. A sample with an unknown card token is refused with code 1 as
 * well, so that the code alone does not show that the field was refused.
 */
const namesField = (response: ApiResponse, field: string): boolean =>
  decodeURIComponent(response.headers.get('location') ?? '').includes(field) ||
  response.text.includes(field);

const OPTIONAL = CASES.filter((one) => one.need === 'n');

describe('the fields of the contract', () => {
  it('are known for every operation that has a body', () => {
    expect(CASES.length).toBeGreaterThan(250);
  });

  it.each(CASES.filter((one) => one.need === 'y'))(
    '$operation wants $field [token, getpos, installments, paySmart2D, paySmart3D, payByCardToken, payByCardTokenNonSecure, payment/complete, confirmPayment, checkstatus, refund, saveCard, getCardTokens, editCard, deleteCard, recurringPlan/query, recurring/plan/process, recurringPlan/update, cashout/tobank, purchase/link, purchase/status: required]',
    async ({ operation, field }) => {
      for (const value of [undefined, '', null]) {
        if (value === null && SAMPLES[operation]?.().form) continue;
        const response = await ask(operation, { [field]: value });
        expect([
          refusal(response) !== null,
          operation.startsWith('purchase/link') || namesField(response, field),
        ]).toEqual([true, true]);
      }
    },
  );

  it.each(CASES.filter((one) => Object.hasOwn(WRONG, one.type) && one.need !== 'c'))(
    '$operation takes $field as $type only',
    async ({ operation, field, type }) => {
      // A form has only text fields, so none of them has a wrong type.
      if (type === 'text' && SAMPLES[operation]?.().form) return;
      const response = await ask(operation, { [field]: WRONG[type] });
      expect([
        refusal(response) !== null,
        operation.startsWith('purchase/link') || namesField(response, field),
      ]).toEqual([true, true]);
    },
  );

  it.each(OPTIONAL)(
    '$operation takes $field, and does without it [token, getpos, installments, commissions, paySmart2D, paySmart3D, payByCardToken, payByCardTokenNonSecure, payment/complete, confirmPayment, checkstatus, refund, saveCard, getCardTokens, editCard, deleteCard, recurringPlan/query, recurring/plan/process, recurringPlan/update, cashout/tobank, purchase/link, purchase/status: optional]',
    async ({ operation, field }) => {
      const outcomes: unknown[] = [];
      for (const change of [withField(operation, field), { [field]: undefined }]) {
        const response = await ask(operation, change);
        expect(namesField(response, `: ${field}`)).toBe(false);
        outcomes.push(
          response.status === 303
            ? response.headers.get('location')?.split('?')[0]
            : [response.json.status_code, response.json.statuscode],
        );
      }
      expect(outcomes[0]).toEqual(outcomes[1]);
    },
  );

  it('lets an amount of a refund be empty, not absent [refund: amount]', async () => {
    expect(refusal(await ask('refund', { amount: undefined }))).toBe('1');
    expect(
      refusal(await ask('refund', { amount: '', hash_key: shop.hash('', 'x', shop.key) })),
    ).toBeNull();
  });

  it.each(['paySmart3D', 'payByCardToken'])(
    '%s answers 404 without cancel_url [paySmart3D, payByCardToken: cancel_url]',
    async (operation) => {
      for (const cancel_url of ['', undefined])
        expect((await ask(operation, { cancel_url })).json.status_code).toBe(404);
    },
  );
});

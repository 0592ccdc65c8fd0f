import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../testing/sandbox.ts';
import type { ApiResponse } from '../testing/sandbox.ts';
import { CANCEL, RETURN, Shop, VISA } from '../testing/shop.ts';

/**
 * Tests every code of the payments through the bank page and with a saved card, each by the cause
 * that the contract gives it.
 */

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
/**
 * `card`: the card that pays, typed or saved. `earlier`: an earlier order with the same invoice id,
 * which is paid or still at the bank.
 */
type Cause = {
  code: number;
  why: string;
  fields?: Row;
  settings?: Row;
  card?: string;
  earlier?: 'paid' | 'at the bank';
};
type Way = (fields: Row, card: string) => Promise<ApiResponse>;

const CUSTOMER = {
  customer_number: 41,
  customer_email: 'e@shop.test',
  customer_phone: '905321112233',
  customer_name: 'Elif Şahin',
};

async function tokenOf(card_number: string): Promise<string> {
  const body = {
    merchant_key: shop.key,
    customer_number: 41,
    card_holder_name: 'Elif Şahin',
    card_number,
    expiry_month: '12',
    expiry_year: '2030',
  };
  const response = await shop.call('api/saveCard', {
    ...body,
    hash_key: shop.hash(...Object.values(body).map(String)),
  });
  return String(response.json.card_token);
}

async function withToken(fields: Row, card: string): Promise<Row> {
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
  return { ...CUSTOMER, card_token: await tokenOf(card), ip: '10.0.0.1', ...order };
}

const WAYS: Record<string, Way> = {
  paySmart3D: (fields, card) => shop.secure({ cc_no: card, ...fields }),
  payByCardToken: async (fields, card) =>
    shop.form('api/payByCardToken', {
      return_url: RETURN,
      cancel_url: CANCEL,
      ...(await withToken(fields, card)),
    }),
  payByCardTokenNonSecure: async (fields, card) =>
    shop.call('api/payByCardTokenNonSecure', {
      card_program: 'MAXIMUM',
      ...(await withToken(fields, card)),
    }),
};

const COMMON: Cause[] = [
  { code: 3, why: 'its invoice waits at the bank', earlier: 'at the bank' },
  { code: 12, why: 'a currency nobody has', fields: { currency_code: 'GBP' } },
  { code: 12, why: 'items that are no list', fields: { items: 'x' } },
  {
    code: 13,
    why: 'items that do not add up',
    fields: { items: [{ name: 'Kumaş', price: 100, quantity: 1, description: '' }] },
  },
  { code: 14, why: 'another merchant’s key', fields: { merchant_key: 'nobody' } },
  {
    code: 33,
    why: 'half a quantity',
    fields: { items: [{ name: 'Kumaş', price: 67, quantity: 1.5, description: '' }] },
  },
  { code: 35, why: 'no card payment defined', settings: { card_payment: false } },
  { code: 37, why: 'no POS commission', settings: { pos_commission: false } },
  { code: 38, why: 'no commission', settings: { commission: 'missing' } },
  { code: 41, why: 'the bank declines', card: '4000000000000416' },
  { code: 42, why: 'a price below the commission', fields: { total: 0.25 } },
  { code: 43, why: 'no settlement term', settings: { settlement_term: false } },
  { code: 44, why: 'the day’s count used up', settings: { daily_count: 1 } },
  { code: 44, why: 'a blocked card', card: '4000000000000440' },
  { code: 45, why: 'the day’s amount used up', settings: { daily_amount: 15_000 } },
  { code: 46, why: 'the month’s count used up', settings: { monthly_count: 1 } },
  { code: 47, why: 'the month’s amount used up', settings: { monthly_amount: 15_000 } },
  { code: 48, why: 'below the least amount', settings: { min_amount: 20_000 } },
  { code: 49, why: 'above the largest amount', settings: { max_amount: 10_000 } },
  { code: 55, why: 'a plan without its fields', fields: { order_type: 1 } },
  { code: 56, why: 'an unknown web hook key', fields: { sale_web_hook_key: 'unknown' } },
  { code: 56, why: 'the web hook key of refunds', fields: { sale_web_hook_key: 'refund_hook' } },
  { code: 60, why: 'a card that may not', card: '4000000000000606' },
  { code: 68, why: 'the hash of another order', fields: { hash_key: 'of another' } },
  { code: 70, why: 'another card’s programme', fields: { card_program: 'BONUS' } },
  {
    code: 76,
    why: 'foreign cards refused',
    settings: { foreign_cards: 'refused' },
    card: '4577270000134621',
  },
  {
    code: 77,
    why: 'no commission for foreign cards',
    settings: { foreign_cards: 'no_commission' },
    card: '4000000000000762',
  },
  { code: 85, why: 'a pipe in the invoice id', fields: { invoice_id: 'A|B' } },
  { code: 90, why: 'no hash at all', fields: { hash_key: 'x' } },
  { code: 99, why: 'an invoice id that asks for it', fields: { invoice_id: 'PAY99-1' } },
  { code: 100, why: 'nothing amiss' },
  { code: 102, why: 'no POS', settings: { pos: false } },
  {
    code: 102,
    why: 'no POS for the currency',
    fields: { currency_code: 'EUR' },
    card: '6501700139082826',
  },
  { code: 117, why: 'its invoice was paid', earlier: 'paid' },
];
const SECURE: Cause[] = [{ code: 34, why: 'a merchant without 3D', settings: { is_3d: 0 } }];
const OWN: Record<string, Cause[]> = {
  paySmart3D: [
    ...SECURE,
    { code: 1, why: 'no holder', fields: { cc_holder_name: '' } },
    { code: 108, why: 'a number that fails its check digit', card: '4985170000702810' },
    {
      code: 40,
      why: 'an agriculture card’s pair that nobody offers',
      fields: { maturity_period: 99, payment_frequency: 99 },
      card: '9792000000000011',
    },
    {
      code: 69,
      why: 'verified, to be completed by the merchant',
      fields: { payment_completed_by: 'merchant' },
    },
    { code: 404, why: 'no way back', fields: { cancel_url: '' } },
  ],
  payByCardToken: [
    ...SECURE,
    { code: 40, why: 'an installment nobody offers', fields: { installments_number: 4 } },
    { code: 404, why: 'no way back', fields: { cancel_url: '' } },
  ],
  payByCardTokenNonSecure: [
    { code: 34, why: 'a merchant with 3D only', settings: { is_3d: 2 } },
    { code: 40, why: 'an installment nobody offers', fields: { installments_number: 4 } },
  ],
};
const TOKEN: Cause[] = [
  { code: 1, why: 'a token of another customer', fields: { customer_number: 42 } },
  { code: 79, why: 'saved cards refused', settings: { token_payment: 'refused' } },
  { code: 103, why: 'no commission for saved cards', settings: { token_payment: 'no_commission' } },
];
const CASES = Object.keys(WAYS).flatMap((operation) =>
  [...COMMON, ...OWN[operation]!, ...(operation === 'paySmart3D' ? [] : TOKEN)].map((cause) => ({
    operation,
    ...cause,
  })),
);

/**
 * Returns the code of an answer, of the redirect to the merchant, or of the result after the right
 * code was typed on the bank's page.
 */
async function codeOf(response: ApiResponse): Promise<number> {
  const location = response.headers.get('location') ?? '';
  if (response.status === 303 && location.startsWith('/card/bank'))
    return codeOf(await shop.type(location, await shop.sms()));
  return Number(location === '' ? response.json.status_code : Shop.back(response).status_code);
}

async function prepare({ earlier, settings = {} }: Cause): Promise<Row> {
  // The limits of a day and a month count what was paid before.
  await shop.paid();
  await shop.set(settings);
  if (earlier === 'paid') return { invoice_id: await shop.paid() };
  if (earlier === undefined) return {};
  const invoice_id = shop.invoice();
  await shop.secure({ invoice_id });
  return { invoice_id };
}

describe('a payment through the bank or with a saved card', () => {
  it.each(CASES)(
    '$operation answers $code for $why [paySmart3D, payByCardToken, payByCardTokenNonSecure: 1, 3, 12, 13, 14, 33, 34, 35, 37, 38, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 55, 56, 60, 68, 70, 76, 77, 85, 90, 99, 100, 102, 117] [paySmart3D: 69, 108] [paySmart3D, payByCardToken: 404] [payByCardToken, payByCardTokenNonSecure: 79, 103]',
    async ({ operation, ...cause }) => {
      const { fields = {}, card = VISA, code } = cause;
      const content =
        fields['hash_key'] === 'of another'
          ? { hash_key: shop.hash('1.00', '1', 'TRY', shop.key, 'another') }
          : fields;
      const response = await WAYS[operation]!({ ...(await prepare(cause)), ...content }, card);
      expect(await codeOf(response)).toBe(code);
    },
  );
});

import type { Shape } from './fields.ts';

/**
 * The fields of the order requests, as in the contract's tables; additional fields are published.
 */

const ORDER: Shape = {
  merchant_key: ['y', 'text'],
  currency_code: ['y', 'text'],
  installments_number: ['y', 'whole'],
  invoice_id: ['y', 'text'],
  invoice_description: ['y', 'text'],
  total: ['y', 'amount'],
  items: ['y', 'any'],
  hash_key: ['y', 'text'],
  bill_address1: ['n', 'text'],
  bill_address2: ['n', 'text'],
  bill_city: ['n', 'text'],
  bill_postcode: ['n', 'text'],
  bill_state: ['n', 'text'],
  bill_country: ['n', 'text'],
  bill_email: ['n', 'text'],
  bill_phone: ['n', 'text'],
  sale_web_hook_key: ['n', 'text'],
  ip: ['n', 'text'],
  app_lang: ['n', 'text'],
  metadata: ['n', 'any'],
  transaction_type: ['n', 'text'],
  payment_completed_by: ['n', 'text'],
  commission_by: ['n', 'text'],
  is_commission_from_user: ['n', 'flag'],
  // The rules of the recurring fields have a code of their own (55), so this table does not check
  // their types.
  order_type: ['n', 'whole'],
  recurring_payment_number: ['n', 'any'],
  recurring_payment_cycle: ['n', 'any'],
  recurring_payment_interval: ['n', 'any'],
  recurring_web_hook_key: ['n', 'any'],
};

const CARD: Shape = {
  cc_holder_name: ['y', 'text'],
  cc_no: ['y', 'text'],
  expiry_month: ['y', 'text'],
  expiry_year: ['y', 'text'],
  cvv: ['y', 'text'],
  name: ['y', 'text'],
  surname: ['y', 'text'],
  card_program: ['n', 'text'],
};

const SAVED: Shape = {
  card_token: ['y', 'text'],
  customer_number: ['y', 'id'],
  customer_email: ['y', 'text'],
  customer_phone: ['y', 'text'],
  customer_name: ['y', 'text'],
};

const RETURN: Shape = {
  return_url: ['y', 'text'],
  cancel_url: ['e', 'text'],
  response_method: ['n', 'text'],
};

export const SHAPES = {
  paySmart2D: { ...ORDER, ...CARD, vpos_type: ['n', 'text'], identity_number: ['n', 'text'] },
  paySmart3D: {
    ...ORDER,
    ...CARD,
    ...RETURN,
    maturity_period: ['n', 'whole'],
    payment_frequency: ['n', 'whole'],
  },
  payByCardToken: { ...ORDER, ...SAVED, ...RETURN },
  payByCardTokenNonSecure: { ...ORDER, ...SAVED, ip: ['y', 'text'], card_program: ['y', 'text'] },
} as const satisfies Record<string, Shape>;

/**
 * The parts of the gateway's hash keys (provider-facts 1.5), for developers of other software.
 * Pure.
 *
 * Saving a card is not included: its hash key contains a card number, and card numbers must not
 * enter this page.
 */

/**
 * The parts by request, in their order. `merchant_key` is this installation's and is filled in
 * here. Amounts are compared by value ("10", "10.00"), other parts literally.
 */
export const HASH_PARTS = {
  // `contract`
  payment: ['total', 'installments_number', 'currency_code', 'merchant_key', 'invoice_id'],
  // `published`
  checkstatus: ['invoice_id', 'merchant_key'],
  confirmPayment: ['merchant_key', 'invoice_id', 'status'],
  complete: ['merchant_key', 'invoice_id', 'order_id', 'status'],
  refund: ['amount', 'invoice_id', 'merchant_key'],
  savedCard: ['merchant_key', 'customer_number', 'card_token'],
  cashout: ['sum', 'iban', 'amount', 'currency', 'gsm_number'],
  // `published-weak`
  link: ['total', 'currency_code', 'merchant_key', 'invoice_id'],
  // Made by the gateway: responses, the return from the 3-D Secure step, sale webhooks
  // (`published`); recurring and refund webhooks (`published-weak`).
  result: ['status', 'total', 'invoice_id', 'order_id', 'currency_code'],
  recurringNotice: ['status', 'total', 'invoice_id', 'order_id', 'currency_code'],
  refundNotice: ['status', 'amount', 'invoice_id', 'order_id'],
} as const;

export type HashSubject = keyof typeof HASH_PARTS;
export const HASH_SUBJECTS = Object.keys(HASH_PARTS) as HashSubject[];
/** Made by the gateway only: these can be checked, not made. */
export const FROM_GATEWAY: readonly HashSubject[] = ['result', 'recurringNotice', 'refundNotice'];

export const OWN_PART = 'merchant_key';
export const AMOUNT_PARTS: readonly string[] = ['total', 'amount', 'sum'];

export function readHashSubject(text: unknown): HashSubject {
  return HASH_SUBJECTS.find((one) => one === text) ?? 'payment';
}

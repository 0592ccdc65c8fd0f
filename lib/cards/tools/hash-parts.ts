/**
 * Of what the hash keys of the gateway are made (provider-facts 1.5), for developers who write code
 * of their own. Pure.
 *
 * The registration of a card is not among them: a card number stands in its hash key, and card
 * numbers do not come here.
 */

/**
 * `merchant_key` is this installation's and is filled in here. An amount agrees by its value ("10",
 * "10.00"), anything else letter by letter.
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
  // What the gateway makes: answers, the way back from the bank's page, sale notices (`published`);
  // recurring and refund notices (`published-weak`).
  result: ['status', 'total', 'invoice_id', 'order_id', 'currency_code'],
  recurringNotice: ['status', 'total', 'invoice_id', 'order_id', 'currency_code'],
  refundNotice: ['status', 'amount', 'invoice_id', 'order_id'],
} as const;

export type HashSubject = keyof typeof HASH_PARTS;
export const HASH_SUBJECTS = Object.keys(HASH_PARTS) as HashSubject[];
/** Those the gateway makes: there is nothing to make for them, only to check. */
export const FROM_GATEWAY: readonly HashSubject[] = ['result', 'recurringNotice', 'refundNotice'];

export const OWN_PART = 'merchant_key';
export const AMOUNT_PARTS: readonly string[] = ['total', 'amount', 'sum'];

export function readHashSubject(text: unknown): HashSubject {
  return HASH_SUBJECTS.find((one) => one === text) ?? 'payment';
}

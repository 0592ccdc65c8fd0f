import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import type { World } from '../world.ts';
import { describe } from './answer.ts';
import { makeHash } from './hash.ts';
import { amountText, dataOf } from './orders.ts';
import { FIXED_FEE_TEXT, percentText, rateOf } from './pos.ts';

/** The result of a payment, as it stands in the answer, in the redirect and in the sale webhook. */

export const typeWords = (order: Row): string =>
  num(order.pre) === 1 ? 'Pre-Authorization' : 'Auth';

const isPaid = (order: Row): boolean => order.state === 'completed' || order.state === 'preauth';

/** Whether the card is verified or the payment is in process, without a capture so far. */
const waits = (order: Row): boolean => order.state === 'completion' || order.state === 'in_process';

/** Makes the hash of a result: status, total, invoice_id, order_id, currency_code (published). */
export const resultHash = (world: World, order: Row): string =>
  makeHash(
    [
      isPaid(order) ? '1' : '0',
      amountText(minor(order.total)),
      text(order.invoice_id),
      text(order.order_id),
      text(order.currency),
    ],
    world.credentials.card.app_secret,
  );

/**
 * Returns the result as text, for forms and query strings. A failed payment has no hash_key
 * (contract). A verified payment that waits for payment/complete has code 69, payment_status 0,
 * md_status 1 and a hash (assumed).
 */
export function resultFields(world: World, order: Row): Record<string, string> {
  const data = dataOf(order);
  const paid = isPaid(order);
  const code = String(num(order.code));
  const words =
    data.bankWords !== '' && !paid
      ? `${describe(num(order.code), data.lang)}: ${data.bankWords}`
      : describe(num(order.code), data.lang);
  const rate = rateOf(num(order.installments));
  return {
    svc_status: paid ? '1' : '0',
    order_no: text(order.order_id),
    order_id: text(order.order_id),
    invoice_id: text(order.invoice_id),
    status_code: code,
    status_description: words,
    svc_payment_method: '1',
    credit_card_no: text(order.masked),
    transaction_type: typeWords(order),
    payment_status: paid ? '1' : '0',
    payment_method: '1',
    error_code: code,
    error: words,
    status: paid ? 'Completed' : waits(order) ? 'Pending' : 'Failed',
    md_status: data.mdStatus,
    auth_code: data.authCode,
    merchant_commission: amountText(minor(order.fee)),
    user_commission: amountText(minor(order.user_fee)),
    merchant_commission_percentage: percentText(rate.merchant),
    merchant_commission_fixed: FIXED_FEE_TEXT,
    installment: text(order.installments),
    amount: amountText(minor(order.total) + minor(order.user_fee)),
    payment_reason_code: data.bankCode,
    payment_reason_code_detail: data.bankWords,
    original_bank_error_code: data.bankCode,
    original_bank_error_description: data.bankWords,
    host_reference_id: data.ref,
    ...(paid || waits(order) ? { hash_key: resultHash(world, order) } : {}),
  };
}

const NUMBERS = [
  'svc_status',
  'status_code',
  'svc_payment_method',
  'payment_status',
  'payment_method',
  'error_code',
  'installment',
];

/** Returns the `data` of a JSON answer: the result with integers where the contract has them. */
export function resultData(world: World, order: Row): object {
  const { status: _status, md_status: _md, ...fields } = resultFields(world, order);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      NUMBERS.includes(name) ? Number(value) : value,
    ]),
  );
}

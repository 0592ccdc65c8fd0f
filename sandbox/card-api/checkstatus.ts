import { rawAmount } from '../exact-json.ts';
import { turkishTime } from '../clock.ts';
import type { Call } from '../routes.ts';
import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import { json } from '../wallet-api/answer.ts';
import type { Answer, Lang } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { describe, refuse } from './answer.ts';
import { checkShape, readCall, textOf } from './fields.ts';
import type { Fields, Shape } from './fields.ts';
import { amountText, dataOf, orderByInvoice } from './orders.ts';
import { hashProblem } from './payment.ts';
import { planOfOrder } from './plans.ts';
import { typeWords } from './result.ts';

/**
 * POST /ccpayment/api/checkstatus: the state of one order. The hash is checked only when it is sent
 * (published).
 */

export const CHECKSTATUS_SHAPE: Shape = {
  merchant_key: ['y', 'text'],
  invoice_id: ['y', 'text'],
  hash_key: ['n', 'text'],
  include_pending_status: ['n', 'any'],
  show_refund_info: ['n', 'text'],
  app_lang: ['n', 'text'],
};

/** The status text of an order. Only Completed and Failed are published, the others are assumed. */
export function statusWords(order: Row): string {
  if (order.state === 'completed') {
    if (minor(order.charged_back) > 0n) return 'Chargebacked';
    if (minor(order.refunded) === 0n) return 'Completed';
    return minor(order.refunded) >= minor(order.captured) ? 'Refunded' : 'Partially Refunded';
  }
  return (
    { preauth: 'Pre-Authorized', failed: 'Failed', cancelled: 'Cancelled' }[text(order.state)] ??
    'Pending'
  );
}

/**
 * The status_code of an order: 100 completed, authorized or cancelled, 41 failed, 69 not finished.
 * The description of a cancelled authorization says that it is cancelled (assumed).
 */
const codeOf = (order: Row): number =>
  ({ completed: 100, preauth: 100, cancelled: 100, failed: 41 })[text(order.state)] ?? 69;

/**
 * The settlement of a captured order: on the day after the capture. A refund or a chargeback later
 * does not change it (assumed).
 */
function settlementDate(world: World, order: Row): string {
  const capture = world.store.get(
    'SELECT MIN(at) AS at FROM card_movements WHERE invoice_id = ? AND order_id = ? AND sign = 1',
    text(order.invoice_id),
    text(order.order_id),
  );
  return turkishTime(num(capture?.at ?? order.updated_at) + 86_400_000).slice(0, 10);
}

function recurringPart(world: World, order: Row): object {
  const plan = planOfOrder(world, order);
  if (!plan) return {};
  return {
    recurring_id: num(plan.id),
    recurring_plan_code: text(plan.plan_code),
    next_action_date: plan.planned_at === null ? '' : turkishTime(num(plan.planned_at)),
    recurring_status: text(plan.state),
  };
}

function refundPart(world: World, order: Row): object {
  const rows = world.store.all(
    'SELECT * FROM card_refunds WHERE order_id = ? ORDER BY id',
    text(order.order_id),
  );
  return {
    refund_info: rows.map((row) => ({
      amount: rawAmount(minor(row.amount)),
      date: turkishTime(num(row.done_at ?? row.created_at)),
      refund_transaction_id: row.own_id,
      status: row.state === 'done' ? 'Completed' : 'Pending',
    })),
  };
}

export function statusOf(world: World, order: Row, lang: Lang, withRefunds: boolean): Answer {
  const data = dataOf(order);
  const code = codeOf(order);
  const words = statusWords(order);
  const settled = order.state === 'completed';
  const body = {
    status_code: code,
    status_description: describe(code, lang),
    transaction_status: words,
    order_id: text(order.order_id),
    invoice_id: text(order.invoice_id),
    transaction_id: data.transactionId,
    message: words,
    reason: data.bankWords,
    bank_status_code: data.bankCode,
    bank_status_description: data.bankWords,
    original_bank_error_code: data.bankCode,
    original_bank_error_description: data.bankWords,
    transaction_type: typeWords(order),
    product_price: amountText(minor(order.total)),
    transaction_amount: rawAmount(
      settled
        ? minor(order.captured) + minor(order.user_fee)
        : minor(order.total) + minor(order.user_fee),
    ),
    total_refunded_amount: rawAmount(minor(order.refunded)),
    ref_number: data.ref,
    cc_no: text(order.masked),
    card_type: data.card.debit ? 'DEBIT CARD' : 'CREDIT CARD',
    payment_reason_code: data.bankCode,
    payment_reason_code_detail: data.bankWords,
    merchant_commission: amountText(minor(order.fee)),
    user_commission: amountText(minor(order.user_fee)),
    settlement_date: settled ? settlementDate(world, order) : '',
    installment: num(order.installments),
    md_status: data.mdStatus,
    ...(withRefunds ? refundPart(world, order) : {}),
    ...recurringPart(world, order),
  };
  return json(200, world.cardMerchant.checkstatus_answer === 'array' ? [body] : body, String(code));
}

/**
 * Makes the answer to an unknown merchant or order, whose transaction_status is empty (published).
 */
const unknown = (code: number, lang: Lang): Answer =>
  json(
    200,
    { status_code: code, status_description: describe(code, lang), transaction_status: '' },
    String(code),
  );

export function readStatus(world: World, fields: Fields, lang: Lang): Answer {
  const wrong = checkShape(fields, CHECKSTATUS_SHAPE, lang);
  if (wrong) return wrong;
  const invoiceId = textOf(fields, 'invoice_id');
  const merchantKey = textOf(fields, 'merchant_key');
  if (merchantKey !== world.credentials.card.merchant_key) return unknown(14, lang);
  const hash = textOf(fields, 'hash_key');
  const problem = hash === '' ? null : hashProblem(world, hash, [invoiceId, merchantKey]);
  if (problem) return refuse(problem, lang);
  const order = orderByInvoice(world, invoiceId);
  return order
    ? statusOf(world, order, lang, textOf(fields, 'show_refund_info') === 'Y')
    : unknown(32, lang);
}

export function checkStatus(world: World, call: Call): Answer {
  const read = readCall(call, 'json');
  return read.ok ? readStatus(world, read.fields, read.lang) : read.answer;
}

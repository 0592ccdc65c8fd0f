import { rawAmount } from '../exact-json.ts';
import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import { turkishTime } from '../clock.ts';
import type { World } from '../world.ts';
import { makeHash } from './hash.ts';
import { hookUrl } from './hook-keys.ts';
import type { HookKind } from './hook-keys.ts';
import { amountText, dataOf } from './orders.ts';
import { resultFields } from './result.ts';

/**
 * Sends the webhooks of the card gateway. Their bodies are forms, except the chargeback's (JSON).
 */

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json; charset=utf-8';

type Hook = {
  kind: HookKind;
  key: string;
  event: string;
  invoiceId: string | null;
  body: string;
  type?: string;
};

/** Queues a webhook, unless its key has been removed from the registry since the request. */
function send(world: World, hook: Hook): void {
  const url = hookUrl(world, hook.key, hook.kind);
  if (url === undefined) return;
  world.notices.queue({
    kind: 'card',
    event: hook.event,
    extId: hook.invoiceId,
    body: hook.body,
    url,
    type: hook.type ?? FORM,
  });
}

const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();
const secretOf = (world: World): string => world.credentials.card.app_secret;

/** Sends the sale webhook when a payment is approved or declined, if the order names a key. */
export function sendSale(world: World, order: Row): void {
  const key = text(order.hook_key);
  if (key === '') return;
  const {
    svc_status,
    order_no,
    invoice_id,
    status_code,
    status_description,
    svc_payment_method,
    credit_card_no,
    transaction_type,
    payment_status,
    payment_method,
    error_code,
    error,
    status,
    hash_key,
  } = resultFields(world, order);
  const fields = {
    svc_status,
    order_no,
    order_id: order_no,
    invoice_id,
    status_code,
    status_description,
    svc_payment_method,
    credit_card_no,
    transaction_type,
    payment_status,
    payment_method,
    error_code,
    error,
    status,
    ...(hash_key ? { hash_key } : {}),
  };
  send(world, {
    kind: 'sale',
    key,
    event: `sale ${status}`,
    invoiceId: text(order.invoice_id),
    body: form(fields as Record<string, string>),
  });
}

/**
 * Sends the recurring webhook with the outcome of one charge, from the second charge on. It has a
 * hash_key, which the published list of fields lacks (published-weak).
 */
export function sendRecurring(
  world: World,
  plan: Row,
  charge: {
    orderId: string;
    invoiceId: string;
    number: number;
    paid: boolean;
    attempts: number;
    at: number;
  },
): void {
  const status = charge.paid ? 'Completed' : 'Failed';
  const total = amountText(minor(plan.amount));
  send(world, {
    kind: 'recurring',
    key: text(plan.hook_key),
    event: `recurring ${status} ${charge.number}/${num(plan.number)}`,
    invoiceId: charge.invoiceId,
    body: form({
      merchant_key: world.credentials.card.merchant_key,
      invoice_id: charge.invoiceId,
      order_id: charge.orderId,
      product_price: total,
      plan_code: text(plan.plan_code),
      recurring_number: String(charge.number),
      status,
      attempts: String(charge.attempts),
      action_date: turkishTime(charge.at),
      hash_key: makeHash(
        [status.toUpperCase(), total, charge.invoiceId, charge.orderId, text(plan.currency)],
        secretOf(world),
      ),
    }),
  });
}

/**
 * Sends the refund webhook when a refund is approved, also when a person at the desk approves it
 * (published-weak).
 */
export function sendRefund(world: World, order: Row, key: string, amount: bigint): void {
  if (key === '') return;
  const [total, invoiceId, orderId] = [
    amountText(amount),
    text(order.invoice_id),
    text(order.order_id),
  ];
  send(world, {
    kind: 'refund',
    key,
    event: 'refund Completed',
    invoiceId,
    body: form({
      invoice_id: invoiceId,
      order_id: orderId,
      amount: total,
      status: 'Completed',
      hash_key: makeHash(['Completed', total, invoiceId, orderId], secretOf(world)),
    }),
  });
}

/**
 * Sends the chargeback webhook to every key of that kind, because no request names one
 * (published-weak).
 */
export function sendChargeback(
  world: World,
  order: Row,
  amount: bigint,
  before: string,
  at: number,
): void {
  const [invoiceId, orderId] = [text(order.invoice_id), text(order.order_id)];
  const body = JSON.stringify({
    action: 'chargeback',
    previous_trx_status: before,
    current_trx_status: 'Chargebacked',
    invoice_id: invoiceId,
    order_id: orderId,
    amount: rawAmount(amount),
    currency: text(order.currency),
    event_date: turkishTime(at),
    ref_no: dataOf(order).ref,
    hash_key: makeHash(['Chargebacked', amountText(amount), invoiceId, orderId], secretOf(world)),
  });
  for (const row of world.store.all("SELECT key FROM hook_keys WHERE kind = 'chargeback'"))
    send(world, {
      kind: 'chargeback',
      key: text(row.key),
      event: 'chargeback',
      invoiceId,
      body,
      type: JSON_TYPE,
    });
}

/**
 * Sends the cashout_reverse webhook when the bank returned a cashout. Its fields are not published
 * (assumed).
 */
export function sendCashoutReverse(world: World, cashout: Row): void {
  const key = text(cashout.hook_key);
  if (key === '') return;
  const fields = {
    unique_id: text(cashout.unique_id),
    iban: text(cashout.iban),
    amount: amountText(minor(cashout.amount)),
    currency: text(cashout.currency),
    status: 'Reversed',
    reason: 'Alıcı banka tutarı iade etti',
  };
  send(world, {
    kind: 'cashout_reverse',
    key,
    event: 'cashout reversed',
    invoiceId: fields.unique_id,
    body: form({
      ...fields,
      hash_key: makeHash(
        [fields.status, fields.amount, fields.unique_id, fields.iban],
        secretOf(world),
      ),
    }),
  });
}

import { randomBytes, randomInt } from 'node:crypto';
import { decimalText } from '../exact-json.ts';
import { newId } from '../ids.ts';
import { MERCHANT_ID } from '../seed/merchant.ts';
import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import type { Lang } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import type { Card } from './card.ts';
import type { Payment, PlanWanted } from './payment.ts';
import { feeOf, userFeeOf } from './pos.ts';

/**
 * The card orders and the merchant's card balance. Every change of the balance goes through
 * `moveCardMoney`, which also stores the order that it belongs to.
 */

/**
 * `link`: a branded page waits for the buyer. `bank_step`: the bank page is open. `completion`: the
 * card is verified and payment/complete is awaited.
 */
export type OrderState =
  | 'link'
  | 'bank_step'
  | 'completion'
  | 'in_process'
  | 'completed'
  | 'preauth'
  | 'failed'
  | 'cancelled';
export type OrderKind = '2d' | '3d' | 'token' | 'link' | 'recurring';

export type OrderData = {
  card: Card;
  description: string;
  lang: Lang;
  email: string;
  phone: string;
  buyer: string;
  byMerchant: boolean;
  plan: PlanWanted | null;
  returnUrl: string;
  cancelUrl: string;
  responseMethod: 'GET' | 'POST';
  transactionId: string;
  authCode: string;
  ref: string;
  mdStatus: '' | '0' | '1';
  bankCode: string;
  bankWords: string;
  expiry: string;
};

export const amountText = (amount: bigint): string => decimalText(amount);
export const dataOf = (order: Row): OrderData => JSON.parse(text(order.data)) as OrderData;

const pad = (value: number): string => String(value).padStart(2, '0');

/**
 * Makes a transaction id in the published format: random parts, then TC10, the merchant and the
 * day.
 */
function transactionId(at: number): string {
  const day = new Date(at + 3 * 3_600_000);
  const date = [day.getUTCDate(), day.getUTCMonth() + 1, day.getUTCFullYear() % 100];
  const random = `${randomBytes(3).toString('hex')}-${randomBytes(3).toString('hex')}`;
  return `${random}-TC10-${MERCHANT_ID}-${date.map(pad).join('')}`.toUpperCase();
}

export const newOrderId = (): string => `SB${newId().slice(1)}`;

export function orderByInvoice(world: World, invoiceId: string): Row | undefined {
  return world.store.get('SELECT * FROM card_orders WHERE invoice_id = ?', invoiceId);
}

export function orderById(world: World, orderId: string): Row {
  const row = world.store.get('SELECT * FROM card_orders WHERE order_id = ?', orderId);
  if (!row) throw new Error(`no order ${orderId}`);
  return row;
}

export type NewOrder = {
  kind: OrderKind;
  state: OrderState;
  payment: Payment;
  card: Card;
  expiry?: string;
  returnUrl?: string;
  cancelUrl?: string;
  responseMethod?: 'GET' | 'POST';
  due?: { at: number; what: DueWhat };
  planId?: number;
  seeded?: boolean;
  at: number;
};
export type DueWhat = 'bank_step' | 'completion' | 'hold' | 'slow' | 'link';

/**
 * Stores a new order. Where the setting `failed_invoice` is `free`, an earlier failed order with
 * the same invoice id is renamed first.
 */
export function insertOrder(world: World, wanted: NewOrder): string {
  const { payment, card, at } = wanted;
  const orderId = newOrderId();
  const data: OrderData = {
    card,
    description: payment.description,
    lang: payment.lang,
    email: payment.email,
    phone: payment.phone,
    buyer: payment.buyer,
    byMerchant: payment.byMerchant,
    plan: payment.plan,
    returnUrl: wanted.returnUrl ?? '',
    cancelUrl: wanted.cancelUrl ?? '',
    responseMethod: wanted.responseMethod ?? 'GET',
    transactionId: transactionId(at),
    authCode: '',
    ref: String(randomInt(100_000_000_000)).padStart(12, '0'),
    mdStatus: '',
    bankCode: '',
    bankWords: '',
    expiry: wanted.expiry ?? '',
  };
  if (world.cardMerchant.failed_invoice === 'free')
    world.store.run(
      `UPDATE card_orders SET invoice_id = invoice_id || ' ' || order_id WHERE invoice_id = ?
        AND state = 'failed'`,
      payment.invoiceId,
    );
  world.store.run(
    `INSERT INTO card_orders (order_id, invoice_id, kind, state, code, total, fee, user_fee,
      currency, installments, pre, masked, behaviour, hook_key, due_at, due_what, plan_id,
      created_at, updated_at, data, seeded)
     VALUES (?, ?, ?, ?, 69, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    orderId,
    payment.invoiceId,
    wanted.kind,
    wanted.state,
    payment.total,
    feeOf(payment.total, payment.installments),
    payment.byUser ? userFeeOf(payment.total, payment.installments) : 0n,
    payment.currency,
    payment.installments,
    payment.pre ? 1 : 0,
    card.masked,
    card.behaviour,
    payment.hookKey,
    wanted.due?.at ?? null,
    wanted.due?.what ?? null,
    wanted.planId ?? null,
    at,
    at,
    JSON.stringify(data),
    wanted.seeded ? 1 : 0,
  );
  return orderId;
}

export type Change = {
  state: OrderState;
  code: number;
  at: number;
  due?: { at: number; what: DueWhat } | null;
  data?: Partial<OrderData>;
};

export function changeOrder(world: World, order: Row, change: Change): Row {
  const orderId = text(order.order_id);
  world.store.run(
    `UPDATE card_orders SET state = ?, code = ?, due_at = ?, due_what = ?, updated_at = ?, data = ?
      WHERE order_id = ?`,
    change.state,
    change.code,
    change.due?.at ?? null,
    change.due?.what ?? null,
    change.at,
    JSON.stringify({ ...dataOf(order), ...change.data }),
    orderId,
  );
  if (change.due) world.scheduler.poke(change.due.at);
  return orderById(world, orderId);
}

/**
 * Kinds of changes of the merchant's card balance, with their sign: 1 is a credit, -1 is a debit.
 */
export const MONEY_SIGN = {
  card_sale: 1,
  card_capture: 1,
  card_recurring: 1,
  card_refund: -1,
  card_chargeback: -1,
  cashout: -1,
  cashout_reverse: 1,
} as const;
export type MoneyKind = keyof typeof MONEY_SIGN;

type Movement = {
  kind: MoneyKind;
  amount: bigint;
  fee?: bigint;
  currency: string;
  order?: Row;
  ref?: string;
  name?: string;
  iban?: string;
  at: number;
};

export function moveCardMoney(world: World, movement: Movement): string {
  const id = newId();
  const sign = MONEY_SIGN[movement.kind];
  const fee = movement.fee ?? 0n;
  const invoiceId = movement.order ? text(movement.order.invoice_id) : null;
  const orderId = movement.order ? text(movement.order.order_id) : null;
  world.store.run(
    `INSERT INTO card_movements (id, kind, order_id, invoice_id, amount, fee, sign, currency, ref,
      name, iban, at, seeded) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    movement.kind,
    orderId,
    invoiceId,
    movement.amount,
    fee,
    sign,
    movement.currency,
    movement.ref ?? null,
    movement.name ?? null,
    movement.iban ?? null,
    movement.at,
    num(movement.order?.seeded),
  );
  const change = sign > 0 ? movement.amount - fee : -movement.amount - fee;
  world.store.run(
    `INSERT INTO card_balances (currency, amount) VALUES (?, ?) ON CONFLICT (currency) DO UPDATE
      SET amount = amount + excluded.amount`,
    movement.currency,
    change,
  );
  return id;
}

/** The merchant's card balance, from which cashouts and refunds are paid, in minor units. */
export function cardBalance(world: World, currency: string): bigint {
  return minor(
    world.store.get('SELECT amount FROM card_balances WHERE currency = ?', currency)?.amount,
  );
}

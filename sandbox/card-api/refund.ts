import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import type { Call } from '../routes.ts';
import type { Answer } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { flat, refuse } from './answer.ts';
import { amountOf, checkShape, readCall, textOf } from './fields.ts';
import type { Shape } from './fields.ts';
import { sendRefund } from './hooks.ts';
import { hookUrl } from './hook-keys.ts';
import { magicCode } from './magic-invoice.ts';
import { cardBalance, dataOf, moveCardMoney, orderById, orderByInvoice } from './orders.ts';
import { hashProblem, merchantProblem } from './payment.ts';
import { sameText } from './token.ts';

/**
 * POST /ccpayment/api/refund. An empty or zero amount refunds all that is left (published). A
 * repeat is refused only by a used refund_transaction_id (104).
 */

export const REFUND_SHAPE: Shape = {
  invoice_id: ['y', 'text'],
  amount: ['e', 'amount'],
  merchant_key: ['y', 'text'],
  hash_key: ['y', 'text'],
  app_id: ['n', 'text'],
  app_secret: ['n', 'text'],
  refund_transaction_id: ['n', 'text'],
  refund_web_hook_key: ['n', 'text'],
  app_lang: ['n', 'text'],
};

/** Carries out a refund: balance, order and webhook. */
export function payBack(world: World, refund: Row, at: number): void {
  const order = orderById(world, text(refund.order_id));
  const amount = minor(refund.amount);
  world.store.run(
    "UPDATE card_refunds SET state = 'done', due_at = NULL, done_at = ? WHERE id = ?",
    at,
    num(refund.id),
  );
  world.store.run(
    'UPDATE card_orders SET refunded = refunded + ?, updated_at = ? WHERE order_id = ?',
    amount,
    at,
    text(order.order_id),
  );
  moveCardMoney(world, {
    kind: 'card_refund',
    amount,
    currency: text(order.currency),
    order,
    at,
    ref: text(refund.own_id),
  });
  sendRefund(world, order, text(refund.hook_key), amount);
}

/** Returns what can still be refunded: the refunds that wait for manual approval are subtracted. */
export function remainingOf(world: World, order: Row): bigint {
  const waiting = minor(
    world.store.get(
      "SELECT COALESCE(SUM(amount), 0) AS sum FROM card_refunds WHERE order_id = ? AND state = 'waiting'",
      text(order.order_id),
    )?.sum,
  );
  return minor(order.captured) - minor(order.refunded) - minor(order.charged_back) - waiting;
}

function refundProblem(
  world: World,
  order: Row,
  amount: bigint,
  remaining: bigint,
  now: number,
): number | null {
  if (
    order.state !== 'completed' ||
    !world.cardMerchant.refundable ||
    amount <= 0n ||
    amount > remaining
  )
    return 49;
  if (amount < minor(order.captured) && !world.cardMerchant.partial_refund) return 110;
  const pauseMs = world.cardMerchant.refund_pause_seconds * 1_000;
  if (
    world.store.get(
      'SELECT 1 AS hit FROM card_refunds WHERE order_id = ? AND created_at > ?',
      text(order.order_id),
      now - pauseMs,
    )
  )
    return 49;
  return cardBalance(world, text(order.currency)) < amount ? 49 : null;
}

export function refund(world: World, call: Call): Answer {
  const read = readCall(call, 'json');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const wrong = checkShape(fields, REFUND_SHAPE, lang);
  if (wrong) return wrong;
  const { app_id: appId, app_secret: secret } = world.credentials.card;
  for (const [name, right] of [
    ['app_id', appId],
    ['app_secret', secret],
  ] as const)
    if (textOf(fields, name) !== '' && !sameText(textOf(fields, name), right))
      return refuse(30, lang);
  const invoiceId = textOf(fields, 'invoice_id');
  const merchant = merchantProblem(world, fields);
  if (merchant) return refuse(merchant, lang);
  const hash = hashProblem(
    world,
    textOf(fields, 'hash_key'),
    [textOf(fields, 'amount'), invoiceId, textOf(fields, 'merchant_key')],
    0,
  );
  if (hash) return refuse(hash, lang);
  const hookKey = textOf(fields, 'refund_web_hook_key');
  if (hookKey !== '' && hookUrl(world, hookKey, 'refund') === undefined) return refuse(1, lang);
  const order = orderByInvoice(world, invoiceId);
  if (!order) return refuse(32, lang);
  const ownId = textOf(fields, 'refund_transaction_id');
  const isRepeat =
    ownId !== '' &&
    world.store.get('SELECT 1 AS hit FROM card_refunds WHERE own_id = ?', ownId) !== undefined;
  if (isRepeat && world.cardMerchant.repeated_ids === 'refused') return refuse(104, lang);
  const forced = magicCode(world, 'REFUND', invoiceId);
  if (forced !== null && forced !== 101) return refuse(forced, lang);
  const wanted = textOf(fields, 'amount') === '' ? 0n : amountOf(fields, 'amount');
  if (wanted === null) return refuse(1, lang);
  const now = world.clock.now();
  const remaining = remainingOf(world, order);
  const amount = wanted === 0n ? remaining : wanted;
  const problem = refundProblem(world, order, amount, remaining, now);
  if (problem !== null) return refuse(problem, lang);
  const { id } = world.store.run(
    `INSERT INTO card_refunds (order_id, amount, own_id, state, hook_key, due_at, created_at)
      VALUES (?, ?, ?, 'waiting', ?, NULL, ?)`,
    text(order.order_id),
    amount,
    ownId === '' ? null : ownId,
    hookKey,
    now,
  );
  const row = world.store.get('SELECT * FROM card_refunds WHERE id = ?', id);
  if (forced !== 101 && row) payBack(world, row, now);
  const ref = dataOf(order).ref;
  return flat(
    { order_no: text(order.order_id), invoice_id: invoiceId, ref_no: ref, ref_number: ref },
    lang,
    forced ?? 100,
  );
}

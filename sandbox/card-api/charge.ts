import { randomInt } from 'node:crypto';
import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import type { World } from '../world.ts';
import { sendSale } from './hooks.ts';
import { changeOrder, dataOf, moveCardMoney } from './orders.ts';
import type { MoneyKind } from './orders.ts';
import { startPlan } from './plans.ts';
import { DECLINES } from './test-cards.ts';
import type { Behaviour } from './test-cards.ts';

/**
 * Carries out the issuing bank's decision about one order: order, card balance, plan and webhook.
 */

const DAY_MS = 86_400_000;
/**
 * An authorization that is neither confirmed nor cancelled ends by itself after 20 days (contract).
 */
export const HOLD_MS = 20 * DAY_MS;
/** How long an order of the test card `slow` stays in process. */
export const SLOW_MS = 60_000;

/**
 * Approves an order: captures the money, or holds it for an authorization; starts its plan and
 * sends the sale webhook.
 */
export function approve(world: World, order: Row, at: number): Row {
  const hold = num(order.pre) === 1;
  const authCode = String(randomInt(1_000_000)).padStart(6, '0');
  const paid = changeOrder(world, order, {
    state: hold ? 'preauth' : 'completed',
    code: 100,
    at,
    due: hold ? { at: at + HOLD_MS, what: 'hold' } : null,
    data: { authCode, bankCode: '00', bankWords: 'Onaylandı' },
  });
  if (!hold)
    capture(
      world,
      paid,
      minor(paid.total),
      paid.kind === 'recurring' ? 'card_recurring' : 'card_sale',
      at,
    );
  if (order.kind !== 'recurring') startPlan(world, paid, at);
  sendSale(world, paid);
  return paid;
}

/** Credits the merchant's card balance with the captured amount less its commission. */
export function capture(
  world: World,
  order: Row,
  amount: bigint,
  kind: MoneyKind,
  at: number,
): void {
  const fee =
    minor(order.total) === amount
      ? minor(order.fee)
      : (minor(order.fee) * amount) / minor(order.total);
  world.store.run(
    'UPDATE card_orders SET captured = ?, fee = ? WHERE order_id = ?',
    amount,
    fee,
    text(order.order_id),
  );
  moveCardMoney(world, { kind, amount, fee, currency: text(order.currency), order, at });
}

export function decline(
  world: World,
  order: Row,
  code: number,
  at: number,
  bank: { code: string; words: string } = { code: '', words: '' },
): Row {
  const failed = changeOrder(world, order, {
    state: 'failed',
    code,
    at,
    due: null,
    data: { bankCode: bank.code, bankWords: bank.words },
  });
  sendSale(world, failed);
  return failed;
}

/**
 * Applies the behaviour of the order's card: a capture or an authorization, a refusal, or no result
 * for a minute.
 */
export function charge(world: World, order: Row, at: number): Row {
  const behaviour = dataOf(order).card.behaviour as Behaviour;
  const refusal = DECLINES[behaviour];
  if (refusal)
    return decline(world, order, refusal.code, at, { code: refusal.bank, words: refusal.words });
  if (behaviour === 'slow')
    return changeOrder(world, order, {
      state: 'in_process',
      code: 69,
      at,
      due: { at: at + SLOW_MS, what: 'slow' },
    });
  return approve(world, order, at);
}

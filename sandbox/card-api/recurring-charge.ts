import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import type { World } from '../world.ts';
import { approve, decline } from './charge.ts';
import { sendRecurring } from './hooks.ts';
import { dataOf, insertOrder, orderByInvoice, orderById } from './orders.ts';
import { plannedAfter } from './plans.ts';

/**
 * Makes one attempt at the due charge of a plan. A failed attempt is repeated a day later, at most
 * as often as the setting `recurring_attempts` allows; then the charge is Failed and the plan goes
 * on with the next charge (assumed). The webhook reports the outcome of a charge.
 */

const DAY_MS = 86_400_000;

export type Charged = 'paid' | 'failed' | 'again';

/**
 * The wanted invoice id, with `-` appended until it is free (assumed): the merchant may have used
 * the id for another order.
 */
function freeInvoice(world: World, wanted: string): string {
  let invoiceId = wanted;
  while (orderByInvoice(world, invoiceId)) invoiceId += '-';
  return invoiceId;
}

/** Stores the order of a charge: each charge is an order of its own. */
function orderOf(world: World, plan: Row, first: Row, number: number, at: number): Row {
  const { description, lang, email, phone, buyer, card } = dataOf(first);
  const payment = {
    invoiceId: freeInvoice(world, `${text(plan.invoice_id)}-R${number}`),
    description,
    total: minor(plan.amount),
    currency: text(plan.currency),
    installments: 1,
    pre: false,
    hookKey: '',
    plan: null,
    byMerchant: false,
    byUser: false,
    program: '',
    lang,
    email,
    phone,
    buyer,
  };
  return orderById(
    world,
    insertOrder(world, {
      kind: 'recurring',
      state: 'in_process',
      payment,
      card,
      planId: num(plan.id),
      seeded: num(first.seeded) === 1,
      at,
    }),
  );
}

function advance(world: World, plan: Row, number: number): void {
  const following = number + 1;
  if (following > num(plan.number)) {
    world.store.run(
      `UPDATE card_plans SET state = 'Completed', next_number = ?, attempts = 0, planned_at = NULL,
        due_at = NULL WHERE id = ?`,
      following,
      num(plan.id),
    );
    return;
  }
  const next = plannedAfter(plan, num(plan.planned_at));
  world.store.run(
    'UPDATE card_plans SET next_number = ?, attempts = 0, planned_at = ?, due_at = ? WHERE id = ?',
    following,
    next,
    next,
    num(plan.id),
  );
  world.scheduler.poke(next);
}

export function chargePlan(world: World, plan: Row, at: number): Charged {
  const number = num(plan.next_number);
  const attempts = num(plan.attempts) + 1;
  const first = orderById(world, text(plan.order_id));
  const { behaviour } = dataOf(first).card;
  const fails = behaviour === 'charge_fails' || (behaviour === 'charge_recovers' && attempts === 1);
  if (fails && attempts < world.cardMerchant.recurring_attempts) {
    world.store.run(
      'UPDATE card_plans SET attempts = ?, due_at = ? WHERE id = ?',
      attempts,
      at + DAY_MS,
      num(plan.id),
    );
    world.scheduler.poke(at + DAY_MS);
    return 'again';
  }
  const order = orderOf(world, plan, first, number, at);
  const ended = fails
    ? decline(world, order, 41, at, { code: '51', words: 'Yetersiz bakiye' })
    : approve(world, order, at);
  const remarks = fails ? 'Yetersiz bakiye' : '';
  world.store.run(
    `INSERT INTO card_charges (plan_id, number, order_id, amount, state, attempts, at, remarks)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    num(plan.id),
    number,
    text(ended.order_id),
    minor(plan.amount),
    fails ? 'Failed' : 'Completed',
    attempts,
    at,
    remarks,
  );
  sendRecurring(world, plan, {
    orderId: text(ended.order_id),
    invoiceId: text(ended.invoice_id),
    number,
    paid: !fails,
    attempts,
    at,
  });
  advance(world, plan, number);
  return fails ? 'failed' : 'paid';
}

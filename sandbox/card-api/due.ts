import { num, text } from '../store.ts';
import type { Row } from '../store.ts';
import type { World } from '../world.ts';
import { failBankStep } from './bank-page.ts';
import { reverseCashout } from './cashout.ts';
import { approve, decline } from './charge.ts';
import { changeOrder } from './orders.ts';
import type { DueWhat } from './orders.ts';
import { chargePlan } from './recurring-charge.ts';

/**
 * The steps that card orders, plans and cashouts take by themselves when they are due on the
 * virtual clock.
 */

const STEPS_PER_RUN = 500;

const ORDER_STEPS: Record<DueWhat, (world: World, order: Row, at: number) => unknown> = {
  bank_step: (world, order, at) => failBankStep(world, order, 'late', at),
  completion: (world, order, at) =>
    decline(world, order, 41, at, { code: '1T', words: 'Tamamlama süresi doldu' }),
  hold: (world, order, at) =>
    changeOrder(world, order, { state: 'cancelled', code: 100, at, due: null }),
  slow: (world, order, at) => approve(world, order, at),
  link: (world, order, at) =>
    decline(world, order, 41, at, { code: '1T', words: 'Bağlantının süresi doldu' }),
};

export function nextCardStep(world: World): number | null {
  let next: number | null = null;
  for (const table of ['card_orders', 'card_plans', 'cashouts']) {
    const row = world.store.get(`SELECT MIN(due_at) AS due FROM ${table} WHERE due_at IS NOT NULL`);
    if (row && row.due !== null && (next === null || num(row.due) < next)) next = num(row.due);
  }
  return next;
}

/**
 * Runs the due steps of orders, then of plans, then of cashouts, each list in order of time and at
 * most STEPS_PER_RUN of it; the scheduler calls again for the rest.
 */
export function runCards(world: World, now: number): void {
  world.store.tx(() => {
    for (const order of world.store.all(
      'SELECT * FROM card_orders WHERE due_at <= ? ORDER BY due_at LIMIT ?',
      now,
      STEPS_PER_RUN,
    ))
      ORDER_STEPS[text(order.due_what) as DueWhat](world, order, num(order.due_at));
    for (const plan of world.store.all(
      'SELECT * FROM card_plans WHERE due_at <= ? ORDER BY due_at LIMIT ?',
      now,
      STEPS_PER_RUN,
    ))
      chargePlan(world, plan, num(plan.due_at));
    for (const cashout of world.store.all(
      'SELECT * FROM cashouts WHERE due_at <= ? ORDER BY due_at LIMIT ?',
      now,
      STEPS_PER_RUN,
    ))
      reverseCashout(world, cashout);
  });
}

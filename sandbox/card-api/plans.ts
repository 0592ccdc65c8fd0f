import { randomBytes } from 'node:crypto';
import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import type { World } from '../world.ts';
import { dataOf } from './orders.ts';

/**
 * Recurring plans: the first charge is the order itself; the next charges are due on the virtual
 * clock.
 */

const TURKISH_OFFSET_MS = 3 * 3_600_000;

/**
 * Returns the time of a charge in milliseconds: `count` days later (cycle D), or the same day of a
 * later month or year in Turkish time, the month's last day where it has no such day.
 */
export function plannedTime(start: number, cycle: string, count: number): number {
  if (cycle === 'D') return start + count * 86_400_000;
  const local = new Date(start + TURKISH_OFFSET_MS);
  const months =
    local.getUTCFullYear() * 12 + local.getUTCMonth() + count * (cycle === 'Y' ? 12 : 1);
  const lastDay = new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).getUTCDate();
  const clock = (start + TURKISH_OFFSET_MS) % 86_400_000;
  return (
    Date.UTC(Math.floor(months / 12), months % 12, Math.min(local.getUTCDate(), lastDay)) +
    clock -
    TURKISH_OFFSET_MS
  );
}

/** Returns the plan's first charge time after `after`. */
export function plannedAfter(plan: Row, after: number): number {
  for (let count = num(plan.next_number) - 1; ; count++) {
    const at = plannedTime(num(plan.created_at), text(plan.cycle), num(plan.every) * count);
    if (at > after) return at;
  }
}

/** Opens the plan of a paid recurring order. */
export function startPlan(world: World, order: Row, at: number): void {
  const wanted = dataOf(order).plan;
  if (!wanted) return;
  const next = plannedTime(at, wanted.cycle, wanted.every);
  const { id } = world.store.run(
    `INSERT INTO card_plans (plan_code, order_id, invoice_id, state, amount, first_amount, currency,
      number, cycle, every, next_number, planned_at, due_at, hook_key, created_at)
     VALUES (?, ?, ?, 'Active', ?, ?, ?, ?, ?, ?, 2, ?, ?, ?, ?)`,
    `PLN${randomBytes(8).toString('hex').toUpperCase()}`,
    text(order.order_id),
    text(order.invoice_id),
    minor(order.total),
    minor(order.total),
    text(order.currency),
    wanted.number,
    wanted.cycle,
    wanted.every,
    next,
    next,
    wanted.hookKey,
    at,
  );
  world.store.run(
    'UPDATE card_orders SET plan_id = ? WHERE order_id = ?',
    id,
    text(order.order_id),
  );
  world.store.run(
    `INSERT INTO card_charges (plan_id, number, order_id, amount, state, attempts, at, remarks)
      VALUES (?, 1, ?, ?, 'Completed', 1, ?, '')`,
    id,
    text(order.order_id),
    minor(order.total),
    at,
  );
  world.scheduler.poke(next);
}

export const planOfOrder = (world: World, order: Row): Row | undefined =>
  order.plan_id === null
    ? undefined
    : world.store.get('SELECT * FROM card_plans WHERE id = ?', num(order.plan_id));

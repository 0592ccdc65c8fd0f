import { isFinal } from '#lib/movements/state.ts';
import type { Row } from '../store.ts';
import type { Rule } from '../violation.ts';
import { isLive } from './gateway.ts';
import type { CardWorld } from './world.ts';

/**
 * What must be true when faults have stopped and time has passed: everything has an end, and our
 * records agree with the gateway's.
 */

type Left = { rule: Rule; what: string };

/** Whether a world may stop: no event is left, and all alerts are stable. */
export function settled(world: CardWorld): boolean {
  return world.healed && world.pending === 0 && unsettled(world) === null;
}

export function unsettled(world: CardWorld): Left | null {
  for (const row of world.database.tables.rows.values()) {
    const left = open(row) ?? disagreement(world, row);
    if (left !== null) return left;
  }
  return strangers(world) ?? register(world) ?? world.charges.unsettled(world.database.tables);
}

/**
 * C4: every operation has ended, by a worker or by a step that people have in the product. The
 * gateway is never queried about a payout, so that an accepted payout has ended.
 */
function open(row: Row): Left | null {
  if (isFinal(row.state) || (row.kind === 'cashout' && row.state === 'PENDING')) return null;
  return {
    rule: 'C4',
    what:
      `${row.extId} (${row.kind}) is still ${row.state}, flag ${row.alert ?? 'none'}, and ` +
      'nobody can go on with it',
  };
}

/**
 * C2: an operation that we call done was done, and one that was done is called nothing else without
 * an alert.
 */
function disagreement(world: CardWorld, row: Row): Left | null {
  const isRestored = row.state === 'CANCELLED' && world.restoredAt !== null;
  const live = world.gateway.of(row.extId).filter(isLive);
  if (row.alert === 'contradiction' || isRestored) return null;
  if (
    world.judge.copies.has(row.extId) &&
    row.state === 'REJECTED' &&
    live.length > 0 &&
    !standsForAnother(world, row)
  )
    return {
      rule: 'C2',
      what: `${row.extId} is called refused and was done by a copy of its request, and nobody is told`,
    };
  if (world.judge.isExcused(row)) return null;
  const isDone = row.state === 'COMPLETED' || (row.kind === 'cashout' && row.state === 'PENDING');
  if (isDone && !world.judge.isDone(row))
    return { rule: 'C2', what: `${row.extId} is ${row.state}, the gateway did not do it` };
  if (isFinal(row.state) && !isDone && live.length > 0)
    return { rule: 'C2', what: `the gateway did ${row.extId}, which is ${row.state}` };
  return null;
}

/**
 * Whether another refund of the same amount is called done and was not. A record without refund
 * numbers shows one of two such refunds, and nobody can tell which one. The refunded sum is right.
 */
function standsForAnother(world: CardWorld, { card, amountMinor }: Row): boolean {
  const rows = [...world.database.tables.rows.values()].filter(
    (one) => one.card?.paymentId === card!.paymentId && one.kind === 'card_refund',
  );
  return rows.some(
    (one) =>
      one.state === 'COMPLETED' &&
      one.amountMinor === amountMinor &&
      world.gateway.of(one.extId).every((work) => !isLive(work)),
  );
}

function strangers(world: CardWorld): Left | null {
  const known = new Set([...world.database.tables.rows.values()].map((row) => row.extId));
  const unknown = world.gateway.works.find(
    (work) =>
      work.intent !== null && isLive(work) && !known.has(work.intent) && world.restoredAt === null,
  );
  return unknown === undefined
    ? null
    : { rule: 'C2', what: `the gateway did ${unknown.intent}, which nobody here knows` };
}

/** C6: our payment record shows what the gateway's record shows. */
function register(world: CardWorld): Left | null {
  for (const { invoiceId, known } of world.database.tables.payments.values()) {
    const order =
      world.gateway.orders.get(invoiceId) ?? world.gateway.charges.paid.get(invoiceId)?.order;
    if (order === undefined) continue;
    if (
      known.problem === null &&
      known.refundedMinor !== null &&
      known.refundedMinor !== order.refundedMinor()
    ) {
      return {
        rule: 'C6',
        what:
          `${invoiceId} shows ${String(known.refundedMinor)} refunded, the gateway says ` +
          `${String(order.refundedMinor())}`,
      };
    }
  }
  return null;
}

import { isDoubled } from './copies.ts';
import { isLive } from './provider.ts';
import type { Payment } from './provider.ts';
import type { Row } from './store.ts';
import type { Rule } from './violation.ts';
import type { World } from './world.ts';

/**
 * What must be true when the faults have stopped and time has passed: every intent has an end or an
 * alert, and our records agree with the provider's.
 */

/**
 * A refused intent is checked for the last copy of its request, which arrives within the deadline
 * and its tail: a payment that the record shows by then must be found.
 */
const REFUSED_LOOKS_END_MS = 200_000;

type Left = { rule: Rule; what: string };

/** Whether a world may stop: no event is left, and all alerts are stable. */
export function settled(world: World): boolean {
  return world.healed && world.pending === 0 && unsettled(world) === null;
}

export function unsettled(world: World): Left | null {
  if (world.restore.isUnderWay) return { rule: 'I8', what: 'a recovery is still open' };
  for (const id of world.acknowledged)
    if (!world.database.tables.rows.has(id))
      return { rule: 'I12', what: `${id} was acknowledged and is not there` };
  for (const row of world.database.rows()) {
    const left = open(row) ?? disagreement(world, row);
    if (left !== null) return left;
  }
  const running = world.watch.batches.unsettled();
  if (running !== null) return running;
  for (const payment of world.provider.payments) {
    if (world.restore.isFound(payment.extId) || world.watch.excused.has(payment.extId)) continue;
    if (![...world.database.rows()].some((row) => row.extId === payment.extId))
      return { rule: 'I9', what: `the provider paid ${payment.extId}, which we do not know` };
  }
  return null;
}

/**
 * I8: every intent has an end, or an alert with its reason. A draft needs neither: the person who
 * made it knows of it.
 */
function open(row: Row): Left | null {
  const ended =
    ['COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED', 'DRAFT'].includes(row.state) &&
    row.returned !== 'REPORTED';
  return ended || row.alert !== null
    ? null
    : {
        rule: 'I8',
        what:
          `${row.extId} is still ` +
          `${row.state}${row.returned === 'REPORTED' ? ', returned REPORTED' : ''}, without a flag`,
      };
}

/**
 * I9, per movement: a movement that is paid or returned here is so in the provider's records, and
 * the other way round.
 */
function disagreement(world: World, row: Row): Left | null {
  const known = world.provider.payments.some(
    (one) => one.extId === row.extId && one.state !== 'pending' && one.visibleAt < world.agenda.now,
  );
  if (
    known &&
    !(isDoubled(world, row.extId) && row.alert !== null) &&
    ['SUBMITTING', 'UNKNOWN', 'PENDING', 'MANUAL_REVIEW'].includes(row.state)
  )
    return {
      rule: 'I8',
      what: `${row.extId} is still ${row.state}, although its record says how it ended`,
    };
  const payments = world.provider.payments.filter((one) => one.extId === row.extId);
  if (row.alert === null && isDoubled(world, row.extId))
    return world.watch.changedAt.has(row.extId) ? null : missingAlert(row, payments);
  if (row.alert !== null || world.watch.excused.has(row.extId)) return null;
  const completed = payments.filter(
    (one) => one.state === 'completed' && one.amountMinor === row.amountMinor,
  );
  if (row.state === 'COMPLETED' && completed.length !== 1)
    return {
      rule: 'I9',
      what: `${row.extId} is COMPLETED, the provider completed ${completed.length}`,
    };
  const out = payments.filter(isLive).length > 0;
  const back = completed.some((one) => one.back !== null);
  if (row.state === 'COMPLETED' && row.ledgerSeenAt === null)
    return { rule: 'I9', what: `${row.extId} is COMPLETED, its ledger line was never seen` };
  if (row.state === 'COMPLETED' && back && row.returned !== 'CONFIRMED')
    return { rule: 'I9', what: `${row.extId} came back, and is shown as ${row.returned}` };
  if (row.state !== 'COMPLETED' && out)
    return { rule: 'I9', what: `the provider holds money for ${row.extId}, which is ${row.state}` };
  return null;
}

/**
 * An alert must be up after two copies of one request, as soon as it can be seen that both were
 * executed, or that one was executed while the intent is called refused.
 */
function missingAlert(row: Row, payments: readonly Payment[]): Left | null {
  const taken = payments.filter((one) => one.state === 'completed' && one.postedAt !== null);
  if (row.state === 'COMPLETED' && taken.length > 1)
    return { rule: 'I9', what: `${row.extId} was taken ${taken.length} times, and nobody is told` };
  const shown = payments.some(
    (one) => isLive(one) && one.visibleAt < one.acceptedAt + REFUSED_LOOKS_END_MS,
  );
  if (row.state === 'REJECTED' && shown)
    return { rule: 'I9', what: `${row.extId} is called refused and was taken, and nobody is told` };
  return null;
}

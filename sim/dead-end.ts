import { closeRefusal } from '#lib/movements/closable.ts';
import { exitsOf } from '#lib/movements/exits.ts';
import type { Exit } from '#lib/movements/exits.ts';
import type { KindName } from '#lib/movements/kinds.ts';
import type { Row } from './store.ts';
import { DAY } from './time.ts';
import { isWritten } from './verbs.ts';
import type { World } from './world.ts';

/**
 * Checks that every intent can still proceed: from each state that is not final, a worker or people
 * can take a step. It plays the steps without SQL.
 */

const FINAL: readonly string[] = ['COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'];
/** The longest time until people may close an intent. */
const PATIENCE_MS = 2 * DAY;
const CLEAN_READS = 3;

/** Describes an intent that no step can take out of its state, or null. */
export function deadEnd(world: World): string | null {
  for (const row of world.database.rows()) {
    if (FINAL.includes(row.state)) continue;
    const exits = exitsOf(row.kind as KindName, row.state);
    if (!exits.some((exit) => isOpen(world, row, exit)))
      return (
        `${row.extId} is ${row.state} (${row.alert ?? 'no alert'}), and nobody can take a ` +
        `step: ${exits.map(({ by, verb }) => `${by}: ${verb}`).join(', ')}`
      );
  }
  return null;
}

function isOpen(world: World, row: Row, exit: Exit): boolean {
  switch (exit.by) {
    case 'worker':
      return row.nextAt !== null && !isHopeless(world, row);
    case 'person':
      return exit.verb === 'cancelMovement' && isWritten('cancelMovement', 'cancelled');
    case 'two people':
      return isWritten(exit.verb, 'resolved_not_sent') && mayBeClosed(world, row);
  }
}

/**
 * Whether checks alone will never end a row: the provider has no payment of it, no request is on
 * its way, and no worker sends it again.
 */
function isHopeless({ database, network, provider }: World, row: Row): boolean {
  const isThere =
    provider.payments.some((one) => one.extId === row.extId) ||
    (network.underWay.get(row.extId) ?? 0) > 0;
  return (
    row.state === 'UNKNOWN' &&
    !isThere &&
    database.clock() - (row.unclearSince ?? row.createdAt) > DAY
  );
}

/** Whether people may close a row within PATIENCE_MS, when the worker has made all its checks. */
function mayBeClosed({ database, policy }: World, row: Row): boolean {
  const at = database.clock() + PATIENCE_MS;
  const looked =
    row.nextAt === null ? row : { ...row, notFoundReads: Math.max(row.notFoundReads, CLEAN_READS) };
  return closeRefusal(looked, 'not_done', { says: 'not_found', at }, at, policy.quietMs) === null;
}

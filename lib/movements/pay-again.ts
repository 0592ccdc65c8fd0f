import { isDead } from '#lib/movements/state.ts';
import type { Movement } from '#lib/movements/state.ts';

/**
 * When a payout may be paid again (docs/money-rules.md, "States"). Pure: shared with the simulator.
 */

/** "Pay again" requires a read of the parent that is younger than this. */
const PARENT_FRESH_MS = 60_000;

/**
 * Whether the provider was queried about the parent just now. A parent that was never sent needs no
 * query.
 */
export function isFreshlyRead(
  parent: Pick<Movement, 'sends' | 'lastReadAt'>,
  now: number,
): boolean {
  return (
    parent.sends === 0 || (parent.lastReadAt !== null && now - parent.lastReadAt < PARENT_FRESH_MS)
  );
}

type Life = Pick<Movement, 'state' | 'refund' | 'attention'>;

/**
 * Why `parent` may not be paid again. `family`: every other intent that "pay again" made from the
 * same first one, over all generations, because a paid grandchild has paid for its grandparent too.
 */
export function payAgainRefusal<Row extends Life>(
  parent: Row | null,
  family: readonly Row[],
): { code: 'parent_alive' } | { code: 'already_paid_again'; by: Row } | null {
  if (parent === null || !isDead(parent)) return { code: 'parent_alive' };
  const by = family.find((one) => !isDead(one));
  return by === undefined ? null : { code: 'already_paid_again', by };
}

import { isYounger } from '#lib/values/younger.ts';
import { isDead } from '#lib/movements/state.ts';
import type { Movement } from '#lib/movements/state.ts';

/**
 * When a payout may be paid again (docs/money-rules.md, "States"). Pure: shared with the simulator.
 */

/** "Pay again" requires a read of the parent that is younger than this. */
const PARENT_FRESH_MS = 60_000;

/**
 * Whether the provider was queried about the parent just now. A parent that was never sent needs no
 * query, unless a restore may have lost its send. `listedSince`: null, or from when on the provider
 * lists what a restore may have lost; an earlier query proves nothing.
 */
export function isFreshlyRead(
  { sends, lastReadAt }: Pick<Movement, 'sends' | 'lastReadAt'>,
  now: number,
  listedSince: number | null,
): boolean {
  if (sends === 0 && listedSince === null) return true;
  return (
    lastReadAt !== null &&
    isYounger(lastReadAt, PARENT_FRESH_MS, now) &&
    lastReadAt >= (listedSince ?? 0)
  );
}

type Life = Pick<Movement, 'state' | 'returned' | 'alert'>;

/**
 * Why `parent` may not be paid again. `family`: every other intent that "pay again" made from the
 * same first one, over all generations, because a paid grandchild has paid for its grandparent too.
 * `isNamed`: a recovery found a send of the parent that the parent does not have.
 */
export function payAgainRefusal<Row extends Life>(
  parent: Row | null,
  family: readonly Row[],
  isNamed: boolean,
): { code: 'parent_alive' } | { code: 'already_paid_again'; by: Row } | null {
  if (parent === null || !isDead(parent) || isNamed) return { code: 'parent_alive' };
  const by = family.find((one) => !isDead(one));
  return by === undefined ? null : { code: 'already_paid_again', by };
}

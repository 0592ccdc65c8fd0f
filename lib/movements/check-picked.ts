import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import { UUID } from '#lib/values/uuid.ts';
import { isAskedJustNow } from './claim-rules.ts';
import { expediteCheck } from './expedite.ts';
import { fromRaw, MOVEMENT } from './row.ts';
import type { RawMovement } from './row.ts';

/**
 * The maximum number of movements for one press, because each check is a request to the provider.
 */
export const CHECKS_MAX = 50;

/**
 * The result of one press, as numbers of movements. `queued`: the worker will query the provider.
 * `recent`: queried a moment ago, so not again. `nothing`: the provider has no record to query.
 */
export type PickedChecks = { queued: number; recent: number; nothing: number };

/**
 * "Check again" for ticked rows: the worker queries the provider about each movement as soon as it
 * can. A movement that cannot be queried does not stop the checks of the others.
 *
 * @throws Refusal `not_allowed`, `nothing_picked`, `too_many_picked`, `too_many`,
 * `not_found`
 */
export async function checkPicked(actor: Person, ids: readonly string[]): Promise<PickedChecks> {
  assertMay(actor, 'movement.ask');
  const picked = [...new Set(ids.filter((id) => UUID.test(id)))];
  if (picked.length === 0) throw new Refusal('nothing_picked');
  if (picked.length > CHECKS_MAX) throw new Refusal('too_many_picked', { max: CHECKS_MAX });
  await countAttempt(actor, 'movement.ask_many');
  return inTransaction(actor.merchantId, async (tx) => {
    // Lock the rows in the order of their ids; otherwise two presses on the same rows could
    // deadlock.
    const found = await tx.$queryRaw<RawMovement[]>`SELECT ${MOVEMENT} FROM movements
      WHERE id = ANY(${picked}::uuid[]) ORDER BY id FOR UPDATE`;
    if (found.length === 0) throw new Refusal('not_found');
    const now = (await databaseNow(tx)).getTime();
    const counts: PickedChecks = { queued: 0, recent: 0, nothing: 0 };
    for (const movement of found.map(fromRaw)) {
      if (movement.lastHintAt !== null && isAskedJustNow(movement.lastHintAt, now))
        counts.recent += 1;
      else if (await expediteCheck(tx, movement, now, 0)) counts.queued += 1;
      else counts.nothing += 1;
    }
    return counts;
  });
}

import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import { isHeld, lookAfterEnd } from '#lib/movements/claim-rules.ts';
import { record } from '#lib/movements/evidence.ts';
import { isOlderThanRecovery } from '#lib/movements/restored.ts';
import { fromRaw, MOVEMENT } from '#lib/movements/row.ts';
import type { RawMovement } from '#lib/movements/row.ts';
import { mayBeCancelled } from '#lib/movements/state.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { isSendUncompared } from '#lib/begin-check/confirmed.ts';

/**
 * Cancels a payout that provably has not left. The row lock decides against a worker's claim:
 * exactly one of the two wins.
 *
 * @throws Refusal not_allowed, not_found, too_late_to_cancel, cancel_being_read, cancel_not_compared
 */
export async function cancelMovement(actor: Person, payoutId: string): Promise<void> {
  assertMay(actor, 'payout.cancel');
  await inTransaction(actor.merchantId, async (tx) => {
    const [raw] = await tx.$queryRaw<
      RawMovement[]
    >`SELECT ${MOVEMENT} FROM movements WHERE id = ${payoutId}::uuid FOR UPDATE`;
    if (!raw) throw new Refusal('not_found');
    const payout = fromRaw(raw);
    if (!mayBeCancelled(payout.state)) throw new Refusal('too_late_to_cancel');
    const now = (await databaseNow(tx)).getTime();
    if (isHeld(payout, now)) throw new Refusal('cancel_being_read');
    if (await isSendUncompared(tx, payout.id)) throw new Refusal('cancel_not_compared');
    const nextAt = lookAfterEnd(payout, await isOlderThanRecovery(tx, payoutId), now);
    await record(tx, actor, payout, { source: 'person', kind: 'cancelled' }, now, () => ({
      nextAt,
      lease: null,
    }));
  });
}

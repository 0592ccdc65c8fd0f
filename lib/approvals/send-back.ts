import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { isSendUncompared } from '#lib/begin-check/confirmed.ts';
import { lookAfterEnd } from '#lib/movements/claim-rules.ts';
import { isOlderThanRecovery } from '#lib/movements/restored.ts';
import { record } from '#lib/movements/evidence.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import { UUID } from '#lib/values/uuid.ts';
import { lockWaiting } from './lock-waiting.ts';
import { readReason } from './reason.ts';

/**
 * Sends a movement back to its maker with a reason. It ends; the maker changes a copy of it, which
 * is another movement with another reference and needs approvals of its own
 * (docs/decisions/0036-end-what-is-sent-back.md). The maker withdraws by `cancelMovement`.
 *
 * @throws Refusal not_allowed, too_many, stop_reason_needed, not_found, not_waiting, content_changed,
 * own_movement, represented_movement, cancel_not_compared
 */
export async function sendBackMovement(
  actor: Person,
  { id, seenHash, reason }: { id: string; seenHash: string; reason: string },
): Promise<void> {
  assertMay(actor, 'movement.approve');
  const why = readReason(reason);
  await countAttempt(actor, 'movement.approve');
  if (!UUID.test(id)) throw new Refusal('not_found');
  await inTransaction(actor.merchantId, async (tx) => {
    const { movement, decidesFor } = await lockWaiting(tx, actor, { id, seenHash });
    if (await isSendUncompared(tx, id)) throw new Refusal('cancel_not_compared');
    const now = (await databaseNow(tx)).getTime();
    const nextAt = lookAfterEnd(movement, await isOlderThanRecovery(tx, id), now);
    const isDeputy = decidesFor !== actor.personId;
    const own = { by: actor.personId, reason: why };
    const statement = isDeputy ? { ...own, deputyOf: decidesFor } : own;
    await record(
      tx,
      actor,
      movement,
      { source: 'person', kind: 'sent_back', statement },
      now,
      () => ({ nextAt, lease: null }),
    );
  });
}

import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';
import { UUID } from '#lib/values/uuid.ts';

/**
 * A person acknowledges that the plan's record contradicts one of its charges, and notes the
 * outcome. The plan accepts charges again once the worker has read its record; the charge and the
 * finding stay.
 *
 * @throws Refusal not_allowed, not_found, stop_reason_needed
 */
export async function acknowledgeContradiction(
  actor: Person,
  { planId, reason }: { planId: string; reason: string },
): Promise<void> {
  assertMay(actor, 'alert.acknowledge');
  const why = stopReason(reason);
  if (!UUID.test(planId)) throw new Refusal('not_found');
  await inTransaction(actor.merchantId, async (tx) => {
    const seen = await tx.$executeRaw`
      UPDATE plan_charges SET seen_by = ${actor.personId}::uuid, seen_at = clock_timestamp(),
        seen_reason = ${why}
      WHERE plan_id = ${planId}::uuid AND contradicted_at IS NOT NULL AND seen_at IS NULL`;
    if (seen === 0) throw new Refusal('not_found');
    await tx.$executeRaw`UPDATE recurring_plans SET next_at = clock_timestamp(), tries = 0
      WHERE id = ${planId}::uuid`;
    await audit(
      tx,
      actor,
      'card.plan_contradiction_seen',
      `plan:${planId}`,
      { charges: seen },
      { reason: why },
    );
    await wakeWorkers(tx);
    await publish(tx, actor, { kind: 'card', id: planId });
  });
}

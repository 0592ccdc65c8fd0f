import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';
import { publish } from '#lib/live/publish.ts';

/**
 * A person acknowledges the alert of this movement with a reason. State, alert and the locks that
 * depend on it stay; another alert has to be acknowledged again. `attention`: the alert that the
 * person saw.
 *
 * @throws Refusal not_allowed, stop_reason_needed, attention_changed
 */
export async function acknowledgeAttention(
  actor: Person,
  movementId: string,
  attention: string,
  reason: string,
): Promise<void> {
  assertMay(actor, 'attention.acknowledge');
  const why = stopReason(reason);
  await inTransaction(actor.merchantId, async (tx) => {
    const seen = await tx.$executeRaw`
      UPDATE movements SET attention_seen_by = ${actor.personId}::uuid,
        attention_seen_at = clock_timestamp(), attention_seen_reason = ${why}
      WHERE id = ${movementId}::uuid AND attention = ${attention} AND attention_seen_at IS NULL`;
    if (seen === 0) throw new Refusal('attention_changed');
    await publish(tx, actor.merchantId, { kind: 'movement', id: movementId });
    await audit(
      tx,
      actor,
      'movement.attention_seen',
      `movement:${movementId}`,
      { attention },
      { reason: why },
    );
  });
}

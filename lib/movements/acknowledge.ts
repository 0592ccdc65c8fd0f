import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';
import { publish } from '#lib/live/publish.ts';

/**
 * A person acknowledges the alert of this movement with a reason. The movement's state, the alert
 * and the locks that depend on the alert stay; a different alert has to be acknowledged again.
 * `alert`: the alert that the person saw.
 *
 * @throws Refusal not_allowed, stop_reason_needed, alert_changed
 */
export async function acknowledgeAlert(
  actor: Person,
  movementId: string,
  alert: string,
  reason: string,
): Promise<void> {
  assertMay(actor, 'alert.acknowledge');
  const why = stopReason(reason);
  await inTransaction(actor.merchantId, async (tx) => {
    const seen = await tx.$executeRaw`
      UPDATE movements SET alert_seen_by = ${actor.personId}::uuid,
        alert_seen_at = clock_timestamp(), alert_seen_reason = ${why}
      WHERE id = ${movementId}::uuid AND alert = ${alert} AND alert_seen_at IS NULL`;
    if (seen === 0) throw new Refusal('alert_changed');
    await publish(tx, actor, { kind: 'movement', id: movementId });
    await audit(
      tx,
      actor,
      'movement.attention_seen',
      `movement:${movementId}`,
      { alert },
      { reason: why },
    );
  });
}

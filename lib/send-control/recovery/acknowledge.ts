import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { publish } from '#lib/live/publish.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';

/**
 * A person acknowledges a record that our database did not contain, and states what it is. Before
 * that, the same amount to the same IBAN is refused; afterwards there is a warning.
 *
 * @throws Refusal not_allowed, not_found, stop_reason_needed
 */
export async function acknowledgeRecord(actor: Person, id: string, reason: string): Promise<void> {
  assertMay(actor, 'sending.control');
  const why = stopReason(reason);
  await inTransaction(actor.merchantId, async (tx) => {
    const seen = await tx.$executeRaw`
      UPDATE recovered_records SET acknowledged_by = ${actor.personId}::uuid,
        acknowledged_at = clock_timestamp(), acknowledged_reason = ${why}
      WHERE id = ${id}::bigint AND finding <> 'brought_forward' AND acknowledged_at IS NULL`;
    if (seen === 0) throw new Refusal('not_found');
    await audit(tx, actor, 'sending.record_seen', 'sending:all', { record: id }, { reason: why });
    await publish(tx, actor, { kind: 'sending', id: 'all' });
  });
}

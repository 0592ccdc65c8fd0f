import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { publish } from '#lib/live/publish.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';

/**
 * A person acknowledges a difference with a reason. The movement and the record stay unchanged;
 * when the difference changes later, it needs acknowledgement again.
 *
 * @throws Refusal not_allowed, not_found, stop_reason_needed
 */
export async function acknowledgeDifference(
  actor: Person,
  id: string,
  reason: string,
): Promise<void> {
  assertMay(actor, 'alert.acknowledge');
  const why = stopReason(reason);
  await inTransaction(actor.merchantId, async (tx) => {
    const [seen] = await tx.$queryRaw<
      (Row<'differences', 'kind' | 'reference'> & { day: string })[]
    >`
      UPDATE differences SET state = 'ACKNOWLEDGED', acknowledged_by = ${actor.personId}::uuid,
        acknowledged_at = clock_timestamp(), acknowledged_reason = ${why}
      WHERE id = ${id}::uuid AND state = 'OPEN' RETURNING day::text, kind, reference`;
    if (!seen) throw new Refusal('not_found');
    await publish(tx, actor, { kind: 'reconciliation', id: seen.day });
    await audit(
      tx,
      actor,
      'reconciliation.acknowledged',
      `reconciliation:${seen.day}`,
      { kind: seen.kind, reference: seen.reference },
      { reason: why },
    );
  });
}

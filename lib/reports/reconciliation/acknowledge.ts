import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { publish } from '#lib/live/publish.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';

/** What is recorded of a difference `d` on both sides, as one short text. */
export const RECORDED = sql`md5(jsonb_build_array(d.ours, d.theirs)::text)`;

/**
 * A person acknowledges a difference with a reason. The movement and the record stay unchanged;
 * when the difference changes later, it needs acknowledgement again. `recorded`: what the person saw
 * on both sides; a difference that has changed since is not acknowledged.
 *
 * @throws Refusal not_allowed, difference_changed, stop_reason_needed
 */
export async function acknowledgeDifference(
  actor: Person,
  id: string,
  recorded: string,
  reason: string,
): Promise<void> {
  assertMay(actor, 'alert.acknowledge');
  const why = stopReason(reason);
  await inTransaction(actor.merchantId, async (tx) => {
    const [seen] = await tx.$queryRaw<
      (Row<'differences', 'kind' | 'reference'> & { day: string })[]
    >`
      UPDATE differences d SET state = 'ACKNOWLEDGED', acknowledged_by = ${actor.personId}::uuid,
        acknowledged_at = clock_timestamp(), acknowledged_reason = ${why}
      WHERE d.id = ${id}::uuid AND d.state = 'OPEN' AND ${RECORDED} = ${recorded}
      RETURNING d.day::text, d.kind, d.reference`;
    if (!seen) throw new Refusal('difference_changed');
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

import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import { publish } from '#lib/live/publish.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { UUID } from '#lib/values/uuid.ts';

/**
 * A movement `m` that was rejected, failed or returned, which nobody has marked as seen. A movement
 * with an alert is left out, because it is listed for the alert.
 */
export const IS_UNSEEN_OUTCOME = sql`m.outcome_seen_at IS NULL
  AND (m.state IN ('REJECTED', 'FAILED') OR m.returned = 'CONFIRMED') AND m.alert IS NULL`;

/**
 * A person has seen this outcome: the home page no longer lists it, for any colleague. Nothing else
 * changes; the movement may be paid again as before. Idempotent.
 *
 * @throws Refusal not_allowed, not_found
 */
export async function markOutcomeSeen(actor: Person, id: string): Promise<void> {
  assertMay(actor, 'payout.prepare');
  if (!UUID.test(id)) throw new Refusal('not_found');
  await inTransaction(actor.merchantId, async (tx) => {
    const seen = await tx.$queryRaw<{ card_payment_id: string | null }[]>`
      UPDATE movements m SET outcome_seen_by = ${actor.personId}::uuid,
        outcome_seen_at = clock_timestamp()
      WHERE m.id = ${id}::uuid AND ${IS_UNSEEN_OUTCOME} RETURNING m.card_payment_id`;
    if (seen[0] === undefined) return;
    const { card_payment_id: payment } = seen[0];
    await publish(
      tx,
      actor,
      payment === null ? { kind: 'movement', id } : { kind: 'card', id: payment },
    );
    await audit(tx, actor, 'movement.outcome_seen', `movement:${id}`);
  });
}

import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { publish } from '#lib/live/publish.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';
import { UUID } from '#lib/values/uuid.ts';
import { ATTENTION } from './list.ts';

/**
 * A person has looked into a card payment that needs attention, and notes what came of it: the
 * payment leaves that list. Its state and the problem stay, and the database forgets the note when
 * there is another reason, or none. `problem`: the one that the person saw; null when it was only
 * unknown whether the money was captured.
 *
 * @throws Refusal not_allowed, not_found, stop_reason_needed, alert_changed
 */
export async function seeCardProblem(
  actor: Person,
  { paymentId, problem, reason }: { paymentId: string; problem: string | null; reason: string },
): Promise<void> {
  assertMay(actor, 'alert.acknowledge');
  const why = stopReason(reason);
  if (!UUID.test(paymentId)) throw new Refusal('not_found');
  await inTransaction(actor.merchantId, async (tx) => {
    const seen = await tx.$executeRaw`
      UPDATE card_payments p SET problem_seen_by = ${actor.personId}::uuid,
        problem_seen_at = clock_timestamp(), problem_seen_reason = ${why}
      WHERE p.id = ${paymentId}::uuid AND p.problem IS NOT DISTINCT FROM ${problem} AND ${ATTENTION}`;
    if (seen === 0) throw new Refusal('alert_changed');
    await audit(tx, actor, 'card.problem_seen', `card:${paymentId}`, { problem }, { reason: why });
    await publish(tx, actor, { kind: 'card', id: paymentId });
  });
}

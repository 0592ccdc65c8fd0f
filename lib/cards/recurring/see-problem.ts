import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { publish } from '#lib/live/publish.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';
import { UUID } from '#lib/values/uuid.ts';
import { UNKNOWN_CODE } from './list.ts';

/**
 * A person has looked into a plan whose code the gateway does not know, and notes what came of it:
 * the plan leaves the list of what needs attention. The plan and the problem stay, and the database
 * forgets the note when there is another problem, or none.
 *
 * @throws Refusal not_allowed, not_found, stop_reason_needed, alert_changed
 */
export async function seePlanProblem(
  actor: Person,
  { planId, reason }: { planId: string; reason: string },
): Promise<void> {
  assertMay(actor, 'alert.acknowledge');
  const why = stopReason(reason);
  if (!UUID.test(planId)) throw new Refusal('not_found');
  await inTransaction(actor.merchantId, async (tx) => {
    const seen = await tx.$executeRaw`
      UPDATE recurring_plans p SET problem_seen_by = ${actor.personId}::uuid,
        problem_seen_at = clock_timestamp(), problem_seen_reason = ${why}
      WHERE p.id = ${planId}::uuid AND ${UNKNOWN_CODE}`;
    if (seen === 0) throw new Refusal('alert_changed');
    await audit(tx, actor, 'card.plan_problem_seen', `plan:${planId}`, {}, { reason: why });
    await publish(tx, actor, { kind: 'card', id: planId });
  });
}

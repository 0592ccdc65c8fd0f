import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { PLAN_CHARGE } from '#lib/begin-check/journal-entry.ts';
import { LISTED_WITHIN_MS } from './charge.ts';
import { isShownBy, nextCharge } from './plan.ts';
import { UUID } from '#lib/values/uuid.ts';
import { knownPlanOf, PLAN } from './row.ts';
import type { StoredPlan } from './row.ts';

/**
 * `id` is made with the form, so that a repeated submit of the same form is the same charge.
 * `number` and `amountMinor`: the next charge that the form showed. `taken`: the number of taken
 * charges that it showed.
 */
export type ChargeForm = {
  id: string;
  planId: string;
  number: number | null;
  amountMinor: bigint;
  taken: number;
};

/**
 * Requests the next charge of a plan to be carried out now. The worker checks the plan once more
 * and sends it, at most once. Refused while an earlier charge is open, while one that people said
 * was taken is not on the record yet, and while a change of the plan may be in flight.
 *
 * @throws Refusal not_allowed, not_found, too_many, plan_charge_open, plan_change_open,
 * plan_changed, plan_not_active, plan_charge_stopped, plan_charge_repeated, plan_charge_awaited
 */
export async function startPlanCharge(
  actor: Person,
  { id, planId, number, amountMinor, taken }: ChargeForm,
): Promise<void> {
  assertMay(actor, 'card.plan');
  if (!UUID.test(id) || !UUID.test(planId)) throw new Refusal('not_found');
  await countAttempt(actor, 'plan.change');
  await inTransaction(actor.merchantId, async (tx) => {
    // The lock has a statement of its own: a statement that waits for the lock does not see that
    // the earlier charge ended meanwhile.
    await tx.$queryRaw`SELECT 1 FROM recurring_plans WHERE id = ${planId}::uuid FOR UPDATE`;
    const [raw] = await tx.$queryRaw<
      (StoredPlan & { stopped: boolean; changing: boolean; awaited: boolean })[]
    >`
      SELECT ${PLAN.of('p')}, coalesce(p.change_until > clock_timestamp(), false) AS changing,
        EXISTS (SELECT FROM plan_charges c WHERE c.plan_id = p.id AND c.state = 'CHARGED'
          AND c.taken_minor IS NULL AND c.sent_at
            > clock_timestamp() - make_interval(secs => ${LISTED_WITHIN_MS / 1_000})) AS awaited,
        EXISTS (SELECT FROM send_switches s WHERE s.off AND s.kind IN (${PLAN_CHARGE}, 'all')) AS stopped
      FROM recurring_plans p WHERE p.id = ${planId}::uuid`;
    if (!raw) throw new Refusal('not_found');
    const earlier = await tx.$queryRaw<
      Row<'plan_charges', 'id'>[]
    >`SELECT id FROM plan_charges WHERE id = ${id}::uuid`;
    if (earlier.length > 0) throw new Refusal('plan_charge_repeated');
    if (raw.stopped) throw new Refusal('plan_charge_stopped');
    if (raw.changing) throw new Refusal('plan_change_open');
    if (raw.awaited) throw new Refusal('plan_charge_awaited');
    const plan = knownPlanOf(raw);
    if (nextCharge(plan) === null) throw new Refusal('plan_not_active');
    if (plan.problem === 'contradiction' || !isShownBy(plan, { number, amountMinor, taken }))
      throw new Refusal('plan_changed');
    const stored = await tx.$executeRaw`
      INSERT INTO plan_charges (id, merchant_id, plan_id, person_id, number, amount_minor, currency,
        asked_at)
      VALUES (${id}::uuid, ${actor.merchantId}::uuid, ${planId}::uuid, ${actor.personId}::uuid,
        ${number}, ${amountMinor}, ${plan.currency}, clock_timestamp()) ON CONFLICT DO NOTHING`;
    if (stored === 0) throw new Refusal('plan_charge_open');
    await audit(tx, actor, 'card.plan_charge_asked', `plan:${planId}`, {
      charge: id,
      number,
      amount: amountMinor.toString(),
      currency: plan.currency,
    });
    await wakeWorkers(tx);
    await publish(tx, actor, { kind: 'card', id: planId });
  });
}

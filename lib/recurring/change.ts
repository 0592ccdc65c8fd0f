import 'server-only';
import { require } from '#lib/actor.ts';
import type { Person } from '#lib/actor.ts';
import { audit } from '#lib/audit.ts';
import type { AuditDetail } from '#lib/audit.ts';
import { inTransaction } from '#lib/db.ts';
import { announce, wakeWorkers } from '#lib/movements/evidence.ts';
import { toDecimal } from '#lib/money.ts';
import { cardClient } from '#lib/providers/card/here.ts';
import type { PlanChange } from '#lib/providers/card/recurring.ts';
import { countKnock } from '#lib/rate-limit.ts';
import { Refusal } from '#lib/refusal.ts';
import { UUID } from '#lib/uuid.ts';

/** What the plan's record says after the request, whatever was answered to it; null when it could not be read. */
export type PlanNow = { status: 'active' | 'inactive' | 'completed' | 'unknown'; amount: string; currency: string; payments: number | null } | null;
/** `unclear`: nobody knows by the answer whether it was done. */
export type Changed = { kind: 'done' | 'unclear' | 'not_found'; now: PlanNow } | { kind: 'refused'; code: string; now: PlanNow };

/**
 * Changes the charges to come of a plan: amount, number of charges, running or paused. Moves no money; the same change again changes nothing
 * more, so an unclear answer may be followed by another try. While a charge is open its amount and number stay: a pause is always possible.
 *
 * @throws Refusal not_found, plan_charge_open; RangeError for a change of nothing or one out of bounds
 */
export async function changePlan(actor: Person, id: string, change: PlanChange): Promise<Changed> {
  require(actor, 'card.plan');
  if (!UUID.test(id)) throw new Refusal('not_found');
  await countKnock(actor, 'plan.change');
  const detail: AuditDetail = { amount: change.amountMinor?.toString() ?? null, payments: change.payments ?? null, status: change.status ?? null };
  const plan = await inTransaction(actor.merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<{ plan_code: string; currency: string; charging: boolean }[]>`
      SELECT plan_code, currency, EXISTS (SELECT FROM plan_charges c WHERE c.plan_id = p.id AND c.state IN ('QUEUED', 'SENDING', 'APPROVED', 'UNKNOWN')) AS charging
      FROM recurring_plans p WHERE id = ${id}::uuid FOR UPDATE`;
    if (!row) throw new Refusal('not_found');
    if (row.charging && change.status !== 'inactive') throw new Refusal('plan_charge_open');
    await audit(tx, actor, 'card.plan_change_asked', `plan:${id}`, detail);
    return row;
  });
  const outcome = await cardClient().updatePlan(plan.plan_code, change);
  const read = await cardClient().readPlan({ planCode: plan.plan_code });
  await inTransaction(actor.merchantId, async (tx) => {
    await tx.$executeRaw`UPDATE recurring_plans SET next_at = clock_timestamp(), tries = 0 WHERE id = ${id}::uuid`;
    await audit(tx, actor, 'card.plan_changed', `plan:${id}`, { ...detail, answer: outcome.kind, code: 'code' in outcome ? (outcome.code ?? null) : null });
    await wakeWorkers(tx);
    await announce(tx, actor.merchantId, { kind: 'card', id });
  });
  const now: PlanNow = read.kind === 'answered' ? { status: read.value.status, amount: toDecimal(read.value.recurringMinor), currency: read.value.currency ?? plan.currency, payments: read.value.payments } : null;
  switch (outcome.kind) {
    case 'done':
    case 'not_found': return { kind: outcome.kind, now };
    case 'refused': return { kind: 'refused', code: outcome.code, now };
    case 'no_answer': return { kind: 'unclear', now };
  }
}

import 'server-only';
import { columns } from '#lib/runtime/db.ts';
import type { RowOf } from '#lib/runtime/db.ts';
import type { KnownCharge, KnownPlan, PlanProblem, PlanStatus } from './plan.ts';
import type { ChargeState, NotChargedReason } from './charge.ts';

export const PLAN = columns('recurring_plans', [
  'id',
  'plan_code',
  'source',
  'status',
  'problem',
  'currency',
  'first_minor',
  'recurring_minor',
  'total_minor',
  'payments',
  'every',
  'cycle',
  'first_order_id',
  'card',
  'next_charge_at',
  'started_at',
  'charges',
  'verified_at',
  'tries',
  'next_at',
  'first_seen_at',
]);

export type StoredPlan = RowOf<
  typeof PLAN,
  {
    source: 'payment' | 'notice' | 'person';
    status: PlanStatus | null;
    problem: PlanProblem | null;
    cycle: KnownPlan['cycle'];
    charges: KnownCharge[];
  }
>;

export const CHARGE = columns('plan_charges', [
  'id',
  'plan_id',
  'person_id',
  'number',
  'amount_minor',
  'currency',
  'state',
  'reason',
  'code',
  'message',
  'charges_before',
  'reads',
  'taken_minor',
  'taken_number',
  'taken_order_id',
  'asked_at',
  'sent_at',
  'answered_at',
  'ended_at',
  'contradicted_at',
  'seen_at',
]);

export type StoredCharge = RowOf<
  typeof CHARGE,
  {
    state: ChargeState;
    reason: NotChargedReason | null;
    charges_before: KnownCharge[] | null;
  }
>;

export function knownPlanOf(raw: StoredPlan): KnownPlan {
  return {
    status: raw.status,
    problem: raw.problem,
    currency: raw.currency,
    firstMinor: raw.first_minor,
    recurringMinor: raw.recurring_minor,
    totalMinor: raw.total_minor,
    payments: raw.payments,
    every: raw.every,
    cycle: raw.cycle,
    firstOrderId: raw.first_order_id,
    card: raw.card,
    nextChargeAt: raw.next_charge_at?.getTime() ?? null,
    startedAt: raw.started_at?.getTime() ?? null,
    charges: raw.charges,
    verifiedAt: raw.verified_at?.getTime() ?? null,
  };
}

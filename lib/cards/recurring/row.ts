import 'server-only';
import type { KnownCharge, KnownPlan, PlanProblem, PlanStatus } from './plan.ts';
import type { ChargeState, NotChargedReason } from './charge.ts';

export type RawPlan = {
  id: string;
  plan_code: string;
  source: 'payment' | 'notice' | 'person';
  status: PlanStatus | null;
  problem: PlanProblem | null;
  currency: string;
  first_minor: bigint | null;
  recurring_minor: bigint | null;
  total_minor: bigint | null;
  payments: number | null;
  every: number | null;
  cycle: KnownPlan['cycle'];
  first_order_id: string | null;
  card: string | null;
  next_charge_at: Date | null;
  started_at: Date | null;
  charges: KnownCharge[];
  verified_at: Date | null;
  tries: number;
  next_at: Date | null;
  first_seen_at: Date;
};

export type RawCharge = {
  id: string;
  plan_id: string;
  person_id: string;
  number: number | null;
  amount_minor: bigint;
  currency: string;
  state: ChargeState;
  reason: NotChargedReason | null;
  code: string | null;
  message: string | null;
  charges_before: KnownCharge[] | null;
  reads: number;
  taken_minor: bigint | null;
  taken_number: number | null;
  taken_order_id: string | null;
  asked_at: Date;
  sent_at: Date | null;
  answered_at: Date | null;
  ended_at: Date | null;
  contradicted_at: Date | null;
  seen_at: Date | null;
};

export function knownPlanOf(raw: RawPlan): KnownPlan {
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

/** What the responses about recurring plans prove. Pure. */
import type { Exchange, Reply } from '../outcome.ts';
import { classifyMoney } from './classify-money.ts';
import type { CardCodes } from './codes.ts';
import { planRecord } from './plan-record.ts';
import type { Plan } from './plan-record.ts';
import { readReply } from './reply.ts';
import type { NotApproved, ResponseDetail } from './types.ts';

/**
 * `approved`: the gateway says that the charge was carried out. The response names no amount, so
 * the plan is read in any case.
 */
export type PlanChargeOutcome = ResponseDetail & ({ kind: 'approved' } | NotApproved);

/** Reads a plan's record. Only the record of the requested plan counts as a response. */
export function classifyPlan(exchange: Exchange, planCode: string, codes: CardCodes): Reply<Plan> {
  const reply = readReply(exchange, planRecord(codes.errands), codes);
  return reply.kind === 'answered' && reply.value.planCode !== planCode
    ? { kind: 'no_answer', why: 'mismatch' }
    : reply;
}

export function classifyPlanCharge(
  exchange: Exchange,
  codes: CardCodes,
  fieldPrefix: string,
): PlanChargeOutcome {
  return classifyMoney(exchange, codes.errands.processPlan, fieldPrefix, () => ({
    kind: 'approved' as const,
  }));
}

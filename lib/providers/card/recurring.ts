import 'server-only';
import * as z from 'zod';
import { rawAmount, rawInteger } from '../json.ts';
import type { Reply } from '../outcome.ts';
import { classifyPlan, classifyPlanCharge } from './classify-plan.ts';
import type { PlanChargeOutcome } from './classify-plan.ts';
import { readManagementAnswer } from './management-call.ts';
import type { ManagementOutcome } from './management-call.ts';
import { LIST_MAX_BYTES } from './connection.ts';
import type { Line } from './connection.ts';
import type { Sending } from './pay.ts';
import type { Plan } from './plan-record.ts';

/** `recurring_payment_number` (`published`): the total number of the plan's charges. */
const PAYMENTS_MIN = 2;
const PAYMENTS_MAX = 121;

/** Status words of update requests (the case varies by source: `published-weak`). */
const STATUS_WORDS = { active: 'Active', inactive: 'Passive' } as const;

/** The fields of a plan to change, at least one. The change applies to future charges. */
export type PlanChange = {
  amountMinor?: bigint;
  payments?: number;
  status?: 'active' | 'inactive';
};

/**
 * A plan with its charges, or with one of them (`published`: POST recurringPlan/query; without a
 * number the whole plan: `assumed`). The only source for what a plan has charged: a webhook and the
 * response to `processPlan` are claimed statuses only.
 */
export async function readPlan(
  line: Line,
  question: { planCode: string; number?: number },
): Promise<Reply<Plan>> {
  const fields = {
    merchant_key: line.merchantKey,
    plan_code: question.planCode,
    recurring_number: question.number,
  };
  const exchange = await line.ask({
    path: '/ccpayment/api/recurringPlan/query',
    fields,
    answerMaxBytes: LIST_MAX_BYTES,
  });
  return classifyPlan(exchange, question.planCode, line.codes);
}

/**
 * Has the plan's due charge carried out (`published`: POST recurring/plan/process with the
 * merchant's number). It charges a card and no idempotency key is documented: one request, never
 * resent automatically. `readPlan` reads the result.
 */
export async function processPlan(
  line: Line,
  plan: { merchantId: string; planCode: string },
  sending: Sending,
): Promise<PlanChargeOutcome> {
  const fields = { merchant_id: rawInteger(plan.merchantId), plan_code: plan.planCode };
  const exchange = await line.send({
    path: '/ccpayment/api/recurring/plan/process',
    fields,
    beforeWrite: sending.beforeWrite,
  });
  return classifyPlanCharge(exchange, line.codes, line.fieldPrefix);
}

/**
 * Changes amount, number of charges or status of a plan (`published`: POST recurringPlan/update).
 * Repeating the same change has no further effect.
 * @throws RangeError for an empty change, an amount that is not positive and a number out of
 * bounds.
 */
export async function updatePlan(
  line: Line,
  planCode: string,
  change: PlanChange,
  sending?: Sending,
): Promise<ManagementOutcome<null>> {
  const { amountMinor, payments, status } = change;
  if (amountMinor === undefined && payments === undefined && status === undefined)
    throw new RangeError('a change names at least one field');
  if (amountMinor !== undefined && (typeof amountMinor !== 'bigint' || amountMinor <= 0n))
    throw new RangeError('a charge has a positive amount');
  if (
    payments !== undefined &&
    !(Number.isInteger(payments) && payments >= PAYMENTS_MIN && payments <= PAYMENTS_MAX)
  )
    throw new RangeError(`a plan has ${PAYMENTS_MIN} to ${PAYMENTS_MAX} charges`);
  const exchange = await line.ask({
    path: '/ccpayment/api/recurringPlan/update',
    fields: {
      merchant_key: line.merchantKey,
      plan_code: planCode,
      recurring_amount: amountMinor === undefined ? undefined : rawAmount(amountMinor),
      recurring_payment_number: payments,
      recurring_status: status === undefined ? undefined : STATUS_WORDS[status],
    },
    ...sending,
  });
  const outcome = readManagementAnswer(
    exchange,
    z.object({}),
    line.codes,
    line.codes.errands.refused.updatePlan,
  );
  return outcome.kind === 'done' ? { kind: 'done', value: null } : outcome;
}

/**
 * A recurring plan as the gateway writes it (`published`: recurringPlan/query; flat, with `message`
 * beside the code). Pure.
 */
import * as z from 'zod';
import type { ErrandCodes, PlanChargeStatus, PlanStatus } from './management-codes.ts';
import {
  amount,
  amountOrNull,
  countOrNull,
  id,
  idOrNull,
  maskedCardOrNull,
  textOrNull,
} from './wire.ts';

/** One charge of a plan, past or future. Times are the gateway's own text. */
export type PlanCharge = {
  id: string | null;
  /** The order of this charge; null before it exists. */
  saleId: string | null;
  /** 1 is the original order. */
  number: number | null;
  amountMinor: bigint;
  /** `unknown`: a word that the code tables do not name. Never final. */
  status: PlanChargeStatus | 'unknown';
  at: string | null;
  attempts: number | null;
  remarks: string | null;
};

export type Plan = {
  recurringId: string | null;
  planCode: string;
  status: PlanStatus | 'unknown';
  /** ISO code; null when the gateway names none. */
  currency: string | null;
  firstMinor: bigint | null;
  /** Amount of each further charge. */
  recurringMinor: bigint;
  totalMinor: bigint | null;
  /** Total number of charges. */
  payments: number | null;
  /** A charge every `interval` days, months or years. */
  interval: number | null;
  cycle: 'day' | 'month' | 'year' | 'unknown';
  firstOrderId: string | null;
  merchantId: string | null;
  /** First six and last four digits at most. */
  card: string | null;
  nextAt: string | null;
  startedAt: string | null;
  charges: PlanCharge[];
};

export const planRecord = (codes: ErrandCodes): z.ZodType<Plan> => {
  const charge = z
    .object({
      id: idOrNull,
      sale_id: idOrNull,
      recurring_number: countOrNull,
      amount,
      status: textOrNull,
      action_date: textOrNull,
      attempts: countOrNull,
      remarks: textOrNull,
    })
    .transform((row): PlanCharge => ({
      id: row.id,
      saleId: row.sale_id,
      number: row.recurring_number,
      amountMinor: row.amount,
      status: codes.planChargeStatuses.get(row.status?.trim().toLowerCase() ?? '') ?? 'unknown',
      at: row.action_date,
      attempts: row.attempts,
      remarks: row.remarks,
    }));
  return z
    .object({
      recurring_id: idOrNull,
      plan_code: id,
      recurring_status: textOrNull,
      currency: textOrNull,
      first_amount: amountOrNull,
      recurring_amount: amount,
      total_amount: amountOrNull,
      payment_number: countOrNull,
      payment_interval: countOrNull,
      payment_cycle: textOrNull,
      first_order_id: idOrNull,
      merchant_id: idOrNull,
      card_no: maskedCardOrNull,
      next_action_date: textOrNull,
      transaction_date: textOrNull,
      transactionHistories: z.array(charge).nullish(),
    })
    .transform((record): Plan => ({
      recurringId: record.recurring_id,
      planCode: record.plan_code,
      status:
        codes.planStatuses.get(record.recurring_status?.trim().toLowerCase() ?? '') ?? 'unknown',
      currency:
        record.currency !== null && /^[A-Z]{3}$/.test(record.currency) ? record.currency : null,
      firstMinor: record.first_amount,
      recurringMinor: record.recurring_amount,
      totalMinor: record.total_amount,
      payments: record.payment_number,
      interval: record.payment_interval,
      cycle: cycle(record.payment_cycle),
      firstOrderId: record.first_order_id,
      merchantId: record.merchant_id,
      card: record.card_no,
      nextAt: record.next_action_date,
      startedAt: record.transaction_date,
      charges: record.transactionHistories ?? [],
    }));
};

/** D, M or Y (`contract`). */
function cycle(text: string | null): Plan['cycle'] {
  switch (text?.toUpperCase()) {
    case 'D':
      return 'day';
    case 'M':
      return 'month';
    case 'Y':
      return 'year';
    default:
      return 'unknown';
  }
}

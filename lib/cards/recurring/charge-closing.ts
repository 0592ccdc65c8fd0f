import type { Question } from '#lib/second-person/requests.ts';
import { isYounger } from '#lib/values/younger.ts';
import type { ChargeState } from './charge.ts';

/**
 * When two people may close a charge that the plan's record does not list. Pure; times in
 * milliseconds.
 */

export const CHARGE_CLAIMS = ['done', 'not_done'] as const;
export type ChargeClaim = (typeof CHARGE_CLAIMS)[number];

/**
 * How long after the send people may not close a charge: a record may still list it, and a request
 * may still be in flight.
 */
const DAY_MS = 24 * 60 * 60_000;
/** An older reading of the plan is no evidence of the current state. */
export const PLAN_FRESH_MS = 60_000;
const READS_MIN = 3;

export type OpenCharge = {
  id: string;
  state: ChargeState;
  personId: string;
  sentAt: number | null;
  reads: number;
};

/** Whether only the plan's record or people can end the charge, because it was sent. */
export function mayBeClosed({ state, sentAt }: Pick<OpenCharge, 'state' | 'sentAt'>): boolean {
  return sentAt !== null && (state === 'UNKNOWN' || state === 'APPROVED');
}

/** `readAt`: when the plan's record was last read. Null when the charge may be closed now. */
export function chargeCloseRefusal(
  charge: OpenCharge,
  readAt: number | null,
  now: number,
): 'close_not_unknown' | 'close_not_a_day' | 'close_too_early' | 'close_unverified' | null {
  if (!mayBeClosed(charge)) return 'close_not_unknown';
  if (now < closeFrom(charge)) return 'close_not_a_day';
  if (readAt === null || !isYounger(readAt, PLAN_FRESH_MS, now)) return 'close_unverified';
  return charge.reads < READS_MIN ? 'close_too_early' : null;
}

export function closeFrom({ sentAt }: Pick<OpenCharge, 'sentAt'>): number {
  return (sentAt ?? 0) + DAY_MS;
}

export function chargeQuestion({
  id,
  state,
  personId,
}: Pick<OpenCharge, 'id' | 'state' | 'personId'>): Question {
  return {
    subject: { kind: 'plan_charge', id },
    boundTo: state,
    makerId: personId,
    needs: 'approver',
  };
}

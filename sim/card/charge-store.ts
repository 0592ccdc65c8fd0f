import type { ChargeState, NotChargedReason } from '#lib/cards/recurring/charge.ts';
import type { KnownCharge, KnownPlan } from '#lib/cards/recurring/plan.ts';
import { Refused } from '../guard.ts';

/**
 * The rows of recurring plans and of the charges that people requested, with what the real table's
 * guard refuses. Times in ms.
 */

export type PlanRow = {
  id: string;
  planCode: string;
  known: KnownPlan;
  nextAt: number | null;
  tries: number;
  firstSeenAt: number;
};

export type ChargeRow = {
  id: string;
  planId: string;
  need: number;
  maker: string;
  number: number | null;
  amountMinor: bigint;
  currency: string;
  state: ChargeState;
  reason: NotChargedReason | null;
  before: KnownCharge[] | null;
  reads: number;
  taken: { number: number | null; orderId: string | null } | null;
  askedAt: number;
  sentAt: number | null;
  leaseUntil: number | null;
  contradictedAt: number | null;
  seenAt: number | null;
};

export type ChargeChange = { before: ChargeRow | null; after: ChargeRow };

const STEPS: Readonly<Record<ChargeState, readonly ChargeState[]>> = {
  QUEUED: ['SENDING', 'NOT_CHARGED'],
  SENDING: ['APPROVED', 'UNKNOWN', 'NOT_CHARGED'],
  APPROVED: ['CHARGED', 'NOT_CHARGED'],
  UNKNOWN: ['CHARGED', 'NOT_CHARGED'],
  CHARGED: [],
  NOT_CHARGED: [],
};

/** Refuses what the triggers of `plan_charges` refuse. */
export function checkCharge(before: ChargeRow, after: ChargeRow): void {
  if (after.state !== before.state && !STEPS[before.state].includes(after.state))
    throw new Refused('W', `no step from ${before.state} to ${after.state}`);
  const leaves = before.state === 'QUEUED' && after.state === 'SENDING' && before.sentAt === null;
  if (after.sentAt !== before.sentAt && !leaves)
    throw new Refused('W', 'a charge of a plan is sent once');
  if (before.contradictedAt !== null && after.contradictedAt !== before.contradictedAt)
    throw new Refused('W', 'a contradiction that was found stays so');
}

export const UNREAD_PLAN: KnownPlan = {
  status: null,
  problem: null,
  currency: 'TRY',
  firstMinor: null,
  recurringMinor: null,
  totalMinor: null,
  payments: null,
  every: null,
  cycle: null,
  firstOrderId: null,
  card: null,
  nextChargeAt: null,
  startedAt: null,
  charges: [],
  verifiedAt: null,
};

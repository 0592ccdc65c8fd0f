import { nextCheckUnanswered } from '../payments/unanswered.ts';
import type { KnownPlan } from './plan.ts';

/** The schedule for polling a plan's record. Pure; times in milliseconds. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The polls after a charge was sent, counted from the send (docs/money-rules.md, "Reads"). After
 * the last one the plan is polled every quarter of an hour, and after a day every hour.
 */
const CHARGE_OFFSETS_MS = [3, 8, 20, 45, 90, 180, 360, 720].map((seconds) => seconds * SECOND);
const CHARGE_SLOW_MS = 15 * MINUTE;
const CHARGE_HOURLY_AFTER_MS = DAY;
/** How long after its due time the gateway's own charge is on the plan's record. */
const AFTER_DUE_MS = 2 * MINUTE;
const OVERDUE_MS = HOUR;

/**
 * The time of the next poll; null: no further poll. `since`: when the plan became known here.
 * `tries`: consecutive polls without a record. `sentAt`: when the open charge was sent.
 */
export function nextPlanLook(
  plan: Pick<KnownPlan, 'status' | 'problem' | 'nextChargeAt'>,
  {
    now,
    since,
    tries,
    sentAt,
  }: { now: number; since: number; tries: number; sentAt: number | null },
): number | null {
  if (sentAt !== null) return nextChargePoll(sentAt, now);
  if (plan.problem === 'no_answer' || plan.status === null)
    return nextCheckUnanswered(plan.status !== null, { now, since, tries });
  switch (plan.status) {
    case 'completed':
      return null;
    case 'inactive':
    case 'unknown':
      return now + DAY;
    case 'active': {
      const due = plan.nextChargeAt === null ? null : plan.nextChargeAt + AFTER_DUE_MS;
      return due === null ? now + DAY : due <= now ? now + OVERDUE_MS : Math.min(due, now + DAY);
    }
  }
}

function nextChargePoll(sentAt: number, now: number): number {
  const offset = CHARGE_OFFSETS_MS.find((ms) => sentAt + ms > now);
  if (offset !== undefined) return sentAt + offset;
  return now + (now - sentAt > CHARGE_HOURLY_AFTER_MS ? HOUR : CHARGE_SLOW_MS);
}

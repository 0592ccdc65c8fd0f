import { lapsesAt } from './authorization.ts';
import type { KnownPayment } from './payment.ts';
import { GIVE_UP_MS, nextCheckUnanswered } from './unanswered.ts';

/** The schedule for polling a payment's record. Pure; times in milliseconds. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A brand's own advice (`published`): every 15 minutes until it has ended. */
const PENDING_MS = 15 * MINUTE;
const FIRST_PENDING_MS = 30 * SECOND;
/** How long a captured payment is polled for refunds and chargebacks that no webhook reported. */
const TAKEN_WATCH_MS = 120 * DAY;
const LAPSED_WATCH_MS = 14 * DAY;

/**
 * The time of the next poll; null: no further poll. `since`: when the payment became known here, was
 * sent or was reported, whichever is the latest.
 * `tries`: consecutive polls without a record. `isSent`: this server sent the charge, so it may have
 * been taken, and polling never stops before its outcome is known.
 */
export function nextLook(
  payment: Pick<KnownPayment, 'state' | 'problem' | 'heldSince'>,
  {
    now,
    since,
    tries,
    isSent = false,
  }: { now: number; since: number; tries: number; isSent?: boolean },
): number | null {
  const age = now - since;
  if (payment.problem === 'no_answer' || (payment.state === null && payment.problem !== 'mismatch'))
    return nextCheckUnanswered(isSent || payment.state !== null, { now, since, tries });
  switch (payment.state) {
    // Only a record with another amount was ever read: the outcome is as open as for a pending
    // payment.
    case null:
    case 'pending':
      return age > GIVE_UP_MS
        ? now + DAY
        : now + (age < 10 * MINUTE ? FIRST_PENDING_MS : age < DAY ? PENDING_MS : HOUR);
    case 'held':
    case 'maybe_captured':
      return nextHeldPoll(payment.heldSince, now);
    case 'completed':
    case 'captured':
    case 'partly_refunded':
      return age > TAKEN_WATCH_MS ? null : now + DAY;
    case 'failed':
    case 'cancelled':
    case 'refunded':
    case 'charged_back':
      return null;
  }
}

/**
 * Polls more often towards the end of the authorization, and after it until the record shows the
 * void.
 */
function nextHeldPoll(heldSince: number | null, now: number): number | null {
  if (heldSince === null) return now + 6 * HOUR;
  const left = lapsesAt(heldSince) - now;
  if (left <= 0) return left < -LAPSED_WATCH_MS ? null : now + (left < -DAY ? DAY : HOUR);
  const wait = left > 3 * DAY ? 6 * HOUR : left > DAY ? HOUR : 15 * MINUTE;
  // Schedules one poll for just after the end of the authorization.
  return Math.min(now + wait, now + left + MINUTE);
}

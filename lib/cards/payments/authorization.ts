import { addDays, dayRange, dayIn } from '#lib/values/dates.ts';

/** How long a pre-authorization lives, and where it stands in the queue. Pure. */

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Neither completed nor cancelled for 20 days, it is cancelled by itself (`contract`). */
export const HOLD_LIFE_MS = 20 * DAY_MS;
/**
 * A hold is not taken in the last of its 20 days: a request that is late by hours would find
 * nothing (docs/money-rules.md, "Card operations").
 */
export const CAPTURE_LIFE_MS = 19 * DAY_MS;

/**
 * `age_unknown`: nobody knows when the hold began, so nobody can say until when it may be taken.
 */
export const HOLD_BUCKETS = ['today', 'days3', 'days7', 'later', 'age_unknown', 'lapsed'] as const;
export type AuthorizationBucket = (typeof HOLD_BUCKETS)[number];

/** When a hold is let go by itself. `since` in milliseconds. */
export function lapsesAt(since: number): number {
  return since + HOLD_LIFE_MS;
}

/** The last moment at which a hold is taken from here. `since` in milliseconds. */
export function captureEndsAt(since: number): number {
  return since + CAPTURE_LIFE_MS;
}

/**
 * When each bucket ends, as the beginning of the day after it in the workspace's zone. In
 * milliseconds.
 */
export function bucketEnds(now: number, zone: string): Record<'today' | 'days3' | 'days7', number> {
  const today = dayIn(new Date(now).toISOString(), zone);
  const endOf = (days: number): number => Date.parse(dayRange(addDays(today, days), zone).to);
  return { today: endOf(0), days3: endOf(3), days7: endOf(7) };
}

/**
 * In which bucket a hold is that began at `since`. One that has lapsed is never called anything
 * else, whatever its record says.
 */
export function bucketOf(since: number | null, now: number, zone: string): AuthorizationBucket {
  if (since === null) return 'age_unknown';
  const end = lapsesAt(since);
  if (end <= now) return 'lapsed';
  const ends = bucketEnds(now, zone);
  if (end < ends.today) return 'today';
  if (end < ends.days3) return 'days3';
  return end < ends.days7 ? 'days7' : 'later';
}

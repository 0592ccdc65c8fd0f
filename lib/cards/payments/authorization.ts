import { addDays, dayRange, dayIn } from '#lib/values/dates.ts';

/** How long an authorization lasts, and its bucket in the queue. Pure. */

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * An authorization that is neither captured nor voided for 20 days is voided by the gateway
 * (`contract`).
 */
export const HOLD_LIFE_MS = 20 * DAY_MS;
/**
 * How long after its start an authorization may be captured from here. The last of the 20 days is
 * left out: a request that is hours late would find no authorization (docs/money-rules.md,
 * "Card operations").
 */
export const CAPTURE_LIFE_MS = 19 * DAY_MS;

/**
 * The buckets of the queue, by the last moment at which an authorization can be captured from here.
 * `too_old`: that moment has passed, but the gateway has not voided the authorization yet.
 * `age_unknown`: the day of the authorization is unknown, and so is the end of its capture period.
 */
export const HOLD_BUCKETS = [
  'today',
  'days3',
  'days7',
  'later',
  'age_unknown',
  'too_old',
  'lapsed',
] as const;
export type AuthorizationBucket = (typeof HOLD_BUCKETS)[number];

/** When the gateway voids an authorization by itself. `since` in milliseconds. */
export function lapsesAt(since: number): number {
  return since + HOLD_LIFE_MS;
}

/** The last moment at which an authorization is captured from here. `since` in milliseconds. */
export function captureEndsAt(since: number): number {
  return since + CAPTURE_LIFE_MS;
}

/** Every day on which an authorization that is made until `now` may end, today first. */
export function captureDays(now: number, zone: string): string[] {
  const today = dayIn(new Date(now).toISOString(), zone);
  return Array.from({ length: CAPTURE_LIFE_MS / DAY_MS + 1 }, (_, nth) => addDays(today, nth));
}

/**
 * When each bucket ends: at midnight after its last day, in the workspace's time zone. That
 * midnight still belongs to the bucket, because an authorization whose day a person stated ends at
 * a midnight. In milliseconds.
 */
export function bucketEnds(now: number, zone: string): Record<'today' | 'days3' | 'days7', number> {
  const today = dayIn(new Date(now).toISOString(), zone);
  const endOf = (days: number): number => Date.parse(dayRange(addDays(today, days), zone).to);
  return { today: endOf(0), days3: endOf(3), days7: endOf(7) };
}

/**
 * The bucket of an authorization made at `since`. A lapsed one is always `lapsed`, whatever its
 * record says.
 */
export function bucketOf(since: number | null, now: number, zone: string): AuthorizationBucket {
  if (since === null) return 'age_unknown';
  if (lapsesAt(since) <= now) return 'lapsed';
  const end = captureEndsAt(since);
  if (end <= now) return 'too_old';
  const ends = bucketEnds(now, zone);
  if (end <= ends.today) return 'today';
  if (end <= ends.days3) return 'days3';
  return end <= ends.days7 ? 'days7' : 'later';
}

/**
 * The retry schedule when the gateway gives no response, or does not know the order. Pure; times in
 * milliseconds.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** With increasing intervals, for a week. */
const UNANSWERED_MS = [15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR];
export const GIVE_UP_MS = 7 * 24 * HOUR;

/**
 * Null: no further poll; polling never stops once a record was read. `since`: when it became known
 * here. `tries`: consecutive polls without a record.
 */
export function nextCheckUnanswered(
  wasRead: boolean,
  { now, since, tries }: { now: number; since: number; tries: number },
): number | null {
  if (!wasRead && now - since > GIVE_UP_MS) return null;
  return now + (UNANSWERED_MS[Math.min(tries, UNANSWERED_MS.length) - 1] ?? 0);
}

/**
 * When the gateway is asked again that did not answer, or does not know what it was asked about.
 * Pure; times in milliseconds.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Sooner at first, a week in all. */
const UNANSWERED_MS = [15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR];
export const GIVE_UP_MS = 7 * 24 * HOUR;

/**
 * Null: never by itself; what was read once is never given up. `since`: when it became known here.
 * `tries`: looks in a row without a record.
 */
export function nextCheckUnanswered(
  wasRead: boolean,
  { now, since, tries }: { now: number; since: number; tries: number },
): number | null {
  if (!wasRead && now - since > GIVE_UP_MS) return null;
  return now + (UNANSWERED_MS[Math.min(tries, UNANSWERED_MS.length) - 1] ?? 0);
}

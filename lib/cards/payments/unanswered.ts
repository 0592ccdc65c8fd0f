import { waitAfter } from '#lib/values/back-off.ts';

/**
 * The retry schedule when the gateway gives no response, or does not know the order. Pure; times in
 * milliseconds.
 */

/** With increasing intervals, for a week. */
export const GIVE_UP_MS = 7 * 24 * 60 * 60_000;

/**
 * Null: no further poll; polling never stops once a record was read. `since`: when it became known
 * here. `tries`: consecutive polls without a record.
 */
export function nextCheckUnanswered(
  wasRead: boolean,
  { now, since, tries }: { now: number; since: number; tries: number },
): number | null {
  if (!wasRead && now - since > GIVE_UP_MS) return null;
  return now + waitAfter('cardRecord', tries);
}

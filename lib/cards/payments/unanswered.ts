import { waitAfter } from '#lib/values/back-off.ts';

/**
 * The retry schedule when the gateway gives no response, or does not know the order. Pure; times in
 * milliseconds.
 */

/** How long an order of which no record was ever read is polled, with increasing intervals. */
export const GIVE_UP_MS = 7 * 24 * 60 * 60_000;

/**
 * The time of the next poll; null: no further poll. Polling never stops with `isKept`: a record was
 * read, or a charge was sent.
 * `since`: when the payment or plan became known here. `tries`: consecutive polls without a record.
 */
export function nextCheckUnanswered(
  isKept: boolean,
  { now, since, tries }: { now: number; since: number; tries: number },
): number | null {
  if (!isKept && now - since > GIVE_UP_MS) return null;
  return now + waitAfter('cardRecord', tries);
}

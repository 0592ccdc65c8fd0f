/**
 * The retry schedule for fetching a document. The document may lag behind its ledger entry, and a
 * provider may be down for a night: retries last about two days. After that a person may request it
 * again. Pure.
 */

const WAITS_SECONDS = [2, 5, 15, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400];

/** Seconds until the next try after this many; null when that was the last. */
export function waitAfter(tries: number): number | null {
  return WAITS_SECONDS[tries - 1] ?? null;
}

/** The time of the last automatic try, given the next one and the number so far. */
export function triedUntil(nextAt: Date, tries: number): Date {
  const left = WAITS_SECONDS.slice(tries).reduce((all, wait) => all + wait, 0);
  return new Date(nextAt.getTime() + left * 1_000);
}

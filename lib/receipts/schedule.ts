/**
 * When the provider is asked for a document again. The document may lag behind its ledger line, and
 * a provider may be away for a night: it is asked for some two days. Then a person may ask again.
 * Pure.
 */

const WAITS_SECONDS = [2, 5, 15, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400];

/** Seconds until the next try after so many; null when that was the last. */
export function waitAfter(tries: number): number | null {
  return WAITS_SECONDS[tries - 1] ?? null;
}

/** Until when it is tried by itself, given the next try and how many there were. */
export function triedUntil(nextAt: Date, tries: number): Date {
  const left = WAITS_SECONDS.slice(tries).reduce((all, wait) => all + wait, 0);
  return new Date(nextAt.getTime() + left * 1_000);
}

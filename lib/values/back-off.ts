/**
 * The waits between tries of everything that only queries a provider, after a try without an
 * answer, by what is queried. Pure.
 */
const WAITS_SECONDS = {
  /** One day of the provider's listings; short, because a person may wait for its report. */
  records: [5, 10, 20, 40, 80, 160, 300],
  /** A record of the card gateway: a payment or a plan. */
  cardRecord: [15, 60, 300, 900, 3_600, 21_600],
  /**
   * A document: it may lag behind its ledger entry, and a provider may be down for a night; the
   * tries last about two days.
   */
  receipt: [2, 5, 15, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400],
} as const;
export type AskedFor = keyof typeof WAITS_SECONDS;

/** Milliseconds until the next try after `tries` in a row; the last interval repeats. */
export function waitAfter(what: AskedFor, tries: number): number {
  const waits: readonly number[] = WAITS_SECONDS[what];
  return (waits[Math.min(tries, waits.length) - 1] ?? 0) * 1_000;
}

/** The number of tries that have an interval of their own. */
export function triesOf(what: AskedFor): number {
  return WAITS_SECONDS[what].length;
}

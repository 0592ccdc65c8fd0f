/** When a running batch pauses by itself. Pure. */

/** This many rows that fail alike, one after the other, pause a batch. */
const ALIKE_MAX = 5;

/**
 * Why a batch is paused. `person`: somebody paused it. `balance_short`: the balance does not carry
 * the rest. `fail_alike`: five rows in a row failed for one reason. `maker_gone`: who submitted it
 * may not prepare payouts any more. `restored`: the database was restored from a backup since.
 */
export const HOLDS = ['person', 'balance_short', 'fail_alike', 'maker_gone', 'restored'] as const;
export type Hold = (typeof HOLDS)[number];

/** `reason`: the code of the rule or of the provider; null for a row that did not fail. */
export type Ended = { reason: string | null };

/** The reason for which the last five rows failed; null when they did not fail alike. */
export function failsAlike(lastEnded: readonly Ended[]): string | null {
  const [first] = lastEnded;
  if (first === undefined || first.reason === null || lastEnded.length < ALIKE_MAX) return null;
  return lastEnded.slice(0, ALIKE_MAX).every(({ reason }) => reason === first.reason)
    ? first.reason
    : null;
}

/** `unsentMinor`: the amounts that have not left, of this batch. */
export function isBalanceShort(availableMinor: bigint | null, unsentMinor: bigint): boolean {
  return availableMinor !== null && availableMinor < unsentMinor;
}

/**
 * How far a running batch is ahead of its sends, and when it pauses by itself. Pure: the simulator
 * plays these rules.
 */

/** The most movements of one batch that are ready to be sent or being sent. */
export const WINDOW = 16;
/** The most movements that are made in one transaction. */
export const CHUNK = 8;

/** This many rows that fail alike, one after the other, pause a batch. */
const ALIKE_MAX = 5;

/**
 * Why a batch is paused. `person`: somebody paused it. `balance_short`: the balance does not carry
 * the rest with its fees. `fail_alike`: five rows in a row failed for one reason. `maker_gone`: who submitted it
 * may not prepare payouts any more. `restored`: the database was restored from a backup since.
 * `key_revoked`: the API key that submitted it was revoked.
 */
export const HOLDS = [
  'person',
  'balance_short',
  'fail_alike',
  'maker_gone',
  'restored',
  'key_revoked',
] as const;
export type Hold = (typeof HOLDS)[number];

/** `reason`: the code of the rule or of the provider; null for a row that did not fail. */
export type Ended = { reason: string | null };

export type Held = { hold: Hold; detail?: Record<string, string> };

/**
 * Why a batch may not go on by itself; null when it may. `restored`: the database was restored since
 * it began. `lastEnded`: its rows that ended since it began or was let go on, the latest first.
 * `availableMinor`: null while the provider does not report it. `feesMinor`: the most that the rest is
 * expected to cost.
 */
export function holdOf(facts: {
  restored: boolean;
  lastEnded: readonly Ended[];
  availableMinor: bigint | null;
  unsentMinor: bigint;
  feesMinor: bigint;
}): Held | null {
  if (facts.restored) return { hold: 'restored' };
  const reason = failsAlike(facts.lastEnded);
  if (reason !== null) return { hold: 'fail_alike', detail: { reason } };
  const { availableMinor: available, unsentMinor: unsent, feesMinor: fees } = facts;
  if (!isBalanceShort(available, unsent + fees)) return null;
  const detail = { available: String(available), unsent: String(unsent), fees: String(fees) };
  return { hold: 'balance_short', detail };
}

/** The reason for which the last five rows failed; null when they did not fail alike. */
function failsAlike(lastEnded: readonly Ended[]): string | null {
  const [first] = lastEnded;
  if (first === undefined || first.reason === null || lastEnded.length < ALIKE_MAX) return null;
  return lastEnded.slice(0, ALIKE_MAX).every(({ reason }) => reason === first.reason)
    ? first.reason
    : null;
}

/** `unsentMinor`: the amounts that have not left, of this batch, with their fees. */
function isBalanceShort(availableMinor: bigint | null, unsentMinor: bigint): boolean {
  return availableMinor !== null && availableMinor < unsentMinor;
}

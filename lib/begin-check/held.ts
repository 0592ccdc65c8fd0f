/**
 * Which rows wait for a person's "send it" after a recovery: a restored database may have lost that
 * they were sent, cancelled or ended. Pure: shared by worker, screens and simulator. Times in
 * milliseconds of the database's clock.
 */

/**
 * How long after a recovery the first card-balance payout to a payee needs a second person: the
 * gateway cannot be queried about earlier ones.
 */
export const SECOND_PERSON_WINDOW_MS = 30 * 24 * 60 * 60_000;

export type HeldFacts = {
  createdAt: number;
  /** When the latest recovery began; null without one. */
  recoveryBeganAt: number | null;
  /** When a person last confirmed the send. */
  confirmedAt: number | null;
  /**
   * A card-balance payout whose payee has not been sent a payout prepared after the recovery began.
   */
  isFirstOfCardBalance: boolean;
  /**
   * When, after the row was prepared, a recovery last found a payment of the same amount to the
   * same payee that the database lacks: the row may be that payment, prepared again. Null when no
   * such payment was found.
   */
  foundAgainAt: number | null;
  now: number;
};

/**
 * Why a row waits for a person's "send it"; null when it may be sent. `older`: it is older than a
 * recovery. `first_to_payee`: it is the first card-balance payout to the payee since the recovery.
 * `found_again`: the recovery found the same payment later.
 */
export type HeldWhy = 'older' | 'first_to_payee' | 'found_again' | null;

export function heldWhy({
  createdAt,
  recoveryBeganAt,
  confirmedAt,
  isFirstOfCardBalance,
  foundAgainAt,
  now,
}: HeldFacts): HeldWhy {
  if (recoveryBeganAt === null) return null;
  if (confirmedAt !== null && confirmedAt > Math.max(recoveryBeganAt, foundAgainAt ?? 0))
    return null;
  if (foundAgainAt !== null) return 'found_again';
  if (isRestored({ createdAt, recoveryBeganAt })) return 'older';
  return isFirstOfCardBalance && now - recoveryBeganAt < SECOND_PERSON_WINDOW_MS
    ? 'first_to_payee'
    : null;
}

/**
 * Whether the row is older than a recovery, so that the database may have lost its sends and
 * answers.
 */
export function isRestored({
  createdAt,
  recoveryBeganAt,
}: Pick<HeldFacts, 'createdAt' | 'recoveryBeganAt'>): boolean {
  return recoveryBeganAt !== null && createdAt < recoveryBeganAt;
}

/**
 * A card-balance payout is confirmed by a person other than its maker, because the gateway cannot
 * be queried about a sent one.
 */
export function mayConfirm(
  { needsOther, makerId }: { needsOther: boolean; makerId: string },
  personId: string,
): boolean {
  return !needsOther || personId !== makerId;
}

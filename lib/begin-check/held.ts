/**
 * Which rows wait for a person's "send it" after a recovery: a restored database may have forgotten
 * that they were sent, cancelled or ended. Pure: worker, screens and simulator read it. Times in
 * milliseconds of the database's clock.
 */

/**
 * How long after a recovery the first payout of the card balance to a payee needs a second person:
 * nobody can be asked what had left.
 */
export const SECOND_PERSON_WINDOW_MS = 30 * 24 * 60 * 60_000;

export type HeldFacts = {
  createdAt: number;
  /** When the latest recovery began; null when there was none. */
  recoveryBeganAt: number | null;
  /** The latest "send it" of a person. */
  confirmedAt: number | null;
  /**
   * A payout of the card balance, and none was sent to its payee that was prepared after the
   * recovery began.
   */
  isFirstOfCardBalance: boolean;
  now: number;
};

/**
 * Null: it may leave. `older`: than a recovery. `first_to_payee`: of the card balance since the
 * recovery.
 */
export type HeldWhy = 'older' | 'first_to_payee' | null;

export function heldWhy({
  createdAt,
  recoveryBeganAt,
  confirmedAt,
  isFirstOfCardBalance,
  now,
}: HeldFacts): HeldWhy {
  if (recoveryBeganAt === null) return null;
  if (confirmedAt !== null && confirmedAt > recoveryBeganAt) return null;
  if (isRestored({ createdAt, recoveryBeganAt })) return 'older';
  return isFirstOfCardBalance && now - recoveryBeganAt < SECOND_PERSON_WINDOW_MS
    ? 'first_to_payee'
    : null;
}

/** The row is older than a recovery: what was sent of it, and answered, may be forgotten. */
export function isRestored({
  createdAt,
  recoveryBeganAt,
}: Pick<HeldFacts, 'createdAt' | 'recoveryBeganAt'>): boolean {
  return recoveryBeganAt !== null && createdAt < recoveryBeganAt;
}

/**
 * Of the card balance somebody else than its maker says it: the gateway answers no question about
 * one that has left.
 */
export function mayConfirm(
  { needsOther, makerId }: { needsOther: boolean; makerId: string },
  personId: string,
): boolean {
  return !needsOther || personId !== makerId;
}

import type { JournalFacts } from '#lib/send-control/recovery/compare-journal.ts';
import { mayBeLost } from '#lib/send-control/recovery/compare-journal.ts';
import { heldWhy, isRestored } from '#lib/begin-check/held.ts';
import type { HeldWhy } from '#lib/begin-check/held.ts';
import type { Level } from './provider.ts';
import type { Row } from './store.ts';

/** The recovery row of a restored database. A transaction replaces it as a whole. */

/** `unseen`: the database is an older copy of itself, and no process has detected it. */
export type Recovery = {
  phase: 'none' | 'unseen' | 'open' | 'ended';
  beganAt: number | null;
  /** By this time the provider has to list every send that left before the recovery. */
  listedBy: number | null;
  scannedAt: number | null;
  journal: JournalFacts | null;
  /** When a person last confirmed "send it", by row id. */
  confirmed: ReadonlyMap<string, number>;
  found: readonly FoundRecord[];
};

/** A payment that the restored rows did not hold. `payee`: an IBAN or a wallet. */
export type FoundRecord = {
  source: 'provider' | 'journal';
  finding: 'foreign' | 'contradiction';
  extId: string;
  payee: string;
  amountMinor: bigint;
  level: Level | 'unknown';
  at: number;
  seen: boolean;
};

export const NO_RECOVERY: Recovery = {
  phase: 'none',
  beganAt: null,
  listedBy: null,
  scannedAt: null,
  journal: null,
  confirmed: new Map(),
  found: [],
};

/** Why a row waits for a person since a recovery, as lib/begin-check/confirmed.ts decides it. */
export function heldOf(
  { beganAt, confirmed }: Recovery,
  { id, createdAt }: Pick<Row, 'id' | 'createdAt'>,
  now: number,
): HeldWhy {
  return heldWhy({
    createdAt,
    now,
    recoveryBeganAt: beganAt,
    confirmedAt: confirmed.get(id) ?? null,
    isFirstOfCardBalance: false,
    // No world plays it that people prepare a payment again while a recovery is open.
    foundAgainAt: null,
  });
}

/** Does what lib/movements/restored.ts does. */
export function listedSince(
  { beganAt, listedBy }: Recovery,
  { createdAt }: Pick<Row, 'createdAt'>,
): number | null {
  return isRestored({ createdAt, recoveryBeganAt: beganAt }) ? listedBy : null;
}

/** Does what lib/movements/restored.ts does. */
export function isNamed({ found }: Recovery, row: Row | null): boolean {
  return found.some(
    (one) => one.finding === 'contradiction' && one.extId === row?.extId && isStanding(one),
  );
}

/** Does what lib/send-control/recovery/may-have-left.ts does. */
export function mayHaveLeft(recovery: Recovery, row: Row): boolean {
  const { createdAt, extId, state, lastSendAt } = row;
  const { beganAt, journal, found } = recovery;
  if (!isRestored({ createdAt, recoveryBeganAt: beganAt })) return false;
  if (state === 'REJECTED' && (lastSendAt ?? 0) <= beganAt!) return false;
  return mayBeLost([{ journal, named: found.some((one) => one.extId === extId) }]);
}

/**
 * Whether sending is off: the newest audit entry that is known outside the database is missing from
 * it, or a recovery is open.
 */
export function isSendingOff({ phase }: Recovery): boolean {
  return phase === 'unseen' || phase === 'open';
}

/** Payments that only the recovery found, for the rules about a new payment. */
export function foreignOf(
  { found }: Recovery,
  payee: string,
): { amountMinor: bigint; currency: string; at: string; seen: boolean }[] {
  return found
    .filter((one) => one.finding === 'foreign' && one.payee === payee && isStanding(one))
    .map(({ amountMinor, at, seen }) => ({
      amountMinor,
      currency: 'TRY',
      at: new Date(at).toISOString(),
      seen,
    }));
}

export function isStanding({ level }: FoundRecord): boolean {
  return level !== 'rejected' && level !== 'failed';
}

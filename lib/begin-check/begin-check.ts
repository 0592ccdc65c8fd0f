import { mayStillBegin } from './start-limit.ts';
import type { Clocks } from '#lib/movements/claim-rules.ts';
import type { SendEffect } from '#lib/movements/one-step.ts';

/**
 * "May I still begin?": the one check that every request that moves money passes before its first
 * byte, whatever its kind and whichever process sends it. Pure. The facts are read in one
 * transaction directly before the request; the clocks are read once more when the connection
 * stands.
 */
export type BeginFacts = {
  /** Read before the claim: whatever holds the process up since then counts against the lease. */
  began: Clocks;
  now: Clocks;
  /** Own lease and own state. */
  row: 'own' | 'changed';
  /** A stop switch of this kind, or of all. */
  stopped: boolean;
  /**
   * The newest audit entry that is known outside the database is in it, and is on disk with this
   * send's own claim.
   */
  checkpoint: 'present' | 'missing';
  /** Provider account binding; of card kinds the card gateway's address. */
  account: 'bound' | 'other' | 'unconfirmed';
  /** False: the row is older than a recovery, and no person has said "send it". */
  confirmed: boolean;
  /** The send's own line in the journal outside the database. */
  journal: 'written' | 'failed';
};

/** What the transaction and the journal say; the clocks are the caller's. */
export type Begun = Omit<BeginFacts, 'began' | 'now'>;

export type BeginRefusal =
  | 'too_late'
  | 'row_changed'
  | 'stopped'
  | 'restored'
  | 'other_account'
  | 'not_confirmed'
  | 'not_journaled';

/** Null when the request may begin. */
export function mayBegin(facts: BeginFacts): BeginRefusal | null {
  if (!mayStillBegin(facts.began, facts.now)) return 'too_late';
  return standingRefusal(facts);
}

/** The refusal that does not depend on the time; null when there is none. */
export function standingRefusal({
  row,
  stopped,
  checkpoint,
  account,
  confirmed,
  journal,
}: Begun): BeginRefusal | null {
  if (row !== 'own') return 'row_changed';
  if (stopped) return 'stopped';
  if (checkpoint !== 'present') return 'restored';
  if (account !== 'bound') return 'other_account';
  if (!confirmed) return 'not_confirmed';
  return journal === 'written' ? null : 'not_journaled';
}

/** Nothing left. `not_read`: the facts could not be read. */
export type HeldBack = {
  kind: 'not_sent';
  why: 'held_back';
  raw: null;
  code: null;
  message: null;
  refusal: BeginRefusal | 'not_read';
};

export function heldBack(refusal: HeldBack['refusal']): HeldBack {
  return { kind: 'not_sent', why: 'held_back', raw: null, code: null, message: null, refusal };
}

/**
 * What the order of a send needs besides its task. `began`: before the transaction that took the
 * lease.
 */
export type Timing = { began: Clocks; clocks: () => Clocks };

/**
 * The only way to a request: the facts are read and judged, and judged again with the clocks of the
 * moment before the first byte. A reading that fails leaves the send unsent, because nothing has
 * left.
 */
export function* beginAndRequest<T, Answer>(
  task: T,
  { began, clocks }: Timing,
): Generator<SendEffect<T>, Answer | HeldBack, unknown> {
  let begun: Begun;
  try {
    begun = (yield { kind: 'begin', task }) as Begun;
  } catch {
    return heldBack('not_read');
  }
  const refusal = (): BeginRefusal | null => mayBegin({ ...begun, began, now: clocks() });
  const refused = refusal();
  if (refused !== null) return heldBack(refused);
  return (yield { kind: 'request', task, mayWrite: () => refusal() === null }) as Answer;
}

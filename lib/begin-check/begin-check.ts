import { mayStillBegin } from './start-limit.ts';
import type { Clocks } from '#lib/movements/claim-rules.ts';
import type { SendEffect } from '#lib/movements/one-step.ts';

/**
 * The begin check: every request that moves money passes it before its first byte, whatever its
 * kind and whichever process sends it. Pure. The facts are read in one transaction directly before
 * the request; the clocks are read again once the connection is open.
 */
export type BeginFacts = {
  /** The clocks as read before the claim: any delay since then counts against the lease. */
  began: Clocks;
  now: Clocks;
  /** Whether lease and state still belong to the sender. */
  row: 'own' | 'changed';
  /** A stop switch is on for this kind or for all kinds. */
  stopped: boolean;
  /**
   * The database contains the newest audit entry that is stored outside it, and the checkpoint on
   * disk includes this send's own claim.
   */
  checkpoint: 'present' | 'missing';
  /** Provider account binding; for card kinds the card gateway's address. */
  account: 'bound' | 'other' | 'unconfirmed';
  /** False: the row is older than a recovery, and no person has confirmed its send. */
  confirmed: boolean;
  /** The send's own entry in the journal outside the database. */
  journal: 'written' | 'failed';
};

/** The facts from the transaction and the journal; the caller adds the clocks. */
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

/**
 * The result of a request that was held back: nothing was sent. `not_read`: the facts could not be
 * read.
 */
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
 * The clocks that a send needs besides its task. `began`: the clocks as read before the transaction
 * that took the lease. `clocks`: reads them again.
 */
export type Timing = { began: Clocks; clocks: () => Clocks };

/**
 * The only way to a request: reads and judges the facts, and judges again with the clocks read just
 * before the first byte. If reading the facts fails, the send counts as not sent, because nothing
 * was sent.
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

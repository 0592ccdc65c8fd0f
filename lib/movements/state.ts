import type { LedgerOutcome, ReadOutcome, SendOutcome } from '../providers/outcome.ts';
import { withAlert, journaled, cleared } from './alert.ts';
import type { Alert } from './alert.ts';
import { ledger, positiveId, posted } from './ledger-evidence.ts';
import { isCardOperation, capabilitiesOf } from './kinds.ts';

/**
 * The one function that says what evidence means. Pure: `(movement, evidence, at) → movement`. The
 * web, the worker and the simulator import this file; the database enforces the same steps
 * (`movement_steps`). Rules: docs/money-rules.md, "Steps".
 */

export const STATES = [
  'DRAFT',
  'AWAITING_APPROVAL',
  'APPROVED',
  'SUBMITTING',
  'UNKNOWN',
  'PENDING',
  'MANUAL_REVIEW',
  'COMPLETED',
  'REJECTED',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
] as const;
export type State = (typeof STATES)[number];
export type Refund = 'NONE' | 'REPORTED' | 'CONFIRMED';
export type { Alert } from './alert.ts';

export const LEGAL: Readonly<Record<State, readonly State[]>> = {
  DRAFT: ['AWAITING_APPROVAL', 'CANCELLED'],
  AWAITING_APPROVAL: ['DRAFT', 'APPROVED', 'CANCELLED', 'EXPIRED'],
  APPROVED: ['SUBMITTING', 'CANCELLED'],
  SUBMITTING: ['APPROVED', 'PENDING', 'REJECTED', 'UNKNOWN'],
  UNKNOWN: ['SUBMITTING', 'PENDING', 'MANUAL_REVIEW', 'COMPLETED', 'REJECTED', 'FAILED'],
  PENDING: ['MANUAL_REVIEW', 'COMPLETED', 'REJECTED', 'FAILED'],
  MANUAL_REVIEW: ['COMPLETED', 'REJECTED', 'FAILED'],
  COMPLETED: [],
  REJECTED: [],
  FAILED: [],
  CANCELLED: [],
  EXPIRED: [],
};

const NEVER_SENT: readonly State[] = [
  'DRAFT',
  'AWAITING_APPROVAL',
  'APPROVED',
  'CANCELLED',
  'EXPIRED',
];
/** No longer waiting for a word: flags that speak of silence end here. */
const SETTLED: readonly State[] = [
  'PENDING',
  'MANUAL_REVIEW',
  'COMPLETED',
  'REJECTED',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
];
const MAX_IBAN_WAITS = 6;

/** What the reducer needs to know of a movement. Times are milliseconds of the database's clock. */
export type Movement = {
  /** What kind of movement it is: which provider's promises hold for it. */
  rail: string;
  state: State;
  refund: Refund;
  attention: Alert | null;
  extId: string;
  amountMinor: bigint;
  currency: string;
  /** The wallet that the money leaves; empty where the card balance pays. */
  wallet: string;
  iban: string;
  /**
   * An earlier request may have been executed: from now on only a read of the record settles the
   * outcome. For good.
   */
  everAmbiguous: boolean;
  /**
   * When the first request was claimed that may have been executed without a clear answer. Null
   * until then; set once, for good.
   */
  unclearSince: number | null;
  /**
   * The provider once said that it has seen this id: a resend could prove nothing, so none is made.
   * For good.
   */
  duplicateSeen: boolean;
  /** A notice spoke of a bank return before we knew of the completion. */
  refundHinted: boolean;
  sends: number;
  ibanWaits: number;
  notSentTries: number;
  /** Clean "not found" reads since the last send, loss of an answer or notice. */
  notFoundReads: number;
  lastSendAt: number | null;
  lastReadAt: number | null;
  /**
   * The moment the present wait began: acceptance, loss of the answer, completion. Reads are
   * scheduled from it.
   */
  watchSince: number | null;
  stateSince: number;
  acceptedAt: number | null;
  endedAt: number | null;
  refundAt: number | null;
  requestId: string | null;
  transactionId: string | null;
  feeMinor: bigint | null;
  reasonCode: string | null;
  reasonText: string | null;
  ledgerSeenAt: number | null;
  createdAt: number;
};

export type Hint = 'completed' | 'rejected' | 'manual' | 'refunded' | 'unknown';

/**
 * `late`: heard by a worker whose lease is over. Something else may have happened since it asked,
 * another send included. `mayArrive`: the last request may still arrive.
 */
export type Evidence =
  | { witness: 'worker'; kind: 'claimed' }
  | { witness: 'worker'; kind: 'lease_expired' }
  | { witness: 'worker'; kind: 'pending_too_long' }
  | { witness: 'worker'; kind: 'approval_expired' }
  | { witness: 'worker'; kind: 'refund_unconfirmed' }
  | { witness: 'answer'; kind: 'answer'; outcome: SendOutcome; late?: true }
  | { witness: 'read'; kind: 'read'; outcome: ReadOutcome; late?: true; mayArrive?: true }
  | { witness: 'ledger'; kind: 'ledger'; outcome: LedgerOutcome; late?: true }
  | { witness: 'notice'; kind: 'notice'; hint: Hint }
  | {
      witness: 'person';
      kind:
        | 'submitted'
        | 'approved'
        | 'edited'
        | 'cancelled'
        | 'resolved_not_sent'
        | 'resolved_accepted'
        | 'resolved_done';
      said?: { by: string; reason: string };
    };

/**
 * The movement as the evidence leaves it. Evidence that proves nothing returns it with, at most,
 * its counters changed.
 *
 * @throws Error when somebody decided (a claim, a person) what may not be decided here
 */
export function reduce(movement: Movement, evidence: Evidence, at: number): Movement {
  const next = consider(movement, evidence, at);
  const decided = evidence.kind === 'claimed' || evidence.witness === 'person';
  if (next.state === movement.state && !decided) return next;
  const isLegal =
    LEGAL[movement.state].includes(next.state) &&
    (evidence.kind !== 'approved' || movement.state === 'AWAITING_APPROVAL');
  if (!isLegal)
    throw new Error(`illegal step ${movement.state} → ${next.state} by ${evidence.kind}`);
  return {
    ...next,
    stateSince: at,
    endedAt: isFinal(next.state) ? at : next.endedAt,
    attention: SETTLED.includes(next.state) ? cleared(next.attention) : next.attention,
  };
}

function consider(movement: Movement, evidence: Evidence, at: number): Movement {
  switch (evidence.kind) {
    case 'claimed':
      return {
        ...movement,
        state: 'SUBMITTING',
        sends: movement.sends + 1,
        lastSendAt: at,
        notFoundReads: 0,
      };
    case 'lease_expired':
      return movement.state === 'SUBMITTING' ? unknown(movement, at) : movement;
    case 'pending_too_long':
      return movement.state === 'PENDING' ? { ...movement, state: 'MANUAL_REVIEW' } : movement;
    case 'approval_expired':
      return movement.state === 'AWAITING_APPROVAL' ? { ...movement, state: 'EXPIRED' } : movement;
    case 'refund_unconfirmed':
      return movement.refund === 'REPORTED'
        ? {
            ...movement,
            refund: 'NONE',
            attention: withAlert(movement.attention, 'refund_not_confirmed'),
          }
        : movement;
    case 'answer':
      return movement.state === 'SUBMITTING' && !evidence.late
        ? answer(journaled(movement, evidence.outcome), evidence.outcome, at)
        : lateAnswer(movement, evidence.outcome, at);
    case 'read':
      return read(asked(movement, evidence, at), evidence, at);
    case 'ledger':
      return ledger(asked(movement, evidence, at), evidence.outcome, at);
    case 'notice':
      return notice(movement, evidence.hint, at);
    case 'submitted':
      return { ...movement, state: 'AWAITING_APPROVAL' };
    case 'approved':
      return { ...movement, state: 'APPROVED' };
    case 'edited':
      return { ...movement, state: 'DRAFT' };
    case 'cancelled':
      return { ...movement, state: 'CANCELLED' };
    case 'resolved_accepted':
      return !capabilitiesOf(movement.rail).answersQuestions && movement.state === 'UNKNOWN'
        ? { ...movement, state: 'PENDING', acceptedAt: at, watchSince: at }
        : movement;
    case 'resolved_done':
      return WATCHED.includes(movement.state)
        ? { ...completed(movement, at), reasonCode: PEOPLE_SAID }
        : movement;
    case 'resolved_not_sent':
      // People may end what is silent, not what the provider has spoken of: that flag locks "pay
      // again" and stays.
      return WATCHED.includes(movement.state)
        ? {
            ...movement,
            state: 'FAILED',
            reasonCode: PEOPLE_SAID,
            attention: movement.attention === 'contradiction' ? 'contradiction' : null,
          }
        : movement;
  }
}

/** It has left, or may have, and its end is waited for. */
const WATCHED: readonly State[] = ['UNKNOWN', 'PENDING', 'MANUAL_REVIEW'];
/**
 * Why it ended: by the word of two people (of a hold, of one), and not by a record. Kept on the row
 * for good.
 */
export const PEOPLE_SAID = 'people_said';

function completed(movement: Movement, at: number): Movement {
  const hinted = movement.refundHinted;
  return {
    ...movement,
    state: 'COMPLETED',
    acceptedAt: movement.acceptedAt ?? at,
    watchSince: at,
    refund: hinted ? 'REPORTED' : movement.refund,
    refundAt: hinted ? at : movement.refundAt,
  };
}

/**
 * Freshness for "pay again": the provider answered, whatever it said, to a question that was asked
 * just now.
 */
function asked(
  movement: Movement,
  { outcome, late }: Extract<Evidence, { kind: 'read' | 'ledger' }>,
  at: number,
): Movement {
  return outcome.kind === 'no_answer' || late ? movement : { ...movement, lastReadAt: at };
}

/** What the answer to the request that is under way proves. */
function answer(movement: Movement, outcome: SendOutcome, at: number): Movement {
  switch (outcome.kind) {
    case 'accepted':
      return accepted(movement, outcome, at);
    case 'not_sent':
    case 'unauthorized': {
      const after: Movement = { ...movement, notSentTries: movement.notSentTries + 1 };
      return movement.everAmbiguous ? unknown(after, at) : { ...after, state: 'APPROVED' };
    }
    case 'same_iban_wait': {
      if (movement.everAmbiguous) return unknown(movement, at);
      const ibanWaits = movement.ibanWaits + 1;
      return {
        ...movement,
        state: 'APPROVED',
        ibanWaits,
        attention:
          ibanWaits >= MAX_IBAN_WAITS
            ? withAlert(movement.attention, 'iban_wait_exhausted')
            : movement.attention,
      };
    }
    case 'refused':
      if (movement.everAmbiguous) return unknown(movement, at);
      return {
        ...movement,
        state: 'REJECTED',
        reasonCode: outcome.code,
        reasonText: outcome.message,
      };
    case 'duplicate': {
      // On a first-ever send somebody else used our id, which cannot happen; on a later one it is
      // our own first request.
      const after: Movement = { ...unknown(movement, at), duplicateSeen: true };
      return movement.everAmbiguous
        ? after
        : { ...after, attention: withAlert(after.attention, 'id_collision') };
    }
    case 'record_exists':
      return { ...unknown(movement, at), duplicateSeen: true };
    case 'unclear': {
      const after = unknown(movement, at);
      return outcome.why === 'mismatch'
        ? { ...after, attention: withAlert(after.attention, 'mismatch') }
        : after;
    }
  }
}

/**
 * An answer after its lease was lost is evidence only of what the provider has: "refused" or "not
 * sent" would speak of an earlier request while another may be under way.
 */
function lateAnswer(movement: Movement, outcome: SendOutcome, at: number): Movement {
  switch (outcome.kind) {
    case 'accepted':
      // Two acceptances under two numbers would be two payments. A card operation's number is the
      // payment's, and answer and record may name it differently.
      if (
        isCardOperation(movement.rail)
          ? movement.state === 'FAILED'
          : movement.requestId !== null && movement.requestId !== outcome.requestId
      )
        return { ...movement, attention: withAlert(movement.attention, 'contradiction') };
      if (movement.state === 'UNKNOWN' || movement.state === 'SUBMITTING')
        return accepted(movement, outcome, at);
      return movement.requestId === null
        ? { ...movement, attention: withAlert(movement.attention, 'contradiction') }
        : movement;
    case 'duplicate':
    case 'record_exists':
      return isFinal(movement.state) ? movement : { ...movement, duplicateSeen: true };
    case 'unclear':
      return outcome.why === 'mismatch'
        ? { ...movement, attention: withAlert(movement.attention, 'mismatch') }
        : movement;
    default:
      return movement;
  }
}

function accepted(
  movement: Movement,
  outcome: Extract<SendOutcome, { kind: 'accepted' }>,
  at: number,
): Movement {
  return {
    ...movement,
    state: 'PENDING',
    acceptedAt: at,
    watchSince: at,
    requestId: outcome.requestId,
    transactionId: positiveId(outcome.transactionId) ?? movement.transactionId,
    feeMinor: outcome.feeMinor ?? movement.feeMinor,
  };
}

function unknown(movement: Movement, at: number): Movement {
  const attention =
    movement.attention === 'provider_unreachable' || movement.attention === 'journal_unwritable'
      ? null
      : movement.attention;
  const unclearSince = movement.unclearSince ?? movement.lastSendAt ?? at;
  return {
    ...movement,
    state: 'UNKNOWN',
    everAmbiguous: true,
    unclearSince,
    watchSince: at,
    notFoundReads: 0,
    attention,
  };
}

/** What the provider's own record proves: the only witness that ends a movement. */
function read(
  movement: Movement,
  { outcome, late, mayArrive }: Extract<Evidence, { kind: 'read' }>,
  at: number,
): Movement {
  const final = isFinal(movement.state);
  // Another number under our reference is another request: a sign of a second execution. A card
  // payment's record carries the payment's number.
  const isNumbered =
    capabilitiesOf(movement.rail).keepsLedger &&
    outcome.kind === 'found' &&
    outcome.line?.double !== true;
  const isOther =
    isNumbered && movement.requestId !== null && movement.requestId !== outcome.requestId;
  if (isOther || (outcome.kind === 'no_answer' && outcome.why === 'mismatch'))
    return {
      ...movement,
      attention: withAlert(movement.attention, final ? 'contradiction' : 'mismatch'),
    };
  if (outcome.kind === 'no_answer') return movement;
  // A late "not found" may have been asked before the last send: it counts for nothing.
  if (outcome.kind === 'not_found')
    return late ? movement : { ...movement, notFoundReads: movement.notFoundReads + 1 };

  const claimed =
    outcome.level === 'pending' && outcome.manual ? 'MANUAL_REVIEW' : LEVEL_STATE[outcome.level];
  if (final)
    return contradicts(movement.state, claimed)
      ? { ...movement, attention: withAlert(movement.attention, 'contradiction') }
      : movement;
  // A record of what never left us: somebody sent it, and our own books have forgotten it (a
  // restored database).
  if (NEVER_SENT.includes(movement.state))
    return { ...movement, attention: withAlert(movement.attention, 'contradiction') };
  if (
    movement.state !== 'UNKNOWN' &&
    movement.state !== 'PENDING' &&
    movement.state !== 'MANUAL_REVIEW'
  )
    return movement;

  const seen: Movement = {
    ...movement,
    requestId: outcome.requestId,
    acceptedAt: movement.acceptedAt ?? at,
  };
  switch (claimed) {
    case 'PENDING':
      return movement.state === 'UNKNOWN' ? { ...seen, state: claimed, watchSince: at } : seen;
    case 'MANUAL_REVIEW':
      return {
        ...seen,
        state: claimed,
        watchSince: movement.state === 'UNKNOWN' ? at : movement.watchSince,
      };
    case 'COMPLETED':
      return completed(posted(seen, outcome.line, at), at);
    case 'REJECTED':
    case 'FAILED':
      // Of several requests one had no clear answer: this may be the record of an earlier one, and
      // the last be accepted later.
      if (
        (late || mayArrive) &&
        movement.everAmbiguous &&
        movement.sends - movement.notSentTries > 1
      )
        return { ...movement, notFoundReads: 0 };
      return {
        ...seen,
        state: claimed,
        reasonCode: `level_${outcome.level}`,
        reasonText: outcome.reason,
      };
  }
}

const LEVEL_STATE = {
  pending: 'PENDING',
  completed: 'COMPLETED',
  rejected: 'REJECTED',
  failed: 'FAILED',
} as const satisfies Record<string, State>;

/**
 * A record that says otherwise than our first final state. A pending record contradicts a final one
 * too: money is live.
 */
function contradicts(final: State, claimed: State): boolean {
  if (final === 'COMPLETED') return claimed !== 'COMPLETED';
  return claimed !== 'REJECTED' && claimed !== 'FAILED';
}

/**
 * A notice is a hint: it never ends, fails or refunds anything by itself. A spoken refund locks
 * "pay again" until the ledger answers.
 */
function notice(movement: Movement, hint: Hint, at: number): Movement {
  // Whoever speaks of our reference has seen it: what was "not found" before says nothing any more.
  const heard = movement.notFoundReads > 0 ? { ...movement, notFoundReads: 0 } : movement;
  if (hint !== 'refunded' || movement.refund !== 'NONE' || NEVER_SENT.includes(movement.state))
    return heard;
  const { answersQuestions, keepsLedger } = capabilitiesOf(movement.rail);
  // Without a ledger that confirms or denies it, an announced return would stay announced for ever.
  if (!keepsLedger && (answersQuestions || isFinal(movement.state))) return heard;
  if (!keepsLedger)
    return {
      ...heard,
      refundHinted: true,
      attention: withAlert(heard.attention, 'refund_not_confirmed'),
    };
  if (movement.state === 'COMPLETED')
    return { ...heard, refund: 'REPORTED', refundAt: at, watchSince: at };
  return isFinal(movement.state) ? heard : { ...heard, refundHinted: true };
}

export function isFinal(state: State): boolean {
  return LEGAL[state].length === 0;
}

/** Provably not on the wire, and not ended: a person may take it back. */
export function mayBeCancelled(state: State): boolean {
  return LEGAL[state].includes('CANCELLED');
}

/** Nothing of it can be, or come to be, on the wire. */
export function isDead(movement: Pick<Movement, 'state' | 'refund' | 'attention'>): boolean {
  if (movement.attention === 'contradiction') return false;
  return (
    ['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'].includes(movement.state) ||
    (movement.state === 'COMPLETED' && movement.refund === 'CONFIRMED')
  );
}

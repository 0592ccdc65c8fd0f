import type { LedgerOutcome, ReadOutcome, SendOutcome } from '../providers/outcome.ts';
import type { Alert } from './alert.ts';

/**
 * The states of a movement, the legal steps between them, and the evidence that can change one.
 * Pure. The database enforces the same steps (`movement_steps`). What evidence proves: `reduce.ts`.
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
export type Returned = 'NONE' | 'REPORTED' | 'CONFIRMED';
export type { Alert } from './alert.ts';

export const LEGAL: Readonly<Record<State, readonly State[]>> = {
  DRAFT: ['AWAITING_APPROVAL', 'CANCELLED'],
  AWAITING_APPROVAL: ['DRAFT', 'APPROVED', 'CANCELLED', 'EXPIRED'],
  APPROVED: ['SUBMITTING', 'AWAITING_APPROVAL', 'CANCELLED'],
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

export const NEVER_SENT: readonly State[] = [
  'DRAFT',
  'AWAITING_APPROVAL',
  'APPROVED',
  'CANCELLED',
  'EXPIRED',
];
/**
 * The states whose sentence says that no money left. After a restore it may be untrue: a send of the
 * lost future may have been executed, while the request of today was refused.
 */
export const SAYS_UNPAID: readonly State[] = [...NEVER_SENT, 'REJECTED'];
/**
 * The last states of a movement that was not paid: a fee that was foreseen is not kept, unless a
 * record contradicts the state.
 */
export const ENDED_UNPAID: readonly State[] = ['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'];

/** What the reducer needs to know of a movement. Times are milliseconds of the database's clock. */
export type Movement = {
  /** The movement kind (`kinds.ts`): decides which guarantees of the provider apply. */
  kind: string;
  state: State;
  returned: Returned;
  alert: Alert | null;
  extId: string;
  amountMinor: bigint;
  currency: string;
  /** The wallet that is debited; empty when the card balance pays. */
  wallet: string;
  iban: string;
  /**
   * An earlier request may have been executed: only a read of the provider's record may decide the
   * outcome from now on. Never reset.
   */
  everAmbiguous: boolean;
  /**
   * When the first request without a clear answer was claimed. Null until then; set once, never
   * changed.
   */
  unclearSince: number | null;
  /**
   * The provider answered that it knows this id: a resend would prove nothing, so none is made.
   * Never reset.
   */
  duplicateSeen: boolean;
  /** A webhook reported a return before the completion was known. */
  returnHinted: boolean;
  sends: number;
  ibanWaits: number;
  notSentTries: number;
  /** Clean "not found" reads since the last send, lost answer or webhook. */
  notFoundReads: number;
  lastSendAt: number | null;
  lastReadAt: number | null;
  /**
   * Start of the current wait (acceptance, lost answer or completion). Reads are scheduled from it.
   */
  watchSince: number | null;
  stateSince: number;
  acceptedAt: number | null;
  endedAt: number | null;
  returnedAt: number | null;
  requestId: string | null;
  transactionId: string | null;
  feeMinor: bigint | null;
  reasonCode: string | null;
  reasonText: string | null;
  ledgerSeenAt: number | null;
  createdAt: number;
};

export type Hint = 'completed' | 'rejected' | 'manual' | 'refunded' | 'unknown';

type ReadTiming = { late?: true; mayArrive?: true; restored?: true };

/**
 * `late`: the worker's lease had ended when the response came, so something else, another send
 * included, may have happened since the query. `mayArrive`: the last request may still reach the
 * provider. `restored`: earlier requests may be missing from `sends`.
 */
export type Evidence =
  | { source: 'worker'; kind: 'claimed' }
  | { source: 'worker'; kind: 'lease_expired' }
  | { source: 'worker'; kind: 'pending_too_long' }
  /** `forgotten`: the row is older than a recovery, and a send of it may be lost. */
  | { source: 'worker'; kind: 'approval_expired'; forgotten?: true }
  | { source: 'worker'; kind: 'approvals_missing' }
  /** A record contradicts the end of a payment in whose place it was made. */
  | { source: 'worker'; kind: 'earlier_may_be_paid' }
  /** Of the people who approved it, too few are not disabled now. */
  | { source: 'worker'; kind: 'approvals_lapsed' }
  | { source: 'worker'; kind: 'return_unconfirmed' }
  | { source: 'answer'; kind: 'answer'; outcome: SendOutcome; late?: true }
  | ({ source: 'read'; kind: 'read'; outcome: ReadOutcome } & ReadTiming)
  | { source: 'ledger'; kind: 'ledger'; outcome: LedgerOutcome; late?: true }
  | { source: 'notice'; kind: 'notice'; hint: Hint }
  | {
      source: 'person';
      kind:
        | 'submitted'
        | 'approved'
        | 'edited'
        | 'cancelled'
        | 'sent_back'
        | 'resolved_not_sent'
        | 'resolved_accepted'
        | 'resolved_done';
      /** `deputyOf`: for whom a deputy decided. */
      statement?: { by: string; reason: string; deputyOf?: string };
    };

export function isFinal(state: State): boolean {
  return LEGAL[state].length === 0;
}

/** Whether a person may cancel: the movement was provably not sent and has not ended. */
export function mayBeCancelled(state: State): boolean {
  return LEGAL[state].includes('CANCELLED');
}

/**
 * Whether the merchant's money is certainly not gone: no request was executed or can still be
 * executed, or the bank has returned the money.
 */
export function isDead(movement: Pick<Movement, 'state' | 'returned' | 'alert'>): boolean {
  if (movement.alert === 'contradiction') return false;
  return (
    ['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'].includes(movement.state) ||
    (movement.state === 'COMPLETED' && movement.returned === 'CONFIRMED')
  );
}

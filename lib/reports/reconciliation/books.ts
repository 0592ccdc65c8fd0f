import type { Returned, State } from '#lib/movements/state.ts';
import type { WithdrawalLevel } from '#lib/providers/wallet/types.ts';

/**
 * The input of a reconciliation: our movements, and the provider's two listings as last read. Times
 * are milliseconds. Pure.
 */

export type Ours = {
  id: string;
  extId: string;
  kind: string;
  state: State;
  returned: Returned;
  amountMinor: bigint;
  currency: string;
  /** The payee's IBAN; null for a payout to a wallet. */
  iban: string | null;
  /** The receiving wallet; null for a payout to a bank account. */
  toWallet: string | null;
  transactionId: string | null;
  /** When the first request was sent; null before that. */
  sentAt: number | null;
  acceptedAt: number | null;
  endedAt: number | null;
  returnedAt: number | null;
  stateSince: number;
};

/** A withdraw request at the provider. */
export type Request = {
  requestId: string;
  extId: string | null;
  correlationId: string | null;
  level: WithdrawalLevel;
  amountMinor: bigint;
  currency: string;
  iban: string | null;
  createdAt: number;
  updatedAt: number | null;
};

/** An entry of the provider's ledger. */
export type Line = {
  id: string;
  extId: string | null;
  groupId: string | null;
  refersTo: string | null;
  direction: 'in' | 'out';
  fromWallet: string | null;
  toWallet: string | null;
  statusId: number;
  amountMinor: bigint;
  currency: string;
  createdAt: number;
  completedAt: number | null;
};

/**
 * Complete in both directions: every record that names one of the movements is included, and every
 * movement that is named by one of the records.
 */
export type Books = { ours: readonly Ours[]; requests: readonly Request[]; lines: readonly Line[] };

export type ListName = 'withdrawals' | 'ledger';

/** When and how completely the listings were read. */
export type Reading = {
  /**
   * The time of the oldest reading of the days between two instants; null when one of them was
   * never read completely.
   */
  readAt(list: ListName, from: number, to: number): number | null;
  /** The day of an instant in the workspace's zone, 'YYYY-MM-DD'. */
  dayOf(ms: number): string;
  /** Records from before this time are not compared. */
  booksBegan: number;
  ownWallets: ReadonlySet<string>;
};

/**
 * `missing_here`: a record with a reference in our format that our records do not have.
 * `made_elsewhere`: a record made in another panel or channel. `unknown_outcome`: a movement of
 * ours that may have been sent, without a record. `twice`: two live records with one reference.
 * `return_unseen`: the ledger shows a return that is not confirmed in our records;
 * `return_missing`: the reverse.
 */
export const KINDS = [
  'twice',
  'missing_here',
  'missing_there',
  'state',
  'amount',
  'currency',
  'payee',
  'return_unseen',
  'return_missing',
  'unknown_outcome',
  'made_elsewhere',
] as const;
export type Kind = (typeof KINDS)[number];

/**
 * What one side's records show of a payment, without personal data. Amounts are minor units as
 * digits.
 */
export type Recorded = {
  state?: string;
  returned?: string;
  level?: string;
  status?: number;
  amount?: string;
  currency?: string;
  count?: number;
};

export type Difference = {
  day: string;
  kind: Kind;
  /**
   * Identifies this difference among others of its kind: our reference, or the provider's number.
   */
  reference: string;
  movementId: string | null;
  requestId: string | null;
  lineId: string | null;
  ours: Recorded | null;
  theirs: Recorded | null;
};

/** The amount that each side has as paid and not returned, in minor units. */
export type Paid = { currency: string; ours: bigint; theirs: bigint };

/**
 * One payment as recorded on both sides. `waits`: a part of it is too recent to be judged. `paid`:
 * by currency, because a record may have another one than we sent. `counts`: its movement and its
 * records; `words`: all compared values, for the digest of the day.
 */
export type Judged = {
  day: string;
  reference: string;
  differences: Difference[];
  waits: boolean;
  paid: Paid[];
  counts: { movements: number; requests: number; lines: number };
  words: string;
};

import type { Refund, State } from '#lib/movements/state.ts';
import type { WithdrawalLevel } from '#lib/providers/wallet/types.ts';

/**
 * What a reconciliation compares: our movements, and the provider's two listings as they were last
 * read. Times are milliseconds. Pure.
 */

export type Ours = {
  id: string;
  extId: string;
  rail: string;
  state: State;
  refund: Refund;
  amountMinor: bigint;
  currency: string;
  /** Null where the payee is a wallet. */
  iban: string | null;
  /** Null where it is a bank account. */
  toWallet: string | null;
  transactionId: string | null;
  /** When the first request left; null when none ever did. */
  sentAt: number | null;
  acceptedAt: number | null;
  endedAt: number | null;
  refundAt: number | null;
  stateSince: number;
};

/** A withdraw request of the provider. */
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

/** A line of the provider's ledger. */
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
 * Closed under references: every record that names a movement is here with it, and the other way
 * round.
 */
export type Books = { ours: readonly Ours[]; requests: readonly Request[]; lines: readonly Line[] };

export type ListName = 'withdrawals' | 'ledger';

/** What is known about the reading itself. */
export type Reading = {
  /**
   * The oldest reading of the days from one instant to another; null when one of them was never
   * read to its end.
   */
  readAt(list: ListName, from: number, to: number): number | null;
  /** The workspace's day of an instant, 'YYYY-MM-DD'. */
  dayOf(ms: number): string;
  /** Records from before our books began are not compared. */
  booksBegan: number;
  ownWallets: ReadonlySet<string>;
};

/**
 * `missing_here`: a record under a reference of our form that our books do not hold.
 * `made_elsewhere`: a record that another panel or channel made. `unknown_outcome`: ours of which
 * nobody knows whether it left, and there is no record. `twice`: two live records of one reference.
 * `refund_unseen`: the ledger shows a return that ours does not hold for confirmed;
 * `refund_missing`: the other way round.
 */
export const KINDS = [
  'twice',
  'missing_here',
  'missing_there',
  'state',
  'amount',
  'currency',
  'payee',
  'refund_unseen',
  'refund_missing',
  'unknown_outcome',
  'made_elsewhere',
] as const;
export type Kind = (typeof KINDS)[number];

/** What one side says, without anything personal. Amounts are minor units as digits. */
export type Said = {
  state?: string;
  refund?: string;
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
   * What tells this difference from others of its kind: our reference, or the provider's number.
   */
  reference: string;
  movementId: string | null;
  requestId: string | null;
  lineId: string | null;
  ours: Said | null;
  theirs: Said | null;
};

/**
 * One payment as both sides have it. `waits`: something of it is too young to be judged. `ours` and
 * `theirs` are what each holds for paid and not come back, in minor units; `words` is all that was
 * compared, for the digest of the day.
 */
export type Judged = {
  day: string;
  reference: string;
  differences: Difference[];
  waits: boolean;
  currency: string;
  ours: bigint;
  theirs: bigint;
  words: string;
};

/**
 * The wallet service's data in our own names. Amounts are bigint minor units (every currency of
 * this service has two decimals), ids and numbers are exact text, dates are ISO text as the
 * provider wrote them.
 */
import type { LedgerLine, NoReply, NotSentWhy, UnclearWhy } from '../outcome.ts';
import type { CreationReason } from './codes.ts';
import type { TopUpDetails } from './top-ups.ts';

/**
 * The content of a bank payout, frozen at submission. `iban` is canonical (26 characters, no
 * spaces). The amount is always a positive bigint, so the provider's "empty means all" cannot
 * occur.
 */
export type PayoutContent = {
  extId: string;
  wallet: string;
  iban: string;
  name: string;
  taxNumber: string;
  amountMinor: bigint;
  currency: string;
  /**
   * A code of `getPaymentTypes`; null omits the field (optional in the contract family,
   * `published`).
   */
  paymentType: string | null;
  description: string;
};

/**
 * A transfer to a person's wallet, to another business's, or between two wallets of our own
 * (virement).
 */
export type TransferKind = 'person' | 'business' | 'own';

/**
 * The content of a transfer between wallets, frozen at submission. `paymentType` is null for a
 * transfer between own wallets, which has no such field (`contract`).
 */
export type TransferContent = {
  extId: string;
  wallet: string;
  /** The receiving wallet's number. */
  to: string;
  amountMinor: bigint;
  currency: string;
  paymentType: string | null;
  description: string;
};

/** The transfer that a response must match. */
export type TransferExpected = Pick<
  TransferContent,
  'extId' | 'wallet' | 'to' | 'amountMinor' | 'currency'
>;

/** ISO text. Both always sent: without them the provider searches three days only (`contract`). */
export type DateRange = { from: string; to: string };

/** The payout that a response must match. */
export type Expected = { extId: string; amountMinor: bigint };

/** The payout that a record must match. */
export type RecordExpected = Pick<PayoutContent, 'extId' | 'amountMinor' | 'currency' | 'iban'>;

/** The claimed status of a webhook. Never proof: a read decides. */
export type NoticeHint = 'completed' | 'rejected' | 'manual' | 'refunded' | 'unknown';

export type BusinessAccount = {
  id: string;
  tenantId: string | null;
  parentAccountId: string | null;
  name: string;
  alias: string | null;
  accountNumber: string | null;
  extAccountNumber: string | null;
  /** Values 0 and 1 occur, their meaning is not published (`published-weak`). */
  businessType: string | null;
  kycLevel: string | null;
  ownerUserId: string | null;
  contact: AccountContact;
  taxNumber: string | null;
  taxOffice: string | null;
  sectorId: string | null;
  groupCode: string | null;
  locked: boolean;
  hidden: boolean;
  access: WalletAccess;
  /** The number behind `access`: 1 is active (`contract`), the others are not published. */
  accessLevel: string | null;
  createdAt: string | null;
  updatedAt: string | null;
};

export type AccountContact = {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  /** Zero, one or two address lines. */
  address: string[];
  postalCode: string | null;
  province: string | null;
  country: string | null;
};

/** 1 active (`contract`); 2 blocked, 3 banned, 4 closed (`assumed`); anything else is 'unknown'. */
export type WalletAccess = 'active' | 'blocked' | 'banned' | 'closed' | 'unknown';

/**
 * The remaining amount of each limit (`published-weak`: the numbers shown are what remains of the
 * month).
 */
export type WalletLimits = {
  maxBalanceMinor: bigint | null;
  topUpCreditMinor: bigint | null;
  topUpCashMinor: bigint | null;
  withdrawalMinor: bigint | null;
  paymentMinor: bigint | null;
  walletToWalletMinor: bigint | null;
};

export type WalletBalance = { availableMinor: bigint | null; unavailableMinor: bigint | null };

export type Wallet = {
  id: string;
  tenantId: string | null;
  number: string;
  name: string;
  accountNumber: string | null;
  extAccountNumber: string | null;
  currency: string;
  accountType: string | null;
  phone: { country: string | null; number: string } | null;
  email: string | null;
  taxNumber: string | null;
  /** The provider's text, for example Contracted. */
  kycLevel: string | null;
  access: WalletAccess;
  /** The provider's own text for the access level. */
  accessText: string | null;
  totalMinor: bigint;
  payment: WalletBalance;
  cash: WalletBalance;
  /** Payment and cash balance together. */
  availableMinor: bigint | null;
  unavailableMinor: bigint | null;
  monthlyInMinor: bigint | null;
  monthlyOutMinor: bigint | null;
  limits: WalletLimits;
  /** The IBAN for topping up this wallet by FAST. */
  iban: string | null;
  /** Incoming money without a wallet number goes to this wallet. */
  topUpDefault: boolean;
  loyaltyRequired: boolean;
  hidden: boolean;
  createdAt: string | null;
  updatedAt: string | null;
};

/** `published`. */
export type KycLevel = 'unknown' | 'unverified' | 'verified' | 'contracted';

/** Dates are those of the wallets' creation. */
export type WalletFilter = {
  from?: string;
  to?: string;
  currency?: string;
  number?: string;
  name?: string;
  kycLevel?: KycLevel;
  access?: Exclude<WalletAccess, 'unknown'>[];
};

/** `country` without plus sign, for example 90. */
export type PersonalWalletQuestion =
  | { by: 'phone'; country: string; phone: string; currency: string }
  | { by: 'account'; account: string; currency: string };

/**
 * `name` is masked by the provider. `nobody`: no person with a wallet of this currency is
 * registered under this phone or account number.
 */
export type PersonalWalletAnswer =
  | { kind: 'found'; wallet: string; name: string | null; currency: string }
  | { kind: 'nobody' }
  | NoReply;

/**
 * `tenantId` is the business account's, digits; the last two fields only for a provider that
 * requires them (`assumed`).
 */
export type NewWallet = {
  name: string;
  currency: string;
  fastIban: boolean;
  tenantId?: string;
  walletType?: number;
  productType?: number;
};

export type WalletCreated =
  | { kind: 'created'; number: string }
  /** `message` is the provider's own text, in its language. */
  | { kind: 'refused'; code: string; reason: CreationReason; message: string | null }
  /** No request was executed: it was not sent, or its token was refused. */
  | { kind: 'not_sent'; why: NotSentWhy | 'unauthorized' }
  /** The wallet may or may not have been created. */
  | { kind: 'unclear'; why: UnclearWhy };

export type PaymentType = { code: string; description: string; descriptionMin: number };

export type WithdrawalLevel = 'pending' | 'completed' | 'rejected' | 'failed' | 'unknown';

/** One withdraw request of the provider, for lists and for the daily reconciliation. */
export type Withdrawal = {
  requestId: string;
  extId: string | null;
  correlationId: string | null;
  walletId: string | null;
  wallet: string | null;
  /** 1 personal, 2 business (`published`). */
  accountType: string | null;
  accountNumber: string | null;
  level: WithdrawalLevel;
  amountMinor: bigint;
  currency: string;
  iban: string | null;
  name: string | null;
  taxNumber: string | null;
  /** The bank account belongs to the wallet account's own holder. */
  toOwner: boolean;
  bankId: string | null;
  bankName: string | null;
  bankAccount: string | null;
  swift: string | null;
  branch: string | null;
  description: string | null;
  reason: string | null;
  createdAt: string | null;
  updatedAt: string | null;
  /**
   * The whole received record, for display only; JSON.stringify writes its numbers with every digit
   * unchanged.
   */
  raw: unknown;
};

export type WithdrawalFilter = {
  from: string;
  to: string;
  wallet?: string;
  extId?: string;
  iban?: string;
  currency?: string;
  accountNumber?: string;
  accountType?: 'personal' | 'business';
  level?: Exclude<WithdrawalLevel, 'unknown'>;
  /** The provider decides what counts as completed (`contract` only names the field). */
  completed?: boolean;
  amountMinMinor?: bigint;
  amountMaxMinor?: bigint;
};

/** One entry of the provider's ledger, for screens. */
export type Transaction = LedgerLine & {
  /** Shared by the entries of one movement. */
  groupId: string | null;
  type: string | null;
  status: string | null;
  resultCode: string | null;
  /** Amount and fee together. */
  totalMinor: bigint | null;
  /** The amount that reached the receiver, and the receiver's fee. */
  receivedMinor: bigint | null;
  receiverFeeMinor: bigint | null;
  createdAt: string | null;
  updatedAt: string | null;
  /** Whether the provider posted the entry, and when. */
  posted: boolean;
  postedAt: string | null;
  walletId: string | null;
  toWalletId: string | null;
  toWallet: string | null;
  fromAccount: string | null;
  toAccount: string | null;
  description: string | null;
  fromDescription: string | null;
  toDescription: string | null;
  receiptNumber: string | null;
  channel: string | null;
  source: string | null;
  /** The sender, on an entry that came from a bank. */
  topUp: TopUpDetails | null;
  /** The whole received record, including fields not named above; for display only. */
  raw: unknown;
};

/**
 * Dates are required: without them the provider returns three days only (`contract`). Entries never
 * include open ones.
 */
export type TransactionFilter = {
  from: string;
  to: string;
  wallet?: string;
  /** The direction from the point of view of `wallet`; it needs that field. */
  direction?: 'in' | 'out';
  extId?: string;
  transactionId?: string;
  typeIds?: number[];
  /** 10 pending, 20 completed, 40 cancelled, 60 refunded (`published`). */
  statusId?: number;
  currency?: string;
  amountMinMinor?: bigint;
  amountMaxMinor?: bigint;
};

/** By creation time, or by amount. */
export type PageOrder = 'newest' | 'oldest' | 'largest' | 'smallest';

/** `size` at most 200. */
export type PageAsked = { index: number; size: number; order?: PageOrder };

export type ReceiptAnswer =
  | { kind: 'pdf'; bytes: Uint8Array }
  /** Always UTF-8. Untrusted: show it in a sandboxed frame only. */
  | { kind: 'html'; bytes: Uint8Array }
  /** The ledger does not list the transaction yet, or the receipt does not exist yet. */
  | { kind: 'not_ready' }
  | { kind: 'unusable'; why: 'empty' | 'too_large' | 'format' | 'shape' }
  | { kind: 'no_answer'; why: string };

/**
 * The wallet service in our own words. Amounts are bigint minor units (every currency of this
 * service has two decimals), ids and numbers are exact text, dates are ISO text as the provider
 * wrote them.
 */
import type { LedgerLine, NoReply, NotSentWhy, UnclearWhy } from '../outcome.ts';
import type { CreationReason } from './codes.ts';
import type { TopUpDetails } from './top-ups.ts';

/**
 * What a bank payout says, frozen when it was submitted. `iban` is canonical (26 characters, no
 * spaces). The amount has no "empty means all" reading here: it is a positive bigint or nothing is
 * written at all.
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
   * A code of `getPaymentTypes`; null leaves the field out (optional in the contract family,
   * `published`).
   */
  paymentType: string | null;
  description: string;
};

/** To a person's wallet, to another business's, or between two wallets of our own (virement). */
export type TransferKind = 'person' | 'business' | 'own';

/**
 * What a transfer between wallets says, frozen when it was submitted. `paymentType` is null for a
 * transfer between own wallets, which has no such field (`contract`).
 */
export type TransferContent = {
  extId: string;
  wallet: string;
  /** The wallet number that receives. */
  to: string;
  amountMinor: bigint;
  currency: string;
  paymentType: string | null;
  description: string;
};

/** What a classifier of transfers compares an answer with. */
export type TransferExpected = Pick<
  TransferContent,
  'extId' | 'wallet' | 'to' | 'amountMinor' | 'currency'
>;

/** ISO text. Both always sent: without them the provider looks at three days only (`contract`). */
export type DateRange = { from: string; to: string };

/** What a classifier compares an answer with. */
export type Expected = { extId: string; amountMinor: bigint };

/** What the record of a payout is compared with. */
export type RecordExpected = Pick<PayoutContent, 'extId' | 'amountMinor' | 'currency' | 'iban'>;

/** What a notice hints at. Never proof: a read decides. */
export type NoticeHint = 'completed' | 'rejected' | 'manual' | 'refunded' | 'unknown';

export type BusinessAccount = {
  id: string;
  tenantId: string | null;
  parentAccountId: string | null;
  name: string;
  alias: string | null;
  accountNumber: string | null;
  extAccountNumber: string | null;
  /** 0 or 1 are seen, their meaning is not published (`published-weak`). */
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
  /** No line, one or two. */
  address: string[];
  postalCode: string | null;
  province: string | null;
  country: string | null;
};

/** 1 active (`contract`); 2 blocked, 3 banned, 4 closed (`assumed`); anything else is 'unknown'. */
export type WalletAccess = 'active' | 'blocked' | 'banned' | 'closed' | 'unknown';

/**
 * What the provider reports as left of each limit (`published-weak`: the numbers shown are what
 * remains of the month).
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
  /** In the provider's words, for example Contracted. */
  kycLevel: string | null;
  access: WalletAccess;
  /** The provider's own words for the access level. */
  accessText: string | null;
  totalMinor: bigint;
  payment: WalletBalance;
  cash: WalletBalance;
  /** Of both together. */
  availableMinor: bigint | null;
  unavailableMinor: bigint | null;
  monthlyInMinor: bigint | null;
  monthlyOutMinor: bigint | null;
  limits: WalletLimits;
  /** The IBAN for topping up this wallet by FAST. */
  iban: string | null;
  /** Money that comes in without naming a wallet goes to this one. */
  topUpDefault: boolean;
  loyaltyRequired: boolean;
  hidden: boolean;
  createdAt: string | null;
  updatedAt: string | null;
};

/** `published`. */
export type KycLevel = 'unknown' | 'unverified' | 'verified' | 'contracted';

/** Dates are those of the wallets' making. */
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
 * `name` is masked by the provider. `nobody`: no person with a wallet of this currency is known
 * under it.
 */
export type PersonalWalletAnswer =
  | { kind: 'found'; wallet: string; name: string | null; currency: string }
  | { kind: 'nobody' }
  | NoReply;

/**
 * `tenantId` as the business account names it, digits; the last two only where a provider asks for
 * them (`assumed`).
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
  /** No request was carried out: it never left, or its token was refused. */
  | { kind: 'not_sent'; why: NotSentWhy | 'unauthorized' }
  /** There may be a new wallet, or none. */
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
  /** The bank account belongs to the account's own owner. */
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
   * The whole record as heard, for the eye only; written out by JSON.stringify with every digit as
   * it was.
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
  /** What counts as completed is the provider's reading (`contract` names it only). */
  completed?: boolean;
  amountMinMinor?: bigint;
  amountMaxMinor?: bigint;
};

/** One line of the provider's ledger, for screens. */
export type Transaction = LedgerLine & {
  /** What lines of one deed share. */
  groupId: string | null;
  type: string | null;
  status: string | null;
  resultCode: string | null;
  /** Amount and fee together. */
  totalMinor: bigint | null;
  /** What reached the receiver, and what it cost him. */
  receivedMinor: bigint | null;
  receiverFeeMinor: bigint | null;
  createdAt: string | null;
  updatedAt: string | null;
  /** The bookkeeping behind it is done, and when. */
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
  /** Who paid in, on a line that came from a bank. */
  topUp: TopUpDetails | null;
  /** The whole record as heard, with what is not named above; for the eye only. */
  raw: unknown;
};

/**
 * Dates are required: without them the provider shows three days only (`contract`). Lines never
 * include open ones.
 */
export type TransactionFilter = {
  from: string;
  to: string;
  wallet?: string;
  /** Seen from `wallet`, and only together with it. */
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

/** By the moment of making, or by the amount. */
export type PageOrder = 'newest' | 'oldest' | 'largest' | 'smallest';

/** `size` at most 200. */
export type PageAsked = { index: number; size: number; order?: PageOrder };

export type ReceiptAnswer =
  | { kind: 'pdf'; bytes: Uint8Array }
  /** Always UTF-8. Hostile until shown inside a sandboxed frame. */
  | { kind: 'html'; bytes: Uint8Array }
  /** The ledger does not list the transaction yet, or the receipt is not written yet. */
  | { kind: 'not_ready' }
  | { kind: 'unusable'; why: 'empty' | 'too_large' | 'format' | 'shape' }
  | { kind: 'no_answer'; why: string };

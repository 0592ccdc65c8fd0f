import type { PayoutContent, PayoutField } from '#lib/payouts/schema.ts';
import type { OwnMovement } from './history.ts';

/**
 * The facts that the payout rules check, and the findings they return. The rules are in
 * `lib/payouts/rules.ts`. Pure.
 */

export const FINDING_CODES = [
  'iban_ok',
  'iban_ok_bank_unknown',
  'iban_invalid',
  'tax_ok',
  'tax_invalid',
  'wallet_blocked',
  'wallet_banned',
  'wallet_closed',
  'wallet_status_unknown',
  'currency_not_try',
  'other_currency',
  'balance_unknown',
  'insufficient_balance',
  'fee_may_not_fit',
  'limit_exceeded',
  'limit_left_exceeded',
  'description_too_short',
  'unknown_same_amount',
  'unknown_other_amount',
  'unknown_same_payee',
  'foreign_same_amount',
  'foreign_known',
  'duplicate',
  'duplicate_other_iban',
  'duplicate_invoice',
  'near_duplicate',
  'last_returned',
  'iban_changed',
  'payee_retired',
  'payee_other_iban',
  'iban_other_name',
  'first_payment',
  'above_usual',
  'same_iban_wait',
] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

/**
 * `ok`, `info`: shown. `warn`: needs a tick and a reason. `wait`: passes by itself. `block`: cannot
 * be sent like this.
 */
export type FindingLevel = 'ok' | 'info' | 'warn' | 'wait' | 'block';

/** A JSON-safe value of a finding; `finding-values.ts` formats the tagged ones for the reader. */
export type FindingValue =
  | string
  | number
  | { money: string; currency: string }
  | { at: string }
  | { iban: string };

export type Finding = {
  code: FindingCode;
  level: FindingLevel;
  /** The form field of the finding. */
  field: PayoutField;
  params: Record<string, FindingValue>;
  /** The other movement, for a link. */
  movementId?: string;
};

export type WalletAccess = 'active' | 'blocked' | 'banned' | 'closed' | 'unknown';

export type WalletFacts = {
  /** Null when the balance could not be read now; an old balance is no reason to allow a send. */
  available: bigint | null;
  currency: string;
  accessLevel: WalletAccess;
  /**
   * This balance cannot be queried (the gateway's): only the send itself shows whether it is
   * sufficient.
   */
  unasked?: boolean;
  /** `transaction_limits` as the provider reports them; null when it reports none. */
  limits: { withdrawal: bigint | null };
};

export type FeeEstimate = { min: bigint; max: bigint; n: number };

/**
 * Manual changes to the account of a saved recipient; a part is null without such a change. Times
 * ISO, `by` a name.
 */
export type SavedPayee = {
  name: string;
  /** When the account was entered by hand, by whom, and which account it replaced. */
  changed: { at: string; by: string; before: string | null } | null;
  /**
   * When the account was archived, alone or with its recipient, by whom, and which account replaced
   * it.
   */
  retired: { at: string; by: string; now: string | null } | null;
};

/**
 * A payment in the provider's records that our database lacked (after a restore). `seen`: a person
 * has acknowledged it.
 */
export type ForeignPayment = {
  iban: string;
  amountMinor: bigint;
  currency: string;
  at: string;
  seen: boolean;
};

export type PayoutFacts = {
  content: Partial<PayoutContent>;
  /** The currency typed in the amount field, if any. */
  writtenCurrency?: string | null;
  wallet: WalletFacts | null;
  paymentType: { code: string; minDescription: number } | null;
  /**
   * Our own movements to the same IBAN, name or tax number. Null before they are looked up: then
   * they are not checked.
   */
  recent: readonly OwnMovement[] | null;
  /** The saved recipient of this IBAN; null when there is none. */
  saved?: SavedPayee | null;
  /** Payments to this IBAN that are in the provider's records only. */
  foreign?: readonly ForeignPayment[];
  /** The last send to this IBAN by anyone of this merchant. */
  lastSendToIbanAt: string | null;
  /**
   * Our estimate of what is left of the limit, if there is one; less certain than a limit that the
   * provider states.
   */
  limitLeft: bigint | null;
  fee: FeeEstimate | null;
  now: string;
};

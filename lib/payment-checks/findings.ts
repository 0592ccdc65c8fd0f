import type { PayoutContent, PayoutField } from '#lib/payouts/schema.ts';
import type { OwnMovement } from './history.ts';

/**
 * The facts that the payout rules judge and the findings they return. The rules themselves are in
 * `rules.ts`. Pure.
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

/**
 * A value of a finding, safe for JSON; the tagged ones are formatted for the reader by
 * `finding-values.ts`.
 */
export type FindingValue =
  | string
  | number
  | { money: string; currency: string }
  | { at: string }
  | { iban: string };

export type Finding = {
  code: FindingCode;
  level: FindingLevel;
  /** The field of the form that the finding speaks of. */
  field: PayoutField;
  params: Record<string, FindingValue>;
  /** The other movement it points at, for a link. */
  movementId?: string;
};

export type WalletAccess = 'active' | 'blocked' | 'banned' | 'closed' | 'unknown';

export type WalletFacts = {
  /** Null when the balance could not be read now; a known-old balance is no ground to send on. */
  available: bigint | null;
  currency: string;
  accessLevel: WalletAccess;
  /**
   * Nobody answers for this balance (the gateway's): a send is refused for want of it, or is not.
   */
  unasked?: boolean;
  /** `transaction_limits` as the provider reports them; null when it reports none. */
  limits: { withdrawal: bigint | null };
};

export type FeeEstimate = { min: bigint; max: bigint; n: number };

/**
 * What people did to the account of a saved recipient by hand; a part is null when nobody did that.
 * Times ISO, `by` a name.
 */
export type SavedPayee = {
  name: string;
  /** When it was put here by hand, and in place of which account. */
  changed: { at: string; by: string; before: string | null } | null;
  /**
   * When it was taken out of use, alone or with its recipient, and which account took its place.
   */
  retired: { at: string; by: string; now: string | null } | null;
};

/**
 * A payment that the provider shows and our books did not hold (a restored database). `seen`: a
 * person has said what it is.
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
  /** The currency written in the amount field, if any. */
  writtenCurrency?: string | null;
  wallet: WalletFacts | null;
  paymentType: { code: string; minDescription: number } | null;
  /**
   * Our own movements to the same IBAN, name or tax number. Null when not looked up (yet): then
   * nothing is said of them.
   */
  recent: readonly OwnMovement[] | null;
  /** What our book of recipients says of this IBAN; null when it is not in there. */
  saved?: SavedPayee | null;
  /** Payments to this IBAN that only the provider's records show. */
  foreign?: readonly ForeignPayment[];
  /** The last send to this IBAN by anyone of us. */
  lastSendToIbanAt: string | null;
  /** What we reckon is left of the limit, if we can; weaker than a limit the provider states. */
  limitLeft: bigint | null;
  fee: FeeEstimate | null;
  now: string;
};

import { checkIban } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { parseAmount, parseDecimal } from '#lib/values/money.ts';
import type { Minor } from '#lib/values/money.ts';
import { checkTaxNumber } from '#lib/values/tax-number.ts';
import { recipientHistory } from '#lib/payment-checks/history.ts';
import type { OwnMovement, RecipientHistory } from '#lib/payment-checks/history.ts';
import { checkPayout } from './rules.ts';
import type { FeeEstimate, Finding, ForeignPayment, SavedPayee, WalletAccess } from './rules.ts';
import { payoutFieldErrors, payoutSchema, readPayeePhone, readSource } from './schema.ts';
import { oneLine } from '#lib/form-fields/money-form.ts';
import type { PayoutContent, PayoutField, PayoutFieldError } from './schema.ts';

/**
 * A payout while it is being typed: the fields read so far, its findings, and the sums after it.
 * Uses the same schema and rules as the submitting verb, so that the live summary and the submit
 * agree. Pure.
 */

export type TypedPayout = Record<
  'wallet' | 'iban' | 'name' | 'taxNumber' | 'phone' | 'amount' | 'paymentType' | 'description',
  string
>;

export const NOTHING_TYPED: TypedPayout = {
  wallet: '',
  iban: '',
  name: '',
  taxNumber: '',
  phone: '',
  amount: '',
  paymentType: '',
  description: '',
};

export type ReadPayout = {
  /** The fields that are well formed. */
  content: Partial<PayoutContent>;
  writtenCurrency: string | null;
  errors: Partial<Record<PayoutField, PayoutFieldError>>;
  /** The two amounts that the text can mean; only the person may choose. */
  readings: [Minor, Minor] | null;
};

/**
 * A wallet in the form. Amounts are decimal text; `available` is null unless the provider has just
 * returned it.
 */
export type FormWallet = {
  number: string;
  currency: string;
  access: WalletAccess;
  available: string | null;
  withdrawalLimit: string | null;
  /** The provider has no query for this balance, so `available` is null. */
  unasked?: boolean;
};

/** Our own history of the recipient; null before it is looked up. */
export type RecipientAnswer = {
  recent: OwnMovement[];
  saved: SavedPayee | null;
  foreign: ForeignPayment[];
  lastSendToIbanAt: string | null;
  fee: FeeEstimate | null;
  at: string;
};

export function readTyped(id: string, typed: TypedPayout, locale: Locale): ReadPayout {
  const parsed = payoutSchema.safeParse({
    id,
    ...typed,
    locale,
    overrides: [],
    overrideReason: '',
  });
  const errors: ReadPayout['errors'] = {};
  if (!parsed.success)
    for (const error of payoutFieldErrors(parsed.error)) errors[error.field] ??= error;
  const amount = parseAmount(typed.amount, locale);
  const iban = checkIban(typed.iban);
  const taxNumber = checkTaxNumber(typed.taxNumber);
  const content: Partial<PayoutContent> = { id };
  const source = readSource(typed.wallet, () => null);
  const isFromCards = source?.kind === 'card_balance';
  if (source !== null) content.source = source;
  if (iban.kind === 'ok') content.iban = iban.iban;
  if (!errors.name) content.name = oneLine(typed.name);
  if (taxNumber.kind === 'ok') content.taxNumber = taxNumber.value;
  if (amount.kind === 'ok') content.amountMinor = amount.minor;
  if (!errors.paymentType) content.paymentType = isFromCards ? '' : typed.paymentType.trim();
  const phone = isFromCards ? readPayeePhone(typed.phone, () => null) : null;
  if (phone !== null) content.phone = phone;
  if (!errors.description) content.description = oneLine(typed.description);
  return {
    content,
    writtenCurrency: amount.kind === 'ok' ? amount.written : null,
    errors,
    readings: amount.kind === 'ambiguous' ? amount.readings : null,
  };
}

export type DraftFacts = {
  wallet: FormWallet | null;
  paymentType: { code: string; descriptionMin: number } | null;
  recipient: RecipientAnswer | null;
  /** The server's clock. */
  now: string;
};

export function judgeDraft(read: ReadPayout, facts: DraftFacts): Finding[] {
  const { wallet, paymentType, recipient } = facts;
  return checkPayout({
    content: read.content,
    writtenCurrency: read.writtenCurrency,
    wallet: wallet && {
      available: wallet.available === null ? null : parseDecimal(wallet.available),
      currency: wallet.currency,
      accessLevel: wallet.access,
      unasked: wallet.unasked ?? false,
      limits: {
        withdrawal: wallet.withdrawalLimit === null ? null : parseDecimal(wallet.withdrawalLimit),
      },
    },
    paymentType: paymentType && {
      code: paymentType.code,
      minDescription: paymentType.descriptionMin,
    },
    recent: recipient?.recent ?? null,
    saved: recipient?.saved ?? null,
    foreign: recipient?.foreign ?? [],
    lastSendToIbanAt: recipient?.lastSendToIbanAt ?? null,
    limitLeft: null,
    fee: recipient?.fee ?? null,
    now: facts.now,
  });
}

/** The sums of the summary, in minor units; null where a field is missing. */
export type DraftSums = {
  amount: bigint | null;
  fee: FeeEstimate | null;
  /** Amount plus the highest fee seen: the most that may be debited. */
  leaves: bigint | null;
  available: bigint | null;
  after: bigint | null;
  limit: { left: bigint; after: bigint; share: number } | null;
};

export function draftSums(
  read: { content: { amountMinor?: Minor } },
  wallet: FormWallet | null,
  fee: FeeEstimate | null,
): DraftSums {
  const amount = read.content.amountMinor ?? null;
  const available = wallet?.available == null ? null : parseDecimal(wallet.available);
  const leaves = amount === null ? null : amount + (fee?.max ?? 0n);
  const left = wallet?.withdrawalLimit == null ? null : parseDecimal(wallet.withdrawalLimit);
  return {
    amount,
    fee,
    leaves,
    available,
    after: available === null || leaves === null ? null : available - leaves,
    limit:
      left === null
        ? null
        : { left, after: left - (amount ?? 0n), share: shareOf(amount ?? 0n, left) },
  };
}

/** The recipient card: null until the IBAN is complete and looked up. */
export function draftHistory(
  read: ReadPayout,
  recipient: RecipientAnswer | null,
  currency: string | null,
): RecipientHistory | null {
  if (recipient === null || read.content.iban === undefined) return null;
  return recipientHistory(recipient.recent, read.content.iban, currency ?? 'TRY');
}

/** The part of a limit that this amount takes, 0 to 1. */
function shareOf(part: bigint, whole: bigint): number {
  if (whole <= 0n) return part > 0n ? 1 : 0;
  return Math.min(1, Number((part * 1_000n) / whole) / 1_000);
}

/**
 * Identifies a finding that a person ticked: when its content changes, the tick no longer counts.
 */
export function findingSignature({
  code,
  movementId,
  params,
}: Pick<Finding, 'params' | 'movementId'> & { code: string }): string {
  return JSON.stringify([code, movementId ?? null, params]);
}

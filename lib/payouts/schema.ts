import * as z from 'zod';
import { LOCALES } from '#lib/values/locale.ts';
import { type Minor } from '#lib/values/money.ts';
import { readPhone } from '#lib/form-fields/phone.ts';
import {
  field,
  readId,
  readWallet,
  readName,
  readAmount,
  readPaymentType,
  readDescription,
  readReason,
  overrideCodes,
} from '#lib/form-fields/money-form.ts';
import type { Fail } from '#lib/form-fields/money-form.ts';
import { readIban, readTaxNumber } from '#lib/form-fields/payee.ts';

/** The value of the form's field `wallet`, and of the filter, that stands for the card balance. */
export const CARD_BALANCE = 'card';

/** Where the money of a payout comes from. */
export type PayoutSource = { kind: 'wallet'; number: string } | { kind: 'card_balance' };

export const PAYOUT_FIELDS = [
  'id',
  'iban',
  'name',
  'taxNumber',
  'phone',
  'wallet',
  'amount',
  'paymentType',
  'description',
  'overrideReason',
] as const;
export type PayoutField = (typeof PAYOUT_FIELDS)[number];

export const PAYOUT_ERROR_CODES = [
  'id_invalid',
  'wallet_required',
  'wallet_invalid',
  'iban_incomplete',
  'iban_too_long',
  'iban_not_tr',
  'iban_bad_character',
  'iban_check_digits',
  'iban_reserve_digit',
  'name_too_short',
  'name_too_long',
  'name_control_characters',
  'tax_incomplete',
  'tax_too_long',
  'tax_check_digits',
  'tax_not_digits',
  'phone_required',
  'phone_not_digits',
  'phone_incomplete',
  'amount_empty',
  'amount_not_a_number',
  'amount_too_many_decimals',
  'amount_negative',
  'amount_zero',
  'amount_too_large',
  'amount_ambiguous',
  'amount_other_currency',
  'payment_type_required',
  'description_too_long',
  'description_control_characters',
  'reason_required',
  'reason_too_short',
  'reason_too_long',
] as const;
export type PayoutErrorCode = (typeof PAYOUT_ERROR_CODES)[number];

export type PayoutFieldError = {
  field: PayoutField;
  code: PayoutErrorCode;
  params: Record<string, string | number>;
};

/**
 * The content of one payout: what is hashed, approved and sent. The currency comes from the wallet.
 */
export type PayoutContent = {
  id: string;
  source: PayoutSource;
  iban: string;
  name: string;
  taxNumber: string;
  amountMinor: Minor;
  /** The code of the payment type; empty for a card-balance payout. */
  paymentType: string;
  description: string;
  /** The payee's telephone number of a card-balance payout: digits with the country code. */
  phone?: string;
};

/**
 * `writtenCurrency`: the currency typed in the amount field, if any; the rules compare it with the
 * wallet's. `overrides`: codes of the findings that the person ticked; `overrideReason`: why (a
 * chip's name or free text).
 */
export type PayoutForm = {
  content: PayoutContent;
  writtenCurrency: string | null;
  overrides: string[];
  overrideReason: string | null;
};

type PayoutFail<Field extends PayoutField = PayoutField> = Fail<Field, PayoutErrorCode>;

/**
 * The form as submitted. Each issue carries a {@link PayoutErrorCode} as its message, the field as
 * its path and `params`; {@link payoutFieldErrors} extracts them.
 */
export const payoutSchema = z
  .preprocess(
    // Treat a non-object as an empty form, so that every refusal names a field.
    (input) => (typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {}),
    z.object({
      id: field,
      wallet: field,
      iban: field,
      name: field,
      taxNumber: field,
      phone: field,
      amount: field,
      locale: z.enum(LOCALES).catch('tr'),
      paymentType: field,
      description: field,
      overrides: z.unknown().optional().transform(overrideCodes),
      overrideReason: field,
    }),
  )
  .transform((raw, context): PayoutForm => {
    let failed = false;
    const fail: PayoutFail = (name, code, params = {}) => {
      failed = true;
      context.addIssue({ code: 'custom', path: [name], message: code, params });
      return null;
    };
    const source = readSource(raw.wallet, fail);
    const card = source?.kind === 'card_balance';
    const amount = readAmount(raw.amount, raw.locale, fail);
    const content = {
      id: readId(raw.id, fail),
      source,
      iban: readIban(raw.iban, fail),
      name: readName(raw.name, fail),
      taxNumber: readTaxNumber(raw.taxNumber, fail),
      amountMinor: amount?.minor ?? null,
      paymentType: card ? '' : readPaymentType(raw.paymentType, fail),
      description: readDescription(raw.description, fail),
      ...(card ? { phone: readPayeePhone(raw.phone, fail) } : {}),
    };
    const overrideReason = raw.overrides.length === 0 ? null : readReason(raw.overrideReason, fail);
    if (failed) return z.NEVER;
    // Safe cast: every null above was reported as a failure.
    return {
      content: content as PayoutContent,
      writtenCurrency: amount?.written ?? null,
      overrides: raw.overrides,
      overrideReason,
    };
  });

/** Reads the form's field `wallet`. */
export function readSource(text: string, fail: PayoutFail<'wallet'>): PayoutSource | null {
  if (text.trim() === CARD_BALANCE) return { kind: 'card_balance' };
  const number = readWallet(text, fail);
  return number === null ? null : { kind: 'wallet', number };
}

/** The wallet that is debited; null for the card balance. */
export function walletOf(source: PayoutSource | undefined): string | null {
  return source?.kind === 'wallet' ? source.number : null;
}

/**
 * Converts a browser form to the schema's input; ticked findings are several fields with one name.
 */
export function readPayoutFormData(form: FormData): Record<string, unknown> {
  const names = [
    'id',
    'wallet',
    'iban',
    'name',
    'taxNumber',
    'phone',
    'amount',
    'locale',
    'paymentType',
    'description',
    'overrideReason',
  ];
  return {
    ...Object.fromEntries(names.map((name) => [name, form.get(name)])),
    overrides: form.getAll('overrides'),
  };
}

/** The field errors of a refused form, in the order of the fields. */
export function payoutFieldErrors(error: z.ZodError): PayoutFieldError[] {
  const errors = error.issues.map((issue) => ({
    field: issue.path[0] as PayoutField,
    code: issue.message as PayoutErrorCode,
    params: issue.code === 'custom' ? ((issue.params ?? {}) as PayoutFieldError['params']) : {},
  }));
  return errors.sort((a, b) => PAYOUT_FIELDS.indexOf(a.field) - PAYOUT_FIELDS.indexOf(b.field));
}

/**
 * Reads the payee's telephone number: a Turkish one in any notation, a foreign one with its plus
 * sign or 00. Returns digits only, as the gateway takes them.
 */
export function readPayeePhone(text: string, fail: PayoutFail<'phone'>): string | null {
  const foreign = /^(?:\+|00)(?!90)([\d\s().-]+)$/.exec(text.trim())?.[1]?.replace(/\D/g, '');
  if (foreign !== undefined)
    return /^\d{10,15}$/.test(foreign) ? foreign : fail('phone', 'phone_incomplete');
  const read = readPhone('90', text);
  if ('error' in read)
    return fail(
      'phone',
      read.error === 'phone_required' || read.error === 'phone_not_digits'
        ? read.error
        : 'phone_incomplete',
    );
  return `${read.country}${read.phone}`;
}

import * as z from 'zod';
import { checkIban } from '#lib/values/iban.ts';
import { type Locale, LOCALES } from '#lib/values/locale.ts';
import { AMOUNT_MAX, formatAmount, type Minor, parseAmount } from '#lib/values/money.ts';
import { checkTaxNumber } from '#lib/values/tax-number.ts';
import { readPhone } from '#lib/transfers/person.ts';
import { UUID } from '#lib/values/uuid.ts';

/**
 * What may be asked of a payout: the form as submitted → its content, or field errors as codes. The
 * words for the codes live in the messages (namespace "payoutErrors", key "errors"). What is
 * allowed, given the facts, is in `rules.ts`.
 */

export const NAME_MIN = 2;
export const NAME_MAX = 140;
/** Our own limit; the wallet contract states a minimum per payment type and no maximum. */
export const DESCRIPTION_MAX = 250;
export const REASON_MIN = 10;
export const REASON_MAX = 500;
/** Reasons offered as chips; stored by these names, worded in the messages (key "reasons"). */
export const OVERRIDE_REASONS = ['separate_invoice', 'advance', 'salary'] as const;

const OVERRIDES_MAX = 20;
/** What stands in a wallet's place for the money that cards have brought. */
export const CARD_BALANCE = 'card';
export const WALLET_NUMBER = /^[0-9]{4,20}$/;
const PAYMENT_TYPE = /^[0-9A-Za-z]{1,10}$/;
const OVERRIDE_CODE = /^[a-z_]{1,40}$/;
// Controls, and overrides that turn the direction of text: nothing a person can see, much that can
// deceive one.
const UNSEEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
// Marks without width that come along with a paste.
const ZERO_WIDTH = /[\u061c\u200b-\u200f\u2060\ufeff]/gu;

export const PAYOUT_FIELDS = [
  'id',
  'wallet',
  'iban',
  'name',
  'taxNumber',
  'phone',
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
 * The content of one payout: what is hashed, approved and sent. The rail's currency comes from the
 * wallet.
 */
export type PayoutContent = {
  id: string;
  wallet: string;
  iban: string;
  name: string;
  taxNumber: string;
  amountMinor: Minor;
  /** Out of the card balance there is none. */
  paymentType: string;
  description: string;
  /** Out of the card balance alone: digits with the country's. */
  phone?: string;
};

/**
 * `writtenCurrency` is the currency that stood in the amount field, if any; the rules compare it
 * with the wallet's. `overrides` are codes of findings the person ticked, `overrideReason` why (a
 * chip's name or free text).
 */
export type PayoutForm = {
  content: PayoutContent;
  writtenCurrency: string | null;
  overrides: string[];
  overrideReason: string | null;
};

export const field = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value.normalize('NFC') : ''));

/**
 * The form as submitted. Each issue carries a {@link PayoutErrorCode} as its message, the field as
 * its path and `params`; {@link payoutFieldErrors} takes them out.
 */
export const payoutSchema = z
  .preprocess(
    // What is no form at all is an empty form, so that every refusal names a field.
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
    const fail: Fail = (name, code, params = {}) => {
      failed = true;
      context.addIssue({ code: 'custom', path: [name], message: code, params });
      return null;
    };
    const card = raw.wallet.trim() === CARD_BALANCE;
    const amount = readAmount(raw.amount, raw.locale, fail);
    const content = {
      id: readId(raw.id, fail),
      wallet: card ? CARD_BALANCE : readWallet(raw.wallet, fail),
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
    // Every null above went together with a failure.
    return {
      content: content as PayoutContent,
      writtenCurrency: amount?.written ?? null,
      overrides: raw.overrides,
      overrideReason,
    };
  });

/**
 * A browser form to the object the schema reads; ticked findings arrive as several fields of one
 * name.
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
 * One line as it will be sent: no zero-width characters, white space as single spaces, none at the
 * ends.
 */
export function oneLine(text: string): string {
  return text
    .normalize('NFC')
    .replace(ZERO_WIDTH, '')
    .replace(/[\s\u00a0]+/gu, ' ')
    .trim();
}

/**
 * How long a description counts: letters as people count them, so that "ğ" is one however it was
 * typed.
 */
export function descriptionLength(text: string): number {
  return Array.from(oneLine(text)).length;
}

/** Notes an error of a field. */
export type Fail<Field extends PayoutField = PayoutField> = (
  field: Field,
  code: PayoutErrorCode,
  params?: Record<string, string | number>,
) => null;

export function readId(text: string, fail: Fail<'id'>): string | null {
  const id = text.trim().toLowerCase();
  return UUID.test(id) ? id : fail('id', 'id_invalid');
}

export function readWallet(text: string, fail: Fail<'wallet'>): string | null {
  const wallet = text.trim();
  if (wallet === '') return fail('wallet', 'wallet_required');
  return WALLET_NUMBER.test(wallet) ? wallet : fail('wallet', 'wallet_invalid');
}

function readIban(text: string, fail: Fail): string | null {
  const check = checkIban(text);
  if (check.kind === 'ok') return check.iban;
  const { kind: _kind, code, ...params } = check;
  return fail('iban', `iban_${code}`, params);
}

export function readName(text: string, fail: Fail<'name'>): string | null {
  const name = oneLine(text);
  if (UNSEEN.test(text.trim())) return fail('name', 'name_control_characters');
  const length = Array.from(name).length;
  if (length < NAME_MIN) return fail('name', 'name_too_short', { min: NAME_MIN });
  return length > NAME_MAX ? fail('name', 'name_too_long', { max: NAME_MAX, have: length }) : name;
}

function readTaxNumber(text: string, fail: Fail): string | null {
  const check = checkTaxNumber(text);
  if (check.kind === 'ok') return check.value;
  const { kind: _kind, code, ...params } = check;
  return fail('taxNumber', `tax_${code}`, params);
}

/**
 * A Turkish number however it is written; another country's with its plus sign. The gateway wants
 * digits only.
 */
export function readPayeePhone(text: string, fail: Fail<'phone'>): string | null {
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

export function readAmount(
  text: string,
  locale: Locale,
  fail: Fail<'amount'>,
): { minor: Minor; written: string | null } | null {
  const parsed = parseAmount(text, locale);
  if (parsed.kind === 'ok') return parsed;
  if (parsed.kind === 'ambiguous') {
    const [first, second] = parsed.readings.map((reading) => formatAmount(reading, locale));
    return fail('amount', 'amount_ambiguous', { first: first ?? '', second: second ?? '' });
  }
  if (parsed.code === 'too_large')
    return fail('amount', 'amount_too_large', { max: formatAmount(AMOUNT_MAX, locale) });
  return fail('amount', `amount_${parsed.code}`);
}

export function readPaymentType(text: string, fail: Fail<'paymentType'>): string | null {
  const code = text.trim();
  return PAYMENT_TYPE.test(code) ? code : fail('paymentType', 'payment_type_required');
}

export function readDescription(text: string, fail: Fail<'description'>): string | null {
  // A pasted line break becomes a space; any other control is refused.
  if (UNSEEN.test(text.trim().replace(/[\r\n\t]/g, ' ')))
    return fail('description', 'description_control_characters');
  const have = descriptionLength(text);
  return have > DESCRIPTION_MAX
    ? fail('description', 'description_too_long', { max: DESCRIPTION_MAX, have })
    : oneLine(text);
}

export function readReason(text: string, fail: Fail<'overrideReason'>): string | null {
  const reason = oneLine(text);
  if ((OVERRIDE_REASONS as readonly string[]).includes(reason)) return reason;
  const have = Array.from(reason).length;
  if (have === 0) return fail('overrideReason', 'reason_required');
  if (have < REASON_MIN)
    return fail('overrideReason', 'reason_too_short', { min: REASON_MIN, have });
  return have > REASON_MAX
    ? fail('overrideReason', 'reason_too_long', { max: REASON_MAX, have })
    : reason;
}

export function overrideCodes(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  const codes = list.filter(
    (code): code is string => typeof code === 'string' && OVERRIDE_CODE.test(code),
  );
  return [...new Set(codes)].sort().slice(0, OVERRIDES_MAX);
}

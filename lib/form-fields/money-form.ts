import * as z from 'zod';
import type { Locale } from '#lib/values/locale.ts';
import { AMOUNT_MAX, formatAmount, parseAmount } from '#lib/values/money.ts';
import type { Minor } from '#lib/values/money.ts';
import { UUID } from '#lib/values/uuid.ts';

/**
 * Readers of single fields for every form that moves money: typed text → value, or an error code
 * that each form words itself. Pure.
 */

const NAME_MIN = 2;
export const NAME_MAX = 140;

/** Our own limit; the wallet contract states a minimum per payment type and no maximum. */
export const DESCRIPTION_MAX = 250;
export const REASON_MIN = 10;
export const REASON_MAX = 500;

/** Reasons offered as chips; stored by these names, with texts in the messages (key "reasons"). */
export const OVERRIDE_REASONS = ['separate_invoice', 'advance', 'salary'] as const;
const OVERRIDES_MAX = 20;
export const WALLET_NUMBER = /^[0-9]{4,20}$/;
const PAYMENT_TYPE = /^[0-9A-Za-z]{1,10}$/;
const OVERRIDE_CODE = /^[a-z_]{1,40}$/;

// Control characters and overrides of the text direction: invisible, and able to deceive a reader.
// Half of a surrogate pair: the database stores another character in its place, so that the content
// would no longer give the hash that was signed.
export const UNSEEN = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
const UNSEEN_ALL = new RegExp(UNSEEN, 'gu');

// Zero-width characters that are pasted along with text.
const ZERO_WIDTH = /[\u061c\u200b-\u200f\u2060\ufeff]/gu;
export const field = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value.normalize('NFC') : ''));

/**
 * The text as it will be sent, in one line: no zero-width characters, white space as single spaces,
 * trimmed.
 */
export function oneLine(text: string): string {
  return text
    .normalize('NFC')
    .replace(ZERO_WIDTH, '')
    .replace(/[\s\u00a0]+/gu, ' ')
    .trim();
}

/**
 * The length of a description in letters as people count them: "ğ" is one, however it was typed.
 */
export function descriptionLength(text: string): number {
  return Array.from(oneLine(text)).length;
}

/** Notes an error of a field. */
export type Fail<Field extends string, Code extends string> = (
  field: Field,
  code: Code,
  params?: Record<string, string | number>,
) => null;

export function readId(text: string, fail: Fail<'id', 'id_invalid'>): string | null {
  const id = text.trim().toLowerCase();
  return UUID.test(id) ? id : fail('id', 'id_invalid');
}

export function readWallet(
  text: string,
  fail: Fail<'wallet', 'wallet_required' | 'wallet_invalid'>,
): string | null {
  const wallet = text.trim();
  if (wallet === '') return fail('wallet', 'wallet_required');
  return WALLET_NUMBER.test(wallet) ? wallet : fail('wallet', 'wallet_invalid');
}

export function readName(
  text: string,
  fail: Fail<'name', 'name_too_short' | 'name_too_long' | 'name_control_characters'>,
): string | null {
  const name = oneLine(text);
  if (UNSEEN.test(text.trim())) return fail('name', 'name_control_characters');
  const length = Array.from(name).length;
  if (length < NAME_MIN) return fail('name', 'name_too_short', { min: NAME_MIN });
  return length > NAME_MAX ? fail('name', 'name_too_long', { max: NAME_MAX, have: length }) : name;
}

type AmountErrorCode =
  | 'amount_empty'
  | 'amount_not_a_number'
  | 'amount_too_many_decimals'
  | 'amount_negative'
  | 'amount_zero'
  | 'amount_too_large'
  | 'amount_ambiguous'
  | 'amount_other_currency';

export function readAmount(
  text: string,
  locale: Locale,
  fail: Fail<'amount', AmountErrorCode>,
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

export function readPaymentType(
  text: string,
  fail: Fail<'paymentType', 'payment_type_required'>,
): string | null {
  const code = text.trim();
  return PAYMENT_TYPE.test(code) ? code : fail('paymentType', 'payment_type_required');
}

export function readDescription(
  text: string,
  fail: Fail<'description', 'description_too_long' | 'description_control_characters'>,
): string | null {
  // A pasted line break becomes a space; any other control character is refused.
  if (UNSEEN.test(text.trim().replace(/[\r\n\t]/g, ' ')))
    return fail('description', 'description_control_characters');
  const have = descriptionLength(text);
  return have > DESCRIPTION_MAX
    ? fail('description', 'description_too_long', { max: DESCRIPTION_MAX, have })
    : oneLine(text);
}

export function readReason(
  text: string,
  fail: Fail<'overrideReason', 'reason_required' | 'reason_too_short' | 'reason_too_long'>,
): string | null {
  const reason = oneLine(text.toWellFormed().replace(UNSEEN_ALL, ' '));
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

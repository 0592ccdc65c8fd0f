import type { Locale } from './locale.ts';

/**
 * Money is an exact count of minor units (kuruş, cents) inside and decimal text ('12400.00') at the
 * edges. Nothing in this file passes through a floating-point number: 4.35 × 100 is
 * 434.99999999999994 there.
 */

declare const minorBrand: unique symbol;

/**
 * Minor units of one currency: 1 240 000n is 12 400.00. The brand keeps counts and ids out of
 * amounts.
 */
export type Minor = bigint & { readonly [minorBrand]: 'minor' };

/**
 * The largest amount a person may type: 999 999 999.00, the limit of the wallet service's
 * validator.
 */
export const AMOUNT_MAX: Minor = minor(99_999_999_900n);

const TYPED_LENGTH_MAX = 60;
const DECIMAL_LENGTH_MAX = 64;
const EXPONENT_MAX = 30;
const MINUS = '\u2212';
const NO_BREAK_SPACE = '\u00a0';
const MARKS: Record<Locale, { thousands: string; decimal: string }> = {
  tr: { thousands: '.', decimal: ',' },
  en: { thousands: ',', decimal: '.' },
};
const SYMBOLS: Record<string, string> = { TRY: '₺', USD: '$', EUR: '€', GBP: '£' };

export function minor(value: bigint): Minor {
  return value as Minor;
}

/**
 * Exact decimal text of the provider to minor units; null when it is not a number or has a fraction
 * of a minor unit. Zeros after the second decimal are allowed ('12400.0000' is how a decimal column
 * of scale 4 prints), and so is a JSON number's exponent ('1.5E3').
 */
export function readDecimal(text: string): Minor | null {
  if (text.length > DECIMAL_LENGTH_MAX) return null;
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > EXPONENT_MAX) return null;
  const digits = BigInt(whole + fraction);
  const shift = exponent - fraction.length + 2;
  if (shift >= 0) return minor(signed(sign, digits * 10n ** BigInt(shift)));
  const divisor = 10n ** BigInt(-shift);
  return digits % divisor === 0n ? minor(signed(sign, digits / divisor)) : null;
}

/** The largest amount that a column of the database holds (int8), in minor units. */
const STORED_MAX = 2n ** 63n - 1n;

/** As {@link readDecimal}; null also for an amount that the database cannot hold. */
export function readStorableDecimal(text: string): Minor | null {
  const value = readDecimal(text);
  return value === null || value > STORED_MAX || value < -STORED_MAX ? null : value;
}

/**
 * As {@link readDecimal}, for text that must be an amount.
 * @throws RangeError without the text in its message
 */
export function parseDecimal(text: string): Minor {
  const value = readDecimal(text);
  if (value === null)
    throw new RangeError('Not an exact decimal amount with at most two decimals.');
  return value;
}

/** Minor units to decimal text with exactly two decimals: 1240000n → '12400.00', -5n → '-0.05'. */
export function toDecimal(value: bigint): string {
  const { negative, whole, fraction } = split(value);
  return `${negative ? '-' : ''}${whole}.${fraction}`;
}

/** The number alone, as a field shows it: '12.400,00' in Turkish, '12,400.00' in English. */
export function formatAmount(amount: bigint | string, locale: Locale): string {
  const { negative, whole, fraction } = split(toMinor(amount));
  const marks = MARKS[locale];
  return `${negative ? MINUS : ''}${group(whole, marks.thousands)}${marks.decimal}${fraction}`;
}

/**
 * Money as people read it: ₺1.234,56 in Turkish, ₺1,234.56 in English, always two decimals, minus
 * as U+2212 before the currency sign. A currency without a short sign is written with its code
 * (CHF 1.234,56). `sign`: 'auto' marks negative only, 'always' also marks positive (never zero),
 * 'never' marks none.
 */
export function formatMoney(
  amount: bigint | string,
  currency: string,
  locale: Locale,
  options: { sign?: 'auto' | 'always' | 'never' } = {},
): string {
  const value = toMinor(amount);
  const mode = options.sign ?? 'auto';
  const magnitude = value < 0n ? -value : value;
  let sign = '';
  if (value < 0n && mode !== 'never') sign = MINUS;
  if (value > 0n && mode === 'always') sign = '+';
  const symbol = SYMBOLS[currency] ?? `${currency}${NO_BREAK_SPACE}`;
  return `${sign}${symbol}${formatAmount(magnitude, locale)}`;
}

/**
 * A ratio (0.125) as a percentage: '%12,5' in Turkish (sign first), '12.5%' in English. At most
 * `decimals` decimals (1).
 */
export function formatPercent(ratio: number, locale: Locale, decimals = 1): string {
  const number = Math.abs(ratio * 100).toFixed(decimals);
  const [whole = '0', fraction = ''] = number.split('.');
  const trimmed = fraction.replace(/0+$/, '');
  const digits =
    group(whole, MARKS[locale].thousands) + (trimmed === '' ? '' : MARKS[locale].decimal + trimmed);
  const sign = ratio < 0 && /[1-9]/.test(number) ? MINUS : '';
  return locale === 'tr' ? `${sign}%${digits}` : `${sign}${digits}%`;
}

/** A count with its digits in groups: '12.345' in Turkish, '12,345' in English. */
export function formatCount(count: number, locale: Locale): string {
  return group(String(count), MARKS[locale].thousands);
}

/**
 * `part / whole` as a ratio for bars and percentages, exact to a hundredth of a percent; 0 when the
 * whole is not positive.
 */
export function share(part: bigint, whole: bigint): number {
  return whole > 0n ? Number((part * 10_000n) / whole) / 10_000 : 0;
}

export type AmountError =
  | 'empty'
  | 'not_a_number'
  | 'too_many_decimals'
  | 'negative'
  | 'zero'
  | 'too_large'
  | 'other_currency';

/**
 * `formatted` is the field's new text. `written` is the currency that the text names, if any.
 * `readings` are the two possible amounts of an ambiguous text, thousands first; only the person
 * may choose.
 */
export type ParsedAmount =
  | { kind: 'ok'; minor: Minor; formatted: string; written: string | null }
  | { kind: 'ambiguous'; readings: [Minor, Minor] }
  | { kind: 'error'; code: AmountError };

/**
 * Reads an amount as a person types or pastes it, in either notation, with currency signs, spaces
 * and no-break spaces.
 * - one separator and one or two digits after it: decimals;
 * - both separators: the last one is the decimal separator;
 * - a single thousands separator of the person's language before exactly three digits: thousands
 *   ('12.400' in Turkish);
 * - a single decimal separator of the language before exactly three digits ('1,500' in Turkish):
 *   ambiguous, the person chooses;
 * - any other third decimal: an error, never a rounding.
 * With `currency`, a text that names another currency ('€100' for a lira wallet) is refused.
 */
export function parseAmount(typed: string, locale: Locale, currency?: string): ParsedAmount {
  const stripped = strip(typed);
  if (stripped.kind === 'error') return stripped;
  const { body, negative, written } = stripped;
  const reading = readNumber(body, locale);
  if (reading.kind === 'error') return reading;
  if (negative) return { kind: 'error', code: 'negative' };
  if (currency !== undefined && written !== null && written !== currency)
    return { kind: 'error', code: 'other_currency' };
  if (reading.kind === 'ambiguous') return reading;
  if (reading.minor === 0n) return { kind: 'error', code: 'zero' };
  if (reading.minor > AMOUNT_MAX) return { kind: 'error', code: 'too_large' };
  return {
    kind: 'ok',
    minor: reading.minor,
    formatted: formatAmount(reading.minor, locale),
    written,
  };
}

const WRITTEN_CURRENCIES: Record<string, string> = {
  '₺': 'TRY',
  TL: 'TRY',
  TRY: 'TRY',
  LIRA: 'TRY',
  $: 'USD',
  USD: 'USD',
  '€': 'EUR',
  EUR: 'EUR',
  '£': 'GBP',
  GBP: 'GBP',
};
const CURRENCY_WORD = '₺|\\$|€|£|TL|TRY|LIRA|USD|EUR|GBP';
const AROUND = new RegExp(
  `^([-+]?) *(${CURRENCY_WORD})? *([-+]?) *(.*?) *(${CURRENCY_WORD})?([-]?)$`,
);

/** Removes signs and currency names from both ends; the rest must be the number. */
function strip(
  typed: string,
):
  | { kind: 'stripped'; body: string; negative: boolean; written: string | null }
  | { kind: 'error'; code: AmountError } {
  const text = typed
    .slice(0, TYPED_LENGTH_MAX + 1)
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
    .trim()
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .toUpperCase()
    .replaceAll('İ', 'I');
  if (text === '') return { kind: 'error', code: 'empty' };
  if (typed.length > TYPED_LENGTH_MAX) return { kind: 'error', code: 'not_a_number' };
  const bracketed = /^\((.*)\)$/.exec(text);
  const match = AROUND.exec(bracketed?.[1]?.trim() ?? text);
  if (match === null) return { kind: 'error', code: 'not_a_number' };
  const [, sign = '', before, innerSign = '', body = '', after, trailingSign = ''] = match;
  const signs = sign + innerSign + trailingSign;
  if (body === '' || signs.length > 1 || (before !== undefined && after !== undefined))
    return { kind: 'error', code: 'not_a_number' };
  const word = before ?? after;
  return {
    kind: 'stripped',
    body,
    negative: bracketed !== null || signs === '-',
    written: word === undefined ? null : (WRITTEN_CURRENCIES[word] ?? null),
  };
}

type Reading =
  | { kind: 'read'; minor: Minor }
  | { kind: 'ambiguous'; readings: [Minor, Minor] }
  | { kind: 'error'; code: AmountError };

const NOT_A_NUMBER: Reading = { kind: 'error', code: 'not_a_number' };

function readNumber(body: string, locale: Locale): Reading {
  const spaced = /^([1-9]\d{0,2}(?:([ '’])\d{3})(?:\2\d{3})*)(?:[.,](\d*))?$/.exec(body);
  if (spaced !== null) return decimals((spaced[1] ?? '').replace(/\D/g, ''), spaced[3] ?? '');
  if (!/^[\d.,]+$/.test(body) || !/\d/.test(body)) return NOT_A_NUMBER;

  const marks = body.replace(/\d/g, '');
  const last = marks.at(-1);
  if (last === undefined) return decimals(body, '');
  const position = body.lastIndexOf(last);
  const head = body.slice(0, position);
  const tail = body.slice(position + 1);
  if (marks.length === 1) return readOneMark(head, tail, last, locale);
  if (/^(.)\1+$/.test(marks))
    return isGrouped(body, last) ? decimals(body.replaceAll(last, ''), '') : NOT_A_NUMBER;

  const thousands = last === '.' ? ',' : '.';
  if (head.includes(last) || !isGrouped(head, thousands)) return NOT_A_NUMBER;
  return decimals(head.replaceAll(thousands, ''), tail);
}

function readOneMark(head: string, tail: string, mark: string, locale: Locale): Reading {
  // 0.500 and 1234.567 are no valid thousands notation, so these three digits can only be
  // decimals.
  if (tail.length !== 3 || !/^[1-9]\d{0,2}$/.test(head)) return decimals(head, tail);
  const asThousands = minor(BigInt(head + tail) * 100n);
  if (mark === MARKS[locale].thousands) return { kind: 'read', minor: asThousands };
  // '1,234' has no exact decimal reading: offer 1,23 explicitly and let the person decide, never
  // round silently.
  return { kind: 'ambiguous', readings: [asThousands, minor(BigInt(head + tail.slice(0, 2)))] };
}

function decimals(whole: string, fraction: string): Reading {
  if (fraction.length > 2) return { kind: 'error', code: 'too_many_decimals' };
  return {
    kind: 'read',
    minor: minor(BigInt(`${whole === '' ? '0' : whole}${fraction.padEnd(2, '0')}`)),
  };
}

function isGrouped(text: string, mark: string): boolean {
  const [first = '', ...rest] = text.split(mark);
  return (
    rest.length > 0 && /^[1-9]\d{0,2}$/.test(first) && rest.every((part) => /^\d{3}$/.test(part))
  );
}

function toMinor(amount: bigint | string): bigint {
  return typeof amount === 'string' ? parseDecimal(amount) : amount;
}

function split(value: bigint): { negative: boolean; whole: string; fraction: string } {
  const negative = value < 0n;
  const digits = (negative ? -value : value).toString().padStart(3, '0');
  return { negative, whole: digits.slice(0, -2), fraction: digits.slice(-2) };
}

function group(whole: string, mark: string): string {
  return whole.replace(/\B(?=(?:\d{3})+$)/g, mark);
}

function signed(sign: string, magnitude: bigint): bigint {
  return sign === '-' ? -magnitude : magnitude;
}

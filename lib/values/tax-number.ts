/**
 * TCKN (11 digits, a person) and VKN (10 digits, a company or a person's business): one field,
 * distinguished by length. Check-digit rules are the published ones. They detect typing errors, not
 * whether the number exists.
 */

export type TaxNumberType = 'TCKN' | 'VKN';

/** `expected` is the kind that the digits typed so far may become. */
export type TaxNumberError =
  | { kind: 'error'; code: 'incomplete'; have: number; need: number; expected: TaxNumberType }
  | { kind: 'error'; code: 'check_digits'; expected: TaxNumberType }
  | { kind: 'error'; code: 'not_digits'; character: string }
  | { kind: 'error'; code: 'too_long'; have: number; need: number; expected: TaxNumberType };

export type TaxNumberCheck = { kind: 'ok'; type: TaxNumberType; value: string } | TaxNumberError;

const VKN_LENGTH = 10;
const TCKN_LENGTH = 11;
const TCKN_VISIBLE = 2;
const VKN_VISIBLE = 4;
const SEPARATORS = /[\s.\u00a0\u200b-\u200f\u2010-\u2015\u202a-\u202e\u2060-\u2069\ufeff-]+/gu;

/** Checks a typed or pasted number; spaces, dots and dashes do not count. */
export function checkTaxNumber(text: string): TaxNumberCheck {
  const value = text.replace(SEPARATORS, '');
  const stranger = /[^0-9]/u.exec(value)?.[0];
  if (stranger !== undefined) return { kind: 'error', code: 'not_digits', character: stranger };
  const have = value.length;
  if (have < VKN_LENGTH)
    return { kind: 'error', code: 'incomplete', have, need: VKN_LENGTH, expected: 'VKN' };
  if (have > TCKN_LENGTH)
    return { kind: 'error', code: 'too_long', have, need: TCKN_LENGTH, expected: 'TCKN' };
  const type: TaxNumberType = have === VKN_LENGTH ? 'VKN' : 'TCKN';
  const fits = type === 'VKN' ? vknFits(value) : tcknFits(value);
  return fits
    ? { kind: 'ok', type, value }
    : { kind: 'error', code: 'check_digits', expected: type };
}

/** Masks a TCKN: the last two digits stay visible. */
export function maskTckn(value: string): string {
  return mask(value, TCKN_VISIBLE);
}

/** Masks a VKN: the last four digits stay visible. */
export function maskVkn(value: string): string {
  return mask(value, VKN_VISIBLE);
}

/**
 * Masks a tax number of either kind, distinguished by length; any other text is masked like a TCKN,
 * the stricter of the two.
 */
export function maskTaxNumber(value: string): string {
  return value.length === VKN_LENGTH ? maskVkn(value) : maskTckn(value);
}

function mask(value: string, visible: number): string {
  return value.length <= visible
    ? '*'.repeat(value.length)
    : '*'.repeat(value.length - visible) + value.slice(-visible);
}

function tcknFits(value: string): boolean {
  if (value.startsWith('0')) return false;
  const digits = Array.from(value, Number);
  const sum = (indexes: readonly number[]): number =>
    indexes.reduce((total, index) => total + (digits[index] ?? 0), 0);
  const tenth = (((7 * sum([0, 2, 4, 6, 8]) - sum([1, 3, 5, 7])) % 10) + 10) % 10;
  return tenth === digits[9] && sum([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) % 10 === digits[10];
}

function vknFits(value: string): boolean {
  const digits = Array.from(value, Number);
  let sum = 0;
  for (let position = 1; position < VKN_LENGTH; position += 1) {
    const shifted = ((digits[position - 1] ?? 0) + VKN_LENGTH - position) % 10;
    sum += shifted === 9 ? 9 : (shifted * 2 ** (VKN_LENGTH - position)) % 9;
  }
  return (10 - (sum % 10)) % 10 === digits[9];
}

import { bankName } from './banks.ts';

/**
 * A Turkish IBAN: TR, 2 check digits, 5 digits of the institution, 1 reserve digit (0), 16
 * characters of the account.
 */
export const IBAN_LENGTH = 26;

const COUNTRY = 'TR';
const RESERVE_AT = 9;
const MASK_VISIBLE = 4;
// 00, 01 and 99 leave the same remainder as 97, 98 and 02, and are never issued.
const CHECK_DIGITS = /^TR(?!00|01|99)/;
// Spaces of every width, no-break and zero-width characters, dots, dashes of every length.
const SEPARATORS =
  /[\s.\u00a0\u00ad\u200b-\u200f\u2010-\u2015\u202a-\u202e\u2060-\u2069\u2212\ufeff-]+/gu;
const PREFIX = /^[iıİI]ban\s*(?:no)?\s*[:.]*\s*/iu;

export type IbanError =
  | { kind: 'error'; code: 'incomplete'; have: number; need: number }
  | { kind: 'error'; code: 'too_long'; have: number; need: number }
  /** `at` counts characters from 1 in the text without separators. */
  | { kind: 'error'; code: 'bad_character'; character: string; at: number }
  | { kind: 'error'; code: 'not_tr' | 'check_digits' | 'reserve_digit' };

export type IbanCheck =
  | { kind: 'ok'; iban: string; bankCode: string; bankName: string | null }
  | IbanError;

/**
 * Pasted or typed text in electronic form: no separators, no `IBAN:` before it, ASCII letters
 * upper-cased. Only a–z are upper-cased: a Turkish upper-casing would turn i into İ, and ı occurs
 * in no IBAN, so it must stay visible as wrong.
 */
export function normaliseIban(text: string): string {
  return compact(text.trim().replace(PREFIX, ''));
}

/**
 * Checks a text as a Turkish IBAN and reports the first error. An unknown institution is no error.
 */
export function checkIban(text: string): IbanCheck {
  const iban = normaliseIban(text);
  const characters = Array.from(iban);
  const bad = characters.findIndex((character, index) => !isAllowed(character, index));
  const startsElsewhere = !iban.startsWith(COUNTRY.slice(0, iban.length));
  if (bad >= 0 && (bad < COUNTRY.length || !startsElsewhere)) {
    return { kind: 'error', code: 'bad_character', character: characters[bad] ?? '', at: bad + 1 };
  }
  if (startsElsewhere) return { kind: 'error', code: 'not_tr' };
  const have = characters.length;
  if (have < IBAN_LENGTH) return { kind: 'error', code: 'incomplete', have, need: IBAN_LENGTH };
  if (have > IBAN_LENGTH) return { kind: 'error', code: 'too_long', have, need: IBAN_LENGTH };
  if (iban[RESERVE_AT] !== '0') return { kind: 'error', code: 'reserve_digit' };
  if (remainder(iban) !== 1 || !CHECK_DIGITS.test(iban))
    return { kind: 'error', code: 'check_digits' };
  const bankCode = iban.slice(4, RESERVE_AT);
  return { kind: 'ok', iban, bankCode, bankName: bankName(bankCode) };
}

/** Whether two texts name one account, whatever their spaces and case. */
export function isSameIban(one: string, other: string): boolean {
  return normaliseIban(one) === normaliseIban(other);
}

/** Groups of four with spaces between, for any text: 'TR33 0006 1005 …'. */
export function groupIban(text: string): string {
  return normaliseIban(text).replace(/(.{4})(?=.)/gu, '$1 ');
}

/** An IBAN as screens show it: in groups, or unchanged when it is masked. */
export function shownIban(text: string): string {
  return text.includes('…') ? text : groupIban(text);
}

/** An account as screens show it: an IBAN in groups, the number of a wallet unchanged. */
export function shownAccount(text: string): string {
  return text.startsWith('TR') ? shownIban(text) : text;
}

/** 'TR**…1326': the country and the last four, for people who may not see it whole. */
export function maskIban(text: string): string {
  const iban = normaliseIban(text);
  return iban.length < 2 * MASK_VISIBLE
    ? '****'
    : `${iban.slice(0, 2)}**…${iban.slice(-MASK_VISIBLE)}`;
}

/**
 * The field's text in groups of four and the new caret position, so that typing in the middle does
 * not move the caret to the end. The caret keeps its position among the characters without the
 * spaces.
 */
export function groupWithCaret(text: string, caret: number): { text: string; caret: number } {
  const grouped = groupIban(text);
  const total = normaliseIban(text).length;
  // Count from the end, because a prefix before the caret may have been removed.
  const before = Math.max(0, total - compact(text.slice(caret)).length);
  return { text: grouped, caret: before === 0 ? 0 : before + Math.floor((before - 1) / 4) };
}

function compact(text: string): string {
  return text.replace(SEPARATORS, '').replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

function isAllowed(character: string, index: number): boolean {
  if (index < COUNTRY.length) return /^[A-Z0-9]$/.test(character);
  return index <= RESERVE_AT ? /^[0-9]$/.test(character) : /^[A-Z0-9]$/.test(character);
}

/** ISO 7064 mod 97-10, digit by digit: the number itself is longer than any float holds. */
function remainder(iban: string): number {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

import { typesCard } from '#lib/values/card-number.ts';
import { checkIban, IBAN_LENGTH, normaliseIban } from '#lib/values/iban.ts';
import { AMOUNT_MAX, parseAmount } from '#lib/values/money.ts';
import { checkTaxNumber } from '#lib/values/tax-number.ts';
import type { TaxNumberType } from '#lib/values/tax-number.ts';
import { foldForSearch } from '#lib/values/turkish.ts';

/**
 * The possible readings of a text in the search box. The person chooses nothing: every sensible
 * reading is searched, the most likely first, and the screen lists them. Pure, and it never throws:
 * the text may be anything.
 */

export type Reading =
  /** One of our own records, by its id or its page's address. */
  | { kind: 'own'; id: string }
  /**
   * `fits`: the check digits are right. An IBAN with wrong ones is searched all the same: a failed
   * record may contain it.
   */
  | { kind: 'iban'; iban: string; fits: boolean }
  | { kind: 'iban_start'; start: string }
  /** The last four digits of an IBAN or of a card. */
  | { kind: 'iban_end'; end: string }
  /**
   * A reference of ours or of another system: in upper case without separators, and as typed.
   * `whole`: it has the format of our references.
   */
  | { kind: 'reference'; reference: string; typed: string; whole: boolean }
  /** A provider's number: of a request, a transaction, a receipt. */
  | { kind: 'number'; number: string }
  | { kind: 'tax_number'; value: string; type: TaxNumberType }
  | { kind: 'wallet'; number: string }
  /** A phone number, without Turkey's 90 and the 0 before it; a foreign number keeps its plus. */
  | { kind: 'phone'; phone: string }
  /** Minor units, in every notation that fits. `currency` when the text names one. */
  | { kind: 'amount'; amounts: bigint[]; currency: string | null }
  /** Folded words; a name matches when each of them is a prefix of a word of the name. */
  | { kind: 'name'; words: string[] };

export type Understood =
  | { kind: 'nothing' }
  | { kind: 'card' }
  | { kind: 'readings'; text: string; readings: Reading[] };

const TEXT_MAX = 200;
const WORDS_MAX = 6;
const WORD_MAX = 40;
const IBAN_START_MIN = 6;
const REFERENCE_LENGTH = 20;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
/** "Referans no: …", "Tutar: …", "#…": labels that people copy along. */
const LABEL = /^(?:\p{L}[\p{L}\s./]{0,24}:\s*|#\s*|no\s+)(?=\S)/iu;
/** A copied address of a payment link; what identifies it is its last part. */
const LINK = /^https?:\/\/\S*\/([^/\s?#]+)\/?$/i;
/** "•••• 4509", "4508 03** **** 4509": a card as receipts print it. */
const MASKED_CARD = /^[\d\s-]*[*•][*•\s-]*(\d{4})$/u;
/** An IBAN in the middle of a sentence. */
const IBAN_WITHIN = /(?<![0-9A-Z])TR[\s.]*\d{2}(?:[\s.-]*\d){22}(?!\d)/i;
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
const SEPARATORS = /[\s./_\u2010-\u2015\u2212-]+/gu;

/**
 * The text as searched, shown and put into an address: one line, visible, at most 200 characters.
 */
export function tidyText(text: string): string {
  return text
    .slice(0, 4 * TEXT_MAX)
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, TEXT_MAX)
    .trim();
}

export function understand(typed: string): Understood {
  const text = tidyText(typed);
  if (text === '') return { kind: 'nothing' };
  const own = UUID.exec(text)?.[0];
  if (own !== undefined)
    return { kind: 'readings', text, readings: [{ kind: 'own', id: own.toLowerCase() }] };
  const copied = text.replace(LINK, '$1');
  const end = MASKED_CARD.exec(copied)?.[1];
  if (end !== undefined) return { kind: 'readings', text, readings: [{ kind: 'iban_end', end }] };
  const body = copied.replace(LABEL, '');
  const iban = readIban(body);
  if (iban !== null) return { kind: 'readings', text, readings: [iban] };
  if (typesCard(text)) return { kind: 'card' };
  const numbers = /^\+?[\d\s()/\u2010-\u2015-]*$/u.test(body) ? readDigits(body) : [];
  const amount = readAmount(body);
  const reference = readReference(body);
  if (reference?.whole) return { kind: 'readings', text, readings: [reference] };
  const isNumeric = numbers.length > 0 || amount !== null;
  const isMoney = amount?.currency != null;
  const readings = [
    ...numbers,
    isAbroad(numbers) ? null : amount,
    isMoney ? null : readName(isNumeric ? body : copied),
    isMoney ? null : reference,
  ].filter((one) => one !== null);
  return { kind: 'readings', text, readings };
}

/**
 * Whether the text is a card number; the browser checks this before it sends anything. An IBAN in
 * groups contains digits that look like a card number, and is none.
 */
export function isCard(typed: string): boolean {
  return understand(typed).kind === 'card';
}

function readIban(body: string): Reading | null {
  const digits = body.replace(SEPARATORS, '');
  const iban =
    /^\d{24}$/.test(digits) && checkIban(`TR${digits}`).kind === 'ok'
      ? `TR${digits}`
      : normaliseIban(IBAN_WITHIN.exec(body)?.[0] ?? body);
  if (!/^TR\d{2}[0-9A-Z]*$/.test(iban)) return null;
  if (iban.length === IBAN_LENGTH)
    return { kind: 'iban', iban, fits: checkIban(iban).kind === 'ok' };
  return iban.length >= IBAN_START_MIN && iban.length < IBAN_LENGTH && /^TR\d+$/.test(iban)
    ? { kind: 'iban_start', start: iban }
    : null;
}

/** Classifies digits by length and check digits; the less likely readings come after. */
function readDigits(body: string): Reading[] {
  const abroad = body.trim().startsWith('+');
  const digits = body.replace(/\D/g, '');
  const found: Reading[] = [];
  const tax = checkTaxNumber(digits);
  if (!abroad && tax.kind === 'ok')
    found.push({ kind: 'tax_number', value: tax.value, type: tax.type });
  const phone = phoneOf(digits, abroad);
  if (phone !== null) found.push({ kind: 'phone', phone });
  if (abroad) return found;
  if (/^\d{7,10}$/.test(digits)) found.push({ kind: 'wallet', number: digits });
  if (/^\d{4}$/.test(body)) found.push({ kind: 'iban_end', end: digits });
  if (/^[1-9]\d{7,19}$/.test(digits)) found.push({ kind: 'number', number: digits });
  return found;
}

/** A number with a leading plus is a phone number, never an amount. */
function isAbroad(numbers: readonly Reading[]): boolean {
  return numbers.some((one) => one.kind === 'phone' && one.phone.startsWith('+'));
}

function phoneOf(digits: string, abroad: boolean): string | null {
  const national =
    /^(?:00)?90([2-5]\d{9})$/.exec(digits)?.[1] ??
    /^0([2-5]\d{9})$/.exec(digits)?.[1] ??
    /^(5\d{9})$/.exec(digits)?.[1];
  if (national !== undefined) return national;
  return abroad && /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : null;
}

/**
 * Reads an amount in both notations, because the person who reads it out may use the other one. A
 * minus sign or brackets come from a list of outgoing money.
 */
function readAmount(body: string): Extract<Reading, { kind: 'amount' }> | null {
  const unsigned = body.replace(/^[\s(]*[-+\u2010-\u2015\u2212]?\s*/u, '').replace(/[\s)]+$/u, '');
  const amounts: bigint[] = [];
  let currency: string | null = null;
  for (const locale of ['tr', 'en'] as const) {
    const parsed = parseAmount(unsigned, locale);
    if (parsed.kind === 'ok') {
      amounts.push(parsed.minor);
      currency = parsed.written;
    }
    if (parsed.kind === 'ambiguous') amounts.push(...parsed.readings);
  }
  const possible = [...new Set(amounts)].filter((one) => one > 0n && one <= AMOUNT_MAX);
  return possible.length === 0 ? null : { kind: 'amount', amounts: possible, currency };
}

function readReference(body: string): Extract<Reading, { kind: 'reference' }> | null {
  const compact = body.replace(SEPARATORS, '').replace(/[a-z]/g, (letter) => letter.toUpperCase());
  if (!/^[0-9A-Z]{4,64}$/.test(compact) || !/\d/.test(compact) || !/[A-Z]/.test(compact))
    return null;
  // As read out on the phone, O is 0 and I is 1: our references contain neither letter.
  const corrected = compact.replaceAll('O', '0').replace(/[IL]/g, '1');
  const whole =
    compact.length === REFERENCE_LENGTH &&
    !corrected.includes('U') &&
    (corrected.match(/\d/g)?.length ?? 0) >= 2 &&
    /^\S+$|^(?:\S{4,5} ?){4,5}$/.test(body);
  if (whole) return { kind: 'reference', reference: corrected, typed: body, whole };
  return /\s/.test(body) ? null : { kind: 'reference', reference: compact, typed: body, whole };
}

function readName(text: string): Reading | null {
  const words = wordsOf(text).slice(0, WORDS_MAX);
  return words.join('').replace(/[^\p{L}]/gu, '').length >= 2 ? { kind: 'name', words } : null;
}

/**
 * What separates words: the characters that the database's function `search_words` names, because a
 * word that only one side divides is not found.
 */
const BETWEEN_WORDS = new RegExp(
  '[\\0-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\xbf\\u00d7\\u00f7\\u02b0-\\u036f\\u2000-\\u206f\\u20a0-\\u20cf' +
    '\\u2100-\\u2bff\\u3000-\\u303f\\ufe00-\\ufe0f\\u{1f000}-\\u{1faff}]+',
  'u',
);

/** Folded words as the database stores them. */
export function wordsOf(text: string): string[] {
  return foldForSearch(text)
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
    .map((word) => Array.from(word).slice(0, WORD_MAX).join(''));
}

import { visibleText } from '#lib/values/foreign-text.ts';

/**
 * Makes text safe for a spreadsheet: no formula is run, and no character changes the text
 * direction. Pure.
 */

/**
 * What a spreadsheet reads as the start of a formula, also after blanks and in full width, and the
 * characters that it strips before it looks for one.
 */
const FORMULA = /^[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n\0]/;
/**
 * Matches a text of only digits, separators and exponents, also in parentheses or with a percent
 * sign: a spreadsheet converts it to a number or a date, rounds beyond fifteen digits, and reads
 * parentheses as a minus sign.
 */
const NUMBER_LIKE = /^[\d.,:/\s()%-]*\d[\d.,:/\s()%-]*(?:[eE][+-]?\d+)?$/;

export function isFormula(text: string): boolean {
  return !isWord(text.charCodeAt(0)) && FORMULA.test(text);
}

/** Formulas become text by an apostrophe in front. */
export function guarded(written: string): string {
  const text = visibleText(written);
  return isFormula(text) ? `'${text}` : text;
}

/**
 * Like `guarded`, but puts the apostrophe also before a text that a spreadsheet would convert to a
 * number or a date: a reference of 19 digits, a number with leading zeros.
 */
export function forcedText(written: string): string {
  const text = visibleText(written);
  return isFormula(text) || NUMBER_LIKE.test(text) ? `'${text}` : text;
}

/** Letters and digits. A fast path: nearly every text begins with one. */
function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** 1240000 → `12400.00`, with the given decimal mark. */
export function decimal(minor: string, mark: '.' | ','): string {
  const negative = minor.startsWith('-');
  const digits = (negative ? minor.slice(1) : minor).padStart(3, '0');
  return `${negative ? '-' : ''}${digits.slice(0, -2)}${mark}${digits.slice(-2)}`;
}

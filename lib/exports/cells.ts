import { visibleText } from '#lib/values/foreign-text.ts';

/**
 * Text as a spreadsheet may be given it: nothing is run, and nothing turns the text around. Pure.
 */

/**
 * What a spreadsheet takes for the start of a formula, also behind blanks and in full width; and
 * what it cuts off to find one.
 */
const FORMULA = /^[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n\0]/;
/**
 * Digits, marks and exponents alone: a spreadsheet makes a number or a date of them, and rounds
 * what is longer than fifteen digits.
 */
const NUMBER_LIKE = /^[\d.,:/\s-]*\d[\d.,:/\s-]*(?:[eE]\d+)?$/;

export function isFormula(text: string): boolean {
  return !isWord(text.charCodeAt(0)) && FORMULA.test(text);
}

/** A text that would be run is shown as text: the apostrophe in front says so. */
export function guarded(written: string): string {
  const text = visibleText(written);
  return isFormula(text) ? `'${text}` : text;
}

/**
 * The same, and so is a text of which a spreadsheet would make a number or a date: a reference of
 * 19 digits, a number with zeros in front.
 */
export function forcedText(written: string): string {
  const text = visibleText(written);
  return isFormula(text) || NUMBER_LIKE.test(text) ? `'${text}` : text;
}

/** Letters and digits: what nearly every text begins with. */
function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** 1240000 → `12400.00`, with the mark of the reader. */
export function decimal(minor: string, mark: '.' | ','): string {
  const negative = minor.startsWith('-');
  const digits = (negative ? minor.slice(1) : minor).padStart(3, '0');
  return `${negative ? '-' : ''}${digits.slice(0, -2)}${mark}${digits.slice(-2)}`;
}

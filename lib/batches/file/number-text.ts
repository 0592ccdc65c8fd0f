import { minor, readDecimal, toDecimal } from '#lib/values/money.ts';
import type { Minor } from '#lib/values/money.ts';
import type { MarkReason } from './cell.ts';

/**
 * Amounts from numbers as the XML of a workbook writes them. Spreadsheets calculate in binary and
 * write up to seventeen digits: 0.29 is stored as 0.28999999999999998, and 0.1 + 0.2 as
 * 0.30000000000000004. Fifteen digits are exact, which is what a spreadsheet itself shows. Everything
 * is done on the digits; no amount passes through a floating-point number. Pure.
 */

const EXACT_DIGITS = 15;
const NUMBER = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/;
const EXPONENT_MAX = 40;

export type ReadNumber = { value: Minor; reason: MarkReason | null };

/**
 * The amount and why it is not written as such; null when the text is no number, or has a fraction
 * of a minor unit that is more than the noise of binary calculation.
 */
export function readNumber(text: string): ReadNumber | null {
  const exact = readDecimal(text);
  if (exact !== null) return { value: exact, reason: longFormOf(text) };
  const value = withoutNoise(text);
  if (value === null) return null;
  // The same binary number as the short form: only its writing differs, no calculation was made.
  const sameNumber = Number(text) === Number(toDecimal(value));
  return { value, reason: sameNumber ? 'number_writing' : 'number_noise' };
}

function longFormOf(text: string): MarkReason | null {
  if (/[eE]/.test(text)) return 'exponent';
  return /\.\d{3}/.test(text) ? 'trailing_zeros' : null;
}

/** The number rounded to the fifteen digits that are exact; null when it needs more, or is short. */
function withoutNoise(text: string): Minor | null {
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > EXPONENT_MAX) return null;
  const digits = (whole + fraction).replace(/^0+/, '');
  const spare = digits.length - EXACT_DIGITS;
  if (spare <= 0) return null;
  const unit = 10n ** BigInt(spare);
  const rounded = (BigInt(digits) + unit / 2n) / unit;
  // What the rounded digits count: ten to the power of this.
  const power = exponent - fraction.length + spare;
  const shift = power + 2;
  if (shift >= 0) return signed(sign, rounded * 10n ** BigInt(shift));
  const divisor = 10n ** BigInt(-shift);
  return rounded % divisor === 0n ? signed(sign, rounded / divisor) : null;
}

function signed(sign: string, value: bigint): Minor {
  return minor(sign === '-' ? -value : value);
}

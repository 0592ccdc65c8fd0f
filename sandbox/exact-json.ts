/**
 * JSON whose numbers keep every digit. Amounts and 19-digit ids lose digits in a binary float, so
 * numbers are read as their source text and written from text.
 */

/** A number exactly as it stood in the request. */
export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Json = null | boolean | string | JsonNumber | Json[] | { [key: string]: Json };

/** These two methods exist in Node 24, but not in every TypeScript library file. */
const exact = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
};

/** Reads JSON text; throws SyntaxError when it is not JSON. */
export function parseExact(text: string): Json {
  return exact.parse(text, (_key, value, context) =>
    typeof value === 'number' ? new JsonNumber(context.source ?? String(value)) : value,
  ) as Json;
}

/** Makes a number for JSON.stringify that is written with exactly these digits. */
export function rawNumber(text: string): object {
  return exact.rawJSON(text);
}

/** Makes an amount for JSON.stringify: 12340n minor units become the number 123.40. */
export function rawAmount(minor: bigint): object {
  return exact.rawJSON(decimalText(minor));
}

/** Formats minor units as decimal text: 12340n -> "123.40", -5n -> "-0.05". */
export function decimalText(minor: bigint): string {
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Converts decimal number text to minor units; null when it is not a number, has more than two
 * significant decimals, or is far out of range.
 */
export function minorUnits(text: string): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (!match) return null;
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent) - fraction.length + 2;
  if (Math.abs(shift) > 40) return null;
  let value = BigInt(whole + fraction);
  if (shift >= 0) value *= 10n ** BigInt(shift);
  else {
    const divisor = 10n ** BigInt(-shift);
    if (value % divisor !== 0n) return null;
    value /= divisor;
  }
  return sign ? -value : value;
}

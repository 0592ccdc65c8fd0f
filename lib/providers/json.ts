/**
 * JSON without loss. The providers write amounts as JSON numbers and ids with up to 19 digits; a
 * float would change both. Every number read here stays the received text (`Exact`); every number
 * written comes from a bigint or a text of digits. Pure: shared with the simulator.
 */
import { toDecimal } from '#lib/values/money.ts';
import { visibleText } from '#lib/values/foreign-text.ts';

const TEXT_MAX = 8 * 1024 * 1024;
const DEPTH_MAX = 32;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A JSON number with its digits unchanged. A class, so that a number and a text of digits are never
 * confused.
 */
export class Exact {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  /** Writing a received number again writes the same digits. */
  toJSON(): unknown {
    return rawJson(this.text);
  }
}

/** A piece of JSON that `JSON.stringify` copies unchanged. */
export type Raw = { readonly rawJSON: string };

export type JsonFault = 'syntax' | 'depth' | 'size';
export type JsonResult = { ok: true; value: unknown } | { ok: false; why: JsonFault };

// TypeScript's library does not describe these two parts of the language yet (Node 24 has them).
type Reviver = (
  this: unknown,
  key: string,
  value: unknown,
  context: { source?: string },
) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown;
const rawJson = (JSON as unknown as { rawJSON(text: string): Raw }).rawJSON;

/**
 * Parses JSON; numbers become `Exact`, characters of a text that change the reading direction are
 * written out (`visibleText`), and a leading byte order mark is skipped. Never throws.
 */
export function parseJson(written: string): JsonResult {
  const text = written.startsWith(BYTE_ORDER_MARK) ? written.slice(1) : written;
  if (text.length > TEXT_MAX) return { ok: false, why: 'size' };
  if (deeperThan(text, DEPTH_MAX)) return { ok: false, why: 'depth' };
  try {
    return { ok: true, value: parseWithSource(text, readValue) };
  } catch {
    return { ok: false, why: 'syntax' };
  }
}

function readValue(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (typeof value !== 'number') return value;
  // Without the source text the number has already lost digits: better an error than a changed
  // number.
  if (context.source === undefined) throw new SyntaxError('number without source');
  return new Exact(context.source);
}

/**
 * Checked before parsing, because the parser's own limit is the stack. Brackets inside texts do not
 * count.
 */
function deeperThan(text: string, max: number): boolean {
  let depth = 0;
  let inText = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (inText) {
      if (c === 0x5c) i++;
      else if (c === 0x22) inText = false;
    } else if (c === 0x22) inText = true;
    else if (c === 0x7b || c === 0x5b) {
      depth++;
      if (depth > max) return true;
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
  return false;
}

/**
 * An amount as a JSON number with two decimals, written from the bigint and never through a float.
 */
export function rawAmount(minor: bigint): Raw {
  return rawJson(toDecimal(minor));
}

/**
 * An id of digits as a JSON number (`id` of a receipt, `user_id` of a login).
 * @throws RangeError on anything else, which is a bug of the caller.
 */
export function rawInteger(text: string): Raw {
  if (!/^(?:0|[1-9]\d{0,38})$/.test(text)) throw new RangeError('not an id of digits');
  return rawJson(text);
}

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

// TypeScript's library does not describe this part of the language yet (Node 24 has it).
const rawJson = (JSON as unknown as { rawJSON(text: string): Raw }).rawJSON;

/**
 * Parses JSON; numbers become `Exact`, characters of a text that change the reading direction are
 * written out (`visibleText`), and a leading byte order mark is skipped. Never throws.
 */
export function parseJson(written: string): JsonResult {
  const text = written.startsWith(BYTE_ORDER_MARK) ? written.slice(1) : written;
  if (text.length > TEXT_MAX) return { ok: false, why: 'size' };
  const marked = numbersAsTexts(text);
  if (!marked.ok) return marked;
  try {
    return { ok: true, value: readValue(JSON.parse(marked.text)) };
  } catch {
    return { ok: false, why: 'syntax' };
  }
}

/**
 * The first character of a text that holds a number's digits, escaped in JSON, and its code. A
 * received text that begins with it gets a second one. A reviver would see each number's source as
 * well, and takes twice as long.
 */
const MARK_ESCAPED = '\\u0001';
const MARK = 1;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NAME_FOLLOWS = /[ \t\n\r]*:/y;

/**
 * Writes each number as a marked text, and counts the depth before the parser can run out of stack.
 * Anything else that is no JSON is left to the parser.
 */
function numbersAsTexts(text: string): { ok: true; text: string } | { ok: false; why: JsonFault } {
  const parts: string[] = [];
  let copied = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x22) {
      const end = endOfText(text, i);
      if (end === -1) return { ok: false, why: 'syntax' };
      if (text.startsWith(MARK_ESCAPED, i + 1) && !isName(text, end + 1)) {
        parts.push(text.slice(copied, i + 1), MARK_ESCAPED);
        copied = i + 1;
      }
      i = end;
    } else if (c === 0x2d || (c >= 0x30 && c <= 0x39)) {
      NUMBER.lastIndex = i;
      const end = NUMBER.test(text) ? NUMBER.lastIndex : -1;
      if (end === -1 || isName(text, end)) return { ok: false, why: 'syntax' };
      parts.push(text.slice(copied, i), '"', MARK_ESCAPED, text.slice(i, end), '"');
      copied = end;
      i = end - 1;
    } else if (c === 0x7b || c === 0x5b) {
      depth++;
      if (depth > DEPTH_MAX) return { ok: false, why: 'depth' };
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
  parts.push(text.slice(copied));
  return { ok: true, text: parts.join('') };
}

/** The index of the quotation mark that ends the text beginning at `start`; -1 when none does. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = end - 1;
    while (text.charCodeAt(escapes) === 0x5c) escapes--;
    if ((end - escapes) % 2 === 1) return end;
  }
  return -1;
}

/** Whether what ended before `at` is the name of a field. */
function isName(text: string, at: number): boolean {
  NAME_FOLLOWS.lastIndex = at;
  return NAME_FOLLOWS.test(text);
}

/** Changes objects and lists in place. */
function readValue(value: unknown): unknown {
  if (typeof value === 'string') return readText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = readValue(value[i]);
    return value;
  }
  const fields = value as Record<string, unknown>;
  for (const name in fields) fields[name] = readValue(fields[name]);
  return fields;
}

function readText(text: string): string | Exact {
  if (text.charCodeAt(0) !== MARK) return visibleText(text);
  return text.charCodeAt(1) === MARK ? visibleText(text.slice(1)) : new Exact(text.slice(1));
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

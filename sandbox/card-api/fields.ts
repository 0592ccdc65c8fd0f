import { JsonNumber, minorUnits, parseExact } from '../exact-json.ts';
import type { Json } from '../exact-json.ts';
import type { Call } from '../routes.ts';
import { langOf } from '../wallet-api/answer.ts';
import type { Answer, Lang } from '../wallet-api/answer.ts';
import { refuse } from './answer.ts';

/**
 * Reads a request body into fields; a JSON body and a form give the same result. Numbers keep the
 * text they were sent with, because the hash joins values as sent; digits in a JSON string count as
 * a number too, because clients send both. Unknown fields are ignored.
 */

/**
 * The type of a field. `id`: a whole number of up to 64 bits. `plain`: text, or the JSON number
 * that typed clients send in its place.
 */
export type Kind = 'text' | 'plain' | 'whole' | 'id' | 'amount' | 'flag' | 'any';
/** `y`: required. `n`: optional. `e`: must be present but may be empty. */
export type Need = 'y' | 'n' | 'e';
export type Shape = Record<string, readonly [Need, Kind]>;
export type Fields = Record<string, Json>;

const LONGEST_TEXT = 1000;
const MOST_MINOR = 100_000_000_000_000n;
const LARGEST_ID = 2n ** 63n - 1n;
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,10})?$/;

/**
 * Returns the value of a field as text, booleans as 1 or 0; '' when it is absent, null, an object
 * or a list.
 */
export function textOf(fields: Fields, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (typeof value === 'string') return value.trim();
  if (value instanceof JsonNumber) return value.text;
  if (typeof value === 'boolean') return value ? '1' : '0';
  return '';
}

export const whole = (fields: Fields, name: string): number => Number(textOf(fields, name));

const isId = (text: string): boolean => /^\d{1,19}$/.test(text) && BigInt(text) <= LARGEST_ID;
/** Returns an `id` field as a bigint, which keeps all its digits. */
export const idOf = (fields: Fields, name: string): bigint => BigInt(textOf(fields, name));

/**
 * Returns the minor units of an amount field; null when it is not an amount, or has a fraction of a
 * kuruş.
 */
export function amountOf(fields: Fields, name: string): bigint | null {
  const text = textOf(fields, name);
  const minor = DECIMAL.test(text) ? minorUnits(text) : null;
  return minor !== null && minor < MOST_MINOR && minor > -MOST_MINOR ? minor : null;
}

function fits(kind: Kind, value: Json, text: string): boolean {
  if (kind === 'any') return true;
  if (kind === 'plain')
    return (
      text.length <= LONGEST_TEXT && (typeof value === 'string' || value instanceof JsonNumber)
    );
  if (kind === 'text') return typeof value === 'string' && value.length <= LONGEST_TEXT;
  if (kind === 'flag') return /^(?:0|1|true|false)$/.test(text);
  if (typeof value !== 'string' && !(value instanceof JsonNumber)) return false;
  if (kind === 'id') return isId(text);
  return kind === 'whole' ? /^\d{1,15}$/.test(text) : DECIMAL.test(text);
}

/** Returns the names of the fields that are missing or of the wrong type. */
export function wrongFields(fields: Fields, shape: Shape): string[] {
  return Object.entries(shape)
    .filter(([name, [need, kind]]) => {
      const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (value === undefined) return need !== 'n';
      const text = textOf(fields, name);
      if (value === null || (typeof value === 'string' && text === '')) return need === 'y';
      return !fits(kind, value, text);
    })
    .map(([name]) => name);
}

export const badFields = (names: readonly string[], lang: Lang): string =>
  lang === 'tr'
    ? `Zorunlu ya da hatalı alan: ${names.join(', ')}`
    : `Required or invalid field: ${names.join(', ')}`;

/** Makes the refusal that names the wrong fields: code 1 with HTTP 200 (assumed). */
export const invalid = (names: readonly string[], lang: Lang): Answer =>
  refuse(1, lang, badFields(names, lang));

/** Returns the refusal when fields do not fit a shape, else null. */
export function checkShape(fields: Fields, shape: Shape, lang: Lang): Answer | null {
  const wrong = wrongFields(fields, shape);
  return wrong.length === 0 ? null : invalid(wrong, lang);
}

export type Read = { ok: true; fields: Fields; lang: Lang } | { ok: false; answer: Answer };

const isJsonType = (type: string): boolean =>
  /^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/.test(type);
const isFormType = (type: string): boolean => type.startsWith('application/x-www-form-urlencoded');

export function readForm(text: string): Fields {
  const fields: Fields = Object.create(null) as Fields;
  for (const [name, value] of new URLSearchParams(text)) fields[name] = value;
  return fields;
}

/** Reads the body of a call into fields. Another content type or unreadable JSON is HTTP 400. */
export function readCall(call: Call, accepts: 'json' | 'form' | 'both'): Read {
  const type = (call.headers['content-type'] ?? '').toLowerCase();
  const bad = (why: string): Read => ({ ok: false, answer: refuse(1, 'en', why, 400) });
  if (accepts !== 'json' && isFormType(type)) {
    const fields = readForm(call.body);
    return { ok: true, fields, lang: langOf(fields.app_lang) };
  }
  if (accepts === 'form' || !isJsonType(type))
    return bad(
      `Content-Type must be ${accepts === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'}`,
    );
  try {
    const parsed = parseExact(call.body);
    if (
      parsed === null ||
      typeof parsed !== 'object' ||
      Array.isArray(parsed) ||
      parsed instanceof JsonNumber
    )
      return bad('The body must be a JSON object');
    return { ok: true, fields: parsed, lang: langOf(parsed.app_lang) };
  } catch {
    return bad('The body is not readable JSON');
  }
}

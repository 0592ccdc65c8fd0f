import { JsonNumber, minorUnits, parseExact } from '../exact-json.ts';
import type { Json } from '../exact-json.ts';
import { invalid, problem } from './answer.ts';
import type { Answer } from './answer.ts';

/**
 * Reads a body into an operation's fields, in the two steps of the real service: binding (a wrong
 * JSON type gives the web framework's problem object), then validation (one 999 answer names all
 * missing fields). Unknown fields are ignored.
 */

export type Kind = 'string' | 'integer' | 'id' | 'decimal' | 'boolean' | 'date' | 'integers';
export type Shape = Record<string, { kind: Kind; required?: boolean }>;

/**
 * The values of a body. decimal: number text as sent; id: digits as sent; date: milliseconds. An
 * absent field is undefined.
 */
export type Values = {
  text(name: string): string | undefined;
  whole(name: string): number | undefined;
  ms(name: string): number | undefined;
  flag(name: string): boolean | undefined;
  wholes(name: string): number[] | undefined;
  /** An amount in minor units; null when the number is not an amount in whole minor units. */
  amount(name: string): bigint | null | undefined;
};

const CLR: Record<Kind, string> = {
  string: 'System.String',
  integer: 'System.Int32',
  id: 'System.Int64',
  decimal: 'System.Decimal',
  boolean: 'System.Boolean',
  date: 'System.Nullable`1[System.DateTime]',
  integers: 'System.Collections.Generic.List`1[System.Int32]',
};

const INT32 = 2_147_483_647;
const INT64 = 9_223_372_036_854_775_807n;
const ISO_DATE =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Converts an ISO 8601 text to milliseconds; a text without a zone is UTC. NaN when it is not a
 * date.
 */
function dateMs(value: string): number {
  if (!ISO_DATE.test(value)) return Number.NaN;
  const zoned = /(?:Z|[+-]\d{2}:\d{2})$/.test(value) || !/[T ]/.test(value) ? value : `${value}Z`;
  return Date.parse(zoned.replace(' ', 'T'));
}

function isWhole(value: Json | undefined): value is JsonNumber {
  return value instanceof JsonNumber && /^-?\d+$/.test(value.text);
}

function convert(kind: Kind, value: Json): unknown {
  if (kind === 'string') return typeof value === 'string' ? value : undefined;
  if (kind === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (kind === 'decimal')
    return value instanceof JsonNumber && value.text.length <= 40 ? value.text : undefined;
  if (kind === 'integer')
    return isWhole(value) && Math.abs(Number(value.text)) <= INT32 ? Number(value.text) : undefined;
  if (kind === 'id')
    return isWhole(value) && value.text.length <= 20 && BigInt(value.text) <= INT64
      ? BigInt(value.text).toString()
      : undefined;
  if (kind === 'date') {
    const ms = typeof value === 'string' ? dateMs(value) : Number.NaN;
    return Number.isNaN(ms) ? undefined : ms;
  }
  return Array.isArray(value) && value.every(isWhole)
    ? value.map((one) => Number(one.text))
    : undefined;
}

/**
 * The kinds of required fields that may not be null: a null is refused by binding, before
 * validation.
 */
const NOT_NULLABLE = new Set<Kind>(['decimal', 'id']);

/** Writes a field's name as the validator does: "receiver_iban" becomes "Receiver Iban". */
export const words = (name: string): string =>
  name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

export const mustNotBeEmpty = (name: string): string => `'${words(name)}' must not be empty.`;

export type Bound = { ok: true; values: Values } | { ok: false; answer: Answer };

const ONE_OR_MORE = 'One or more validation errors occurred.';

/**
 * Reads and checks a body. `mayBeEmpty`: an empty body is accepted, because no field is required.
 */
export function bind(body: string, shape: Shape, mayBeEmpty = false): Bound {
  if (body.trim() === '') {
    if (mayBeEmpty) return { ok: true, values: valuesOf({}) };
    return {
      ok: false,
      answer: problem(400, ONE_OR_MORE, { '': ['A non-empty request body is required.'] }),
    };
  }
  let parsed: Json;
  try {
    parsed = parseExact(body);
  } catch {
    return {
      ok: false,
      answer: problem(400, ONE_OR_MORE, {
        $: ['The body is not valid JSON. Path: $ | LineNumber: 0.'],
      }),
    };
  }
  if (
    parsed === null ||
    typeof parsed !== 'object' ||
    Array.isArray(parsed) ||
    parsed instanceof JsonNumber
  )
    return {
      ok: false,
      answer: problem(400, ONE_OR_MORE, {
        $: ['The JSON value could not be converted to the request. Path: $ | LineNumber: 0.'],
      }),
    };
  const bound: Record<string, unknown> = {};
  const errors: Record<string, string[]> = {};
  for (const [name, { kind, required }] of Object.entries(shape)) {
    const value = Object.hasOwn(parsed, name) ? parsed[name] : undefined;
    if (value === undefined || (value === null && !(required && NOT_NULLABLE.has(kind)))) continue;
    const converted = convert(kind, value);
    if (converted === undefined)
      errors[`$.${name}`] = [
        `The JSON value could not be converted to ${CLR[kind]}. Path: $.${name} | LineNumber: 0.`,
      ];
    else bound[name] = converted;
  }
  if (Object.keys(errors).length > 0)
    return { ok: false, answer: problem(400, ONE_OR_MORE, errors) };
  const missing = Object.entries(shape)
    .filter(
      ([name, field]) =>
        field.required &&
        (bound[name] === undefined ||
          (typeof bound[name] === 'string' && bound[name].trim() === '')),
    )
    .map(([name]) => mustNotBeEmpty(name));
  if (missing.length > 0) return { ok: false, answer: invalid(missing) };
  return { ok: true, values: valuesOf(bound) };
}

function valuesOf(bound: Record<string, unknown>): Values {
  return {
    text: (name) => bound[name] as string | undefined,
    whole: (name) => bound[name] as number | undefined,
    ms: (name) => bound[name] as number | undefined,
    flag: (name) => bound[name] as boolean | undefined,
    wholes: (name) => bound[name] as number[] | undefined,
    amount: (name) => (bound[name] === undefined ? undefined : minorUnits(bound[name] as string)),
  };
}

/**
 * Decoders of the card gateway, field by field. The same digit means different things in
 * `status_code`, in `payment_status` and in the login service's `statuscode`, so they share no
 * decoder. Pure.
 */
import * as z from 'zod';
import { readStorableDecimal } from '#lib/values/money.ts';
import { Exact, parseJson } from '../json.ts';
import type { Exchange, NotSentWhy, UnclearWhy } from '../outcome.ts';

const ID_MAX = 128;
const TEXT_MAX = 2_000;
const MESSAGE_MAX = 500;
/**
 * We see at most the first six and the last four digits of a card number (`contract`: that is what
 * the gateway shows).
 */
const CARD_DIGITS_SHOWN = 10;
const COUNT_MAX = 2 ** 31 - 1;

/**
 * A number or a text, with its digits unchanged: a gateway of this family may write either one for
 * the same field (`contract`: "integer or string").
 */
const written = z.union([z.instanceof(Exact).transform((number) => number.text), z.string()]);

/** Text of digits, whether the gateway wrote a number or a text. */
export const digits = written.pipe(z.string().regex(/^-?\d{1,39}$/));
export const digitsOrNull = digits
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);

/**
 * An id, exactly as written: order, invoice, transaction, card token. A number must be an integer.
 */
export const id = z.union([
  z
    .instanceof(Exact)
    .transform((number) => number.text)
    .pipe(z.string().regex(/^\d{1,39}$/)),
  z
    .string()
    .min(1)
    .max(ID_MAX)
    .regex(/^[^\p{Cc}]*$/u),
]);
/**
 * An id that may be missing; null also when it is invalid. Null on failures (`contract`); "" and
 * "0" are other ways to say "none" (`assumed`).
 */
export const idOrNull = id
  .nullish()
  .transform((value) => (value === undefined || value === null || value === '0' ? null : value))
  .catch(null);

/**
 * A decimal as bigint minor units. Fails when it has more decimals than a minor unit: never round.
 */
export const amount = written.transform((text, context): bigint => {
  const minor = readStorableDecimal(text);
  if (minor === null) context.addIssue({ code: 'custom', message: 'not an amount' });
  return minor ?? z.NEVER;
});
/** An amount that may be missing; null also when it is invalid. */
export const amountOrNull = amount
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);

/** Text for people; null when empty. Numbers keep their digits. */
export const textOrNull = written
  .transform((text) => (text.trim() === '' ? null : text.slice(0, TEXT_MAX)))
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);

/**
 * The masked number of a card as the gateway wrote it; null for one that shows more than the
 * contract allows.
 */
export const maskedCardOrNull = textOrNull.transform((text) =>
  text !== null && text.length <= ID_MAX && text.replace(/\D/g, '').length <= CARD_DIGITS_SHOWN
    ? text
    : null,
);

/** Whole number from 0, for counts: as large as the database holds (int4). */
export const countOrNull = digits
  .transform(Number)
  .pipe(z.number().int().nonnegative().max(COUNT_MAX))
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);

/**
 * The fields of a form or a query, in their order: texts unchanged, numbers and amounts as JSON
 * writes them, lists as JSON (`contract`).
 */
export function fieldTexts(fields: Record<string, unknown>): [name: string, value: string][] {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}

/** The field names of an operation's code and message. */
export type EnvelopeNames = { code: string; messages: readonly string[] };

/**
 * The field names of every operation but cashout/tobank (`contract`; `message` on some operations:
 * `published`).
 */
export const PAYMENT_ENVELOPE: EnvelopeNames = {
  code: 'status_code',
  messages: ['status_description', 'message'],
};

/**
 * Any JSON object of a response. `body` is the whole object: some operations put their fields
 * beside the code, some into `data`.
 */
export type Answer = {
  kind: 'answer';
  raw: string;
  http: number;
  code: string;
  message: string | null;
  body: Record<string, unknown>;
};

export type Opened =
  | Answer
  | { kind: 'not_sent'; raw: null; why: NotSentWhy }
  | { kind: 'unauthorized'; raw: string }
  | { kind: 'unclear'; raw: string | null; why: UnclearWhy };

/**
 * 200 carries every kind of response, failures too (`published`); 400 and 422 carry validation
 * failures (`published`, `published-weak`). A response with another status, from a proxy in between
 * or a broken server, proves nothing about the money, however well-formed it is.
 */
const ANSWER_STATUSES = [200, 400, 422];

/** Parses an exchange as far as the code. Never throws. */
export function openEnvelope(exchange: Exchange, names: EnvelopeNames = PAYMENT_ENVELOPE): Opened {
  if (exchange.kind === 'not_sent') return { kind: 'not_sent', raw: null, why: exchange.why };
  if (exchange.kind === 'unclear') return { kind: 'unclear', raw: null, why: exchange.why };
  const { status: http, body: raw } = exchange;
  if (http === 401) return { kind: 'unauthorized', raw };
  if (http >= 300 && http < 400) return { kind: 'unclear', raw, why: 'redirect' };
  if (!ANSWER_STATUSES.includes(http)) return { kind: 'unclear', raw, why: 'http_status' };
  const json = parseJson(raw);
  if (!json.ok) return { kind: 'unclear', raw, why: http === 200 ? 'not_json' : 'http_status' };
  const body = onlyObject(json.value);
  const code = digits.safeParse(body?.[names.code]);
  if (body === null || !code.success)
    return { kind: 'unclear', raw, why: http === 200 ? 'shape' : 'http_status' };
  return { kind: 'answer', raw, http, code: code.data, message: messageOf(body, names), body };
}

/** One brand answers `checkstatus` with a list of one (`published`). */
function onlyObject(value: unknown): Record<string, unknown> | null {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof one === 'object' && one !== null && !Array.isArray(one) && !(one instanceof Exact)
    ? (one as Record<string, unknown>)
    : null;
}

function messageOf(body: Record<string, unknown>, names: EnvelopeNames): string | null {
  for (const name of names.messages) {
    const text = textOrNull.parse(body[name]);
    if (text !== null) return text.replace(/\p{Cc}+/gu, ' ').slice(0, MESSAGE_MAX);
  }
  return null;
}

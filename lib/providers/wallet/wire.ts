/**
 * Decoders of the wallet service, one per field: the same digit means different things in `status`,
 * `code`, `process_level_status` and `after_process_status`, so they share no decoder. Pure.
 */
import * as z from 'zod';
import { readStorableDecimal } from '#lib/values/money.ts';
import { Exact, parseJson, rawInteger } from '../json.ts';
import type { Raw } from '../json.ts';
import type { Exchange, NotSentWhy, UnclearWhy } from '../outcome.ts';
import type { NoticeHint, WalletAccess } from './types.ts';

const ID_MAX = 128;
const TEXT_MAX = 2_000;
const MESSAGE_MAX = 500;
const JSON_TEXT_MAX = 64 * 1024;

/**
 * A decoder of one value, which may be missing; `read` returns undefined for an invalid one. A list
 * has 6,600 values a page: one step for each, where a union of shapes takes four to ten.
 */
const field = <T>(read: (value: unknown) => T | undefined) =>
  z.unknown().transform((value, context): T => {
    const decoded = read(value);
    if (decoded !== undefined) return decoded;
    context.addIssue({ code: 'custom', message: 'shape' });
    return z.NEVER;
  });

/** A field that may be missing. */
const maybe = z.unknown().optional();

const fieldOrNull = <T>(read: (value: unknown) => T | undefined) =>
  maybe.transform((value): T | null => read(value) ?? null);

/** A text, or the digits of a number: both occur in this family (`published`). */
function written(value: unknown): string | undefined {
  if (value instanceof Exact) return value.text;
  return typeof value === 'string' ? value : undefined;
}

function readDigits(value: unknown): string | undefined {
  const text = written(value);
  return text !== undefined && /^-?\d{1,39}$/.test(text) ? text : undefined;
}

function readId(value: unknown): string | undefined {
  if (value instanceof Exact) return /^\d{1,39}$/.test(value.text) ? value.text : undefined;
  if (typeof value !== 'string' || value === '' || value.length > ID_MAX) return undefined;
  return /\p{Cc}/u.test(value) ? undefined : value;
}

function readAmount(value: unknown): bigint | undefined {
  const text = written(value);
  return text === undefined ? undefined : (readStorableDecimal(text) ?? undefined);
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, TEXT_MAX) : undefined;
}

function readCurrency(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value) ? value : undefined;
}

/** Text of digits, whether the provider wrote a number or a text. */
const digits = field(readDigits);

/** An id, exactly as written. `contract` says text; webhooks carry numbers of 19 digits. */
export const id = field(readId);

/**
 * A transaction's id for a request that needs a number (`contract` for receipts), with every digit
 * unchanged.
 */
export function transactionNumber(transactionId: string): Raw | string {
  return /^[1-9]\d{0,18}$/.test(transactionId) ? rawInteger(transactionId) : transactionId;
}

/** An id that may be missing; this service writes "0" and "" for "none". */
export const idOrNull = fieldOrNull((value) => {
  const text = readId(value);
  return text === '0' ? undefined : text;
});

/**
 * A decimal as bigint minor units. Fails when it has more decimals than a minor unit: never round.
 */
export const amount = field(readAmount);

/** An amount that may be missing; null also when it is invalid. */
export const amountOrNull = fieldOrNull(readAmount);

/** The fee of a payment. Null for a negative one, which would mean nothing. */
export const feeOrNull = amountOrNull.transform((fee) => (fee === null || fee < 0n ? null : fee));

export const textOrNull = fieldOrNull(readText);

/** An IBAN without blanks and in capitals: a bank may write it in groups or in small letters. */
export function compactIban(text: string): string {
  return text.replace(/\s/g, '').toUpperCase();
}

const IBAN = /^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/;

/** An IBAN in one spelling, so that it is found and compared by it; any other text as it was written. */
export const ibanOrNull = textOrNull.transform((text) => {
  const compact = text === null ? '' : compactIban(text);
  return IBAN.test(compact) ? compact : text;
});

/** A text that holds JSON: never truncated, because truncated JSON cannot be parsed. */
export const jsonTextOrNull = fieldOrNull((value) =>
  typeof value === 'string' && value.length <= JSON_TEXT_MAX ? value : undefined,
);

export const enumText = digits;
export const enumTextOrNull = fieldOrNull(readDigits);

/** A code or a bank's number, as text or as number. */
export const codeOrNull = fieldOrNull((value) =>
  value instanceof Exact ? value.text : readText(value),
);

/** A flag: true for `true` as JSON or text and for 1; false for every other value. */
export const flag = maybe.transform(
  (value) => value === true || value === 'true' || readDigits(value) === '1',
);

export const currency = field(readCurrency);
export const currencyOrNull = fieldOrNull(readCurrency);

/** A count of rows or pages; fails when it is missing or no number. */
export const count = digits.transform(Number).pipe(z.number().int().nonnegative());
const countOrZero = count.catch(0);

/** The wrapper of lists (`contract`). */
export const paged = <Row extends z.ZodType>(row: Row) =>
  z.object({
    results: z.array(row),
    page_index: enumTextOrNull,
    page_count: countOrZero,
    page_size: countOrZero,
    row_count: countOrZero,
  });

/**
 * A decoded record together with the whole received one: its numbers are `Exact`, so that writing
 * it again changes no digit.
 */
export const withRaw = <Row extends z.ZodType>(row: Row) =>
  z.unknown().transform((raw, context): { record: z.output<Row>; raw: unknown } => {
    const read = row.safeParse(raw);
    if (!read.success) context.addIssue({ code: 'custom', message: 'shape' });
    return read.success ? { record: read.data, raw } : z.NEVER;
  });

/**
 * `status` and `code` may come as text or as number; successful lists may have a null code
 * (`published`).
 */
const envelope = z.object({
  status: digits,
  code: z
    .union([
      z.instanceof(Exact).transform((number) => number.text),
      z.string().max(ID_MAX),
      z.null(),
    ])
    .optional()
    .transform((code) => code ?? null),
  message: z
    .string()
    .transform((text) => text.slice(0, MESSAGE_MAX))
    .nullish()
    .transform((text) => text ?? null)
    .catch(null),
  // Missing on validation errors (`published`); each decoder refuses a success without it.
  payload: z.unknown().optional(),
});

export type Answer = {
  kind: 'answer';
  raw: string;
  http: 200 | 400;
  status: string;
  code: string | null;
  message: string | null;
  payload: unknown;
};

export type Opened =
  | Answer
  | { kind: 'not_sent'; raw: null; why: NotSentWhy }
  | { kind: 'unauthorized'; raw: string }
  | { kind: 'unclear'; raw: string | null; why: UnclearWhy };

/**
 * Parses an exchange as far as the envelope. Only HTTP 200, and 400 for validation (`published`),
 * can carry a response; one with another status, from a proxy or a broken server, proves nothing
 * about the money, however well-formed it is.
 */
export function openEnvelope(exchange: Exchange): Opened {
  if (exchange.kind === 'not_sent') return { kind: 'not_sent', raw: null, why: exchange.why };
  if (exchange.kind === 'unclear') return { kind: 'unclear', raw: null, why: exchange.why };
  const { status: http, body: raw } = exchange;
  if (http === 401) return { kind: 'unauthorized', raw };
  if (http >= 300 && http < 400) return { kind: 'unclear', raw, why: 'redirect' };
  if (http !== 200 && http !== 400) return { kind: 'unclear', raw, why: 'http_status' };
  const json = parseJson(raw);
  if (!json.ok) return { kind: 'unclear', raw, why: http === 200 ? 'not_json' : 'http_status' };
  const read = envelope.safeParse(json.value);
  if (!read.success) return { kind: 'unclear', raw, why: http === 200 ? 'shape' : 'http_status' };
  return {
    kind: 'answer',
    raw: withoutOwner(raw, json.value),
    http,
    ...read.data,
    payload: read.data.payload,
  };
}

const OWNER_FIELD = /user_kyc_info$/;

/**
 * The response as it is stored, without the wallet owner's personal data (even the mother's name),
 * which responses about money include and which are no evidence.
 */
function withoutOwner(raw: string, value: unknown): string {
  if (!/user_kyc_info"\s*:\s*\{/.test(raw)) return raw;
  return JSON.stringify(value, (name, field: unknown) => (OWNER_FIELD.test(name) ? null : field));
}

/** Success of a read: `status` 0 with code 100, or without a code (lists, `published`). */
export function isSuccess(answer: Answer): boolean {
  return (
    answer.http === 200 && answer.status === '0' && (answer.code === '100' || answer.code === null)
  );
}

/**
 * `process_level_status` of a withdraw request (`contract`): 0 pending, 1 completed, 2 rejected, 3
 * failed.
 */
export function withdrawalLevel(
  text: string,
): 'pending' | 'completed' | 'rejected' | 'failed' | 'unknown' {
  switch (text) {
    case '0':
      return 'pending';
    case '1':
      return 'completed';
    case '2':
      return 'rejected';
    case '3':
      return 'failed';
    default:
      return 'unknown';
  }
}

/**
 * `access_level_status_id` of an account or a wallet: 1 active (`contract`); 2 blocked, 3 banned, 4
 * closed (`assumed`).
 */
export function accessLevel(text: string | null): WalletAccess {
  switch (text) {
    case '1':
      return 'active';
    case '2':
      return 'blocked';
    case '3':
      return 'banned';
    case '4':
      return 'closed';
    default:
      return 'unknown';
  }
}

/** `account_type_id` (`published`); as text `Personal` and `Business` (`contract`: Business). */
export const ACCOUNT_TYPE_IDS = { personal: 1, business: 2 } as const;

/**
 * `transaction_status_id` of a ledger entry as the status of a transfer: 20 completed (`contract`),
 * 10 pending, 40 cancelled, 60 refunded (`published`). A refunded transfer had been completed; the
 * ledger search finds the return.
 */
export function ledgerLevel(statusId: number): 'pending' | 'completed' | 'failed' | 'unknown' {
  switch (statusId) {
    case 10:
      return 'pending';
    case 20:
    case 60:
      return 'completed';
    case 40:
      return 'failed';
    default:
      return 'unknown';
  }
}

/**
 * Fields of `bank_response_json`, a text that holds JSON of unpublished shape (`assumed` field
 * names).
 */
export type BankWords = { reason: string | null; manual: boolean };

/**
 * The bank's text is shown, never interpreted; only an explicit `after_process_status` 3 means
 * manual operation.
 */
export function bankWords(text: string | null): BankWords {
  if (text === null) return { reason: null, manual: false };
  const json = parseJson(text);
  const value = json.ok ? json.value : text;
  if (typeof value === 'string') return { reason: reasonText(value), manual: false };
  if (typeof value !== 'object' || value === null) return { reason: null, manual: false };
  const fields = new Map(
    Object.entries(value).map(([name, field]) => [
      name.toLowerCase().replaceAll('_', ''),
      field as unknown,
    ]),
  );
  const manual = noticeHint(enumTextOrNull.parse(fields.get('afterprocessstatus'))) === 'manual';
  for (const name of REASON_FIELDS) {
    const field = fields.get(name);
    const reason = typeof field === 'string' ? reasonText(field) : null;
    if (reason !== null) return { reason, manual };
  }
  return { reason: null, manual };
}

const REASON_FIELDS = [
  'reason',
  'message',
  'responsemessage',
  'resultmessage',
  'description',
  'errormessage',
  'result',
];

/**
 * `after_process_status` (`contract`): 1 completed, 2 or 4 rejected, 3 manual operation, 5 returned
 * by the bank. Not the numbers of `process_level_status`.
 */
export function noticeHint(text: string | null): NoticeHint {
  switch (text) {
    case '1':
      return 'completed';
    case '2':
    case '4':
      return 'rejected';
    case '3':
      return 'manual';
    case '5':
      return 'refunded';
    default:
      return 'unknown';
  }
}

function reasonText(text: string): string | null {
  const clean = text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MESSAGE_MAX);
  return clean === '' ? null : clean;
}

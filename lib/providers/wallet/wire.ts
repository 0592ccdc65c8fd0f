/**
 * Decoders of the wallet service, one per field: the same digit means different things in `status`,
 * `code`, `process_level_status` and `after_process_status`, so they share no decoder. Pure.
 */
import * as z from 'zod';
import { readDecimal } from '#lib/values/money.ts';
import { Exact, parseJson, rawInteger } from '../json.ts';
import type { Raw } from '../json.ts';
import type { Exchange, NotSentWhy, UnclearWhy } from '../outcome.ts';
import type { NoticeHint, WalletAccess } from './types.ts';

const ID_MAX = 128;
const TEXT_MAX = 2_000;
const MESSAGE_MAX = 500;
const JSON_TEXT_MAX = 64 * 1024;

/**
 * Text of digits, whether the provider wrote a number or a text. Both occur in this family
 * (`published`).
 */
const digits = z
  .union([z.instanceof(Exact).transform((number) => number.text), z.string()])
  .pipe(z.string().regex(/^-?\d{1,39}$/));

/** An id, exactly as written. `contract` says text; webhooks carry numbers of 19 digits. */
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
 * A transaction's id for a request that needs a number (`contract` for receipts), with every digit
 * unchanged.
 */
export function transactionNumber(transactionId: string): Raw | string {
  return /^[1-9]\d{0,18}$/.test(transactionId) ? rawInteger(transactionId) : transactionId;
}

/** An id that may be missing; this service writes "0" and "" for "none". */
export const idOrNull = id
  .nullish()
  .transform((value) => (value === undefined || value === null || value === '0' ? null : value))
  .catch(null);

/**
 * A decimal as bigint minor units. Fails when it has more decimals than a minor unit: never round.
 */
export const amount = z
  .union([z.instanceof(Exact).transform((number) => number.text), z.string()])
  .transform((text, context): bigint => {
    const minor = readDecimal(text);
    if (minor === null) context.addIssue({ code: 'custom', message: 'not an amount' });
    return minor ?? z.NEVER;
  });

/** An amount that may be missing; null also when it is invalid. */
export const amountOrNull = amount
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);

/** The fee of a payment. Null for a negative one, which would mean nothing. */
export const feeOrNull = amountOrNull.transform((fee) => (fee === null || fee < 0n ? null : fee));

export const textOrNull = z
  .string()
  .transform((text) => (text.trim() === '' ? null : text.slice(0, TEXT_MAX)))
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);

/** A text that holds JSON: never truncated, because truncated JSON cannot be parsed. */
export const jsonTextOrNull = z
  .string()
  .max(JSON_TEXT_MAX)
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);

export const enumText = digits;
export const enumTextOrNull = digits
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);

/** A code or a bank's number, as text or as number. */
export const codeOrNull = z
  .union([z.instanceof(Exact).transform((number) => number.text), textOrNull])
  .catch(null);

/** A flag: true for `true` as JSON or text and for 1; false for every other value. */
export const flag = z
  .union([
    z.boolean(),
    z.enum(['true', 'false']).transform((text) => text === 'true'),
    digits.transform((text) => text === '1'),
  ])
  .catch(false);

export const currency = z.string().regex(/^[A-Z]{3}$/);
export const currencyOrNull = currency
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);

const countOrZero = digits.transform(Number).pipe(z.number().int().nonnegative()).catch(0);

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

/**
 * How the wallet service writes things, field by field. One decoder per field: the same digit means
 * different things in `status`, `code`, `process_level_status` and `after_process_status`, so
 * nothing here is shared between them. Pure.
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
 * Text of digits, whether the provider wrote a number or a text. Both are seen in this family
 * (`published`).
 */
const digits = z
  .union([z.instanceof(Exact).transform((number) => number.text), z.string()])
  .pipe(z.string().regex(/^-?\d{1,39}$/));

/** An id, exactly as written. `contract` says text; numbers of 19 digits are seen in notices. */
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
 * A transaction's id where a question wants it as a number (`contract` for receipts), digit by
 * digit.
 */
export function transactionNumber(transactionId: string): Raw | string {
  return /^[1-9]\d{0,18}$/.test(transactionId) ? rawInteger(transactionId) : transactionId;
}

/** An id that may be missing; "0" and "" are this service's ways to say "none". */
export const idOrNull = id
  .nullish()
  .transform((value) => (value === undefined || value === null || value === '0' ? null : value))
  .catch(null);

/**
 * A decimal as bigint minor units. Fails when finer than a minor unit: rounding is nobody's right.
 */
export const amount = z
  .union([z.instanceof(Exact).transform((number) => number.text), z.string()])
  .transform((text, context): bigint => {
    const minor = readDecimal(text);
    if (minor === null) context.addIssue({ code: 'custom', message: 'not an amount' });
    return minor ?? z.NEVER;
  });

/** An amount nobody decides by. */
export const amountOrNull = amount
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);

/** What a payment cost. A negative fee is no fee that anybody could be shown or learn from. */
export const feeOrNull = amountOrNull.transform((fee) => (fee === null || fee < 0n ? null : fee));

export const textOrNull = z
  .string()
  .transform((text) => (text.trim() === '' ? null : text.slice(0, TEXT_MAX)))
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);

/** A text that holds JSON: never shortened, because the half of it would say nothing. */
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

/** A code or a bank's number, which comes as text or as number. */
export const codeOrNull = z
  .union([z.instanceof(Exact).transform((number) => number.text), textOrNull])
  .catch(null);

/** A yes in any of its spellings; whatever else stands there is a no. */
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
 * A record in our words beside the whole of it as heard: numbers as `Exact`, so that writing it out
 * again changes no digit.
 */
export const withRaw = <Row extends z.ZodType>(row: Row) =>
  z.unknown().transform((raw, context): { record: z.output<Row>; raw: unknown } => {
    const read = row.safeParse(raw);
    if (!read.success) context.addIssue({ code: 'custom', message: 'shape' });
    return read.success ? { record: read.data, raw } : z.NEVER;
  });

/**
 * `status` and `code` may come as text or as number; null code is seen on successful lists
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
  // Left out on validation errors (`published`); a success without it is for each decoder to
  // refuse.
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
 * Opens what the transport heard as far as the envelope. Only HTTP 200, and 400 for validation
 * (`published`), can carry an answer; whatever else comes from a gateway or a broken server says
 * nothing about the money, however well-formed it is.
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
 * The answer as it is kept: answers about money bring along who owns the wallet, down to the
 * mother's name, which is no evidence of anything.
 */
function withoutOwner(raw: string, value: unknown): string {
  if (!/user_kyc_info"\s*:\s*\{/.test(raw)) return raw;
  return JSON.stringify(value, (name, field: unknown) => (OWNER_FIELD.test(name) ? null : field));
}

/** Success of a question: `status` 0 with code 100, or no code at all (lists, `published`). */
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

/** `account_type_id` (`published`); in words `Personal` and `Business` (`contract`: Business). */
export const ACCOUNT_TYPE_IDS = { personal: 1, business: 2 } as const;

/**
 * `transaction_status_id` of a ledger line as the fate of a transfer: 20 completed (`contract`), 10
 * pending, 40 cancelled, 60 refunded (`published`). What was refunded had been completed; the
 * ledger's own look finds the return.
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
 * What `bank_response_json`, a text holding JSON of unpublished shape, may tell (`assumed` field
 * names).
 */
export type BankWords = { reason: string | null; manual: boolean };

/**
 * The bank's words are shown, never interpreted; only an explicit `after_process_status` 3 is read
 * as manual operation.
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
 * by the bank. Not the scale of `process_level_status`.
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

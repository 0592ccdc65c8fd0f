import 'server-only';
import { createTranslator } from 'use-intl/core';
import { Refusal } from '#lib/access/refusal.ts';
import type { RefusalCode } from '#lib/access/refusal.ts';
import { MESSAGES } from '#lib/runtime/messages.ts';
import { workspace } from '#lib/runtime/workspace.ts';
import type { Locale } from '#lib/values/locale.ts';
import type { ProblemAnswer } from './schema.ts';

/** Problem details of the API (RFC 9457). Each code is a refusal's, so that its sentence exists. */

export type ProblemMore = Pick<ProblemAnswer, 'errors' | 'findings'>;

/** A refusal with what was wrong field by field. */
export class ApiRefusal extends Refusal {
  readonly more: ProblemMore;

  constructor(code: RefusalCode, more: ProblemMore) {
    super(code);
    this.name = 'ApiRefusal';
    this.more = more;
  }
}

/** Refusals that are no 422. */
const STATUS: Readonly<Partial<Record<RefusalCode, number>>> = {
  key_unknown: 401,
  key_revoked: 401,
  key_waiting: 401,
  key_idle: 403,
  key_right: 403,
  key_wallet: 403,
  not_allowed: 403,
  not_found: 404,
  body_too_large: 413,
  body_type: 415,
  body_not_json: 400,
  idempotency_missing: 400,
  too_many: 429,
  wallet_unverified: 503,
  api_unavailable: 503,
};
const RETRY_SECONDS = 5;

/** The codes that the reference explains: those of the API itself, and the usual ones of payments. */
export const API_CODES = [
  ...['key_unknown', 'key_revoked', 'key_waiting', 'key_idle', 'key_right', 'key_wallet'],
  ...['idempotency_missing', 'idempotency_reused', 'body_type', 'body_not_json', 'body_too_large'],
  ...['body_invalid', 'payout_blocked', 'reason_needed', 'payment_type_unknown'],
  ...['wallet_unverified', 'batch_rows_refused', 'batch_over_again', 'not_found', 'too_many'],
  ...['batch_of_other', 'api_unavailable'],
] as readonly RefusalCode[];

/** Stand for the values of a sentence where there is no refusal. */
const ANY_PARAMS = { right: '…', wallet: '…', kb: '…', seconds: '…' };

export function codeInWords(code: RefusalCode, locale: Locale): string {
  return sentenceOf(code, ANY_PARAMS, locale);
}

export const PROBLEM_TYPE = 'application/problem+json';

export function statusOf(code: RefusalCode): number {
  return STATUS[code] ?? 422;
}

export function problemResponse(refusal: Refusal, locale: Locale): Response {
  const { code, params } = refusal;
  const status = statusOf(code);
  const body: ProblemAnswer = {
    type: `${workspace().origin}/developers/reference#${code}`,
    title: titleOf(code),
    status,
    code,
    detail: sentenceOf(code, params, locale),
    ...(refusal instanceof ApiRefusal ? refusal.more : {}),
  };
  return new Response(
    JSON.stringify(body, (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    ),
    { status, headers: headersOf(status, params) },
  );
}

function headersOf(status: number, params: Refusal['params']): Record<string, string> {
  return {
    'content-type': PROBLEM_TYPE,
    'cache-control': 'no-store',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 429 && { 'retry-after': String(params.seconds ?? RETRY_SECONDS) }),
    ...(status === 503 && { 'retry-after': String(RETRY_SECONDS) }),
  };
}

/** "key_right" → "Key right": a stable title for machines that show one. */
function titleOf(code: string): string {
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function sentenceOf(code: RefusalCode, params: Refusal['params'], locale: Locale): string {
  const say = createTranslator({ locale, messages: MESSAGES[locale].refusals });
  // Each code has a text in every language, which the step "tidy" checks.
  return say(code as never, params as never);
}

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
  api_method: 405,
  body_too_large: 413,
  body_type: 415,
  body_not_json: 400,
  idempotency_missing: 400,
  too_many: 429,
  wallet_unverified: 503,
  api_unavailable: 503,
};
const RETRY_SECONDS = 5;

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

export function sentenceOf(code: RefusalCode, params: Refusal['params'], locale: Locale): string {
  const say = createTranslator({ locale, messages: MESSAGES[locale].refusals });
  // Each code has a text in every language, which the step "tidy" checks.
  return say(code as never, params as never);
}

/** Decoders of the merchant login service (`contract` unless tagged otherwise). Pure. */
import * as z from 'zod';
import { readDecimal } from '#lib/values/money.ts';
import { Exact, parseJson } from '../json.ts';
import type { Exchange } from '../outcome.ts';
import type { LoginCurrency, LoginMerchant, LoginUser } from './types.ts';

/** `statuscode` of success, on every operation (`contract`). */
const SUCCESS = '100';

export const digits = z
  .union([z.instanceof(Exact).transform((number) => number.text), z.string()])
  .pipe(z.string().regex(/^\d{1,39}$/));
export const digitsOrNull = digits
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);
const text = z.string().trim().min(1).max(500);
export const textOrNull = text
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);

/**
 * A decimal as bigint minor units, null when the field is empty. Fails when it has more decimals
 * than a minor unit: never round.
 */
export const amountOrNone = z
  .union([z.instanceof(Exact).transform((number) => number.text), z.string(), z.null()])
  .optional()
  .transform((text, context): bigint | null => {
    if (text === undefined || text === null || text === '') return null;
    const minor = readDecimal(text);
    if (minor === null) context.addIssue({ code: 'custom', message: 'not an amount' });
    return minor;
  });

export const count = digits.transform(Number).pipe(z.number().int().nonnegative());

/** 0 or 1 as number or text, or a JSON boolean. */
export const flagOrNull = z
  .union([z.boolean(), digits.pipe(z.enum(['0', '1'])).transform((digit) => digit === '1')])
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);

const merchant = z
  .object({ id: digits, merchant_key: text, site_url: textOrNull })
  .transform((record): LoginMerchant => ({
    id: record.id,
    merchantKey: record.merchant_key,
    siteUrl: record.site_url,
  }));

/**
 * One merchant is an object (`contract`); several merchants are a list or an object with numbered
 * fields; no merchant is an empty list, an empty object or null (`assumed`).
 */
const merchants = z
  .union([
    z.array(merchant),
    merchant.transform((one) => [one]),
    z.record(z.string(), merchant).transform((numbered) => Object.values(numbered)),
    z.null(),
  ])
  .optional()
  .transform((list) => list ?? []);

export const user = z
  .object({
    id: digits.refine((value) => value !== '0'),
    name: textOrNull,
    first_name: textOrNull,
    last_name: textOrNull,
    email: textOrNull,
    user_type: digitsOrNull,
    account_status: digitsOrNull,
    merchants,
  })
  .transform((record): { user: LoginUser; merchants: LoginMerchant[] } => ({
    user: {
      id: record.id,
      name:
        record.name ??
        ([record.first_name, record.last_name].filter((part) => part !== null).join(' ') ||
          (record.email ?? record.id)),
      firstName: record.first_name,
      lastName: record.last_name,
      email: record.email,
      userType: record.user_type,
      accountStatus: record.account_status,
    },
    merchants: record.merchants,
  }));

export const codeSent = z.object({ user });

export const signedIn = z.object({ token: z.string().regex(/^[\x21-\x7e]{1,8192}$/), user });

export const currencies = z.object({
  currencies: z.array(
    z
      .object({
        id: digits,
        name: text,
        symbol: z.string(),
        code: z.string().regex(/^[A-Z]{3}$/),
        iso_code: digits,
      })
      .transform((record): LoginCurrency => ({
        id: record.id,
        name: record.name,
        symbol: record.symbol,
        code: record.code,
        isoCode: record.iso_code,
      })),
  ),
});

/** `statuscode` may be text or number. */
const envelope = z.object({ statuscode: digits, data: z.unknown().optional() });

export type LoginAnswer =
  | { kind: 'answer'; http: number; statuscode: string; data: unknown }
  | { kind: 'unauthorized' }
  | { kind: 'none'; why: string };

/**
 * Business errors come with HTTP 200 or 4xx (`published`), so the envelope is read in both.
 */
export function openAnswer(exchange: Exchange): LoginAnswer {
  if (exchange.kind !== 'response') return { kind: 'none', why: exchange.why };
  const { status: http } = exchange;
  if (http !== 200 && (http < 400 || http > 499 || http === 429))
    return { kind: 'none', why: http >= 300 && http < 400 ? 'redirect' : 'http_status' };
  const json = parseJson(exchange.body);
  const read = json.ok ? envelope.safeParse(json.value) : null;
  if (read?.success)
    return { kind: 'answer', http, statuscode: read.data.statuscode, data: read.data.data };
  if (http === 401) return { kind: 'unauthorized' };
  return { kind: 'none', why: http !== 200 ? 'http_status' : json.ok ? 'shape' : 'not_json' };
}

export function isCode(answer: LoginAnswer, code: string): boolean {
  return answer.kind === 'answer' && answer.statuscode === code;
}

export function success<T>(
  answer: LoginAnswer,
  schema: z.ZodType<T>,
): { ok: true; value: T } | { ok: false; why: string } {
  if (answer.kind !== 'answer')
    return { ok: false, why: answer.kind === 'none' ? answer.why : 'unauthorized' };
  if (answer.http !== 200 || answer.statuscode !== SUCCESS)
    return { ok: false, why: 'unknown_code' };
  const read = schema.safeParse(answer.data);
  return read.success ? { ok: true, value: read.data } : { ok: false, why: 'shape' };
}

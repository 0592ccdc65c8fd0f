import { json } from '../wallet-api/answer.ts';
import type { Answer, Lang } from '../wallet-api/answer.ts';
import { CODE_WORDS } from './code-words.ts';

/** The envelopes of the gateway's answers. Business errors come with HTTP 200 (published). */

export const describe = (code: number, lang: Lang): string =>
  CODE_WORDS[code]?.[lang] ?? CODE_WORDS[99]?.[lang] ?? '';

/** Makes a refusal: status_code and status_description and nothing else (contract). */
export const refuse = (code: number, lang: Lang, why?: string, status = 200): Answer =>
  json(
    status,
    { status_code: code, status_description: why ?? describe(code, lang) },
    String(code),
  );

/** Makes a success whose payload is in the field `data`. */
export const done = (data: unknown, lang: Lang): Answer =>
  json(200, { status_code: 100, status_description: describe(100, lang), data }, '100');

/** Makes a success whose fields stand beside status_code, without a field `data`. */
export const flat = (fields: object, lang: Lang, code = 100): Answer =>
  json(
    200,
    { status_code: code, status_description: describe(code, lang), ...fields },
    String(code),
  );

/**
 * Makes the HTTP 422 of the gateway's web framework for missing or wrong fields (published for
 * installments, commissions and saveCard).
 */
export const unprocessable = (fields: string[], lang: Lang): Answer => {
  const say = (name: string): string =>
    lang === 'tr'
      ? `${name} alanı zorunludur ya da hatalıdır.`
      : `The ${name} field is required or invalid.`;
  return json(
    422,
    {
      message: lang === 'tr' ? 'Gönderilen veriler geçersiz.' : 'The given data was invalid.',
      errors: Object.fromEntries(fields.map((name) => [name, [say(name)]])),
    },
    '422',
  );
};

/** Makes the answer to a missing or expired token: HTTP 401 with the same envelope (assumed). */
export const unauthorized = (lang: Lang): Answer => ({
  ...refuse(30, lang, undefined, 401),
  headers: { 'www-authenticate': 'Bearer' },
});

import type { World } from '../world.ts';

/** The answer that a handler returns, and the wallet service's envelope around it. */

export type Answer = {
  status: number;
  body: string;
  contentType?: string;
  headers?: Record<string, string>;
  /** The business code, for the request log. */
  code?: string | null;
  /** The work is done, but the connection closes without this answer. */
  lost?: true;
};

export type Lang = 'tr' | 'en';

/** The language in app_lang; English when it is absent. */
export const langOf = (value: unknown): Lang => (value === 'tr' ? 'tr' : 'en');

const JSON_TYPE = 'application/json; charset=utf-8';

export const json = (status: number, value: unknown, code: string | null = null): Answer => ({
  status,
  body: JSON.stringify(value),
  contentType: JSON_TYPE,
  code,
});
export const empty = (status: number, headers?: Record<string, string>): Answer => ({
  status,
  body: '',
  headers,
  code: null,
});

/** Makes a success: envelope status 0. */
export const success = (
  payload: unknown,
  message: string | null = 'İşlem başarılı.',
  code: string | null = '100',
): Answer => json(200, { status: 0, code, message, payload }, code);

const MESSAGES: Record<string, string> = {
  '0': 'Para çekme talebi işlem bekliyor.',
  '1': 'Bu işlem numarası daha önce kullanılmış.',
  '2': 'Para çekme talebi reddedildi.',
  '3': 'Para çekme talebi başarısız oldu.',
  '4': 'Para çekme talebi iptal edildi.',
  '300': 'Kayıt bulunamadı.',
  '301': 'Bu işlem numarası daha önce kullanılmış.',
  '303': 'Gönderen ve alıcı cüzdan farklı ve uygun türde olmalıdır.',
  '304': 'İşletme bulunamadı.',
  '306': 'Geçersiz IBAN.',
  '307': 'Kimlik bilgileri geçersiz.',
  '310': 'Limit yetersiz.',
  '311': 'Bakiye yetersiz.',
  '312': 'Kayıt henüz oluşmadı.',
  '313': 'Kişisel hesap bulunamadı.',
  '315': 'Geçersiz tutar.',
  '316': 'Cüzdanın hesabı bulunamadı.',
  '322': 'İşlem daha önce iptal edilmiş.',
  '326': 'Aynı IBAN için 1 dakika içinde tekrar transfer yapılamaz.',
  '330': 'Hesap blokeli.',
  '334': 'Hesap yasaklı.',
  '336': 'Hesap kalıcı olarak kapalı.',
  '480': 'İşlem güvenlik kontrolüne takıldı.',
  '500': 'Beklenmeyen bir hata oluştu.',
  '501': 'İşlem tamamlanamadı.',
  '503': 'IBAN ile alıcı bilgileri doğrulanamadı.',
};

/** Makes a business refusal: envelope status 2, HTTP 200, payload null. */
export const refusal = (code: string | null, message?: string): Answer =>
  json(
    200,
    {
      status: 2,
      code,
      message: message ?? MESSAGES[code ?? '500'] ?? 'İşlem gerçekleştirilemedi.',
      payload: null,
    },
    code,
  );

/**
 * Makes the refusal of an unexpected error, with code 500 or, by the switch `unexpected_code`,
 * without a code.
 */
export const systemError = ({ questions }: Pick<World, 'questions'>): Answer =>
  refusal(questions.unexpected_code === 'null' ? null : '500');

/**
 * Makes the refusal of invalid fields, with all its sentences: envelope status 1, code 999, HTTP
 * 400.
 */
export const invalid = (sentences: string[]): Answer =>
  json(400, { status: 1, code: '999', message: sentences.join(' '), errors: sentences }, '999');

/** Makes the web framework's refusal of a body that cannot be read into the operation's fields. */
export function problem(status: number, title: string, errors?: Record<string, string[]>): Answer {
  const trace = Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join(
    '',
  );
  const section = status === 400 ? '15.5.1' : status === 413 ? '15.5.14' : '15.5.16';
  return {
    status,
    contentType: 'application/problem+json; charset=utf-8',
    code: null,
    body: JSON.stringify({
      type: `https://tools.ietf.org/html/rfc9110#section-${section}`,
      title,
      status,
      traceId: `00-${trace}-${trace.slice(0, 16)}-00`,
      ...(errors ? { errors } : {}),
    }),
  };
}

import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { JsonNumber, parseExact } from './exact-json.ts';
import type { Json } from './exact-json.ts';
import { passwordHash } from './seed/seed.ts';
import { num, text } from './store.ts';
import type { Row } from './store.ts';
import { json, langOf } from './wallet-api/answer.ts';
import type { Answer, Lang } from './wallet-api/answer.ts';
import type { World } from './world.ts';

/** The merchant login API: e-mail and password, then a code by SMS, then a bearer token. */

const CODE_LIFETIME_MS = 3 * 60_000;
const MOST_WRONG_CODES = 5;
/**
 * The lifetime of a token: two hours, as at the card gateway (assumed: the contract does not give
 * one).
 */
const TOKEN_LIFETIME_MS = 2 * 3_600_000;

const WORDS = {
  ok: { tr: 'İşlem başarılı', en: 'Success' },
  sent: {
    tr: 'Doğrulama kodu telefonunuza gönderildi',
    en: 'A verification code was sent to your phone',
  },
  noMatch: {
    tr: 'Girilen bilgiler kayıtlarımızla eşleşmiyor',
    en: 'These credentials do not match our records',
  },
  badCode: {
    tr: 'Doğrulama kodu geçersiz veya süresi dolmuş',
    en: 'The OTP is invalid or has expired',
  },
  badBody: { tr: 'Eksik veya hatalı alan', en: 'A field is missing or of the wrong type' },
  noToken: { tr: 'Yetkisiz erişim', en: 'Unauthorized' },
  noAccept: { tr: 'Accept başlığı zorunludur', en: 'The Accept header is required' },
  noLink: { tr: 'Böyle bir ödeme bağlantısı yok', en: 'No such payment link' },
  unreadable: {
    tr: 'Gövde okunabilir bir JSON nesnesi değil',
    en: 'The body is not a readable JSON object',
  },
  tooLarge: { tr: 'Gövde çok büyük', en: 'Request body too large' },
  unexpected: { tr: 'Beklenmeyen bir hata oluştu', en: 'Unexpected error' },
  noOperation: { tr: 'Böyle bir işlem yok', en: 'No such operation' },
} as const;

export const fail = (
  statuscode: number,
  words: keyof typeof WORDS,
  lang: Lang,
  status = 200,
): Answer =>
  json(status, { statuscode, description: WORDS[words][lang], data: [] }, String(statuscode));

export const answer = (data: object, lang: Lang): Answer =>
  json(200, { statuscode: 100, description: WORDS.ok[lang], data }, '100');

/** Parses a body as a JSON object; null when it is not one. */
export function readBody(body: string): { [key: string]: Json } | null {
  try {
    const parsed = parseExact(body);
    return parsed !== null &&
      typeof parsed === 'object' &&
      !Array.isArray(parsed) &&
      !(parsed instanceof JsonNumber)
      ? parsed
      : null;
  } catch {
    return null;
  }
}

function userRecord(world: World, person: Row): object {
  const merchant = world.store.get('SELECT * FROM merchants WHERE id = ?', num(person.merchant_id));
  const site = text(merchant?.site);
  return {
    id: num(person.id),
    name: `${text(person.first_name)} ${text(person.last_name)}`,
    first_name: text(person.first_name),
    last_name: text(person.last_name),
    email: text(person.email),
    avatar: null,
    ip: null,
    tc_number: null,
    user_type: 2,
    account_status: 1,
    merchants: {
      id: num(merchant?.id),
      user_id: num(person.id),
      merchant_key: text(merchant?.merchant_key),
      site_url: site,
      success_link: `${site}/odeme/basarili`,
      fail_link: `${site}/odeme/basarisiz`,
    },
  };
}

function same(a: string, b: string): boolean {
  // Bytes are compared: a text of as many characters may have more of them.
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export function corporateLogin(world: World, body: string): Answer {
  const fields = readBody(body);
  if (!fields) return loginError(400, 'unreadable');
  const lang = langOf(fields.app_lang);
  if (
    typeof fields.email !== 'string' ||
    typeof fields.password !== 'string' ||
    fields.email === '' ||
    fields.password === ''
  )
    return fail(1, 'badBody', lang);
  const email = fields.email.trim().toLowerCase();
  const person = world.store.get('SELECT * FROM people WHERE email = ?', email);
  // The hash is computed for unknown people too, so that both refusals take the same time.
  if (
    !same(passwordHash(fields.password, email), text(person?.password_hash) || '0'.repeat(64)) ||
    !person
  )
    return fail(46, 'noMatch', lang);
  const now = world.clock.now();
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
  if (world.questions.otp_earlier_codes === 'void')
    world.store.run(
      "UPDATE challenges SET state = 'void' WHERE user_id = ? AND state = 'open'",
      num(person.id),
    );
  world.store.run(
    "INSERT INTO challenges (user_id, code, expires_at, state) VALUES (?, ?, ?, 'open')",
    num(person.id),
    code,
    now + CODE_LIFETIME_MS,
  );
  const message =
    lang === 'tr'
      ? `Panel giriş kodunuz: ${code}. Kodu kimseyle paylaşmayın. 3 dakika geçerlidir.`
      : `Your sign-in code: ${code}. Share it with nobody. Valid for 3 minutes.`;
  world.store.run(
    'INSERT INTO messages (phone, email, name, text, code, at) VALUES (?, ?, ?, ?, ?, ?)',
    text(person.phone),
    email,
    `${text(person.first_name)} ${text(person.last_name)}`,
    message,
    code,
    now,
  );
  return json(
    200,
    { statuscode: 100, description: WORDS.sent[lang], data: { user: userRecord(world, person) } },
    '100',
  );
}

/**
 * Answers verifysms. A code can be used once, for three minutes; five wrong codes end every open
 * code of that person.
 */
export function verifySms(world: World, body: string): Answer {
  const fields = readBody(body);
  if (!fields) return loginError(400, 'unreadable');
  const lang = langOf(fields.app_lang);
  const userId = fields.user_id;
  if (
    typeof fields.OTP !== 'string' ||
    !(userId instanceof JsonNumber) ||
    !/^\d{1,15}$/.test(userId.text)
  )
    return fail(1, 'badBody', lang);
  const now = world.clock.now();
  const id = Number(userId.text);
  const open = world.store.all(
    "SELECT * FROM challenges WHERE user_id = ? AND state = 'open' AND expires_at > ? AND wrong < ?",
    id,
    now,
    MOST_WRONG_CODES,
  );
  const guess = fields.OTP;
  const hit = open.find((challenge) => same(text(challenge.code), guess));
  const person = world.store.get('SELECT * FROM people WHERE id = ?', id);
  if (!hit || !person) {
    world.store.run(
      "UPDATE challenges SET wrong = wrong + 1 WHERE user_id = ? AND state = 'open'",
      id,
    );
    return fail(1, 'badCode', lang);
  }
  world.store.run("UPDATE challenges SET state = 'used' WHERE id = ?", num(hit.id));
  const token = randomBytes(32).toString('hex');
  world.store.run(
    'INSERT INTO login_tokens (hash, user_id, expires_at) VALUES (?, ?, ?)',
    createHash('sha256').update(token).digest('hex'),
    id,
    now + TOKEN_LIFETIME_MS,
  );
  return answer({ token, user: userRecord(world, person) }, lang);
}

export const CURRENCIES = [
  { id: 1, name: 'Turkish Lira', symbol: '₺', code: 'TRY', iso_code: 949 },
  { id: 2, name: 'Us Dollar', symbol: '$', code: 'USD', iso_code: 840 },
  { id: 3, name: 'Euro', symbol: '€', code: 'EUR', iso_code: 978 },
];

/** Returns the person whose token the header holds; undefined without a valid token. */
export function personOf(world: World, headers: Record<string, string>): Row | undefined {
  const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return world.store.get(
    'SELECT p.* FROM login_tokens t JOIN people p ON p.id = t.user_id WHERE t.hash = ? AND t.expires_at > ?',
    createHash('sha256').update(token).digest('hex'),
    world.clock.now(),
  );
}

/**
 * Answers the list of currencies for a signed-in person. The codes of its two refusals are assumed.
 */
export function currencies(world: World, headers: Record<string, string>): Answer {
  const lang = langOf(headers['app-lang'] ?? headers['accept-language']?.slice(0, 2));
  if (!personOf(world, headers)) return fail(30, 'noToken', lang, 401);
  if (!headers.accept) return fail(1, 'noAccept', lang);
  return answer({ currencies: CURRENCIES }, lang);
}

/** Makes a refusal that belongs to no single operation; its codes are assumed. */
export const loginError = (
  status: 400 | 413 | 500,
  words: 'unreadable' | 'tooLarge' | 'unexpected',
): Answer => fail(status === 500 ? 99 : 1, words, 'en', status);

export const unknownLoginOperation = (): Answer => fail(404, 'noOperation', 'en', 404);

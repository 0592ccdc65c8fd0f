import { compactNumber, passesLuhn } from './card-api/card.ts';
import { iso } from './clock.ts';
import type { Call } from './routes.ts';
import { num, text } from './store.ts';
import type { World } from './world.ts';

/**
 * The log of requests to the providers: their secrets are redacted, the rest is kept as it arrived.
 */

const KEPT_HEADERS = [
  'content-type',
  'accept',
  'locale',
  'user-agent',
  'x-tenant-end-user-ip',
  'x-client-id',
  'idempotency-key',
  'traceparent',
];
const KEPT_REQUESTS = 50_000;
const SWEEP_EVERY = 1000;
/**
 * Names of fields that hold a token or secret. `card_token` is excepted, because its last four
 * digits are shown.
 */
const TOKEN_LIKE = '(?!card_token)[\\w-]*(?:token|secret|password|authorization)[\\w-]*';
const SECRET = `${TOKEN_LIKE}|otp|cvv|cc_no`;
const CARD_SECRET = `${TOKEN_LIKE}|cvv|hash_key|sms_code|expiry_month|expiry_year|identity_number|id_tc_kn`;
const CARD = 'cc_no|card_number|credit_card|card_token';

const inJson = (names: string): RegExp =>
  new RegExp(`("(?:${names})"\\s*:\\s*)("(?:\\\\.|[^"\\\\])*"|\\[[^\\]]*\\]|[^,}\\s]+)`, 'gi');
const inForm = (names: string): RegExp => new RegExp(`((?:^|&)(?:${names})=)([^&]*)`, 'gi');

const [JSON_SECRET, FORM_SECRET] = [inJson(SECRET), inForm(SECRET)];
const [JSON_CARD_SECRET, FORM_CARD_SECRET] = [inJson(CARD_SECRET), inForm(CARD_SECRET)];
const [JSON_CARD, FORM_CARD] = [inJson(CARD), inForm(CARD)];
/** Matches 13 to 19 digits in a row, perhaps in groups. */
const LONG_NUMBER = /(?<![\d.-])\d(?:[ -]?\d){12,18}(?![\d.-])/g;

/** Redacts a card number or token to its last four digits, where the value ends in four digits. */
const lastFour = (value: string): string =>
  `[redacted${/(\d{4})"?$/.exec(value)?.[1]?.replace(/^/, ' …') ?? ''}]`;

/** Redacts card numbers in fields that should not hold one. */
const withoutCards = (body: string): string =>
  body.replace(LONG_NUMBER, (run) => (passesLuhn(compactNumber(run)) ? lastFour(run) : run));

const redactForm = (text: string): string =>
  withoutCards(
    text
      .replace(FORM_CARD, (_all, name: string, value: string) => `${name}${lastFour(value)}`)
      .replace(FORM_CARD_SECRET, '$1[redacted]'),
  );

/**
 * A card operation's body with secret fields redacted and card fields reduced to their last four
 * digits. An unreadable body that is not multipart is redacted whole.
 */
function redactCard(body: string, type: string): string {
  if (type.includes('urlencoded')) return redactForm(body);
  try {
    JSON.parse(body);
  } catch {
    return type.startsWith('multipart/') ? withoutCards(body) : '[redacted: unreadable]';
  }
  // A field name written with escapes would not match the patterns.
  if (/\\u00/i.test(body)) return '[redacted: escaped]';
  return withoutCards(
    body
      .replace(JSON_CARD, (_all, name: string, value: string) => `${name}"${lastFour(value)}"`)
      .replace(JSON_CARD_SECRET, '$1"[redacted]"'),
  );
}

/**
 * Redacts the values of secret fields and keeps the rest of the text byte for byte. An unreadable
 * body of a login operation is redacted whole.
 */
export function redact(body: string, operation: string): string {
  if (body === '') return '';
  const isJson = /^\s*[[{]/.test(body);
  if (isJson) {
    try {
      JSON.parse(body);
      return body.replace(JSON_SECRET, '$1"[redacted]"');
    } catch {
      // Unreadable JSON: the code below redacts it whole where secrets are expected, else by
      // patterns.
    }
  }
  if (['corporatelogin', 'verifysms'].includes(operation)) return '[redacted: unreadable]';
  return body.replace(JSON_SECRET, '$1"[redacted]"').replace(FORM_SECRET, '$1[redacted]');
}

function bodyOf(call: Call): string {
  if (!call.path.startsWith('/card/')) return redact(call.body, call.operation);
  return call.body === ''
    ? redactForm(call.query)
    : redactCard(call.body, (call.headers['content-type'] ?? '').toLowerCase());
}

function keptHeaders(headers: Record<string, string>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of KEPT_HEADERS) if (headers[name] !== undefined) kept[name] = headers[name];
  // The whole header is redacted, because one published client sends the token without a scheme.
  if (headers.authorization !== undefined) kept.authorization = '[redacted]';
  return kept;
}

export type Outcome = {
  fault: string | null;
  executed: boolean;
  status: number | null;
  code: string | null;
};

export function logRequest(world: World, call: Call, outcome: Outcome): number {
  const { id } = world.store.run(
    `INSERT INTO log (at, real_at, method, path, operation, headers, body, fault, executed,
      answer_status, answer_code) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    call.arrivedAt,
    Date.now(),
    call.method,
    call.path,
    call.operation,
    JSON.stringify(keptHeaders(call.headers)),
    bodyOf(call),
    outcome.fault,
    outcome.executed ? 1 : 0,
    outcome.status,
    outcome.code,
  );
  if (id % SWEEP_EVERY === 0) world.store.run('DELETE FROM log WHERE id <= ?', id - KEPT_REQUESTS);
  return id;
}

/** The log, newest first. */
export function listRequests(world: World, operation: string | null, limit: number): object[] {
  const rows =
    operation === null
      ? world.store.all('SELECT * FROM log ORDER BY id DESC LIMIT ?', limit)
      : world.store.all(
          'SELECT * FROM log WHERE operation = ? ORDER BY id DESC LIMIT ?',
          operation,
          limit,
        );
  return rows.map((row) => ({
    id: num(row.id),
    at: iso(num(row.at)),
    real_at: iso(num(row.real_at)),
    method: row.method,
    path: row.path,
    operation: row.operation,
    headers: JSON.parse(text(row.headers)) as unknown,
    body: row.body,
    fault: row.fault,
    executed: row.executed === 1,
    answer: { status: row.answer_status, code: row.answer_code },
  }));
}

import { holdsCard } from '#lib/values/card-number.ts';
import { checkTaxNumber } from '#lib/values/tax-number.ts';

/**
 * The last filter for everything written to a log: replaces text that looks like a card number, an
 * IBAN, a national id, a token or a named secret. It guesses by shape, so it may hide a harmless
 * number; the allow-list in `log.ts` is the real control. Pure.
 */

const HIDDEN = '[hidden]';

// Our own ids are no secrets, and their digits must not be taken for a card number.
const UUID = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/i;
const IBAN = /T[\s-]?R(?:[\s-]?\d){24}/gi;
const LONG_NUMBER = /\d(?:[\s-]?\d){12,}/g;
const NATIONAL_ID = /(?<!\d)\d{11}(?!\d)/g;
const BEARER = /\b(bearer|basic)\s+[\w.~+/=-]+/gi;
// JWS and JWE: three or five parts, some of them empty.
const TOKEN = /\beyJ[\w-]*(?:\.[\w-]*){2,4}/g;
const ADDRESS_PASSWORD = /:\/\/[^\s/@]+@/g;
const NAMED =
  /([\w-]*(?:cvv|cvc|cc_no|card_?number|otp|passw(?:or)?d|parola|secret|hash_?key|data_?key|webhook_?key|merchant_?key|app_?key|token|authorization|cookie)["']?\s*[:=]\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,;&{}[\]]+)/gi;

/** The text with every match replaced. */
export function scrub(text: string): string {
  const named = text
    .replace(BEARER, `$1 ${HIDDEN}`)
    .replace(TOKEN, HIDDEN)
    .replace(ADDRESS_PASSWORD, `://${HIDDEN}@`)
    .replace(NAMED, `$1${HIDDEN}`)
    .replace(IBAN, HIDDEN);
  return named
    .split(UUID)
    .map((part, index) => (index % 2 === 1 ? part : scrubNumbers(part)))
    .join('');
}

function scrubNumbers(text: string): string {
  return text
    .replace(LONG_NUMBER, (digits) => (holdsCard(digits) ? HIDDEN : digits))
    .replace(NATIONAL_ID, (digits) => (checkTaxNumber(digits).kind === 'ok' ? HIDDEN : digits));
}

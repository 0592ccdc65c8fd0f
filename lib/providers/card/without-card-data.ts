/**
 * Removes card data from responses before they are stored as evidence: a gateway that echoes a card
 * number in a message or another field must not bring it into our database. Ids and amounts keep
 * their digits. Pure.
 */
import { holdsCard } from '#lib/values/card-number.ts';
import { Exact, parseJson } from '../json.ts';

const HIDDEN = '[hidden]';

/**
 * Matches any body that could contain a card number or a security code; other bodies, which are
 * most, are returned at once.
 */
const SUSPICIOUS = /\d(?:[ -]?\d){12}|\\u|c[vs][vc2]|security/i;
const LONG_NUMBER = /\d(?:[ -]?\d){12,}/g;
/** A field with such a name holds an id, even if its digits pass as a card number. */
const ID_NAME = /(?:^|_)(?:id|no|number|code|token|key|ref)$/i;
const CARD_NAME =
  /c(?:redit_?)?c(?:ard)?_?(?:no|number)$|card_?(?:no|number)|^(?:credit_?card|pan|cc)$/i;
const CODE_NAME = /^(?:card_?)?(?:cvv|cvc|cv2|csc|cvv2|cvc2|security_?code)$/i;
const CODE_IN_TEXT = /((?:cvv|cvc|cv2|csc|security.?code)\D{0,12})\d{3,4}(?!\d)/gi;

/**
 * The body without card numbers and security codes. `secret`: texts that are removed wherever they
 * occur, such as the card number that was sent and our own app secret. A body without any of these
 * is returned unchanged; JSON with card data is written again as JSON.
 */
export function withoutCardData(body: string, secret: readonly string[]): string {
  const hide = hiderOf(secret);
  if (!SUSPICIOUS.test(body)) return hide(body);
  const json = parseJson(body);
  if (!json.ok) return cleanText(hide(body));
  const cleaned = JSON.stringify(clean(json.value, '', hide));
  return cleaned === JSON.stringify(json.value) ? body : cleaned;
}

type Hide = (text: string) => string;

function hiderOf(secret: readonly string[]): Hide {
  const [cards, others] = [
    secret.filter((one) => /^\d+$/.test(one)),
    secret.filter((one) => one !== '' && !/^\d+$/.test(one)),
  ];
  const numbers = cards.map((number) => new RegExp(number.split('').join('[ -]?'), 'g'));
  return (text) =>
    others.reduce(
      (left, one) => left.replaceAll(one, HIDDEN),
      numbers.reduce((left, number) => left.replace(number, mask), text),
    );
}

function clean(value: unknown, name: string, hide: Hide): unknown {
  if (Array.isArray(value)) return value.map((one) => clean(one, name, hide));
  if (typeof value === 'object' && value !== null && !(value instanceof Exact)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [cleanText(hide(key)), clean(one, key, hide)]),
    );
  }
  if (typeof value !== 'string' && !(value instanceof Exact)) return value;
  if (CODE_NAME.test(name)) return HIDDEN;
  const text = typeof value === 'string' ? value : value.text;
  const cleaned = cleanField(hide(text), name);
  return cleaned === text ? value : cleaned;
}

function cleanField(text: string, name: string): string {
  if (CARD_NAME.test(name)) return text.replace(LONG_NUMBER, mask);
  return ID_NAME.test(name) ? text : cleanText(text);
}

function cleanText(text: string): string {
  return text
    .replace(LONG_NUMBER, (run) => (holdsCard(run) ? mask(run) : run))
    .replace(CODE_IN_TEXT, `$1${HIDDEN}`);
}

/** First six and last four digits, as the gateway itself masks a card. */
function mask(number: string): string {
  const digits = number.replace(/\D/g, '');
  return `${digits.slice(0, 6)}******${digits.slice(-4)}`;
}

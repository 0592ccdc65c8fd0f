import { randomBytes } from 'node:crypto';
import { rawNumber } from '../exact-json.ts';
import { turkishTime } from '../clock.ts';
import type { Call } from '../routes.ts';
import { MERCHANT_ID } from '../seed/merchant.ts';
import { num, text } from '../store.ts';
import type { Row } from '../store.ts';
import { langOf } from '../wallet-api/answer.ts';
import type { Answer, Lang } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { done, flat, refuse, unprocessable } from './answer.ts';
import { cardOf, compactNumber, expiryOf, fingerprint, passesLuhn } from './card.ts';
import { checkShape, idOf, readCall, readForm, textOf, wrongFields } from './fields.ts';
import type { Fields, Shape } from './fields.ts';
import { openHash } from './hash.ts';
import type { CardMerchant } from './merchant.ts';
import { merchantProblem } from './payment.ts';

/**
 * The operations of saved cards: registration, query, edit, deletion. Stored are the masked number,
 * expiry and holder, never a security code.
 */

const TOKEN_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const TOKEN_LENGTH = 48;
const LONGEST_HOLDER = 100;

/**
 * Reads the customer's number as text, because it may have more digits than a JavaScript number
 * holds.
 */
const SAVED_CARDS = `SELECT id, token, CAST(customer AS TEXT) AS customer, masked, bin, card, holder, expiry, name,
    email, phone, created_at, updated_at FROM saved_cards`;

/** Returns the card that a token and a customer number name together. */
export const savedCardRow = (world: World, fields: Fields): Row | undefined =>
  world.store.get(
    `${SAVED_CARDS} WHERE token = ? AND customer = ?`,
    textOf(fields, 'card_token'),
    idOf(fields, 'customer_number'),
  );

export const SAVE_SHAPE: Shape = {
  merchant_key: ['y', 'text'],
  card_holder_name: ['y', 'text'],
  card_number: ['y', 'plain'],
  expiry_month: ['y', 'whole'],
  expiry_year: ['y', 'whole'],
  customer_number: ['y', 'id'],
  hash_key: ['y', 'text'],
  customer_name: ['n', 'text'],
  customer_email: ['n', 'text'],
  customer_phone: ['n', 'plain'],
  app_lang: ['n', 'text'],
};
export const EDIT_SHAPE: Shape = {
  merchant_key: ['y', 'text'],
  card_token: ['y', 'text'],
  customer_number: ['y', 'id'],
  expiry_month: ['y', 'whole'],
  expiry_year: ['y', 'whole'],
  hash_key: ['y', 'text'],
  card_holder_name: ['n', 'text'],
  app_lang: ['n', 'text'],
};
export const DELETE_SHAPE: Shape = {
  merchant_key: ['y', 'text'],
  card_token: ['y', 'text'],
  customer_number: ['y', 'id'],
  hash_key: ['y', 'text'],
  app_lang: ['n', 'text'],
};
export const TOKENS_SHAPE: Shape = {
  merchant_key: ['y', 'text'],
  customer_number: ['y', 'id'],
  app_lang: ['n', 'text'],
};

/** The code for each part of the hash that may disagree with the request. */
const PART_CODES: Record<string, number> = {
  merchant_key: 91,
  customer_number: 92,
  card_holder_name: 93,
  card_number: 94,
  expiry_month: 95,
  expiry_year: 96,
  card_token: 97,
};

/**
 * Returns 90 for a hash that cannot be deciphered or has another number of parts, else the code of
 * the first part that disagrees, else null.
 */
function partProblem(
  world: World,
  fields: Fields,
  names: readonly string[],
  shorter: readonly string[] = names,
): number | null {
  const parts = openHash(textOf(fields, 'hash_key'), world.credentials.card.app_secret);
  const used = parts?.length === shorter.length ? shorter : names;
  if (parts === null || parts.length !== used.length) return 90;
  const at = used.findIndex((name, index) => textOf(fields, name) !== parts[index]);
  return at < 0 ? null : (PART_CODES[used[at] ?? ''] ?? 90);
}

const SAVE_PARTS = [
  'merchant_key',
  'customer_number',
  'card_holder_name',
  'card_number',
  'expiry_month',
  'expiry_year',
];
/**
 * The parts without the card number, which one client leaves out of the hash; both forms are
 * accepted.
 */
const SAVE_PARTS_WITHOUT_NUMBER = SAVE_PARTS.filter((name) => name !== 'card_number');
const TOKEN_PARTS = ['merchant_key', 'customer_number', 'card_token'];

function newToken(): string {
  return [...randomBytes(TOKEN_LENGTH)]
    .map((byte) => TOKEN_ALPHABET[byte % TOKEN_ALPHABET.length])
    .join('');
}

const expiryText = (expiry: { month: number; year: number }): string =>
  `${String(expiry.month).padStart(2, '0')}/${expiry.year}`;

export function saveCard(world: World, call: Call): Answer {
  const read = readCall(call, 'json');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const wrong = wrongFields(fields, SAVE_SHAPE);
  if (wrong.length > 0) return unprocessable(wrong, lang);
  const merchant = merchantProblem(world, fields);
  if (merchant) return refuse(merchant, lang);
  const hash = partProblem(world, fields, SAVE_PARTS, SAVE_PARTS_WITHOUT_NUMBER);
  if (hash !== null) return refuse(hash, lang);
  const number = compactNumber(textOf(fields, 'card_number'));
  if (!passesLuhn(number)) return refuse(108, lang);
  const expiry = expiryOf(textOf(fields, 'expiry_month'), textOf(fields, 'expiry_year'));
  if (
    expiry === null ||
    textOf(fields, 'expiry_year').length !== 4 ||
    textOf(fields, 'card_holder_name').length > LONGEST_HOLDER
  )
    return refuse(1, lang);
  const card = cardOf(number);
  if (card.behaviour === 'not_saved') return refuse(86, lang);
  const customer = idOf(fields, 'customer_number');
  const print = fingerprint(world, number);
  // The same card of the same customer keeps its token (assumed).
  const known = world.store.get(
    'SELECT token FROM saved_cards WHERE customer = ? AND print = ?',
    customer,
    print,
  );
  if (known) return flat({ card_token: text(known.token) }, lang);
  const token = newToken();
  const now = world.clock.now();
  const own = (name: string): string | null => textOf(fields, name) || null;
  world.store.run(
    `INSERT INTO saved_cards (token, customer, print, masked, bin, card, holder, expiry, name,
      email, phone, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    token,
    customer,
    print,
    card.masked,
    card.bin,
    JSON.stringify(card),
    textOf(fields, 'card_holder_name'),
    expiryText(expiry),
    own('customer_name'),
    own('customer_email'),
    own('customer_phone'),
    now,
    now,
  );
  return flat({ card_token: token }, lang);
}

/**
 * Makes the record of a saved card as in the vendor's SDK fixtures, or as in its table of fields:
 * both are published.
 */
function record(row: Row, form: CardMerchant['saved_card_record']): object {
  const card = JSON.parse(text(row.card)) as { bank: string };
  const [customer, number] = [text(row.customer), text(row.masked)];
  const shown =
    form === 'sdk'
      ? {
          card_number: number.replace(/\*+/, '****'),
          customer_number: `${customer}-${MERCHANT_ID}`,
        }
      : { card_number: number, customer_number: rawNumber(customer), bin: text(row.bin) };
  return {
    id: num(row.id),
    card_token: text(row.token),
    card_user_key: null,
    merchant_id: MERCHANT_ID,
    ...shown,
    customer_name: row.name,
    customer_email: row.email,
    customer_phone: row.phone,
    card_issuer_bank: card.bank,
    bank_id: null,
    created_at: turkishTime(num(row.created_at)),
    updated_at: turkishTime(num(row.updated_at)),
  };
}

/**
 * Lists a customer's cards. Called by GET with a query string or a JSON body, or by POST: all three
 * are published.
 */
export function getCardTokens(world: World, call: Call): Answer {
  const query = call.method === 'GET' && call.body.trim() === '';
  const read = query
    ? {
        ok: true as const,
        fields: readForm(call.query),
        lang: langOf(new URLSearchParams(call.query).get('app_lang')),
      }
    : readCall(call, 'json');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const wrong =
    checkShape(fields, TOKENS_SHAPE, lang) ??
    (merchantProblem(world, fields) ? refuse(14, lang) : null);
  if (wrong) return wrong;
  const rows = world.store.all(
    `${SAVED_CARDS} WHERE customer = ? ORDER BY id`,
    idOf(fields, 'customer_number'),
  );
  return done(
    rows.map((row) => record(row, world.cardMerchant.saved_card_record)),
    lang,
  );
}

type Found = { ok: true; fields: Fields; lang: Lang; row: Row } | { ok: false; answer: Answer };

/**
 * Returns the card of an edit or a deletion after checking the hash; refused with 87 when token and
 * customer do not belong together.
 */
function findCard(world: World, call: Call, shape: Shape): Found {
  const read = readCall(call, 'json');
  if (!read.ok) return read;
  const { fields, lang } = read;
  const no = (answer: Answer): Found => ({ ok: false, answer });
  const wrong = checkShape(fields, shape, lang);
  if (wrong) return no(wrong);
  const merchant = merchantProblem(world, fields);
  if (merchant) return no(refuse(merchant, lang));
  const hash = partProblem(world, fields, TOKEN_PARTS);
  if (hash !== null) return no(refuse(hash, lang));
  const row = savedCardRow(world, fields);
  return row ? { ok: true, fields, lang, row } : no(refuse(87, lang));
}

/**
 * Edits a card. Refused with 89 when the new expiry date is not valid or the holder's name is too
 * long.
 */
export function editCard(world: World, call: Call): Answer {
  const found = findCard(world, call, EDIT_SHAPE);
  if (!found.ok) return found.answer;
  const { fields, lang, row } = found;
  const expiry = expiryOf(textOf(fields, 'expiry_month'), textOf(fields, 'expiry_year'));
  const holder = textOf(fields, 'card_holder_name');
  if (expiry === null || holder.length > LONGEST_HOLDER) return refuse(89, lang);
  world.store.run(
    'UPDATE saved_cards SET expiry = ?, holder = ?, updated_at = ? WHERE id = ?',
    expiryText(expiry),
    holder || text(row.holder),
    world.clock.now(),
    num(row.id),
  );
  return flat({ card_token: text(row.token) }, lang);
}

/**
 * Deletes a card. Refused with 88 when an active plan charges a saved card with the same masked
 * number (assumed).
 */
export function deleteCard(world: World, call: Call): Answer {
  const found = findCard(world, call, DELETE_SHAPE);
  if (!found.ok) return found.answer;
  const inUse = world.store.get(
    `SELECT 1 AS hit FROM card_plans p JOIN card_orders o ON o.order_id = p.order_id
      WHERE p.state = 'Active' AND o.kind = 'token' AND o.masked = ?`,
    text(found.row.masked),
  );
  if (inUse) return refuse(88, found.lang);
  world.store.run('DELETE FROM saved_cards WHERE id = ?', num(found.row.id));
  return flat({}, found.lang);
}

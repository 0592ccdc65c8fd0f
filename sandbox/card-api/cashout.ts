import { JsonNumber } from '../exact-json.ts';
import type { Json } from '../exact-json.ts';
import { compactIban, isNationalId, isTaxNumber, isTurkishIban } from '../iban.ts';
import { MAGIC_BANK } from '../magic.ts';
import type { Call } from '../routes.ts';
import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import { json } from '../wallet-api/answer.ts';
import type { Answer, Lang } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { describe } from './answer.ts';
import { amountOf, badFields, readCall, textOf, wrongFields } from './fields.ts';
import type { Fields, Shape } from './fields.ts';
import { hookUrl } from './hook-keys.ts';
import { sendCashoutReverse } from './hooks.ts';
import { amountText, cardBalance, moveCardMoney } from './orders.ts';
import { hashProblem, merchantProblem } from './payment.ts';
import { CURRENCIES } from './pos.ts';

/**
 * POST /ccpayment/api/cashout/tobank: payouts of the card balance to bank accounts. Its answers
 * have statuscode, description and data, unlike the other operations (published).
 */

export const CASHOUT_SHAPE: Shape = {
  merchant_key: ['y', 'text'],
  hash_key: ['y', 'text'],
  cashout_type: ['y', 'whole'],
  cashout_data: ['y', 'any'],
  reverse_web_hook_key: ['n', 'text'],
  app_lang: ['n', 'text'],
};
export const CASHOUT_ROW: Shape = {
  unique_id: ['n', 'text'],
  name_surname: ['y', 'text'],
  iban: ['y', 'text'],
  name_of_bank: ['n', 'text'],
  amount: ['y', 'amount'],
  currency: ['y', 'text'],
  id_tc_kn: ['n', 'text'],
  gsm_number: ['y', 'text'],
  description: ['n', 'text'],
};
const MOST_ROWS = 500;
const HOUR_MS = 3_600_000;
/** The IBAN ending that makes the made-up bank return a cashout. */
export const REVERSED_ENDING = '9005';

const envelope = (code: number, lang: Lang, data: unknown = [], why?: string): Answer =>
  json(200, { statuscode: code, description: why ?? describe(code, lang), data }, String(code));

/**
 * Returns the rows of cashout_data, where an old sample wraps each row in an array of one; null
 * when the field is not a list of 1 to MOST_ROWS objects.
 */
function rowsOf(value: Json | undefined): Fields[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_ROWS) return null;
  const rows = value.map((one) => (Array.isArray(one) && one.length === 1 ? one[0] : one));
  return rows.every(
    (one) =>
      one !== null &&
      typeof one === 'object' &&
      !Array.isArray(one) &&
      !(one instanceof JsonNumber),
  )
    ? (rows as Fields[])
    : null;
}

/**
 * Returns why a row is not paid, in the language of the request; null when it is paid. The reasons
 * are assumed.
 */
function rowProblem(world: World, row: Fields, lang: Lang): string | null {
  const say = (tr: string, en: string): string => (lang === 'tr' ? tr : en);
  const wrong = wrongFields(row, CASHOUT_ROW);
  const amount = amountOf(row, 'amount');
  if (wrong.length > 0) return badFields(wrong, lang);
  if (amount === null || amount <= 0n) return say('Geçersiz tutar', 'Invalid amount');
  if (!Object.hasOwn(CURRENCIES, textOf(row, 'currency')))
    return say('Geçersiz para birimi', 'Invalid currency');
  if (!isTurkishIban(compactIban(textOf(row, 'iban')))) return say('Geçersiz IBAN', 'Invalid IBAN');
  const id = textOf(row, 'id_tc_kn');
  if (id !== '' && !isNationalId(id) && !isTaxNumber(id))
    return say('Geçersiz kimlik numarası', 'Invalid identity number');
  if (!/^\d{10,15}$/.test(textOf(row, 'gsm_number')))
    return say('Geçersiz telefon', 'Invalid phone number');
  const uniqueId = textOf(row, 'unique_id');
  const isRepeat =
    uniqueId !== '' &&
    world.store.get('SELECT 1 AS hit FROM cashouts WHERE unique_id = ?', uniqueId) !== undefined;
  if (isRepeat && world.cardMerchant.repeated_ids === 'refused')
    return say('unique_id daha önce kullanılmış', 'unique_id was used before');
  return cardBalance(world, textOf(row, 'currency')) < amount
    ? say('Bakiye yetersiz', 'Insufficient balance')
    : null;
}

function pay(world: World, row: Fields, hookKey: string, at: number): void {
  const iban = compactIban(textOf(row, 'iban'));
  const amount = amountOf(row, 'amount') ?? 0n;
  const back =
    world.questions.magic_values &&
    iban.slice(4, 9) === MAGIC_BANK &&
    iban.endsWith(REVERSED_ENDING);
  const due = back ? at + world.cardMerchant.cashout_hours * HOUR_MS : null;
  const { id } = world.store.run(
    `INSERT INTO cashouts (unique_id, name, iban, amount, currency, state, hook_key, due_at,
      created_at) VALUES (?, ?, ?, ?, ?, 'paid', ?, ?, ?)`,
    textOf(row, 'unique_id'),
    textOf(row, 'name_surname'),
    iban,
    amount,
    textOf(row, 'currency'),
    hookKey,
    due,
    at,
  );
  moveCardMoney(world, {
    kind: 'cashout',
    amount,
    currency: textOf(row, 'currency'),
    ref: textOf(row, 'unique_id') || String(id),
    name: textOf(row, 'name_surname'),
    iban,
    at,
  });
  if (due !== null) world.scheduler.poke(due);
}

/**
 * Checks the request's hash, which covers the sum of all amounts and the first row; the phone
 * number of that row is hashed without the plus sign (published).
 */
function hashOf(world: World, fields: Fields, rows: Fields[]): 68 | 90 | null {
  const sum = rows.reduce((total, row) => total + (amountOf(row, 'amount') ?? 0n), 0n);
  const first = rows[0] ?? {};
  const parts = [
    textOf(first, 'iban'),
    textOf(first, 'amount'),
    textOf(first, 'currency'),
    textOf(first, 'gsm_number').replace(/^\+/, ''),
  ];
  return hashProblem(world, textOf(fields, 'hash_key'), [amountText(sum), ...parts], 0);
}

export function cashoutToBank(world: World, call: Call): Answer {
  const read = readCall(call, 'json');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const rows = rowsOf(fields.cashout_data);
  const wrong = wrongFields(fields, CASHOUT_SHAPE);
  if (rows === null && !wrong.includes('cashout_data')) wrong.push('cashout_data');
  if (textOf(fields, 'cashout_type') !== '1' && !wrong.includes('cashout_type'))
    wrong.push('cashout_type');
  if (wrong.length > 0 || rows === null) return envelope(1, lang, [], badFields(wrong, lang));
  if (merchantProblem(world, fields)) return envelope(14, lang);
  if (hashOf(world, fields, rows)) return envelope(422, lang, [], describe(90, lang));
  const hookKey = textOf(fields, 'reverse_web_hook_key');
  if (hookKey !== '' && hookUrl(world, hookKey, 'cashout_reverse') === undefined)
    return envelope(1, lang, [], badFields(['reverse_web_hook_key'], lang));
  const failed: object[] = [];
  for (const row of rows) {
    const reason = rowProblem(world, row, lang);
    if (reason !== null) failed.push({ unique_id: textOf(row, 'unique_id'), reason });
    else pay(world, row, hookKey, world.clock.now());
  }
  // When all rows are refused, the code is still 112: no other code is published (assumed).
  return envelope(failed.length > 0 ? 112 : 100, lang, failed);
}

/**
 * Returns a cashout to the merchant: credits its amount to the card balance and sends the webhook.
 */
export function reverseCashout(world: World, cashout: Row): void {
  const at = cashout.due_at === null ? world.clock.now() : num(cashout.due_at);
  world.store.run(
    "UPDATE cashouts SET state = 'reversed', due_at = NULL WHERE id = ?",
    num(cashout.id),
  );
  moveCardMoney(world, {
    kind: 'cashout_reverse',
    amount: minor(cashout.amount),
    currency: text(cashout.currency),
    ref: text(cashout.unique_id) || String(cashout.id),
    name: text(cashout.name),
    iban: text(cashout.iban),
    at,
  });
  sendCashoutReverse(world, cashout);
}

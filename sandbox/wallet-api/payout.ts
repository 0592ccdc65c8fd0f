import { LEVELS, firstStep } from '../bank/desk.ts';
import type { BankState } from '../bank/desk.ts';
import { hold, walletOf } from '../books.ts';
import type { Wallet } from '../books.ts';
import { rawAmount } from '../exact-json.ts';
import { compactIban, isNationalId, isTaxNumber, isTurkishIban } from '../iban.ts';
import { newId } from '../ids.ts';
import { magicOf } from '../magic.ts';
import type { Effect } from '../magic.ts';
import { ACCOUNT_ID } from '../seed/merchant.ts';
import { num, text } from '../store.ts';
import type { World } from '../world.ts';
import { invalid, refusal, success } from './answer.ts';
import type { Answer } from './answer.ts';
import { bind, words } from './fields.ts';
import type { Shape, Values } from './fields.ts';
import { PAYMENT_TYPES } from './payment-types.ts';
import { walletRecord } from './records.ts';

/**
 * SendMoneyToBankAccount. Checks in this order (the order after the validation is assumed): duplicate, wallet, access,
 * currency, IBAN, one-minute rule, identity, fraud, balance, limit. Accepted money leaves what is available at once.
 */

const SAME_IBAN_MS = 60_000;
const LARGEST_AMOUNT = 99_999_999_999n; // the validator names 0..999 999 999
const DAY_MS = 86_400_000;
const LONGEST_TEXT = 250;

const SHAPE: Shape = {
  sender_wallet_number: { kind: 'string', required: true },
  ext_transaction_id: { kind: 'string', required: true },
  receiver_account_holder_name: { kind: 'string', required: true },
  receiver_iban: { kind: 'string', required: true },
  receiver_national_id_or_tax_no: { kind: 'string', required: true },
  amount: { kind: 'decimal', required: true },
  currency_code: { kind: 'string', required: true },
  description: { kind: 'string' },
  payment_type: { kind: 'string' },
  hash_key: { kind: 'string' },
};

type Order = { wallet: string; extId: string; holder: string; iban: string; nationalId: string; amount: bigint; currency: string; description: string; paymentType: string };

/** 6,00 up to 100 000, 12,00 above; 1,50 in foreign currency. */
export function feeOf(amount: bigint, currency: string): bigint {
  if (currency !== 'TRY') return 150n;
  return amount > 10_000_000n ? 1200n : 600n;
}

function readOrder(world: World, values: Values): Order | Answer {
  const amount = values.amount('amount');
  const order = {
    wallet: values.text('sender_wallet_number') ?? '', extId: values.text('ext_transaction_id') ?? '',
    holder: (values.text('receiver_account_holder_name') ?? '').trim(), iban: compactIban(values.text('receiver_iban') ?? ''),
    nationalId: (values.text('receiver_national_id_or_tax_no') ?? '').trim(), currency: values.text('currency_code') ?? '',
    description: values.text('description') ?? '', paymentType: values.text('payment_type') ?? '',
  };
  const wrong: string[] = [];
  if (amount !== null && amount !== undefined && (amount < 0n || amount > LARGEST_AMOUNT)) wrong.push("'Amount' must be between 0 and 999999999.");
  if (!['TRY', 'USD', 'EUR'].includes(order.currency)) wrong.push("'Currency Code' is not valid.");
  const longest = world.questions.ext_id_max_length;
  if (order.extId.length > longest) wrong.push(`'Ext Transaction Id' must be ${longest} characters or fewer.`);
  if (world.questions.ext_id_alphabet === 'letters_digits_dash' && !/^[A-Za-z0-9-]+$/.test(order.extId)) wrong.push("'Ext Transaction Id' is not in the correct format.");
  for (const [name, value] of [['receiver_account_holder_name', order.holder], ['description', order.description]] as const)
    if (value.length > LONGEST_TEXT) wrong.push(`'${words(name)}' must be ${LONGEST_TEXT} characters or fewer.`);
  if (order.paymentType !== '') {
    const type = PAYMENT_TYPES.find((one) => one.code === order.paymentType);
    if (!type) wrong.push("'Payment Type' is not valid.");
    else if ([...order.description.trim()].length < type.least) wrong.push(`'Description' must be at least ${type.least} characters.`);
  }
  if (wrong.length > 0) return invalid(wrong);
  if (amount === null || amount === undefined || amount < 1n) return refusal('315');
  return { ...order, amount };
}

/** An earlier use of the same ext id, as far as this provider notices it. */
function duplicate(world: World, extId: string, now: number): Answer | null {
  const { store, questions } = world;
  const since = questions.ext_id_reserved_days > 0 ? now - questions.ext_id_reserved_days * DAY_MS : 0;
  const known = questions.dedupe === 'atomic'
    ? store.get('SELECT bank_state FROM requests WHERE ext_id = ? AND accepted_at >= ? ORDER BY accepted_at LIMIT 1', extId, since)
    : store.get('SELECT bank_state FROM requests WHERE ext_id = ? AND accepted_at >= ? AND listed_from <= ? ORDER BY accepted_at LIMIT 1', extId, since, now);
  if (known) {
    const state = text(known.bank_state) as BankState;
    const code = state === 'cancelled' ? '4' : String(LEVELS[state]);
    return refusal(questions.duplicate_answer === 'record_state' ? code : '1');
  }
  if (store.get('SELECT 1 AS hit FROM burned WHERE ext_id = ? AND at >= ?', extId, since)) return refusal('1');
  return null;
}

/** First time this ext id meets this magic value? Remembers the meeting. */
export function firstMeeting(world: World, extId: string, what: string): boolean {
  return world.store.run('INSERT OR IGNORE INTO magic_seen (ext_id, what) VALUES (?, ?)', extId, what).changes > 0;
}

const ACCESS_CODE: Record<number, string> = { 2: '330', 3: '334', 4: '336' };

function check(world: World, order: Order, wallet: Wallet | null, magic: Effect, now: number): string | null {
  if (!wallet || wallet.currency !== order.currency) return '300';
  const access = ACCESS_CODE[wallet.access];
  if (access) return access;
  if (!isTurkishIban(order.iban)) return '306';
  if (magic.code && (!magic.once || firstMeeting(world, order.extId, magic.code))) return magic.code;
  const recent = world.store.get("SELECT 1 AS hit FROM requests WHERE iban = ? AND accepted_at > ? AND seeded = 0 LIMIT 1", order.iban, now - SAME_IBAN_MS);
  if (recent) return '326';
  if (!isNationalId(order.nationalId) && !isTaxNumber(order.nationalId)) return '503';
  if (wallet.available < order.amount + feeOf(order.amount, order.currency)) return '311';
  if (wallet.withdrawalLimit - wallet.monthWithdrawn < order.amount) return '310';
  return null;
}

export function sendMoneyToBankAccount(world: World, body: string): Answer {
  const bound = bind(body, SHAPE);
  if (!bound.ok) return bound.answer;
  const order = readOrder(world, bound.values);
  if ('status' in order) return order;
  const now = world.clock.now();
  const repeated = duplicate(world, order.extId, now);
  if (repeated) return repeated;
  const magic = world.questions.magic_values ? magicOf(order.amount, order.iban) : {};
  const wallet = walletOf(world, ACCOUNT_ID, order.wallet);
  const code = check(world, order, wallet, magic, now);
  if (code || !wallet) {
    if (world.questions.rejected_burns_ext_id) world.store.run('INSERT OR IGNORE INTO burned (ext_id, at) VALUES (?, ?)', order.extId, now);
    return refusal(code ?? '300');
  }
  return accept(world, order, wallet, magic, now);
}

function accept(world: World, order: Order, wallet: Wallet, magic: Effect, now: number): Answer {
  const { store, questions } = world;
  const movementId = newId();
  const requestId = newId();
  const fee = feeOf(order.amount, order.currency);
  const lag = questions.ledger_lag_min_ms + Math.floor(Math.random() * (questions.ledger_lag_max_ms - questions.ledger_lag_min_ms + 1));
  const step = firstStep(world, order.amount, order.iban, now);
  hold(world, wallet.number, order.amount, fee, now);
  store.run(
    `INSERT INTO movements (id, kind, type_id, state, status_id, from_wallet, to_wallet, amount, fee, currency, ext_id, request_id, ref_id,
       description, other_name, other_iban, created_at, completed_at, listed_at, hostile)
     VALUES (?, 'payout', 2002, 'pending', 10, ?, NULL, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, NULL, ?, ?)`,
    movementId, wallet.number, order.amount, fee, order.currency, order.extId, requestId, order.description, order.holder, order.iban,
    now, now + lag, magic.hostileReceipt ? 1 : 0);
  store.run(
    `INSERT INTO requests (id, movement_id, ext_id, wallet_number, iban, holder, national_id, amount, fee, currency, description,
       payment_type, level, bank_state, due_at, due_outcome, accepted_at, updated_at, visible_at, listed_from)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 'pending', ?, ?, ?, NULL, ?, ?)`,
    requestId, movementId, order.extId, wallet.number, order.iban, order.holder, order.nationalId, order.amount, fee, order.currency,
    order.description, order.paymentType, step.dueAt, step.outcome, now, questions.read_visibility === 'at_once' ? now : now + lag, now + lag);
  if (step.dueAt !== null) world.scheduler.poke(step.dueAt);
  if (magic.answerCode) return refusal(magic.answerCode);
  const after = walletOf(world, ACCOUNT_ID, wallet.number) ?? wallet;
  return success({
    transaction_id: movementId,
    ext_transaction_id: order.extId,
    transaction_amount: rawAmount(order.amount),
    transaction_fee_amount: rawAmount(fee),
    previous_amount: rawAmount(wallet.available),
    request_id: requestId,
    wallet_info: walletRecord(after),
    fast_request_status_code: num(0),
  });
}

import { LEVELS, firstStep } from '../bank/desk.ts';
import { ACTIVE, accessCode, accountOf } from '../accounts.ts';
import { hold, mayWithdraw, walletOf } from '../books.ts';
import type { Wallet } from '../books.ts';
import { rawAmount } from '../exact-json.ts';
import { compactIban, isNationalId, isTaxNumber, isTurkishIban } from '../iban.ts';
import { newId } from '../ids.ts';
import { magicOf } from '../magic.ts';
import type { Effect } from '../magic.ts';
import { ACCOUNT_ID } from '../seed/merchant.ts';
import { num } from '../store.ts';
import type { World } from '../world.ts';
import { refusal, success, systemError } from './answer.ts';
import type { Answer } from './answer.ts';
import { earlierUse, firstMeeting, refused } from './ext-ids.ts';
import { bind } from './fields.ts';
import type { Shape, Values } from './fields.ts';
import { MONEY_FIELDS, readOrder, tooLong } from './order.ts';
import type { Order } from './order.ts';
import { walletRecord } from './records.ts';

/**
 * SendMoneyToBankAccount. Order of the checks (assumed after the validation): duplicate, wallet,
 * access, currency, IBAN, one-minute rule, identity, fraud, balance, limit. An accepted payout is
 * taken from the available balance at once.
 */

const SAME_IBAN_MS = 60_000;

const SHAPE: Shape = {
  ...MONEY_FIELDS,
  receiver_account_holder_name: { kind: 'string', required: true },
  receiver_iban: { kind: 'string', required: true },
  receiver_national_id_or_tax_no: { kind: 'string', required: true },
  payment_type: { kind: 'string' },
};

type Payout = Order & { holder: string; iban: string; nationalId: string };

/**
 * The fee of a payout in minor units: 6.00 up to 100 000.00, 12.00 above; 1.50 in a foreign
 * currency.
 */
export function feeOf(amount: bigint, currency: string): bigint {
  if (currency !== 'TRY') return 150n;
  return amount > 10_000_000n ? 1200n : 600n;
}

function readPayout(world: World, values: Values): Payout | Answer {
  const holder = (values.text('receiver_account_holder_name') ?? '').trim();
  const order = readOrder(world, values, true, tooLong('Receiver Account Holder Name', holder));
  if ('status' in order) return order;
  return {
    ...order,
    holder,
    iban: compactIban(values.text('receiver_iban') ?? ''),
    nationalId: (values.text('receiver_national_id_or_tax_no') ?? '').trim(),
  };
}

/**
 * Returns the refusal code of a repeated ext id: always the same code, or, by the switch
 * `duplicate_answer`, one for the state of the earlier payout; null when the id is new.
 */
function duplicate(world: World, extId: string, now: number): string | null {
  const earlier = earlierUse(world, extId, now);
  if (!earlier) return null;
  const { duplicate_answer: answer } = world.questions;
  if (answer !== 'record_state' || earlier.bankState === null)
    return answer === 'code_301' ? '301' : '1';
  return earlier.bankState === 'cancelled' ? '4' : String(LEVELS[earlier.bankState]);
}

/**
 * Makes the message of NotVerified, which differs by what was not verified (contract: varying
 * messages; the texts are assumed).
 */
function notVerified(order: Payout): string {
  if (
    isTurkishIban(order.iban) &&
    (isNationalId(order.nationalId) || isTaxNumber(order.nationalId))
  )
    return `${order.holder} adı bu IBAN ile eşleşmiyor.`;
  return order.nationalId.length === 10
    ? 'Vergi kimlik numarası doğrulanamadı.'
    : 'T.C. kimlik numarası doğrulanamadı.';
}

function check(
  world: World,
  order: Payout,
  wallet: Wallet | null,
  magic: Effect,
  now: number,
): string | null {
  if (!wallet || wallet.currency !== order.currency) return '300';
  const access = accessCode(accountOf(world, ACCOUNT_ID)?.access ?? ACTIVE, wallet.access);
  if (access) return access;
  if (!isTurkishIban(order.iban)) return '306';
  if (magic.code && (!magic.once || firstMeeting(world, order.extId, magic.code)))
    return magic.code;
  const recent = world.store.get(
    'SELECT 1 AS hit FROM requests WHERE iban = ? AND accepted_at > ? AND seeded = 0 LIMIT 1',
    order.iban,
    now - SAME_IBAN_MS,
  );
  if (recent) return '326';
  if (!isNationalId(order.nationalId) && !isTaxNumber(order.nationalId)) return '503';
  if (wallet.available < order.amount + feeOf(order.amount, order.currency)) return '311';
  return mayWithdraw(wallet, order.amount) ? null : '310';
}

export function sendMoneyToBankAccount(world: World, body: string): Answer {
  const bound = bind(body, SHAPE);
  if (!bound.ok) return bound.answer;
  const order = readPayout(world, bound.values);
  if ('status' in order) return order;
  const now = world.clock.now();
  const repeated = duplicate(world, order.extId, now);
  if (repeated) return refusal(repeated);
  const magic = world.questions.magic_values ? magicOf(order.amount, order.iban) : {};
  const wallet = walletOf(world, ACCOUNT_ID, order.wallet);
  const code = check(world, order, wallet, magic, now);
  if (!code && wallet) return accept(world, order, wallet, magic, now);
  refused(world, order.extId, now);
  if (code === '503') return refusal(code, notVerified(order));
  return code === '500' ? systemError(world) : refusal(code ?? '300');
}

/** Returns how many milliseconds pass until the ledger lists a movement that is accepted now. */
export function ledgerLag(world: World, magic: Effect): number {
  const { ledger_lag_min_ms: least, ledger_lag_max_ms: most } = world.questions;
  return magic.ledgerLagMs ?? least + Math.floor(Math.random() * (most - least + 1));
}

function accept(world: World, order: Payout, wallet: Wallet, magic: Effect, now: number): Answer {
  const { store, questions } = world;
  const movementId = newId();
  const requestId = newId();
  const fee = feeOf(order.amount, order.currency);
  const lag = ledgerLag(world, magic);
  const step = firstStep(world, order.amount, order.iban, now);
  hold(world, wallet.number, order.amount, fee, now);
  store.run(
    `INSERT INTO movements (id, kind, type_id, state, status_id, from_wallet, to_wallet, amount,
      fee, currency, ext_id, request_id, ref_id,
       description, other_name, other_iban, created_at, completed_at, listed_at, hostile)
     VALUES (?, 'payout', 2002, 'pending', 10, ?, NULL, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, NULL, ?, ?)`,
    movementId,
    wallet.number,
    order.amount,
    fee,
    order.currency,
    order.extId,
    requestId,
    order.description,
    order.holder,
    order.iban,
    now,
    now + lag,
    magic.hostileReceipt ? 1 : 0,
  );
  store.run(
    `INSERT INTO requests (id, movement_id, ext_id, wallet_number, iban, holder, national_id,
      amount, fee, currency, description,
       payment_type, level, bank_state, due_at, due_outcome, accepted_at, updated_at, visible_at,
         listed_from)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 'pending', ?, ?, ?, NULL, ?, ?)`,
    requestId,
    movementId,
    order.extId,
    wallet.number,
    order.iban,
    order.holder,
    order.nationalId,
    order.amount,
    fee,
    order.currency,
    order.description,
    order.paymentType,
    step.dueAt,
    step.outcome,
    now,
    questions.read_visibility === 'at_once' ? now : now + lag,
    now + lag,
  );
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
    wallet_info: walletRecord(world, after),
    fast_request_status_code: num(0),
  });
}

import { ACCESS_WORDS, ACTIVE, CLOSED } from './accounts.ts';
import { topUpNotice } from './bank/notice.ts';
import { topUpWallet } from './books.ts';
import { decimalText, minorUnits, rawAmount } from './exact-json.ts';
import { makeIban } from './iban.ts';
import { newId } from './ids.ts';
import { TENANT_ID } from './seed/merchant.ts';
import { minor, num, text } from './store.ts';
import { json } from './wallet-api/answer.ts';
import type { Answer } from './wallet-api/answer.ts';
import type { World } from './world.ts';

/** What the operator can do to a wallet: block, ban or close it, and let money arrive. */

const bad = (error: string, status = 400): Answer => json(status, { error });

const LIMITS = ['withdrawal_limit', 'transfer_limit', 'topup_limit', 'daily_limit', 'max_balance'] as const;
const MOST_LIMIT = 1_000_000_000_000_00n;

/** A sentence when the level may not follow the current one: 1 <-> 2, 1 <-> 3, any -> 4. Only a reset reopens what is closed. */
function levelProblem(current: number, level: unknown): Answer | null {
  if (typeof level !== 'number' || !ACCESS_WORDS[level]) return bad('"access_level_status_id" must be 1 (active), 2 (blocked), 3 (banned) or 4 (closed)');
  const allowed = level === current || (current !== CLOSED && (level === CLOSED || current === ACTIVE || level === ACTIVE));
  return allowed ? null : bad(`it cannot go from ${current} to ${level}`, 409);
}

/** {access_level_status_id?, withdrawal_limit?, transfer_limit?, topup_limit?, daily_limit?, max_balance?}: of the month but the last two; a daily limit of 0 is none. */
export function changeWallet(world: World, number: string, fields: Record<string, unknown>): Answer {
  const row = world.store.get('SELECT * FROM wallets WHERE number = ?', number);
  if (!row) return bad(`no wallet "${number}"`, 404);
  const level = fields.access_level_status_id ?? num(row.access);
  const problem = levelProblem(num(row.access), level);
  if (problem) return problem;
  const limits = LIMITS.map((name) => [name, fields[name] === undefined ? minor(row[name]) : minorUnits(String(fields[name]))] as const);
  const wrong = limits.find(([, value]) => value === null || value < 0n || value > MOST_LIMIT);
  if (wrong) return bad(`"${wrong[0]}" must be a decimal from 0 such as "2500.00"`);
  world.store.run(`UPDATE wallets SET access = ?, updated_at = ?, ${LIMITS.map((name) => `${name} = ?`).join(', ')} WHERE number = ?`,
    level as number, world.clock.now(), ...limits.map(([, value]) => value), number);
  return json(200, { wallet_number: number, access_level_status_id: level, ...Object.fromEntries(limits.map(([name, value]) => [name, decimalText(value ?? 0n)])) });
}

/** {access_level_status_id} of an account: the merchant's own, or a receiver's. */
export function changeAccount(world: World, number: string, fields: Record<string, unknown>): Answer {
  const row = world.store.get('SELECT * FROM accounts WHERE number = ?', number);
  if (!row) return bad(`no account "${number}"`, 404);
  const problem = levelProblem(num(row.access), fields.access_level_status_id);
  if (problem) return problem;
  world.store.run('UPDATE accounts SET access = ? WHERE number = ?', fields.access_level_status_id as number, number);
  return json(200, { account_number: number, access_level_status_id: fields.access_level_status_id });
}

/** {amount, sender_name?, sender_iban?, description?}: money arrives by bank transfer, with its notification. */
export function topUp(world: World, number: string, fields: Record<string, unknown>): Answer {
  const amount = minorUnits(String(fields.amount ?? ''));
  if (amount === null || amount < 1n || amount > 100_000_000_000n) return bad('"amount" must be a decimal above 0 such as "2500.00"');
  const row = world.store.get('SELECT * FROM wallets WHERE number = ?', number);
  if (!row) {
    world.notices.queue({ event: 'failed top-up', extId: null, body: JSON.stringify({ tenant_id: TENANT_ID, result_message: 'Cüzdan bulunamadı.', result_code: '300', wallet_number: '', amount: rawAmount(amount), currency_code: 'TRY', description: String(fields.description ?? '') }) });
    return bad(`no wallet "${number}"; a failed top-up notification was sent`, 404);
  }
  const id = newId();
  const at = world.clock.now();
  const name = typeof fields.sender_name === 'string' ? fields.sender_name : 'Marmara Giyim Mağazacılık A.Ş.';
  const iban = typeof fields.sender_iban === 'string' ? fields.sender_iban : makeIban('00062', '00000009110042');
  topUpWallet(world, number, amount, at);
  world.store.run(
    `INSERT INTO movements (id, kind, type_id, state, status_id, from_wallet, to_wallet, amount, fee, currency, ext_id, request_id, ref_id,
       description, other_name, other_iban, created_at, completed_at, listed_at) VALUES (?, 'topup', 1004, 'posted', 20, NULL, ?, ?, 0, ?, NULL, NULL, NULL, ?, ?, ?, ?, ?, ?)`,
    id, number, amount, text(row.currency), typeof fields.description === 'string' ? fields.description : 'Sipariş ödemesi', name, iban, at, at, at);
  const movement = world.store.get('SELECT * FROM movements WHERE id = ?', id);
  if (movement) world.notices.queue({ event: 'top-up', extId: null, body: topUpNotice(movement, text(row.id), text(row.iban)) });
  return json(200, { id, wallet_number: number, amount: rawAmount(minor(movement?.amount)) });
}

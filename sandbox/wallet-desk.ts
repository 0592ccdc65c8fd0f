import { topUpNotice } from './bank/notice.ts';
import { credit } from './books.ts';
import { minorUnits, rawAmount } from './exact-json.ts';
import { makeIban } from './iban.ts';
import { newId } from './ids.ts';
import { TENANT_ID } from './seed/merchant.ts';
import { minor, num, text } from './store.ts';
import { json } from './wallet-api/answer.ts';
import type { Answer } from './wallet-api/answer.ts';
import { ACCESS_WORDS } from './wallet-api/records.ts';
import type { World } from './world.ts';

/** What the operator can do to a wallet: block, ban or close it, and let money arrive. */

const bad = (error: string, status = 400): Answer => json(status, { error });
const CLOSED = 4;

/** {access_level_status_id}: 1 active, 2 blocked, 3 banned, 4 closed for good. Only a reset reopens a closed wallet. */
export function changeWallet(world: World, number: string, fields: Record<string, unknown>): Answer {
  const row = world.store.get('SELECT * FROM wallets WHERE number = ?', number);
  if (!row) return bad(`no wallet "${number}"`, 404);
  const level = fields.access_level_status_id;
  if (typeof level !== 'number' || !ACCESS_WORDS[level]) return bad('"access_level_status_id" must be 1 (active), 2 (blocked), 3 (banned) or 4 (closed)');
  const current = num(row.access);
  const allowed = level === current || (current !== CLOSED && (level === CLOSED || current === 1 || level === 1));
  if (!allowed) return bad(`a wallet cannot go from ${current} to ${level}`, 409);
  world.store.run('UPDATE wallets SET access = ?, updated_at = ? WHERE number = ?', level, world.clock.now(), number);
  return json(200, { wallet_number: number, access_level_status_id: level });
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
  credit(world, number, amount, at);
  world.store.run(
    `INSERT INTO movements (id, kind, type_id, state, status_id, from_wallet, to_wallet, amount, fee, currency, ext_id, request_id, ref_id,
       description, other_name, other_iban, created_at, completed_at, listed_at) VALUES (?, 'topup', 1004, 'posted', 20, NULL, ?, ?, 0, ?, NULL, NULL, NULL, ?, ?, ?, ?, ?, ?)`,
    id, number, amount, text(row.currency), typeof fields.description === 'string' ? fields.description : 'Sipariş ödemesi', name, iban, at, at, at);
  const movement = world.store.get('SELECT * FROM movements WHERE id = ?', id);
  if (movement) world.notices.queue({ event: 'top-up', extId: null, body: topUpNotice(movement, text(row.id), text(row.iban)) });
  return json(200, { id, wallet_number: number, amount: rawAmount(minor(movement?.amount)) });
}

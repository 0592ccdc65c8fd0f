import { ACCESS_WORDS, ACTIVE, CLOSED } from './accounts.ts';
import { anyWallet, transfer } from './books.ts';
import { decimalText, minorUnits, rawAmount } from './exact-json.ts';
import { newId } from './ids.ts';
import { ACCOUNT_ID } from './seed/merchant.ts';
import { minor, num, text } from './store.ts';
import { json } from './wallet-api/answer.ts';
import type { Answer } from './wallet-api/answer.ts';
import type { World } from './world.ts';

/**
 * What the sandbox's operator can do to a wallet or an account: block, ban or close it, and set its
 * limits.
 */

const bad = (error: string, status = 400): Answer => json(status, { error });

const LIMITS = [
  'withdrawal_limit',
  'transfer_limit',
  'topup_limit',
  'daily_limit',
  'max_balance',
] as const;
const MOST_LIMIT = 1_000_000_000_000_00n;

/**
 * Returns a refusal when the access level may not follow the current one. Allowed: 1 <-> 2, 1 <->
 * 3, any -> 4; only a reset reopens what is closed.
 */
function levelProblem(current: number, level: unknown): Answer | null {
  if (typeof level !== 'number' || !ACCESS_WORDS[level])
    return bad(
      '"access_level_status_id" must be 1 (active), 2 (blocked), 3 (banned) or 4 (closed)',
    );
  const allowed =
    level === current ||
    (current !== CLOSED && (level === CLOSED || current === ACTIVE || level === ACTIVE));
  return allowed ? null : bad(`it cannot go from ${current} to ${level}`, 409);
}

/**
 * Changes a wallet. Body: {access_level_status_id?, withdrawal_limit?, transfer_limit?,
 * topup_limit?, daily_limit?, max_balance?}. The first three limits are per month; a daily limit of
 * 0 means no limit.
 */
export function changeWallet(
  world: World,
  number: string,
  fields: Record<string, unknown>,
): Answer {
  const row = world.store.get('SELECT * FROM wallets WHERE number = ?', number);
  if (!row) return bad(`no wallet "${number}"`, 404);
  const level = fields.access_level_status_id ?? num(row.access);
  const problem = levelProblem(num(row.access), level);
  if (problem) return problem;
  const limits = LIMITS.map(
    (name) =>
      [
        name,
        fields[name] === undefined ? minor(row[name]) : minorUnits(String(fields[name])),
      ] as const,
  );
  const wrong = limits.find(([, value]) => value === null || value < 0n || value > MOST_LIMIT);
  if (wrong) return bad(`"${wrong[0]}" must be a decimal from 0 such as "2500.00"`);
  world.store.run(
    `UPDATE wallets SET access = ?, updated_at = ?,
      ${LIMITS.map((name) => `${name} = ?`).join(', ')} WHERE number = ?`,
    level as number,
    world.clock.now(),
    ...limits.map(([, value]) => value),
    number,
  );
  return json(200, {
    wallet_number: number,
    access_level_status_id: level,
    ...Object.fromEntries(limits.map(([name, value]) => [name, decimalText(value ?? 0n)])),
  });
}

/**
 * Changes the access level of an account, the merchant's own or a receiver's. Body:
 * {access_level_status_id}.
 */
export function changeAccount(
  world: World,
  number: string,
  fields: Record<string, unknown>,
): Answer {
  const row = world.store.get('SELECT * FROM accounts WHERE number = ?', number);
  if (!row) return bad(`no account "${number}"`, 404);
  const problem = levelProblem(num(row.access), fields.access_level_status_id);
  if (problem) return problem;
  world.store.run(
    'UPDATE accounts SET access = ? WHERE number = ?',
    fields.access_level_status_id as number,
    number,
  );
  return json(200, {
    account_number: number,
    access_level_status_id: fields.access_level_status_id,
  });
}

/** Returns every wallet with its owner, the merchant's own wallets first. */
export function walletsView(world: World): object[] {
  return world.store
    .all(
      `SELECT w.*, a.number AS account_number, a.name AS owner, a.kind, a.access AS account_access
        FROM wallets w JOIN accounts a ON a.id = w.account_id
     ORDER BY w.account_id <> ?, a.kind, w.created_at, w.number`,
      ACCOUNT_ID,
    )
    .map((row) => ({
      wallet_number: text(row.number),
      name: text(row.name),
      owner: text(row.owner),
      own: row.account_id === ACCOUNT_ID,
      kind: text(row.kind),
      account_number: text(row.account_number),
      account_access: num(row.account_access),
      currency: text(row.currency),
      access_level_status_id: num(row.access),
      available: decimalText(minor(row.available)),
      blocked: decimalText(minor(row.blocked)),
      limits: Object.fromEntries(LIMITS.map((name) => [name, decimalText(minor(row[name]))])),
    }));
}

const OWN_TRANSFER = 3006;

/**
 * Moves money to another wallet, as another program of the merchant does. Body: {to, amount?}; with
 * no amount everything that is available.
 */
export function moveMoney(world: World, number: string, fields: Record<string, unknown>): Answer {
  const [from, to] = [anyWallet(world, number), anyWallet(world, String(fields.to ?? ''))];
  if (!from || !to || from.number === to.number || from.currency !== to.currency)
    return bad('"to" must be another wallet of this currency', 404);
  const amount = fields.amount === undefined ? from.available : minorUnits(String(fields.amount));
  if (amount === null || amount < 1n || amount > from.available)
    return bad('"amount" must be a decimal above 0, and available');
  const [id, at] = [newId(), world.clock.now()];
  transfer(world, from.number, to.number, amount, 0n, true, at);
  world.store.run(
    `INSERT INTO movements (id, kind, type_id, state, status_id, from_wallet, to_wallet, amount,
      fee, currency, ext_id, request_id, ref_id, description, other_name, created_at, completed_at,
      listed_at)
     VALUES (?, 'virement', ?, 'posted', 20, ?, ?, ?, 0, ?, NULL, NULL, NULL, '', ?, ?, ?, ?)`,
    id,
    OWN_TRANSFER,
    from.number,
    to.number,
    amount,
    from.currency,
    to.name,
    at,
    at,
    at,
  );
  return json(200, { id, amount: rawAmount(amount) });
}

import { iso } from './clock.ts';
import { decimalText } from './exact-json.ts';
import { minor, num, text } from './store.ts';
import type { Row } from './store.ts';
import type { World } from './world.ts';

/**
 * GET /sandbox/ledger: every movement of money, by which a test proves that no money moved twice.
 * One entry per payout, transfer, top-up and return, and one per movement of card money (sale,
 * capture, recurring, refund, chargeback, cashout and its reverse).
 */

/**
 * `live`: the money has left the wallet or is on its way. In any other state the wallet has the
 * money back.
 */
function stateOf(row: Row): string {
  if (row.kind !== 'payout') return 'live';
  const bank = text(row.bank_state);
  return bank === 'pending' || bank === 'manual' || bank === 'completed' ? 'live' : bank;
}

function walletLines(world: World, query: URLSearchParams): object[] {
  const conditions = ["m.kind <> 'opening'"];
  const values: string[] = [];
  for (const [name, column] of [
    ['ext_transaction_id', 'm.ext_id'],
    ['kind', 'm.kind'],
    ['iban', 'm.other_iban'],
  ] as const) {
    const value = query.get(name);
    if (value === null) continue;
    conditions.push(`${column} = ?`);
    values.push(value);
  }
  if (query.get('seeded') === '0') conditions.push('m.seeded = 0');
  return world.store
    .all(
      `SELECT m.*, r.bank_state AS bank_state, r.level AS level FROM movements m
        LEFT JOIN requests r ON r.movement_id = m.id
     WHERE ${conditions.join(' AND ')} ORDER BY m.created_at DESC, m.id DESC`,
      ...values,
    )
    .map((row) => ({
      id: text(row.id),
      kind: row.kind === 'return_unlisted' ? 'return' : text(row.kind),
      ext_transaction_id: row.ext_id,
      request_id: row.request_id,
      wallet_number: text(row.from_wallet) || text(row.to_wallet),
      to_wallet_number: row.to_wallet,
      iban: row.other_iban,
      name: row.other_name,
      amount: decimalText(minor(row.amount)),
      fee: decimalText(minor(row.fee)),
      currency: text(row.currency),
      state: stateOf(row),
      bank_state: row.bank_state ?? null,
      of: row.ref_id,
      seeded: row.seeded === 1,
      at: iso(num(row.created_at)),
      completed_at: row.completed_at === null ? null : iso(num(row.completed_at)),
    }));
}

function cardLines(world: World, query: URLSearchParams): object[] {
  const conditions = ['1 = 1'];
  const values: string[] = [];
  for (const name of ['invoice_id', 'order_id', 'kind', 'iban']) {
    const value = query.get(name);
    if (value === null) continue;
    conditions.push(`${name} = ?`);
    values.push(value);
  }
  if (query.get('seeded') === '0') conditions.push('seeded = 0');
  return world.store
    .all(
      `SELECT * FROM card_movements WHERE ${conditions.join(' AND ')} ORDER BY at DESC, id DESC`,
      ...values,
    )
    .map((row) => ({
      id: text(row.id),
      kind: text(row.kind),
      invoice_id: row.invoice_id,
      order_id: row.order_id,
      ref: row.ref,
      iban: row.iban,
      name: row.name,
      amount: decimalText(minor(row.amount)),
      fee: decimalText(minor(row.fee)),
      sign: num(row.sign),
      currency: text(row.currency),
      state: 'live',
      seeded: row.seeded === 1,
      at: iso(num(row.at)),
    }));
}

/**
 * Returns the entries of wallet money, then those of card money. A query by ext id has no card
 * money, a query by invoice or order has no wallet money.
 */
export function ledgerLines(world: World, query: URLSearchParams): object[] {
  const aboutCards = query.has('invoice_id') || query.has('order_id');
  return [
    ...(aboutCards ? [] : walletLines(world, query)),
    ...(query.has('ext_transaction_id') ? [] : cardLines(world, query)),
  ];
}

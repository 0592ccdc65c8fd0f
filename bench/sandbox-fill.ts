/**
 * Writes transactions by SQL into the database file of a stopped sandbox: copies of one completed
 * payout and of one card sale.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * The span of the generated transactions, up to now: the summary's default range covers all of
 * them.
 */
const SPREAD_MS = 60 * 3_600_000;
const WALLETS = ['4410270001', '4410270002', '4410270003'];

type Values = Record<string, string>;
/**
 * The columns that differ between the copies, as SQL with the number `n` of the copy and its time
 * `moment`. Amounts repeat, ids do not.
 */
const COPIES: [table: string, where: string, values: Values][] = [
  [
    'movements',
    "ext_id = $reference AND kind = 'payout'",
    {
      id: "'8' || printf('%018d', n)",
      ext_id: "'FILL-' || n",
      request_id: "'9' || printf('%018d', n)",
      from_wallet: 'wallet',
      amount: '1000 + n * 7919 % 99000',
      description: "'Fatura ' || n",
      seeded: '1',
      created_at: 'moment',
      completed_at: 'moment + 900',
      listed_at: 'moment + 900',
    },
  ],
  [
    'requests',
    'ext_id = $reference',
    {
      id: "'9' || printf('%018d', n)",
      movement_id: "'8' || printf('%018d', n)",
      ext_id: "'FILL-' || n",
      wallet_number: 'wallet',
      amount: '1000 + n * 7919 % 99000',
      iban: "'TR' || printf('%024d', n)",
      description: "'Fatura ' || n",
      seeded: '1',
      accepted_at: 'moment',
      updated_at: 'moment + 900',
      visible_at: 'moment',
      listed_from: 'moment + 900',
    },
  ],
  [
    'card_orders',
    'invoice_id = $reference',
    {
      order_id: "'SBF' || printf('%018d', n)",
      invoice_id: "'FILL-' || n",
      seeded: '1',
      created_at: 'moment',
      updated_at: 'moment',
    },
  ],
  [
    'card_movements',
    'invoice_id = $reference',
    {
      id: "'7' || printf('%018d', n)",
      order_id: "'SBF' || printf('%018d', n)",
      invoice_id: "'FILL-' || n",
      seeded: '1',
      at: 'moment',
    },
  ],
];

/**
 * Writes `count` copies into the sandbox in `dataDir`. `reference` is the ext id of the completed
 * payout and the invoice id of the card sale to copy. Opening balances are raised to match.
 */
export function fill(dataDir: string, reference: string, count: number): void {
  const db = new DatabaseSync(join(dataDir, 'sandbox', 'sandbox.db'));
  try {
    db.exec('BEGIN');
    for (const [table, where, values] of COPIES) {
      const columns = (db.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[]).map(
        ({ name }) => name,
      );
      const wallet =
        `CASE n % ${WALLETS.length} ` +
        `${WALLETS.map((number, at) => `WHEN ${at} THEN '${number}'`).join(' ')} END`;
      db.prepare(
        `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $count),
           copies AS (SELECT n, ${wallet} AS wallet,
             $now - CAST($spread * (1.0 - n * 1.0 / $count) AS INTEGER) AS moment FROM numbers)
         INSERT INTO ${table} (${columns.join(', ')})
           SELECT ${columns.map((name) => values[name] ?? `one.${name}`).join(', ')}
           FROM copies, (SELECT * FROM ${table} WHERE ${where}) one`,
      ).run({ reference, count, now: Date.now(), spread: SPREAD_MS });
    }
    // Raises each opening balance by the amount that the copies took out of the wallet.
    for (const wallet of WALLETS)
      db.prepare(
        `UPDATE movements
          SET amount = amount + (SELECT COALESCE(SUM(amount + fee), 0) FROM movements
          WHERE from_wallet = $wallet AND ext_id LIKE 'FILL-%') WHERE to_wallet = $wallet
          AND kind = 'opening'`,
      ).run({ wallet });
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}

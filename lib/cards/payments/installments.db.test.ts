import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { toDecimal } from '#lib/values/money.ts';
import { readCardQuery } from './filter.ts';
import type * as Installments from './installments.ts';
import type * as List from './list.ts';
import type * as Sales from './sales.ts';

/**
 * Sales by number of installments, and their commission: an unknown value is counted separately,
 * never as zero.
 */

const SOLD_PARTS = ['taken', 'partly_refunded', 'refunded', 'charged_back'];
let merchant: TestMerchant;
let web: Process;
let split: typeof Installments;
let list: typeof List;
let sales: typeof Sales;

type Payment = {
  state: string;
  amount: number;
  installments?: number;
  commission?: number;
  kind?: string;
  ordered?: number;
  currency?: string;
};
const PAYMENTS: Payment[] = [
  { state: 'completed', amount: 10_000, installments: 1, commission: 185 },
  { state: 'captured', amount: 20_000, installments: 1, commission: 0 },
  { state: 'refunded', amount: 30_000, installments: 1 },
  { state: 'partly_refunded', amount: 40_000, installments: 3, commission: 1_000 },
  // The record does not show the number of installments, but the payment was ordered here with six.
  { state: 'completed', amount: 5_000, kind: 'three_d', ordered: 6 },
  // A payment link has only an upper bound for the number of installments.
  { state: 'completed', amount: 7_000, kind: 'link', ordered: 12, commission: 70 },
  { state: 'charged_back', amount: 9_000 },
  { state: 'failed', amount: 99_999, installments: 1, commission: 999 },
  { state: 'held', amount: 99_999, installments: 1, commission: 0 },
  { state: 'completed', amount: 99_999, installments: 1, commission: 999, currency: 'USD' },
];

beforeAll(async () => {
  merchant = await testMerchant();
  for (const [n, one] of PAYMENTS.entries())
    await merchant.owner.query(
      `INSERT INTO card_payments (merchant_id, invoice_id, source, state, amount_minor, installments,
        commission_minor, kind, content, content_hash, currency, added_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        merchant.merchantId,
        `SPLIT-${n}`,
        one.kind ? 'made_here' : 'notice',
        one.state,
        one.amount,
        one.installments ?? null,
        one.commission ?? null,
        one.kind ?? null,
        one.ordered ? JSON.stringify({ installments: one.ordered }) : null,
        one.kind ? 'hash' : null,
        one.currency ?? 'TRY',
        one.kind ? merchant.person('clerk').personId : null,
      ],
    );
  web = await openProcess('dashboard_web');
  [split, list, sales] = [
    await import('./installments.ts'),
    await import('./list.ts'),
    await import('./sales.ts'),
  ];
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

const read = (params: Record<string, string>) =>
  split.viewInstallments(
    merchant.person('auditor'),
    readCardQuery(params).filter,
    new Date().toISOString(),
  );

it('counts each number of installments, with the commission of those of which it is known', async () => {
  expect(await read({})).toEqual([
    { installments: 1, count: 3, sold: 60_000n, commission: 185n, charged: 30_000n, unknown: 1 },
    { installments: 3, count: 1, sold: 40_000n, commission: 1_000n, charged: 40_000n, unknown: 0 },
    { installments: 6, count: 1, sold: 5_000n, commission: 0n, charged: 0n, unknown: 1 },
    { installments: null, count: 2, sold: 16_000n, commission: 70n, charged: 7_000n, unknown: 1 },
  ]);
});

const FILTERS: Record<string, string>[] = [
  {},
  { view: 'given_back', source: 'notice' },
  { part: 'taken' },
  { source: 'made_here' },
  { q: 'SPLIT-3' },
];
it.each(FILTERS)('adds up to the sales and to the totals of the list: %o', async (params) => {
  const rows = await read(params);
  const { part: _part, view: _view, ...others } = params;
  const { filter } = readCardQuery(others);
  const sum = rows.reduce((all, { sold }) => all + sold, 0n);
  const count = rows.reduce((all, row) => all + row.count, 0);
  const shown = await sales.viewSales(merchant.person('auditor'), filter, new Date().toISOString());
  expect(shown.sold).toEqual({ count, sum });
  const totals = (await list.sumCardPayments(merchant.person('auditor'), filter)).filter(
    ({ part, currency }) => SOLD_PARTS.includes(part) && currency === 'TRY',
  );
  expect(count).toBe(totals.reduce((all, total) => all + total.count, 0));
  expect(toDecimal(sum)).toBe(
    toDecimal(totals.reduce((all, total) => all + BigInt(total.sum!.replace('.', '')), 0n)),
  );
});

it('has nothing where nothing was sold', async () => {
  expect(await read({ q: 'SPLIT-7' })).toEqual([]);
});

it('finds its days by their index', async () => {
  await merchant.owner.query(
    `INSERT INTO card_payments (merchant_id, invoice_id, source, state, amount_minor, first_seen_at)
     SELECT $1, 'PLAN-' || n, 'notice', 'completed', n,
       timestamptz '2024-01-01' + n * interval '10 minutes' FROM generate_series(1, 20000) n`,
    [merchant.merchantId],
  );
  await merchant.owner.query('ANALYZE card_payments');
  const { filter } = readCardQuery({ from: '2024-02-01', to: '2024-02-07' });
  const plan = await web.db.inTransaction(
    merchant.merchantId,
    (tx) => tx.$queryRaw<{ 'QUERY PLAN': string }[]>`EXPLAIN SELECT p.installments, count(*)
      FROM card_payments p WHERE ${list.conditionsOf(filter)} AND p.currency = 'TRY' GROUP BY 1`,
  );
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toMatch(/card_payments_merchant_id_first_seen_at_id_idx/);
  expect(text).not.toMatch(/Seq Scan on card_payments/);
});

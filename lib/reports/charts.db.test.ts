import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { addDays, dayIn } from '#lib/values/dates.ts';
import { toDecimal } from '#lib/values/money.ts';
import type * as Flow from './transactions/by-day.ts';
import { readTransactionQuery } from './transactions/filter.ts';
import type * as Transactions from './transactions/list.ts';
import type * as Days from './withdrawals/by-day.ts';
import { readWithdrawalQuery } from './withdrawals/filter.ts';
import type * as Withdrawals from './withdrawals/list.ts';

/**
 * The charts of the reports on a real database: every number equals the sum of the list to which it
 * links.
 */

const NOW = '2026-03-08T12:00:00Z';
const [MAIN, SECOND] = ['4410270001', '4410270002'];
const ROWS = 600;
const LEVELS = ['completed', 'pending', 'rejected', 'failed', 'unknown'];

let merchant: TestMerchant;
let stranger: TestMerchant;
let web: Process;
let flow: typeof Flow;
let transactions: typeof Transactions;
let days: typeof Days;
let withdrawals: typeof Withdrawals;

beforeAll(async () => {
  [merchant, stranger] = [await testMerchant(), await testMerchant()];
  for (const number of [MAIN, SECOND])
    await merchant.owner.query(
      `INSERT INTO wallet_snapshots (merchant_id, number, record, fetched_at)
        VALUES ($1, $2, '{}', now())`,
      [merchant.merchantId, number],
    );
  // The entries are thirteen hours apart and reach back about eleven months from now, so that they
  // lie on both sides of many midnights.
  const at = `timestamptz '${NOW}' - n * interval '13 hours'`;
  for (const { merchantId } of [merchant, stranger]) {
    await merchant.owner.query(
      `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
        fee_minor, receiver_fee_minor, currency, from_wallet, to_wallet, created_at, raw)
       SELECT $1, 'chart-' || n, 2002, (ARRAY[20, 20, 60, 10, 40])[n % 5 + 1],
        (ARRAY['in', 'out'])[n % 2 + 1], n * 37 % 1000 + 1, n % 3, n % 2,
        (ARRAY['TRY', 'TRY', 'TRY', 'USD'])[n % 4 + 1],
        CASE WHEN n % 2 = 1 THEN $2 END, CASE WHEN n % 2 = 0 THEN $2 WHEN n % 7 = 0 THEN $3 END,
        ${at}, '{}' FROM generate_series(0, ${ROWS - 1}) n`,
      [merchantId, MAIN, SECOND],
    );
    await merchant.owner.query(
      `INSERT INTO withdraw_records (merchant_id, request_id, wallet, level, amount_minor, currency,
        created_at, raw)
       SELECT $1, 'chart-' || n, $2, ($3::text[])[n % 5 + 1], n * 37 % 1000 + 1,
        (ARRAY['TRY', 'TRY', 'TRY', 'USD'])[n % 4 + 1], ${at}, '{}'
        FROM generate_series(0, ${ROWS - 1}) n`,
      [merchantId, MAIN, LEVELS],
    );
  }
  await merchant.owner.query('ANALYZE ledger_records, withdraw_records');
  web = await openProcess('dashboard_web');
  [flow, transactions, days, withdrawals] = [
    await import('./transactions/by-day.ts'),
    await import('./transactions/list.ts'),
    await import('./withdrawals/by-day.ts'),
    await import('./withdrawals/list.ts'),
  ];
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close(), stranger.close()]);
});

const MONTH = { from: '2026-02-07', to: '2026-03-08' };
const YEAR = { from: '2025-03-09', to: '2026-03-08' };
const asText = ({ count, ...sums }: Flow.FlowSums): Record<string, unknown> => ({
  count,
  ...Object.fromEntries(Object.entries(sums).map(([name, minor]) => [name, toDecimal(minor)])),
});

describe('the chart of transactions', () => {
  const filterOf = (params: Record<string, string>) =>
    readTransactionQuery(params, NOW, 'tr').filter;
  const read = (params: Record<string, string>, missing: string[] = []) =>
    flow.flowByDay(merchant.person('auditor'), filterOf(params), missing, NOW);

  it.each([
    MONTH,
    YEAR,
    { ...YEAR, direction: 'in' },
    { ...YEAR, wallet: SECOND! },
    { ...MONTH, status: 'completed', min: '3,00' },
    { ...YEAR, status: 'pending' },
    { from: '2026-03-06', to: '2026-03-06' },
  ])('adds up to the totals of the list: %o', async (params: Record<string, string>) => {
    const totals = await transactions.sumTransactions(merchant.person('auditor'), filterOf(params));
    const flows = await read(params);
    expect(flows.length).toBeGreaterThan(0);
    expect(flows.map(({ currency, sum }) => ({ currency, ...asText(sum) }))).toEqual(totals);
    for (const { steps, sum } of flows)
      for (const name of ['count', 'in', 'out', 'own', 'fees'] as const)
        expect(steps.reduce((all, step) => all + BigInt(step[name]), 0n)).toBe(BigInt(sum[name]));
  });

  it.each([MONTH, YEAR])('has in each step what its own list has: %o', async (params) => {
    const [lira] = await read(params);
    for (const { from, to, isRead: _isRead, ...sums } of lira!.steps.slice(-12)) {
      const totals = await transactions.sumTransactions(
        merchant.person('auditor'),
        filterOf({ from, to }),
      );
      const own = totals.find(({ currency }) => currency === 'TRY');
      expect([from, asText(sums)]).toEqual([
        from,
        own === undefined
          ? { count: 0, in: '0.00', out: '0.00', own: '0.00', fees: '0.00' }
          : { count: own.count, in: own.in, out: own.out, own: own.own, fees: own.fees },
      ]);
    }
  });

  it('knows days that are not read, ends today, and has nothing for an empty list', async () => {
    const [lira] = await read({ from: '2026-03-01', to: '2026-03-20' }, ['2026-03-02']);
    expect(lira!.steps.map(({ isRead }) => isRead)).toEqual([
      true,
      false,
      ...Array.from({ length: 6 }, () => true),
    ]);
    expect(lira!.steps.at(-1)!.to).toBe(dayIn(NOW));
    expect(await read({ ...MONTH, q: 'nobody has this' })).toEqual([]);
  });
});

describe('the chart of withdraw requests', () => {
  const filterOf = (params: Record<string, string>) =>
    readWithdrawalQuery(params, NOW, 'tr').filter;
  const read = (params: Record<string, string>) =>
    days.withdrawalsByDay(merchant.person('support'), filterOf(params), [], NOW);
  const totalsOf = async (params: Record<string, string>): Promise<string[]> =>
    (await withdrawals.sumWithdrawals(merchant.person('support'), filterOf(params)))
      .map(({ currency, level, count, sum }) => [currency, level, count, sum].join(' '))
      .toSorted();
  const told = (currency: string, results: readonly Days.ResultSum[]): string[] =>
    results
      .filter(({ count }) => count > 0)
      .map(({ level, count, sum }) => [currency, level, count, toDecimal(sum)].join(' '));

  it.each([
    MONTH,
    YEAR,
    { ...YEAR, level: 'rejected' },
    { ...MONTH, completed: 'no', max: '5,00' },
  ])('adds up to the totals of the list, in all and in each step: %o', async (params) => {
    const found = await read(params);
    expect(found.flatMap(({ currency, results }) => told(currency, results)).toSorted()).toEqual(
      await totalsOf(params),
    );
    const { steps } = found[0]!;
    for (const n of [0, 5, steps.length - 1]) {
      const { from, to } = steps[n]!;
      expect(
        found.flatMap(({ currency, steps: own }) => told(currency, own[n]!.results)).toSorted(),
      ).toEqual(await totalsOf({ ...params, from, to }));
    }
  });

  it('has nothing for an empty list', async () => {
    expect(await read({ ...MONTH, q: 'nobody has this' })).toEqual([]);
  });
});

it('a chart reads the days of its filter by their index', async () => {
  await merchant.owner.query(
    `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
      fee_minor, currency, created_at, raw)
     SELECT $1, 'plan-' || n, 2002, 20, 'out', n, 0, 'TRY',
       timestamptz '2024-01-01' + n * interval '10 minutes', '{}' FROM generate_series(1, 30000) n`,
    [merchant.merchantId],
  );
  await merchant.owner.query(
    `INSERT INTO withdraw_records (merchant_id, request_id, level, amount_minor, currency,
      created_at, raw)
     SELECT $1, 'plan-' || n, 'completed', n, 'TRY',
       timestamptz '2024-01-01' + n * interval '10 minutes', '{}' FROM generate_series(1, 30000) n`,
    [merchant.merchantId],
  );
  await merchant.owner.query('ANALYZE ledger_records, withdraw_records');
  const { countedEntries, SUMS } = await import('./transactions/query.ts');
  const { withdrawalConditions } = await import('./withdrawals/list.ts');
  const range = { from: '2024-02-01', to: addDays('2024-02-01', 6) };
  const actor = { role: 'clerk' as const };
  const plans = await web.db.inTransaction(merchant.merchantId, async (tx) => [
    await tx.$queryRaw<{ 'QUERY PLAN': string }[]>`EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF)
      SELECT (created_at AT TIME ZONE 'Europe/Istanbul')::date::text AS day, currency, ${SUMS}
      FROM (${countedEntries(actor, readTransactionQuery(range, NOW, 'tr').filter)}) r
      GROUP BY 1, 2`,
    await tx.$queryRaw<{ 'QUERY PLAN': string }[]>`EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF)
      SELECT (w.created_at AT TIME ZONE 'Europe/Istanbul')::date, w.level, sum(w.amount_minor)
      FROM withdraw_records w
      WHERE ${withdrawalConditions(actor, readWithdrawalQuery(range, NOW, 'tr').filter)}
      GROUP BY 1, 2`,
  ]);
  for (const plan of plans) {
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(/(ledger|withdraw)_records_merchant_id_\w*created_at_\w*idx/);
    expect(text).toMatch(/Index Cond: .*created_at/);
    expect(text).not.toMatch(/Seq Scan on (ledger|withdraw)_records/);
  }
});

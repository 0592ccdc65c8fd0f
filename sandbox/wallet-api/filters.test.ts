import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractData } from '../coverage.ts';
import { freshIban, MAIN_WALLET, PLAIN_IBAN, Sandbox } from '../testing/sandbox.ts';

/**
 * Tests that every filter of the three lists narrows the rows, and that every column orders them.
 */

let box: Sandbox;
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const WIDE = { start_date: daysAgo(200), end_date: daysAgo(-1) };
const PAGE = { order_column: 'CreatedDateUtc', order_by: 'desc', page_size: 1000, page_index: 0 };
type Row = Record<string, unknown>;
type Page = { results: Row[]; row_count: number };

beforeAll(async () => {
  box = await new Sandbox().start();
  const send = (operation: string, fields: Row): Promise<unknown> =>
    box.call(`Transaction/${operation}`, {
      sender_wallet_number: MAIN_WALLET,
      ext_transaction_id: operation,
      amount: 7,
      currency_code: 'TRY',
      ...fields,
    });
  await send('BusinessToPersonalTransfer', {
    receiver_wallet_number: '5510100001',
    description: 'Avans ödemesi',
  });
  await send('BusinessToBusinessTransfer', {
    receiver_wallet_number: '4488810801',
    description: 'Ortak gider',
  });
  await box.pay('f-return', { amount: 20.44, receiver_iban: PLAIN_IBAN });
  // The seeded weeks may have no such payout: their content depends on the day of seeding.
  await box.pay('f-rejected', { amount: 20.41, receiver_iban: freshIban() });
  await box.pay('f-failed', { amount: 20.42, receiver_iban: freshIban() });
  await box.call('Wallet/CreateWalletForBusinessAccount', { name: 'Yeni Kasa' });
  await box.post('questions', { refund_shows: 'both' });
  await box.post('clock', { advance: '30s' });
});
afterAll(() => box.stop());

const list = async (operation: string, fields: Row): Promise<Page> =>
  (await box.call(operation, { ...PAGE, ...fields })).json.payload as Page;

/**
 * A filter's value and the condition that every listed row must meet: 'none' when no row can match,
 * 'all' when the field has no effect on the rows.
 */
type Case = {
  operation: string;
  field: string;
  value: unknown;
  rows: 'none' | 'all' | ((row: Row) => boolean);
};
const cases = (
  operation: string,
  table: Record<string, readonly [unknown, Case['rows']][]>,
): Case[] =>
  Object.entries(table).flatMap(([field, all]) =>
    all.map(([value, rows]) => ({ operation, field, value, rows })),
  );
const is =
  (name: string, value: unknown) =>
  (row: Row): boolean =>
    row[name] === value;
const after =
  (at: string) =>
  (row: Row): boolean =>
    String(row.created_date_utc) >= at;
const before =
  (at: string) =>
  (row: Row): boolean =>
    String(row.created_date_utc) <= at;
const balance = (row: Row): number => Number(row.total_balance);
const [WEEK, MONTH] = [daysAgo(7), daysAgo(30)];
const ACCOUNT = '6318204417735520001';

const WALLETS = cases('Wallet/ListByFilter', {
  start_date: [[daysAgo(1), is('name', 'Yeni Kasa')]],
  end_date: [[daysAgo(1), (row) => row.name !== 'Yeni Kasa']],
  account_type_id: [
    [1, 'none'],
    [2, 'all'],
  ],
  currency_code: [['USD', is('currency_code', 'USD')]],
  kyc_level_code: [
    ['20', 'none'],
    ['40', 'all'],
    ['Contracted', 'all'],
  ],
  access_level_status_ids: [
    [[2], is('access_level_status_id', 2)],
    [[3, 4], 'none'],
  ],
  name: [['Maaş', is('name', 'Maaş Ödemeleri')]],
  wallet_number: [['4410270005', is('number', '4410270005')]],
  account_id: [
    ['1', 'none'],
    [ACCOUNT, 'all'],
  ],
  account_number: [
    ['1', 'none'],
    ['4410027815', 'all'],
  ],
  first_name: [['Elif', 'none']],
  last_name: [['Şahin', 'none']],
  national_id: [['10000000146', 'none']],
  tax_number: [['1234567890', 'none']],
  min: [[100_000, (row) => balance(row) >= 100_000]],
  max: [[100_000, (row) => balance(row) <= 100_000]],
  is_deleted: [
    [true, 'none'],
    [false, 'all'],
  ],
  tenant_id: [
    [1, 'none'],
    [1042, 'all'],
  ],
});

const REQUESTS = cases('TransactionData/GetRequestWithdrawListByFilter', {
  process_level_status_id: [
    [2, is('process_level_status', 2)],
    [3, is('process_level_status', 3)],
  ],
  currency_code: [['USD', is('currency', 'USD')]],
  account_number: [
    ['1', 'none'],
    ['4410027815', 'all'],
  ],
  wallet_number: [
    ['4410270002', is('wallet_number', '4410270002')],
    ['4488810001', 'none'],
  ],
  ext_transaction_id: [['f-return', is('ext_transaction_id', 'f-return')]],
  begin_amount: [[50_000.5, (row) => Number(row.base_amount) >= 50_000.5]],
  end_amount: [[500, (row) => Number(row.base_amount) <= 500]],
  start_date: [[MONTH, after(MONTH)]],
  end_date: [[MONTH, before(MONTH)]],
  iban: [['tr80 9999 9000 0000 0000 0000 01', is('iban', PLAIN_IBAN)]],
  account_type_id: [
    [1, 'none'],
    [2, 'all'],
  ],
  is_completed: [
    [true, is('process_level_status', 1)],
    [false, (row) => row.process_level_status !== 1],
  ],
});

const LINES = cases('TransactionData/SummaryRecordByFilter', {
  start_date: [[WEEK, after(WEEK)]],
  end_date: [[MONTH, before(MONTH)]],
  transaction_type_code_list: [
    [[3003, 3004], (row) => [3003, 3004].includes(Number(row.transaction_type_id))],
  ],
  ext_transaction_id: [['f-return', is('ext_transaction_id', 'f-return')]],
  wallet_number: [
    [
      '4410270003',
      (row) => row.from_wallet_number === '4410270003' || row.to_wallet_number === '4410270003',
    ],
  ],
  from_wallet_number: [['4410270003', is('from_wallet_number', '4410270003')]],
  to_wallet_number: [['4410270003', is('to_wallet_number', '4410270003')]],
  id: [[5, 'none']],
  transaction_type_code: [[3004, is('transaction_type_id', 3004)]],
  process_level_status_id: [
    [60, is('transaction_status_id', 60)],
    [10, 'none'],
  ],
  wallet_id: [['6318204417735570003', is('wallet_id', '6318204417735570003')]],
  to_wallet_id: [['6318204417735570003', is('to_wallet_id', '6318204417735570003')]],
  from_account_number: [['4410027815', is('from_account_number', '4410027815')]],
  to_account_number: [['5510000001', is('to_account_number', '5510000001')]],
  from_account_type_id: [
    [2, is('from_account_type_id', 2)],
    [1, 'none'],
    [9, 'none'],
  ],
  to_account_type_id: [[1, is('to_account_type_id', 1)]],
  from_account_id: [[ACCOUNT, is('from_account_id', ACCOUNT)]],
  to_account_id: [['6318204417735520801', is('to_account_id', '6318204417735520801')]],
  from_description: [['Avans', is('from_description', 'Avans ödemesi')]],
  to_description: [['Ortak', is('to_description', 'Ortak gider')]],
  min_amount: [[90_000, (row) => Number(row.tx_base_amount) >= 90_000]],
  max_amount: [[7.01, (row) => Number(row.tx_base_amount) <= 7.01]],
  currency_code: [['EUR', is('currency_code', 'EUR')]],
  media_identifier: [['x', 'none']],
  is_media_identifier_used: [
    [true, 'none'],
    [false, 'all'],
  ],
  provider_id: [['x', 'none']],
  channel_type: [
    ['Mobile', 'none'],
    ['BusinessApi', 'all'],
  ],
  tenant_id: [
    [1, 'none'],
    [1042, 'all'],
  ],
  transaction_group: [['x', 'all']],
  transaction_direction: [[1, 'all']],
  is_local: [[true, 'all']],
});

const ALL = [...WALLETS, ...REQUESTS, ...LINES];

describe('the lists', () => {
  it.each(ALL)(
    '$operation with $field $value [Wallet/ListByFilter, GetRequestWithdrawListByFilter: optional] [SummaryRecordByFilter: start_date, end_date, transaction_type_code_list, ext_transaction_id, wallet_number, from_wallet_number, to_wallet_number, id, transaction_type_code, process_level_status_id, wallet_id, to_wallet_id, from_account_number, to_account_number, from_account_type_id, to_account_type_id, from_account_id, to_account_id, from_description, to_description, min_amount, max_amount, currency_code, media_identifier, is_media_identifier_used, provider_id, channel_type, transaction_group, transaction_direction, is_local, tenant_id]',
    async ({ operation, field, value, rows }) => {
      const wide = operation.startsWith('Wallet') ? {} : WIDE;
      const everything = (await list(operation, wide)).row_count;
      const found = await list(operation, { ...wide, [field]: value });
      if (rows === 'all') return expect(found.row_count).toBe(everything);
      if (rows === 'none') return expect(found).toMatchObject({ row_count: 0, results: [] });
      expect(found.row_count).toBeGreaterThan(0);
      expect(found.row_count).toBeLessThan(everything);
      expect(found.results.every(rows)).toBe(true);
      expect(found.results.length).toBe(Math.min(found.row_count, 1000));
    },
  );

  it('have a case for every filter of the data file', () => {
    const paging = ['order_column', 'order_by', 'page_size', 'page_index'];
    const named = contractData()
      .filter((one) => one.area === 'wallet')
      .flatMap((one) => one.operations)
      .filter((one) => /^POST .*ByFilter$/.test(one.path ?? ''))
      .flatMap((one) =>
        Object.keys(one.fields ?? {})
          .filter((field) => !paging.includes(field))
          .map((field) => `${one.path?.split('/v1/')[1]} ${field}`),
      );
    expect([...new Set(ALL.map((one) => `${one.operation} ${one.field}`))].sort()).toEqual(
      named.sort(),
    );
  });

  it.each([
    [
      'Wallet/ListByFilter',
      [
        'CreatedDateUtc:created_date_utc',
        'Name:name',
        'Number:number',
        'TotalBalance:total_balance',
        'Id:id',
      ],
    ],
    [
      'TransactionData/GetRequestWithdrawListByFilter',
      [
        'CreatedDateUtc:created_date_utc',
        'BaseAmount:base_amount',
        'Id:id',
        'ProcessLevelStatus:process_level_status',
      ],
    ],
    [
      'TransactionData/SummaryRecordByFilter',
      [
        'CreatedDateUtc:created_date_utc',
        'TxBaseAmount:tx_base_amount',
        'Id:id',
        'CompletedDateUtc:completed_date_utc',
      ],
    ],
  ] as const)(
    '%s is ordered by the column asked for, both ways, in pages of the size asked for [Wallet/ListByFilter, GetRequestWithdrawListByFilter, SummaryRecordByFilter: order_column, order_by, page_size, page_index, paging]',
    async (operation, columns) => {
      const wide = operation.startsWith('Wallet') ? {} : WIDE;
      for (const [column = '', field = ''] of columns.map((one) => one.split(':'))) {
        const up = (
          await list(operation, { ...wide, order_column: column, order_by: 'asc' })
        ).results.map((row) => row[field]);
        const down = (
          await list(operation, { ...wide, order_column: column, order_by: 'desc' })
        ).results.map((row) => row[field]);
        const least = (a: unknown, b: unknown): number =>
          (a as string) < (b as string) ? -1 : (a as string) > (b as string) ? 1 : 0;
        expect(new Set(up).size).toBeGreaterThan(1);
        // The database orders Turkish letters differently from this test's comparison: for names
        // only the two directions are compared.
        if (field !== 'name') expect(up).toEqual([...up].sort(least));
        expect(down).toEqual([...up].reverse());
      }
      const two = (index: number): Promise<Page> =>
        list(operation, { ...wide, page_size: 2, page_index: index });
      const [first, second] = [await two(0), await two(1)];
      expect(first).toMatchObject({
        page_index: 0,
        page_size: 2,
        last_row_index: 2,
        page_count: Math.ceil(first.row_count / 2),
        order_column: 'CreatedDateUtc',
        order_by: 'desc',
      });
      expect(second).toMatchObject({ page_index: 1, last_row_index: 4 });
      expect(new Set([...first.results, ...second.results].map((row) => row.id)).size).toBe(4);
      for (const wrong of [
        { order_column: 'Nope' },
        { order_by: 'up' },
        { page_size: 0 },
        { page_index: -1 },
      ])
        expect((await box.call(operation, { ...PAGE, ...wrong })).json).toMatchObject({
          status: 1,
          code: '999',
        });
    },
  );
});

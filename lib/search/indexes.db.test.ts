import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Find from './find.ts';
import { understand } from '#lib/readings/understand.ts';

/** A merchant with many rows, for whom no search may read a whole table. */

const ROWS = 20_000;
const TABLES = ['movements', 'ledger_records', 'withdraw_records', 'notices', 'card_payments'];
/**
 * Searches of tables whose size depends on other tests: for these the test only checks that the
 * index can be used.
 */
const SMALL = ['search_recipients', 'search_plans', 'search_card_customers'];
/**
 * The most blocks of 8 KiB that a search in tables of this size may read: a count that no other
 * load on the machine changes. Reading all the tables once takes several times as many.
 */
const BLOCKS_MAX = 1_000;

let merchant: TestMerchant;
let web: Process;
let find: typeof Find;

beforeAll(async () => {
  merchant = await testMerchant();
  const of = [merchant.merchantId, ROWS];
  await merchant.owner.query(
    `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
      amount_minor, currency, payment_type, description, content_hash, maker_id, created_at)
     SELECT gen_random_uuid(), $1, 'payout', upper(left(md5(n::text), 20)), 'DRAFT', '4410270001',
       'TR' || lpad(n::text, 24, '0'), 'Ad ' || md5(n::text) || ' Ltd. Şti.',
       lpad(n::text, 10, '0'), n * 100, 'TRY', '06', '', 'h', $3, now() - n * interval '1 minute'
     FROM generate_series(1, $2) n`,
    [...of, merchant.person('clerk').personId],
  );
  await merchant.owner.query(
    `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
      fee_minor, currency, from_wallet, to_wallet, ext_id, sender_name, sender_iban, created_at, raw)
     SELECT $1, (7000000000000000000 + n)::text, 1004, 20, 'in', n * 100, 0, 'TRY',
       (4410270000 + n % 10)::text, (4410280000 + n % 10)::text, 'E-' || n, 'Ad ' || md5(n::text),
       'TR' || lpad(n::text, 24, '0'), now() - n * interval '1 minute', '{}'
     FROM generate_series(1, $2) n`,
    of,
  );
  await merchant.owner.query(
    `INSERT INTO withdraw_records (merchant_id, request_id, ext_id, level, amount_minor, currency,
      iban, name, tax_number, created_at, raw)
     SELECT $1, (7000000000000000000 + n)::text, 'E-' || n, 'completed', n * 100, 'TRY',
       'TR' || lpad(n::text, 24, '0'), 'Ad ' || md5(n::text), lpad(n::text, 10, '0'),
       now() - n * interval '1 minute', '{}'
     FROM generate_series(1, $2) n`,
    of,
  );
  await merchant.owner.query(
    `INSERT INTO notices (merchant_id, channel, body_hash, body, ext_id)
      SELECT $1, 'wallet', md5(n::text)::bytea, '{}', 'E-' || n FROM generate_series(1, $2) n`,
    of,
  );
  await merchant.owner.query(
    `INSERT INTO card_payments (merchant_id, invoice_id, source, state, amount_minor, card,
      first_seen_at)
     SELECT $1, 'LDS-K-' || n, 'notice', 'held', n * 100, lpad((n % 10000)::text, 4, '0'),
       now() - n * interval '1 minute' FROM generate_series(1, $2) n`,
    of,
  );
  await merchant.owner.query(`ANALYZE ${TABLES.join(', ')}`);
  web = await openProcess('dashboard_web');
  find = await import('./find.ts');
}, 120_000);
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
};

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)];
}

const TEXTS = [
  'Işık',
  'ad c4ca',
  'TR00 0000 0000 0000 0000 0123 45',
  'TR00 0000',
  '2345',
  '7000000000000012345',
  'C4CA4238A0B923820DCC',
  'E-12345',
  'LDS-K-12345',
  '12.345,00',
  '12.345',
  '4410270003',
  '0000012345',
  '1234567890',
  '0b7d8f6e-1c2d-4e3f-9a8b-7c6d5e4f3a2b',
];

test.each(TEXTS)('%s is looked up by indexes alone, from few blocks', async (text) => {
  const understood = understand(text);
  if (understood.kind !== 'readings') throw new Error('not searched');
  const statement = find.hereStatement(merchant.person('clerk'), understood.readings);
  const { sql, inOne } = web.db;
  const [explained] = await inOne<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    merchant.merchantId,
    sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
  );
  const [{ Plan: plan }] = explained!['QUERY PLAN'] as [{ Plan: Plan }];
  expect(
    nodes(plan)
      .filter(
        (node) => node['Node Type'] === 'Seq Scan' && TABLES.includes(node['Relation Name'] ?? ''),
      )
      .map((node) => node['Relation Name']),
  ).toEqual([]);
  expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(BLOCKS_MAX);
});

test.each([
  'search_movements',
  'search_ledger',
  'search_withdrawals',
  'search_recipients',
  'search_card_payments',
  'search_plans',
  'search_card_customers',
])('%s looks only where its index points', async (name) => {
  const { rows } = await merchant.owner.query<{ body: string }>(
    'SELECT prosrc AS body FROM pg_proc WHERE proname = $1',
    [name],
  );
  const body = rows[0]!.body
    .replace(/@@ wanted/, `@@ '''c4ca'':*'::tsquery`)
    .replace(/\bmost\b/, '50')
    .replace(/nullif\(current_setting\([^)]*\), ''\)/, `'${merchant.merchantId}'`);
  const client = await merchant.owner.connect();
  try {
    if (SMALL.includes(name))
      await client.query('SET enable_seqscan = off; SET enable_indexscan = off');
    const explained = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (FORMAT JSON) ${body}`,
    );
    expect(
      nodes(explained.rows[0]!['QUERY PLAN'][0].Plan).map((node) => node['Node Type']),
    ).toContain('Bitmap Index Scan');
  } finally {
    await client.query('RESET enable_seqscan; RESET enable_indexscan');
    client.release();
  }
});

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { migrate } from '#prisma/migrate.ts';
import { NOTHING_NEEDED } from '#lib/policy/rules.ts';
import { NO_FILTER } from './filter.ts';
import type { PayoutFilter } from './filter.ts';
import type * as Totals from '#lib/movements/keep-totals.ts';
import type * as View from '#lib/movement-views/view.ts';
import { NOTIFICATION_KINDS } from '#lib/notifications/kinds.ts';
import type * as Sources from '#lib/notifications/sources.ts';
import type * as List from './list.ts';

/**
 * The list of payouts of a merchant with ten thousand, and with a hundred thousand: it reads as
 * many blocks of the database for its rows and totals, and so do the page of a payout and the
 * worker, which looks for new notifications every few seconds. Blocks, not times, because other load
 * on the machine does not change them.
 */

const SIZES = { few: 10_000, many: 100_000 };
/** The same days for both, so that the many are ten times as many a day. */
const DAYS = 400;
const GROWTH_MAX = 1.5;
/** Blocks beside those of the rows: catalogues, and one more level of an index. */
const BLOCKS_OWN = 120;
const SERVER = process.env.TEST_DATABASE_URL!;

type Size = keyof typeof SIZES;
type Product = {
  merchant: TestMerchant;
  web: Process;
  list: typeof List;
  view: typeof View;
  sources: typeof Sources.SOURCES;
  totals: typeof Totals;
};
const products = {} as Record<Size, Product>;
const databases: string[] = [];

beforeAll(async () => {
  for (const size of ['few', 'many'] as const) products[size] = await open(SIZES[size]);
}, 240_000);
afterAll(async () => {
  for (const { merchant, web } of Object.values(products)) {
    await web.db.disconnect();
    await merchant.close();
  }
  for (const name of databases) await server(`DROP DATABASE ${name}`);
  process.env.TEST_DATABASE_URL = SERVER;
});

/** A database of its own, so that its triggers can be off while it is filled. */
async function open(count: number): Promise<Product> {
  const name = `growth_${randomUUID().replaceAll('-', '')}`;
  await server(`CREATE DATABASE ${name}`);
  databases.push(name);
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  process.env.TEST_DATABASE_URL = url.href;
  await migrate(url.href);
  const merchant = await testMerchant();
  await fill(merchant, count);
  const web = await openProcess('dashboard_web');
  const list = await import('./list.ts');
  const view = await import('#lib/movement-views/view.ts');
  const { SOURCES: sources } = await import('#lib/notifications/sources.ts');
  const totals = await import('#lib/movements/keep-totals.ts');
  // The pool keeps the database of its first query.
  await web.db.inOne(merchant.merchantId, web.db.sql`SELECT 1`);
  return { merchant, web, list, view, sources, totals };
}

async function server(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** Every fifth name has "Toprak"; 40 have "Nadir", whatever the size. */
async function fill({ owner, merchantId, person }: TestMerchant, count: number): Promise<void> {
  await owner.query('ALTER TABLE movements DISABLE TRIGGER USER');
  await owner.query(
    `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
      amount_minor, currency, payment_type, description, content_hash, maker_id, created_at)
     SELECT gen_random_uuid(), $1, 'payout', upper(left(md5(n::text), 20)),
       CASE WHEN n % 50 = 0 THEN 'FAILED' ELSE 'COMPLETED' END,
       CASE WHEN n % 3 = 0 THEN '4410270001' ELSE '4410270002' END, 'TR' || lpad(n::text, 24, '0'),
       'Ad' || n || '.' || CASE WHEN n % 5 = 0 THEN ' Toprak' ELSE ' Işık' END
         || CASE WHEN n % ($2::int / 40) = 0 THEN ' Nadir' ELSE '' END,
       '', n * 100, 'TRY', '06', '', 'h', $3, now() - n * (interval '1 day' * $4::float / $2::int)
     FROM generate_series(1, $2::int) n`,
    [merchantId, count, person('clerk').personId, DAYS],
  );
  await owner.query('ALTER TABLE movements ENABLE TRIGGER USER');
  await owner.query('ALTER TABLE approvals DISABLE TRIGGER USER');
  await owner.query(
    `INSERT INTO approvals (merchant_id, movement_id, person_id, content_hash, created_at)
     SELECT merchant_id, id, $2, content_hash, created_at FROM movements WHERE merchant_id = $1`,
    [merchantId, person('approver').personId],
  );
  await owner.query('ALTER TABLE approvals ENABLE TRIGGER USER');
  await owner.query(
    `INSERT INTO evidence (merchant_id, movement_id, source, kind, detail, state_before, state_after)
     SELECT merchant_id, id, 'person', 'sent_back', '{}', state, state FROM movements
     WHERE merchant_id = $1`,
    [merchantId],
  );
  await owner.query('SELECT recount_movement_totals()');
  await owner.query(
    `INSERT INTO notices (merchant_id, channel, body_hash, body)
       SELECT $1, 'wallet', sha256(n::text::bytea), '{}' FROM generate_series(1, $2::int) n`,
    [merchantId, count],
  );
  await owner.query('VACUUM ANALYZE movements');
  await owner.query('VACUUM ANALYZE movement_totals');
  await owner.query('VACUUM ANALYZE notices');
  await owner.query('VACUUM ANALYZE approvals');
  await owner.query('VACUUM ANALYZE evidence');
}

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };

/** The blocks that a page of the list reads, with its totals; and the page. */
function read(
  size: Size,
  filter: Partial<PayoutFilter>,
): Promise<{ blocks: number; page: List.PayoutPage }> {
  const { merchant, list } = products[size];
  return measured(size, () =>
    list.listPayouts(merchant.person('clerk'), {
      filter: { ...NO_FILTER, ...filter },
      place: null,
    }),
  );
}

/** Makes a page, and counts the blocks that its statements read. */
async function measured<Page>(
  size: Size,
  make: () => Promise<Page>,
): Promise<{ blocks: number; page: Page }> {
  const { merchant, web } = products[size];
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  const page = await make();
  const ran = spy.mock.calls.flatMap(([one]) => (typeof one === 'object' ? [one] : []));
  spy.mockRestore();
  let blocks = 0;
  for (const { text, values } of ran as unknown as Prisma.Sql[]) {
    const explain = { text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values };
    const [row] = await web.db.inOne<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      merchant.merchantId,
      explain as Prisma.Sql,
    );
    const { Plan: plan } = row!['QUERY PLAN'][0];
    blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  }
  return { blocks, page };
}

const countOf = (page: List.PayoutPage): number | null =>
  page.totals && page.totals.reduce((sum, { count }) => sum + count, 0);

test.each<[string, Partial<PayoutFilter>, (size: Size) => number | null]>([
  ['without a filter', {}, (size) => SIZES[size]],
  ['of a tab', { view: 'failed' }, (size) => SIZES[size] / 50],
  ['of a part', { part: 'unpaid' }, (size) => SIZES[size] / 50],
  ['of some days', { from: '2000-01-01', to: '2000-12-31' }, () => 0],
  ['of a wallet', { wallet: '4410270001' }, (size) => Math.floor(SIZES[size] / 3)],
  ['with a rare word', { text: 'nadir' }, () => 40],
  ['with an absent word', { text: 'kimse' }, () => 0],
  ['with a whole name', { text: 'AD4321. IŞIK' }, (size) => (size === 'few' ? 1 : 9)],
  ['with an IBAN', { text: 'TR000000000000000000004321' }, () => 1],
  ['with the beginning of an IBAN', { text: 'TR00000000000000000000432' }, () => 10],
  ['with an amount', { text: '4.321,00' }, () => 1],
])('%s reads no more blocks of many rows than of few', async (_, filter, count) => {
  const [few, many] = [await read('few', filter), await read('many', filter)];
  expect([countOf(few.page), countOf(many.page)]).toEqual([count('few'), count('many')]);
  expect(many.blocks).toBeLessThan(few.blocks * GROWTH_MAX + BLOCKS_OWN);
});

test('the page of a payout reads no more blocks of many rows than of few', async () => {
  const pageOf = async (size: Size) => {
    const { merchant, view } = products[size];
    const { rows } = await merchant.owner.query<{ id: string }>(
      `SELECT id FROM movements WHERE merchant_id = $1 AND name LIKE 'Ad4321.%'`,
      [merchant.merchantId],
    );
    return measured(size, () => view.viewMovement(merchant.person('clerk'), rows[0]!.id));
  };
  const [few, many] = [await pageOf('few'), await pageOf('many')];
  expect([few.page?.amount, many.page?.amount]).toEqual(['4321.00', '4321.00']);
  expect(many.blocks).toBeLessThan(few.blocks * GROWTH_MAX + BLOCKS_OWN);
});

test.each(NOTIFICATION_KINDS)(
  'the worker looks for notifications of the kind %s in no more blocks of many rows than of few',
  async (kind) => {
    const now = new Date();
    const span = { since: new Date(now.getTime() - 7 * 86_400_000), now };
    const look = (size: Size) => {
      const { merchant, web, sources } = products[size];
      return measured(size, () => web.db.inOne(merchant.merchantId, sources[kind](span)));
    };
    const [few, many] = [await look('few'), await look('many')];
    expect(many.blocks).toBeLessThan(few.blocks * GROWTH_MAX + BLOCKS_OWN);
  },
);

test('a policy and an own limit are applied to a payment in no more blocks of many rows than of few', async () => {
  const facts = await import('#lib/movements/policy-facts.ts');
  const limits = await import('#lib/movements/own-limit.ts');
  const prepare = async (size: Size) => {
    const { merchant, web } = products[size];
    const { personId: makerId } = merchant.person('clerk');
    await merchant.owner.query(
      `INSERT INTO person_limits (merchant_id, person_id, currency, day_minor, set_by, reason)
        VALUES ($1, $2, 'TRY', 50, $3, 'as agreed')`,
      [merchant.merchantId, makerId, merchant.person('owner').personId],
    );
    const content = {
      wallet: '4410270001',
      iban: 'TR000000000000000000004321',
      toWallet: null,
      name: 'Ad4321. Işık',
      amountMinor: 100n,
      currency: 'TRY',
    };
    const movement = { id: randomUUID(), kind: 'payout', makerId, content };
    return measured(size, () =>
      web.db.inTransaction(merchant.merchantId, async (tx) => {
        const { prepared } = await facts.readPolicyFacts(tx, movement);
        const { needed } = await limits.judgeOwnLimit(tx, movement, NOTHING_NEEDED);
        return { prepared, needed };
      }),
    );
  };
  const [few, many] = [await prepare('few'), await prepare('many')];
  expect(few.page.prepared.length).toBeGreaterThan(0);
  expect([few.page.needed, many.page.needed]).toEqual([1, 1]);
  expect(many.blocks).toBeLessThan(few.blocks * GROWTH_MAX + BLOCKS_OWN);
});

test('whether the totals were compared today is known from no more blocks of many rows', async () => {
  const look = async (size: Size) => {
    const { merchant, totals } = products[size];
    await merchant.owner.query(
      `INSERT INTO movement_total_checks (merchant_id, day, at, wrong)
       VALUES ($1, movement_day(now()), now(), 0)`,
      [merchant.merchantId],
    );
    return measured(size, () => totals.checkTotals(merchant.merchantId));
  };
  const [few, many] = [await look('few'), await look('many')];
  expect([few.page, many.page]).toEqual([null, null]);
  expect(many.blocks).toBeLessThan(few.blocks * GROWTH_MAX + BLOCKS_OWN);
});

test.each([
  ['toprak', 'a word that one in five has'],
  ['ad', 'a beginning that every row has, each in another word'],
  ['ad toprak', 'two such beginnings'],
])('with "%s" (%s) reads the first page in its order, and adds nothing up', async (text) => {
  const { blocks, page } = await read('many', { text });
  expect([page.isUncounted, page.totals, page.rows.length]).toEqual([true, null, 25]);
  const words = text.split(' ');
  expect(page.rows.every(({ name }) => words.every((one) => inName(name, one)))).toBe(true);
  // All that match are 20,000 rows and more.
  expect(blocks).toBeLessThan(2_000);
});

const inName = (name: string, word: string) => name.toLocaleLowerCase('tr').includes(word);

test.each(['toprak nadir', 'nadir ad', 'ad4321 isik', 'isik toprak', 'ad 4321', 'ad 99', '4321'])(
  'with "%s" finds of many rows what reading each of them finds',
  async (text) => {
    const { owner } = products.many.merchant;
    const words = text
      .split(' ')
      .map((word) => `'${word}':*`)
      .join(' & ');
    const digits = /^[0-9]+$/.test(text) ? ` | '#${text}' | '=${text}'` : '';
    const { rows } = await owner.query<{ count: number }>(
      `SELECT count(*) FILTER (WHERE words @@ $1::tsquery)::int AS count FROM movements`,
      [words + digits],
    );
    const { page } = await read('many', { text });
    expect(countOf(page)).toBe(rows[0]!.count);
  },
);

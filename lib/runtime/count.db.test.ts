import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Count from './count.ts';

/** Counts that a page asks for at once are one statement, and each caller gets its own number. */

let merchant: TestMerchant;
let other: TestMerchant;
let web: Process;
let countIn: typeof Count.countIn;

beforeAll(async () => {
  [merchant, other] = [await testMerchant(), await testMerchant()];
  web = await openProcess('dashboard_web');
  ({ countIn } = await import('./count.ts'));
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close(), other.close()]);
});

/** The statements that `work` sends, without those that set the merchant of a connection. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const texts = query.mock.calls.map(([sent]) =>
      typeof sent === 'string' ? sent : (sent as unknown as pg.QueryConfig).text,
    );
    return texts.filter((text) => !text.includes('set_config'));
  } finally {
    query.mockRestore();
  }
}

it('counts together what is asked for at once, for each merchant by itself', async () => {
  const { sql } = web.db;
  const number = (n: number, { merchantId } = merchant) =>
    countIn(merchantId, sql`SELECT ${n}::int`);
  const people = ({ merchantId }: TestMerchant) =>
    countIn(merchantId, sql`SELECT count(*)::int FROM people`);
  await merchant.owner.query(
    `INSERT INTO people (merchant_id, email, name, role)
      SELECT merchant_id, 'one@more.test', 'One More', role FROM people WHERE merchant_id = $1 LIMIT 1`,
    [merchant.merchantId],
  );
  let found: number[] = [];
  const statements = await statementsOf(async () => {
    found = await Promise.all([
      number(7),
      people(merchant),
      people(other),
      number(9),
      number(8, other),
    ]);
  });
  const [seven, ours, theirs, nine, eight] = found;
  expect([seven, nine, eight]).toEqual([7, 9, 8]);
  expect(ours).toBe(theirs! + 1);
  expect(statements).toHaveLength(2);
});

it('fails all that were asked for together when one cannot be counted, and goes on', async () => {
  const { sql } = web.db;
  const { merchantId } = merchant;
  const [good, bad] = await Promise.allSettled([
    countIn(merchantId, sql`SELECT 1`),
    countIn(merchantId, sql`SELECT (1 / ${0}::int)::int`),
  ]);
  expect([good!.status, bad!.status]).toEqual(['rejected', 'rejected']);
  expect(await countIn(merchantId, sql`SELECT 2`)).toBe(2);
});

it('counts what is asked for while a statement is under way, too', async () => {
  const { sql } = web.db;
  const { merchantId } = merchant;
  const first = countIn(merchantId, sql`SELECT 1 FROM pg_sleep(0.3)`);
  // The statement leaves with the microtasks of this turn.
  await new Promise((resolve) => setImmediate(resolve));
  expect(await Promise.all([first, countIn(merchantId, sql`SELECT 2`)])).toEqual([1, 2]);
}, 15_000);

import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type * as Db from './db.ts';
import { testMerchant, type TestMerchant } from '#lib/testing/database.ts';

/** Through a pooler in transaction mode the next transaction may be on another session. */

let merchant: TestMerchant;
let db: typeof Db;

beforeAll(async () => {
  merchant = await testMerchant();
  process.env['DATABASE_DIRECT_URL'] = process.env['DATABASE_URL'];
  vi.resetModules();
  db = await import('./db.ts');
  db.actAs('dashboard_worker');
});
afterAll(async () => {
  await db.disconnect();
  delete process.env['DATABASE_DIRECT_URL'];
  await merchant.close();
});

type Facts = {
  role: string;
  merchant: string;
  statement: string;
  lock: string;
  idle: string;
  sort: string;
  zone: string;
};
const FACTS = `SELECT current_user AS role, current_setting('app.merchant_id') AS merchant,
  current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
  current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('enable_sort') AS sort,
  current_setting('TimeZone') AS zone`;

it('every transaction and every single statement has the role, the merchant and the limits', async () => {
  const expected = {
    role: 'dashboard_worker',
    merchant: merchant.merchantId,
    statement: '4s',
    lock: '2s',
    idle: '10s',
    sort: 'off',
    zone: 'UTC',
  };
  const facts = db.sql([FACTS]);
  expect(await db.inOne<Facts>(merchant.merchantId, facts)).toEqual([expected]);
  const inside = await db.inTransaction(merchant.merchantId, (tx) => tx.$queryRaw<Facts[]>(facts));
  expect(inside).toEqual([expected]);
});

it('a session keeps no prepared statement', async () => {
  await db.inOne(merchant.merchantId, db.kept(db.sql`SELECT 1 AS one`));
  const prepared = await db.inOne<{ count: number }>(
    merchant.merchantId,
    db.sql`SELECT count(*)::int AS count FROM pg_prepared_statements`,
  );
  expect(prepared).toEqual([{ count: 0 }]);
});

it('a listening connection goes to the server itself, past the pooler', async () => {
  const url = process.env['DATABASE_URL'];
  // Nothing listens at this address.
  process.env['DATABASE_URL'] = 'postgresql://nobody:none@127.0.0.1:1/none';
  vi.resetModules();
  try {
    const { listen } = await import('./db.ts');
    let take: (payload: string) => void = () => undefined;
    const received = new Promise<string>((resolve) => (take = resolve));
    const listener = await listen('due', (payload) => take(payload));
    await merchant.owner.query(`SELECT pg_notify('due', 'a movement')`);
    expect(await received).toBe('a movement');
    await listener.end();
  } finally {
    process.env['DATABASE_URL'] = url;
  }
});

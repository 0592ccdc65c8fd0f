import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';

/** Webhooks at the server's own address, from the socket to the committed row. */

const KEY = 'w'.repeat(32);
const KIB = 1024;

let merchant: TestMerchant;
let web: Process;
let server: Server;
let owner: PoolClient;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  const { createGuardedServer } = await import('#lib/runtime/http-server.ts');
  const { createFront } = await import('#lib/web/answer.ts');
  const front = createFront({
    files: () => false,
    pages: async (_request, response) => void response.writeHead(404).end('a page'),
  });
  server = createGuardedServer(front.answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  owner = await merchant.owner.connect();
});
afterEach(() => owner.query('ROLLBACK'));
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  owner.release();
  await web.db.disconnect();
  await merchant.close();
});

type Answered = { status: number; text: string; headers: Record<string, unknown> };

function post(
  body: string,
  { path = `/api/webhooks/${KEY}/wallet`, method = 'POST', chunked = false } = {},
): Promise<Answered> {
  const { port } = server.address() as AddressInfo;
  const headers = chunked
    ? { 'transfer-encoding': 'chunked' }
    : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, method, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, text, headers: answer.headers }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const body = (): string => JSON.stringify({ ext_transaction_id: `P-${randomUUID()}` });
const kept = async (text: string): Promise<{ seen: number; effect: string } | undefined> =>
  (
    await merchant.owner.query<{ seen: number; effect: string }>(
      'SELECT seen, effect FROM notices WHERE merchant_id = $1 AND body = $2',
      [merchant.merchantId, text],
    )
  ).rows[0];
/** Holds the key of a webhook's row in a transaction that is not committed. */
const holdKey = (text: string): Promise<unknown> =>
  owner.query(
    `INSERT INTO notices (merchant_id, channel, body_hash, body)
      VALUES ($1, 'wallet', sha256(convert_to($2, 'UTF8')), $2)`,
    [merchant.merchantId, text],
  );

test('a webhook is answered 200 only after the commit that holds it', async () => {
  const text = body();
  await owner.query('BEGIN');
  await holdKey(text);
  let answered: Answered | undefined;
  // What waits too long for the lock is answered 503, and sent again by the provider.
  const posted = async (): Promise<Answered> => {
    for (;;) {
      const answer = await post(text);
      if (answer.status !== 503) return (answered = answer);
    }
  };
  const sent = posted();
  // The statement that stores it is running and waits for the other transaction.
  await vi.waitFor(async () => {
    const { rows } = await merchant.owner.query(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
        AND query LIKE '%INSERT INTO notices%'`,
    );
    expect(rows).toHaveLength(1);
  }, 15_000);
  expect(answered).toBeUndefined();
  await owner.query('ROLLBACK');
  expect((await sent).status).toBe(200);
  expect(await kept(text)).toMatchObject({ seen: 1 });
});

test('its commits are flushed as the server is set up to: no session of the web decides otherwise', async () => {
  const [row] = await web.db.inOne<{ source: string }>(
    merchant.merchantId,
    web.db.sql`SELECT source FROM pg_settings WHERE name = 'synchronous_commit'`,
  );
  // The server of the tests turns flushing off for all of them, on its command line.
  expect(['default', 'configuration file', 'command line']).toContain(row!.source);
});

test('webhooks that arrive together share one commit, and each body is kept once with its count', async () => {
  const texts = Array.from({ length: 40 }, body);
  await Promise.all(
    [...texts, ...texts, texts[0]!].map((text) =>
      web.receive.receiveWebhook(merchant.merchantId, 'wallet', text),
    ),
  );
  const { rows } = await merchant.owner.query<{ rows: number; commits: number; seen: number }>(
    `SELECT count(*)::int AS rows, count(DISTINCT xmin::text)::int AS commits,
      sum(seen)::int AS seen FROM notices WHERE merchant_id = $1 AND body = ANY ($2)`,
    [merchant.merchantId, texts],
  );
  expect(rows).toEqual([{ rows: 40, commits: 1, seen: 81 }]);
});

test('one webhook of a batch that cannot be stored gets 503, and the others are kept and answered 200', async () => {
  const held = body();
  const others = Array.from({ length: 12 }, body);
  await owner.query('BEGIN');
  await holdKey(held);
  // The held one waits for its lock until the database gives up; its whole batch fails with it.
  const answers = await Promise.all([held, ...others].map((text) => post(text)));
  expect(answers.map(({ status }) => status)).toEqual([503, ...others.map(() => 200)]);
  await owner.query('ROLLBACK');
  for (const text of others) expect(await kept(text)).toMatchObject({ seen: 1 });
  expect(await kept(held)).toBeUndefined();
});

test.each([
  ['a wrong key', { path: `/api/webhooks/${'x'.repeat(32)}/wallet` }, 404],
  ['no key', { path: '/api/webhooks//wallet' }, 404],
  ['a wrong channel', { path: `/api/webhooks/${KEY}/transfer` }, 404],
  ['a longer path', { path: `/api/webhooks/${KEY}/wallet/x` }, 404],
  ['another method', { method: 'PUT' }, 405],
])('%s is answered without a word and keeps nothing', async (_what, where, status) => {
  const text = body();
  const answer = await post(text, where);
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  expect(await kept(text)).toBeUndefined();
});

test.each([
  ['of more than 16 KiB', 'x'.repeat(16 * KIB + 1), false, 413],
  ['of more than 16 KiB in pieces', 'x'.repeat(17 * KIB), true, 413],
  ['of exactly 16 KiB', 'y'.repeat(16 * KIB), false, 200],
  ['in pieces', `"${'z'.repeat(KIB)}"`, true, 200],
  ['that is empty', '', false, 200],
])('a body %s', async (_what, text, chunked, status) => {
  const answer = await post(text, { chunked });
  expect(answer.status).toBe(status);
  expect(await kept(text)).toEqual(status === 200 ? expect.anything() : undefined);
});

test('a body of more than a mebibyte is refused before it is read, and its connection closed', async () => {
  const answer = await post('x'.repeat(1024 * KIB + 1)).catch(() => null);
  // The server may close the connection while the client still writes.
  if (answer !== null)
    expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } });
  expect(await kept('x'.repeat(1024 * KIB + 1))).toBeUndefined();
});

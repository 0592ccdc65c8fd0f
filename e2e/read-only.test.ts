import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { readyMovements, rowOf } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { migrate } from '../prisma/migrate.ts';

/**
 * A database that refuses writes: it is read-only after a failover, or its disk is full. In both
 * cases a statement that writes fails.
 */

const SERVER = process.env['TEST_DATABASE_URL'] ?? '';
const name = `read_only_${randomUUID().replaceAll('-', '')}`;
let merchant: TestMerchant;
let web: Process;
let worker: Process;
let id: string;

beforeAll(async () => {
  await server(`CREATE DATABASE ${name}`);
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  process.env['TEST_DATABASE_URL'] = url.href;
  await migrate(url.href);
  merchant = await testMerchant();
  [id] = (await readyMovements(merchant, 1)) as [string];
  await merchant.owner.query(
    `INSERT INTO worker_heartbeats (merchant_id, worker, at)
      VALUES ($1, 'w', clock_timestamp() + interval '1 hour')`,
    [merchant.merchantId],
  );
  await server(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  worker = await openProcess('dashboard_worker');
});
afterAll(async () => {
  await Promise.all([web?.db.disconnect(), worker.db.disconnect(), merchant.owner.end()]);
  process.env['TEST_DATABASE_URL'] = SERVER;
});

describe('a database that is read-only', () => {
  test('sends nothing: the claim fails before a socket is opened, and the payout is as it was', async () => {
    const provider = fakeProvider();
    await expect(
      worker.advance.advanceOne(fakePorts(merchant.merchantId, provider)),
    ).rejects.toMatchObject({ code: '25006' });
    expect(provider.asked).toEqual([]);
    expect(await rowOf(merchant, id)).toMatchObject({ state: 'APPROVED', sends: 0 });
  });

  test('the door for notices answers 503, so that the provider sends them again', async () => {
    web = await openProcess('dashboard_web');
    const { answerWebhook } = await import('#lib/webhooks/answer.ts');
    const listener = createServer((request, response) => {
      const [, key = '', channel = ''] = request.url!.split('/');
      void answerWebhook(request, response, { key, channel });
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void listener.close());
    const { port } = listener.address() as AddressInfo;
    const postWebhook = (key: string) =>
      fetch(`http://127.0.0.1:${port}/${key}/wallet`, { method: 'POST', body: '{}' });
    expect((await postWebhook(process.env['WEBHOOK_KEY']!)).status).toBe(503);
    expect((await postWebhook('x'.repeat(32))).status, 'a stranger learns nothing').toBe(404);
  });

  test('is not ready, and says why: it can be read and takes nothing', async () => {
    vi.doMock('#lib/providers/wallet/configured-client.ts', () => ({
      walletClient: () => ({
        getBusinessAccount: () => Promise.resolve({ kind: 'answered', value: {} }),
      }),
    }));
    const { readHealth } = await import('#lib/worker/health.ts');
    expect(await readHealth()).toMatchObject({
      ready: false,
      database: true,
      writable: false,
      worker: true,
    });
  });
});

async function server(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

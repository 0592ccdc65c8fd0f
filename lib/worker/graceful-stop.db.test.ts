import { createECDH, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { readyMovements, rowOf, storedMovement } from '#lib/movements/testing/stored.ts';
import { freshIban, startSandbox, WALLET } from '#lib/providers/sandbox-fixture.ts';
import type { Sandbox } from '#lib/providers/sandbox-fixture.ts';
import { openProcess, testMerchant, unbind } from '#lib/testing/database.ts';
import type { TestMerchant } from '#lib/testing/database.ts';
import { startWorker } from '#lib/testing/worker.ts';
import type { WorkerProcess } from '#lib/testing/worker.ts';

/** A worker in a process of its own is stopped while its request is in transit. */

/** Long enough for the worker to be stopped meanwhile, even on a busy machine. */
const ANSWER_MS = 6_000;
let box: Sandbox;
let merchant: TestMerchant;
let dataDir: string;
let worker: WorkerProcess;

beforeAll(async () => {
  box = await startSandbox();
  merchant = await testMerchant();
  await unbind(merchant);
  dataDir = mkdtempSync(join(tmpdir(), 'graceful-'));
});
afterEach(() => worker.kill());
afterAll(async () => {
  await box.stop();
  await merchant.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const started = () =>
  startWorker({
    ...box.environment,
    SANDBOX: 'on',
    DATABASE_URL: process.env.DATABASE_URL!,
    DATA_DIR: dataDir,
    CARD_MERCHANT_KEY: process.env.CARD_MERCHANT_KEY!,
  });

it('a worker stopped during a send records the answer before it ends, and claims nothing new', async () => {
  await box.fault('SendMoneyToBankAccount', 'delay', { ms: ANSWER_MS, times: 1 });
  worker = started();
  const payable = () => ({
    amountMinor: 12_300n,
    wallet: WALLET,
    paymentType: '06',
    iban: freshIban(),
  });
  const [first] = (await readyMovements(merchant, 1, payable())) as [string];
  await until(
    async () =>
      (await rowOf(merchant, first)).state === 'SUBMITTING' &&
      (await box.posts((await rowOf(merchant, first)).ext_id as string)) === 1,
  );
  const [second] = (await readyMovements(merchant, 1, { ...payable(), dueInMs: 500 })) as [string];
  const stoppedAt = performance.now();
  const code = await worker.stop();
  expect(
    [code, performance.now() - stoppedAt > 500],
    'it waited, and left of its own will',
  ).toEqual([0, true]);
  expect(await rowOf(merchant, first)).toMatchObject({
    state: 'PENDING',
    lease_token: null,
    sends: 1,
    ever_ambiguous: false,
  });
  expect((await rowOf(merchant, second)).state).toBe('APPROVED');
  expect(await box.posts((await rowOf(merchant, second)).ext_id as string)).toBe(0);
}, 60_000);

it('a worker stopped during a message to a device begins no further message', async () => {
  const got: ServerResponse[] = [];
  const server = createServer((_request, response) => void got.push(response));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const web = await openProcess('dashboard_web');
  const { addPushDevice } = await import('#lib/notifications/push/devices.ts');
  const { pushIdentities } = await import('#lib/notifications/push/identity.ts');
  for (const path of ['desk', 'phone']) {
    const keys = createECDH('prime256v1');
    keys.generateKeys();
    await addPushDevice(merchant.person('clerk'), {
      endpoint: `http://127.0.0.1:${port}/${merchant.merchantId}/${path}`,
      p256dh: keys.getPublicKey('base64url', 'uncompressed'),
      auth: randomBytes(16).toString('base64url'),
      identity: pushIdentities()[0].publicKey,
      locale: 'en',
      agent: null,
    });
  }
  await web.db.disconnect();
  await storedMovement(merchant, 'REJECTED', { ended_at: new Date() });
  worker = started();
  await until(async () => got.length > 0);
  const stopped = worker.stop();
  await until(async () => worker.output().includes('worker stops after the steps in progress'));
  for (const response of got) response.writeHead(201).end();
  server.on('request', (_request, response: ServerResponse) => response.writeHead(201).end());
  expect([await stopped, got.length]).toEqual([0, 1]);
  server.close();
}, 60_000);

async function until(check: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`It did not happen.\n${worker.output()}`);
    await pause(50);
  }
}

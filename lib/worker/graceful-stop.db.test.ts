import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { readyMovements, rowOf } from '#lib/movements/testing/stored.ts';
import { freshIban, startSandbox, WALLET } from '#lib/providers/sandbox-fixture.ts';
import type { Sandbox } from '#lib/providers/sandbox-fixture.ts';
import { testMerchant, unbind } from '#lib/testing/database.ts';
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

it('a worker stopped during a send records the answer before it ends, and claims nothing new', async () => {
  await box.fault('SendMoneyToBankAccount', 'delay', { ms: ANSWER_MS, times: 1 });
  worker = startWorker({
    ...box.environment,
    SANDBOX: 'on',
    DATABASE_URL: process.env.DATABASE_URL!,
    DATA_DIR: dataDir,
    CARD_MERCHANT_KEY: process.env.CARD_MERCHANT_KEY!,
  });
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

async function until(check: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`It did not happen.\n${worker.output()}`);
    await pause(50);
  }
}

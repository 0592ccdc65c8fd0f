import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { minor } from '#lib/money.ts';
import { readyMovements, rowOf } from '#lib/movements/testing/stored.ts';
import { freshIban, startSandbox, WALLET } from '#lib/providers/sandbox-fixture.ts';
import type { Sandbox } from '#lib/providers/sandbox-fixture.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { startWorker } from '#lib/testing/worker.ts';
import type { WorkerProcess } from '#lib/testing/worker.ts';
import { migrate } from '../../prisma/migrate.ts';

/**
 * A database that is put back to where it was: the worker as a process of its own, the provider's double, a real copy of the
 * database. The provider's ledger is the judge.
 */

const ALL = { rail: 'all', cause: 'recovery' } as const;
const SERVER = process.env.TEST_DATABASE_URL ?? '';
const AMOUNT = minor(12_300n);
const PATIENCE_MS = 40_000;

let box: Sandbox;
let dataDir: string;
let live: string;
let merchant: TestMerchant;
let web: Process;
let worker: WorkerProcess | null = null;

beforeAll(async () => {
  box = await startSandbox();
});
afterAll(() => box.stop());
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'restore-'));
  live = `live_${randomUUID().replaceAll('-', '')}`;
  await server(`CREATE DATABASE ${live}`);
  process.env.TEST_DATABASE_URL = addressOf(live);
  await migrate(addressOf(live));
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
});
afterEach(async () => {
  await worker?.kill();
  worker = null;
  await leave();
  process.env.TEST_DATABASE_URL = SERVER;
  rmSync(dataDir, { recursive: true, force: true });
});

describe('a restored older database', () => {
  it('sends nothing twice, shows what it had forgotten, brings forward what it holds, and sends again only when two people say so', async () => {
    await work();
    const a = await pay();
    const [d] = (await readyMovements(merchant, 1, { ...payable(), dueInMs: 3_600_000 })) as [string];
    await backUp();
    await work();
    const [b, c] = [await pay(), await pay('PENDING')];
    await merchant.owner.query(`UPDATE movements SET next_at = clock_timestamp() WHERE id = $1`, [d]);
    await until('D was sent and paid', async () => (await rowOf(merchant, d)).state === 'PENDING');
    await box.bank(await extIdOf(d), 'complete');
    const [extA, extB, extC, extD] = await Promise.all([a, b, c, d].map(extIdOf));
    const ibanB = (await rowOf(merchant, b)).iban as string;
    await restore();

    const [e] = (await readyMovements(merchant, 1, payable())) as [string];
    await merchant.owner.query(`UPDATE movements SET next_at = clock_timestamp() WHERE id = $1`, [d]);
    await work();
    await until('the provider\'s records were read', async () => (await view())?.scannedAt != null);
    await until('D is where the provider says it is', async () => (await rowOf(merchant, d)).state === 'COMPLETED');
    // The double's merchant has a life of its own; what this story paid has references like ours.
    expect((await view())?.found.filter((one) => /^[0-9A-F]{20}$/.test(one.extId ?? '')).map((one) => [one.finding, one.source, one.extId]).toSorted()).toEqual(
      [['brought_forward', 'withdrawal', extD], ['foreign', 'withdrawal', extB], ['foreign', 'withdrawal', extC]].toSorted());
    expect((await web.sending.viewSending(merchant.person('auditor'))).stops).toContainEqual(expect.objectContaining({ rail: 'all', cause: 'recovery', by: null }));
    expect((await rowOf(merchant, e)).state, 'what is new waits').toBe('APPROVED');
    expect(await Promise.all([extA, extB, extC, extD].map((extId) => box.posts(extId!)))).toEqual([1, 1, 1, 1]);
    expect(await payAgainFindings(ibanB)).toContain('foreign_same_amount');

    const { askRelease, confirmRelease } = web.release;
    await until('the time for late records is over', async () => (await view())?.blockedBy !== 'recovery_not_read');
    await expect(askRelease(merchant.person('owner'), ALL, 'looked at it')).rejects.toMatchObject({ code: 'recovery_unseen' });
    for (const one of (await view())!.found) if (one.finding === 'foreign') await web.acknowledge.acknowledgeRecord(merchant.person('owner'), one.id, 'paid before the restore');
    await askRelease(merchant.person('owner'), ALL, 'all of them are known');
    await pause(6_000);
    expect((await rowOf(merchant, e)).state, 'matched, and still nobody has confirmed').toBe('APPROVED');
    await confirmRelease(merchant.person('approver'), ALL);
    // The checkpoint outside the database contradicts the restored chain too: that is released by itself.
    await until('what waited has left', async () => {
      const also = { rail: 'all', cause: 'audit' } as const;
      await askRelease(merchant.person('owner'), also, 'restored from a backup').then(() => confirmRelease(merchant.person('approver'), also)).catch(() => undefined);
      return (await rowOf(merchant, e)).state === 'PENDING';
    });
    expect(await payAgainFindings(ibanB)).toContain('foreign_known');
    expect(await Promise.all([extA, extB, extC, extD].map((extId) => box.posts(extId!)))).toEqual([1, 1, 1, 1]);
    expect((await rowOf(merchant, d)).sends, 'the forgotten send is in the books again').toBe(1);

    await worker!.stop();
    await work();
    await pause(1_000);
    expect(await view(), 'once over, it is over').toBeNull();
  }, 180_000);

  it('is found out under a running worker too, before anything is claimed in it', async () => {
    await work();
    await pay();
    await backUp();
    await work();
    await pay();
    await restore({ underWorker: true });
    const [id] = (await readyMovements(merchant, 1, payable())) as [string];
    await until('recovery begins', async () => (await view()) !== null);
    expect(await rowOf(merchant, id)).toMatchObject({ state: 'APPROVED', sends: 0 });
    expect(await box.posts(await extIdOf(id))).toBe(0);
  }, 120_000);

  it('without any mark beside it is not trusted; the database that was worked with is', async () => {
    await work();
    await pay();
    await worker!.stop();
    await work();
    await pay();
    expect(await view(), 'a restart is no restore').toBeNull();
    await worker!.kill();
    for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true });
    await merchant.owner.query(`UPDATE worker_heartbeats SET at = at - interval '1 minute'`);
    const [id] = (await readyMovements(merchant, 1, payable())) as [string];
    await work();
    await until('recovery begins', async () => (await view())?.why === 'no_mark');
    expect(await box.posts(await extIdOf(id))).toBe(0);
  }, 120_000);

  it('a mark that cannot be written keeps every send back, and reads go on', async () => {
    await work();
    const earlier = await pay('PENDING');
    rmSync(join(dataDir, 'marks'), { recursive: true });
    writeFileSync(join(dataDir, 'marks'), 'a file where the folder was');
    const [id] = (await readyMovements(merchant, 1, payable())) as [string];
    await until('the row was looked at, and put off', async () => {
      const { state, next_at: next } = await rowOf(merchant, id);
      return state === 'APPROVED' && next!.getTime() > Date.now() + 5_000;
    });
    expect(await box.posts(await extIdOf(id))).toBe(0);
    await box.bank(await extIdOf(earlier), 'complete');
    await until('what was on its way is followed to its end', async () => (await rowOf(merchant, earlier)).state === 'COMPLETED');
    expect([(await rowOf(merchant, id)).state, await box.posts(await extIdOf(id))]).toEqual(['APPROVED', 0]);
  }, 120_000);
});

/** What the provider's double accepts. */
const payable = () => ({ amountMinor: AMOUNT, wallet: WALLET, paymentType: '06', iban: freshIban() });

async function work(): Promise<void> {
  worker = startWorker({ ...box.environment, SANDBOX: 'on', DATABASE_URL: addressOf(live), DATA_DIR: dataDir, CARD_MERCHANT_KEY: process.env.CARD_MERCHANT_KEY!, RESEND_QUIET_SECONDS: '2' });
  await until('the worker beats', async () => Number((await merchant.owner.query(`SELECT count(*) FROM worker_heartbeats WHERE at > clock_timestamp() - interval '2 seconds'`)).rows[0].count) > 0 || worker!.said().includes('failed'));
}

/** A payout that the bank has completed, unless told otherwise. */
async function pay(until_: 'COMPLETED' | 'PENDING' = 'COMPLETED'): Promise<string> {
  const [id] = (await readyMovements(merchant, 1, payable())) as [string];
  await until('it is accepted', async () => (await rowOf(merchant, id)).state === 'PENDING');
  if (until_ === 'PENDING') return id;
  await box.bank(await extIdOf(id), 'complete');
  await until('it is completed', async () => (await rowOf(merchant, id)).state === 'COMPLETED');
  return id;
}

async function payAgainFindings(iban: string): Promise<string[]> {
  const { recipientFacts } = await import('#lib/payouts/facts.ts');
  const { checkPayout } = await import('#lib/payouts/rules.ts');
  const facts = await recipientFacts(merchant.person('clerk'), { iban, name: null, taxNumber: null, wallet: null });
  return checkPayout({ content: { iban, amountMinor: AMOUNT }, wallet: null, paymentType: null, recent: facts.recent, foreign: facts.foreign, lastSendToIbanAt: null, limitLeft: null, fee: null, now: facts.at }).map((one) => one.code);
}

const view = () => web.recovery.viewRecovery(merchant.person('owner'));

async function extIdOf(id: string): Promise<string> {
  return (await rowOf(merchant, id)).ext_id as string;
}

/** A copy of the whole database; nobody may be connected while it is made. */
async function backUp(): Promise<void> {
  await worker!.stop();
  await leave();
  await server(`CREATE DATABASE backup_${live} TEMPLATE ${live}`);
  await comeBack();
}

/** The copy takes the place of the database. The worker dies with it, or does not even notice. */
async function restore({ underWorker = false } = {}): Promise<void> {
  if (!underWorker) await worker!.kill();
  await leave();
  await server(`DROP DATABASE ${live} WITH (FORCE)`);
  await server(`CREATE DATABASE ${live} TEMPLATE backup_${live}`);
  await comeBack();
}

async function leave(): Promise<void> {
  await web.db.disconnect();
  await merchant.owner.end();
}

async function comeBack(): Promise<void> {
  merchant.owner = new pg.Pool({ connectionString: addressOf(live), max: 4 });
  web = await openProcess('dashboard_web');
}

async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`It did not happen: ${what}\n${worker?.said() ?? ''}`);
    await pause(100);
  }
}

async function server(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function addressOf(database: string): string {
  const url = new URL(SERVER);
  url.pathname = `/${database}`;
  return url.href;
}

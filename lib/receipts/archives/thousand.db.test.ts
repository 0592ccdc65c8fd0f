import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayIn } from '#lib/values/dates.ts';
import { FRAME } from '#lib/exports/testing/frame.ts';
import { readCsv, unzip } from '#lib/exports/testing/unzip.ts';
import { readyMovements } from '#lib/movements/testing/stored.ts';
import { freshIban, startSandbox, WALLET } from '#lib/providers/sandbox-fixture.ts';
import type { Sandbox } from '#lib/providers/sandbox-fixture.ts';
import { openProcess, testMerchant, unbind } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { startWorker } from '#lib/testing/worker.ts';
import type { WorkerProcess } from '#lib/testing/worker.ts';
import { MERGED_WORDS } from './testing/merged-words.ts';

/**
 * A thousand receipts from a provider that lags, refuses, breaks off and sends invalid responses. A
 * worker that is killed in the middle fetches them.
 */

const [PAYOUTS, LINES] = [250, 750];
const ASKED = PAYOUTS + LINES;
/**
 * The faults that the provider returns instead of a receipt, in this order. Because of the last
 * ones some entries have to wait twice.
 */
const TROUBLE: [kind: string, times: number, more?: object][] = [
  ['code', 150, { code: '312' }],
  ['status', 100, { status: 503 }],
  ['html', 80],
  ['malformed', 80],
  ['truncated', 60],
  ['unknown_code', 60],
  ['reset', 40],
  ['code', 230, { code: '312' }],
  ['status', 60, { status: 502 }],
  ['html', 60],
];
const KILLED_AT = 150;

let box: Sandbox;
let merchant: TestMerchant;
let web: Process;
let dataDir: string;
const workers: WorkerProcess[] = [];

beforeAll(async () => {
  box = await startSandbox();
  merchant = await testMerchant();
  await unbind(merchant);
  web = await openProcess('dashboard_web');
  dataDir = mkdtempSync(join(tmpdir(), 'thousand-'));
});
afterAll(async () => {
  await Promise.all(workers.map((one) => one.kill()));
  await Promise.all([web.db.disconnect(), merchant.close(), box.stop()]);
  rmSync(dataDir, { recursive: true, force: true });
});

function worker(): WorkerProcess {
  const started = startWorker({
    ...box.environment,
    SANDBOX: 'on',
    DATABASE_URL: process.env.DATABASE_URL!,
    DATA_DIR: dataDir,
    CARD_MERCHANT_KEY: process.env.CARD_MERCHANT_KEY!,
  });
  workers.push(started);
  return started;
}

/**
 * Creates top-ups at the provider, and their entries in the mirror of the ledger, under the same
 * ids.
 */
async function topUps(count: number): Promise<void> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 10) {
    const some = await Promise.all(
      Array.from({ length: 10 }, () =>
        box.control<{ id: string }>('POST', `wallets/${WALLET}/topup`, {
          amount: '1.00',
          sender_name: '../../Ünlü <CON>\u202Efdp',
        }),
      ),
    );
    ids.push(...some.map((one) => one.id));
  }
  await merchant.owner.query(
    `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
      fee_minor, currency, sender_name, to_wallet, created_at, raw)
     SELECT $1, id, 1004, 20, 'in', 100, 0, 'TRY', $3, $4, clock_timestamp(), '{}'
       FROM unnest($2::text[]) id`,
    [merchant.merchantId, ids, '../../Ünlü <CON>\u202Efdp', WALLET],
  );
}

const count = async (condition: string): Promise<number> =>
  (
    await merchant.owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${condition} AND merchant_id = $1`,
      [merchant.merchantId],
    )
  ).rows[0]!.n;

it('1,000 receipts: documents and named gaps always add up, and the gaps close by themselves', async () => {
  const { askForArchive } = await import('./ask.ts');
  const { takeArchive } = await import('./take.ts');
  const { viewArchive } = await import('./view.ts');
  const clerk = merchant.person('clerk');
  const began = performance.now();
  // Makes real payouts of our own, which the ledger does not show yet.
  await box.control('POST', 'bank/mode', { mode: 'auto', delayMs: 0 });
  await box.fault('SummaryRecordByFilter', 'code', { code: '312', times: 1_000_000 });
  for (const [kind, times, more] of TROUBLE)
    await box.fault('TransactionReceipt', kind, { times, ...more });
  for (let n = 0; n < PAYOUTS; n += 1)
    await readyMovements(merchant, 1, {
      amountMinor: 1_00n,
      wallet: WALLET,
      paymentType: '06',
      iban: freshIban(),
    });
  const first = worker();
  await topUps(LINES);
  await until(
    async () => (await count(`movements WHERE state = 'COMPLETED'`)) === PAYOUTS,
    'the payouts are paid',
  );

  const today = dayIn(new Date().toISOString());
  const asked = {
    filter: { view: 'all', batch: null, from: today, to: today, text: '' },
    picked: null,
    withLedger: true,
    template: 'full',
    ascii: false,
    profile: 'csv',
    fileType: 'zip',
  } as const;
  const id = await askForArchive(clerk, asked);
  const moments: string[] = [];
  const look = async (): Promise<number> => {
    const { asked: wanted, counts } = (await viewArchive(clerk, id))!;
    expect([wanted, counts.ready + counts.waiting + counts.failed]).toEqual([ASKED, ASKED]);
    moments.push(Object.values(counts).join('+'));
    return counts.ready;
  };
  const take = async (): Promise<number> => {
    const file = (await takeArchive(clerk, id))!;
    const frame = {
      ...FRAME,
      role: 'clerk' as const,
      by: 'clerk',
      zone: 'Europe/Istanbul',
      fileName: 'dizin',
    };
    const files = unzip(
      Buffer.concat(
        await Array.fromAsync(
          file.pieces({
            frame,
            contents: (ready, missing) => `${ready}+${missing}`,
            merged: MERGED_WORDS,
          }),
        ),
      ),
    );
    const [head, ...lines] = readCsv(files.get('dizin.csv')!.toString(), ',');
    const cell = (line: string[], key: string): string => line[head!.indexOf(key)]!;
    const there = lines.filter((line) => cell(line, 'state') === 'ready');
    const gaps = lines.filter((line) => cell(line, 'file') === '');
    const documents = [...files.keys()].filter((name) => /\.(?:pdf|html)$/.test(name));
    // Every row is present or missing, every gap has a reason and a name, and every document is the
    // one that its row describes.
    expect([
      lines.length,
      there.length + gaps.length,
      new Set(lines.map((line) => cell(line, 'transaction_id') || cell(line, 'reference'))).size,
    ]).toEqual([ASKED, ASKED, ASKED]);
    expect(new Set(documents)).toEqual(new Set(there.map((line) => cell(line, 'file'))));
    expect(
      gaps.filter(
        (line) => !/^(?:waiting_ledger|waiting_receipt|failed)$/.test(cell(line, 'state')),
      ),
    ).toEqual([]);
    for (const line of there)
      expect(
        createHash('sha256')
          .update(files.get(cell(line, 'file'))!)
          .digest('hex'),
      ).toBe(cell(line, 'sha256'));
    expect(
      documents.filter((name) => !/^\d{4}-\d\d-\d\d_[^/\\<>:"|?*\p{C}]+$/u.test(name)),
    ).toEqual([]);
    expect(files.get('BENIOKU.txt')!.toString()).toContain(`${there.length}+${gaps.length}`);
    return there.length;
  };

  await take();
  await until(async () => (await look()) >= KILLED_AT, 'some are there');
  await first.kill();
  const atDeath = await take();
  expect(atDeath).toBeGreaterThanOrEqual(KILLED_AT);
  expect(atDeath).toBeLessThan(ASKED);
  expect(
    await count(`receipts WHERE state = 'WAITING' AND next_at IS NULL`),
    'payouts whose line the ledger does not show',
  ).toBe(PAYOUTS);
  await box.control('DELETE', 'faults');
  // Makes waiting receipts due soon, as if a minute had passed: then the dead worker's claims and
  // the longest waits would have ended.
  await merchant.owner.query(
    `UPDATE receipts SET next_at = clock_timestamp() + random() * interval '5 s'
      WHERE merchant_id = $1 AND next_at > clock_timestamp()`,
    [merchant.merchantId],
  );
  await merchant.owner.query(
    `UPDATE movements SET next_at = clock_timestamp() + random() * interval '5 s',
      lease_until = NULL, lease_token = NULL WHERE merchant_id = $1 AND next_at > clock_timestamp()`,
    [merchant.merchantId],
  );
  worker();
  await until(async () => (await look()) > atDeath, 'the next worker goes on');
  await take();
  await until(async () => (await look()) === ASKED, 'nothing is missing any more');
  expect(await take()).toBe(ASKED);
  expect(new Set(moments).size, 'moments that differ').toBeGreaterThan(5);
  expect(
    await count(`audit_entries WHERE action = 'receipt.asked'`),
    'nobody pressed anything',
  ).toBe(0);
  process.stdout.write(
    `${ASKED} receipts, ${moments.length} looks, ${Math.round(performance.now() - began)} ms\n`,
  );
}, 300_000);

async function until(check: () => Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 120_000;
  while (!(await check())) {
    if (Date.now() > end)
      throw new Error(
        `It did not happen: ${what}.\n${workers
          .map((one) => one.output())
          .join('\n')
          .slice(-4_000)}`,
      );
    await pause(100);
  }
}

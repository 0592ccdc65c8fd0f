import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type * as Views from '#lib/movement-views/view.ts';
import { setColumns } from '#lib/movements/testing/stored.ts';
import { readPayoutQuery } from '#lib/payouts/filter.ts';
import type * as Payouts from '#lib/payouts/list.ts';
import { freshIban } from '#lib/providers/sandbox-fixture.ts';
import type * as Receipts from '#lib/receipts/archives/ask.ts';
import { readReceiptQuery } from '#lib/receipts/filter.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Names from '../name.ts';
import type * as Held from './list-held.ts';
import type * as Runs from './view.ts';

/** What other pages say of a batch: its payouts, their receipts, and a payout's own page. */

let merchant: TestMerchant;
let web: Process;
let payouts: typeof Payouts;
let receipts: typeof Receipts;
let views: typeof Views;
let runs: typeof Runs;
let names: typeof Names;
let held: typeof Held;

beforeAll(async () => {
  merchant = await testMerchant();
  vi.doMock('#lib/wallets/ask.ts', () => ({
    freshWallet: async (number: string) => ({
      number,
      currency: 'TRY',
      access: 'active',
      availableMinor: 100_000_000n,
      limits: { withdrawalMinor: 50_000_000n },
    }),
    paymentTypes: async () => [{ code: '1', name: 'Other', descriptionMin: 3 }],
  }));
  web = await openProcess('dashboard_web');
  payouts = await import('#lib/payouts/list.ts');
  receipts = await import('#lib/receipts/archives/ask.ts');
  views = await import('#lib/movement-views/view.ts');
  runs = await import('./view.ts');
  names = await import('../name.ts');
  held = await import('./list-held.ts');
});
afterAll(async () => {
  await web.db.disconnect();
  await merchant.close();
});

const AMOUNTS = [10_000n, 23_000n, 41_000n, 67_000n, 89_000n];
const clerk = () => merchant.person('clerk');

/** A submitted batch whose rows are movements; the ids of these by row, from 1. */
async function submitted(amounts: readonly bigint[]): Promise<{ id: string; made: string[] }> {
  const id = randomUUID();
  await merchant.owner.query(
    `INSERT INTO batches (id, merchant_id, maker_id, wallet, currency, name, format, shape,
      file_hash, source)
     VALUES ($1, $2, $3, '1000000001', 'TRY', 'maaşlar.xlsx', 'workbook', 's', $4, '\\x00')`,
    [id, merchant.merchantId, clerk().personId, createHash('sha256').update(id).digest('hex')],
  );
  const rows = amounts.map((amountMinor, at) => ({
    number: at + 1,
    original: [],
    iban: freshIban(),
    name: `Alıcı ${at} ${id.slice(0, 4)}`,
    taxNumber: '10000000146',
    amountMinor,
    paymentType: '1',
    description: `Maaş ${at}`,
    overrides: ['payee_other_iban', 'duplicate_other_iban', 'near_duplicate', 'tax_other_name'],
    overrideReason: 'kira',
    retryOf: null,
  }));
  await web.batches.submitRows(clerk(), { id, version: 1 }, rows);
  while (await web.batches.feedOneBatch(merchant.merchantId));
  const made = await merchant.owner.query<{ movement_id: string }>(
    'SELECT movement_id FROM batch_rows WHERE batch_id = $1 AND made_at IS NOT NULL ORDER BY n',
    [id],
  );
  return { id, made: made.rows.map((row) => row.movement_id) };
}

/** The movement as if it had been sent and the provider had answered. */
async function ended(id: string, ...states: readonly string[]): Promise<void> {
  await setColumns(merchant, id, { state: 'SUBMITTING', sends: 1 });
  for (const state of states) await setColumns(merchant, id, { state, ended_at: new Date() });
}

async function receiptOf(movement: string, state: 'READY' | 'WAITING'): Promise<void> {
  await merchant.owner.query(
    `INSERT INTO receipts (merchant_id, movement_id, state, created_at)
      VALUES ($1, $2, $3, clock_timestamp())`,
    [merchant.merchantId, movement, state],
  );
}

describe('of a batch', () => {
  it('the page of a payout names the batch and the row; another payout names none', async () => {
    const { id, made } = await submitted(AMOUNTS.slice(0, 2));
    expect((await views.viewMovement(clerk(), made[1]!))!.batch).toEqual({
      id,
      name: 'maaşlar.xlsx',
      row: 2,
    });
    const from = await runs.readRunRows(clerk(), id, {
      group: null,
      only: null,
      after: 1,
      most: 10,
    });
    expect(from.map((row) => row.movementId)).toEqual([made[1]]);
  });

  it('the work list names it while it is held, with what is not sent, and then no more', async () => {
    const { id } = await submitted(AMOUNTS.slice(0, 1));
    const own = async () => (await held.listHeldBatches(clerk())).filter((one) => one.id === id);
    await web.batches.pauseBatch(clerk(), id);
    expect(await own()).toEqual([
      { id, name: 'maaşlar.xlsx', why: 'person', since: expect.any(String), unsent: 0 },
    ]);
    await web.batches.resumeBatch(clerk(), id);
    expect(await own()).toEqual([]);
    await web.batches.pauseBatch(clerk(), id);
    await web.batches.stopBatch(clerk(), id);
    expect(await own()).toEqual([]);
  });

  it('the list of payouts has exactly its movements, with the numbers of its own page', async () => {
    const [{ id, made }, other] = [await submitted(AMOUNTS), await submitted([12_345n])];
    await ended(made[0]!, 'PENDING', 'COMPLETED');
    await ended(made[1]!, 'UNKNOWN');
    await ended(made[2]!, 'REJECTED');
    const filter = readPayoutQuery({ batch: id }).filter;
    const page = await payouts.listPayouts(clerk(), { filter, place: null });
    expect(page.rows.map((row) => row.id).sort()).toEqual([...made].sort());
    expect(page.rows.map((row) => row.id)).not.toContain(other.made[0]);

    const run = (await runs.viewRun(clerk(), id))!;
    expect(run.made).toBe(AMOUNTS.length);
    const sumOf = (part: string) => page.totals!.find((total) => total.part === part);
    for (const [group, part] of [
      ['completed', 'paid'],
      ['unknown', 'unknown'],
      ['failed', 'unpaid'],
      ['under_way', 'pending'],
    ] as const) {
      const { count, amountMinor } = run.groups[group];
      const total = sumOf(part);
      expect([total?.count, total?.sum.replace('.', '')], part).toEqual([
        count,
        String(amountMinor),
      ]);
    }
    expect(await names.batchName(clerk(), id)).toBe('maaşlar.xlsx');
  });

  it('the receipts are those of its movements alone, and the missing ones are named', async () => {
    const [{ id, made }, other] = [await submitted(AMOUNTS), await submitted([54_321n])];
    for (const movement of [...made.slice(0, 3), ...other.made])
      await ended(movement, 'PENDING', 'COMPLETED');
    await receiptOf(made[0]!, 'READY');
    await receiptOf(made[1]!, 'READY');
    await receiptOf(made[2]!, 'WAITING');
    await receiptOf(other.made[0]!, 'READY');
    const { filter } = readReceiptQuery({ batch: id });
    expect(await receipts.previewArchive(clerk(), filter, null)).toEqual({
      ready: 2,
      waiting: 1,
      failed: 0,
      ledger: null,
    });
    const archive = await receipts.askForArchive(clerk(), {
      filter,
      picked: null,
      withLedger: true,
      template: 'full',
      ascii: false,
      profile: 'xlsx',
      fileType: 'zip',
    });
    const { rows } = await merchant.owner.query<{ movement_id: string }>(
      `SELECT r.movement_id FROM receipt_archive_items i JOIN receipts r ON r.id = i.receipt_id
        WHERE i.archive_id = $1`,
      [archive],
    );
    expect(rows.map((row) => row.movement_id).sort()).toEqual(made.slice(0, 3).sort());
  });
});

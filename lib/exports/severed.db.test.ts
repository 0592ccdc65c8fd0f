import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readReceiptQuery } from '#lib/receipts/filter.ts';
import { MERGED_WORDS } from '#lib/receipts/archives/testing/merged-words.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { severDatabase } from '#lib/testing/severed-database.ts';
import type { SeveredDatabase } from '#lib/testing/severed-database.ts';
import type * as Make from './make.ts';
import { storeDrafts } from './testing/drafts.ts';
import { FRAME } from './testing/frame.ts';

/** The database restarts in the middle of a download. */

const ROWS = 90;
/** More pieces than are read at once. */
const ROWS_A_PIECE = 5;

let merchant: TestMerchant;
let web: Process;
let worker: Process;
let database: SeveredDatabase;
let product: Awaited<ReturnType<typeof productOf>>;
let make: typeof Make;

/** As the modules of one process, so that all of them use its connections. */
const productOf = async () => ({
  ...(await import('./ask.ts')),
  ...(await import('./take.ts')),
  ...(await import('#lib/receipts/archives/ask.ts')),
  ...(await import('#lib/receipts/archives/take.ts')),
  ...(await import('#lib/audit/export.ts')),
});

beforeAll(async () => {
  merchant = await testMerchant();
  database = await severDatabase();
  await storeDrafts(merchant, 'CUT', ROWS);
  web = await openProcess('dashboard_web');
  product = await productOf();
  worker = await openProcess('dashboard_worker');
  make = await import('./make.ts');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), worker.db.disconnect()]);
  database.close();
  await merchant.close();
});

type Pieces = AsyncGenerator<Uint8Array | string>;

async function textOf(pieces: Pieces, first: (Uint8Array | string)[] = []): Promise<string> {
  const all = [...first, ...(await Array.fromAsync(pieces))];
  return Buffer.concat(all.map((piece) => Buffer.from(piece))).toString('latin1');
}

/** The file, with the database cut off after its first piece. */
async function cutAfterFirst(pieces: Pieces): Promise<string> {
  const { value } = await pieces.next();
  const tried = database.cut();
  const rest = textOf(pieces, [value as Uint8Array]);
  await Promise.race([tried, rest]);
  database.mend();
  return rest;
}

it('an export goes on where it was, with the same bytes', async () => {
  const clerk = merchant.person('clerk');
  const id = await product.askForExport(clerk, {
    source: 'payouts',
    profile: 'csv',
    filter: '',
    frame: FRAME,
  });
  await make.makeOneExport(merchant.merchantId, undefined, ROWS_A_PIECE);
  const cut = await cutAfterFirst((await product.takeExport(clerk, id))!.pieces);
  expect(cut).toBe(await textOf((await product.takeExport(clerk, id))!.pieces));
});

it('an archive of receipts goes on where it was', async () => {
  await merchant.owner.query(
    `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
      fee_minor, currency, ext_id, sender_name, sender_iban, created_at, raw)
     VALUES ($1, $2, 1004, 20, 'in', 100, 0, 'TRY', upper(left(md5(random()::text), 20)), 'Ayşe',
       'TR330006100519786457841326', now(), '{}')`,
    [merchant.merchantId, randomUUID()],
  );
  await merchant.owner.query(
    `INSERT INTO receipts (merchant_id, record_id, state, format, bytes, sha256, tries, paid_at)
     SELECT merchant_id, id, 'READY', 'html', '<p>Dekont</p>', repeat('0', 64), 0, created_at
       FROM ledger_records WHERE merchant_id = $1`,
    [merchant.merchantId],
  );
  const clerk = merchant.person('clerk');
  const id = await product.askForArchive(clerk, {
    filter: readReceiptQuery({}).filter,
    picked: null,
    withLedger: false,
    template: 'full',
    ascii: false,
    profile: 'csv',
    fileType: 'zip',
  });
  const words = {
    frame: { ...FRAME, role: 'clerk', by: 'clerk', zone: 'Europe/Istanbul' },
    contents: () => '',
    merged: MERGED_WORDS,
  } as const;
  const pieces = async () => (await product.takeArchive(clerk, id))!.pieces(words);
  const severed = await pieces();
  const tried = database.cut();
  const file = textOf(severed);
  await Promise.race([tried, file]);
  database.mend();
  expect(await file).toBe(await textOf(await pieces()));
  expect(await file).toContain('.html');
});

it('the audit log goes on where it was', async () => {
  const asked = { format: 'ndjson', filter: null, personal: false } as const;
  const { pieces, entries } = await product.openExport(merchant.person('auditor'), asked);
  const lines = (await cutAfterFirst(pieces)).trim().split('\n');
  expect(lines.length).toBe(entries + 2);
});

import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FRAME } from '#lib/exports/testing/frame.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Convert from '../conversion/convert-due.ts';
import type * as Request from '../conversion/request.ts';
import type * as Fetch from '../fetch-due.ts';
import type * as Receipt from '../view.ts';
import { readReceiptQuery } from '../filter.ts';
import { MERGED_MAX } from './archive.ts';
import type * as Ask from './ask.ts';
import type * as Gaps from './ask-gaps.ts';
import { MERGED_WORDS } from './testing/merged-words.ts';
import type * as Take from './take.ts';
import type * as View from './view.ts';

/**
 * Many receipts as one PDF: receipts that came as HTML are printed first, and a receipt that cannot
 * be included is named.
 */

const BROWSER = [
  process.env['CHROMIUM_PATH'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));
const NO_BROWSER = null;
let merchant: TestMerchant;
let web: Process;
let worker: Process;
let convert: typeof Convert;
let fetchDue: typeof Fetch;
let ask: typeof Ask;
let gaps: typeof Gaps;
let take: typeof Take;
let view: typeof View;
let receipt: typeof Receipt;
let request: typeof Request;

beforeAll(async () => {
  merchant = await testMerchant();
  worker = await openProcess('dashboard_worker');
  convert = await import('../conversion/convert-due.ts');
  fetchDue = await import('../fetch-due.ts');
  web = await openProcess('dashboard_web');
  [ask, gaps, take, view, receipt, request] = [
    await import('./ask.ts'),
    await import('./ask-gaps.ts'),
    await import('./take.ts'),
    await import('./view.ts'),
    await import('../view.ts'),
    await import('../conversion/request.ts'),
  ];
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), worker.db.disconnect(), merchant.close()]);
});

type Document = { format: 'pdf' | 'html'; bytes: Uint8Array } | null;

/**
 * Creates a receipt of a ledger entry; `document` null: its document is still awaited. An earlier
 * `minute` makes it older.
 */
async function aReceipt(name: string, document: Document, minute: number): Promise<string> {
  const at = `2026-03-06T10:${String(minute).padStart(2, '0')}:00Z`;
  const { rows } = await merchant.owner.query<{ id: string }>(
    `WITH l AS (INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction,
      amount_minor, fee_minor, currency, sender_name, created_at, raw)
      VALUES ($1, gen_random_uuid()::text, 1004, 20, 'in', 100, 0, 'TRY', $2, $3, '{}')
      RETURNING id)
     INSERT INTO receipts (merchant_id, record_id, state, format, bytes, sha256, paid_at)
     SELECT $1, l.id, CASE WHEN $4::text IS NULL THEN 'WAITING' ELSE 'READY' END, $4, $5,
       encode(sha256($5), 'hex'), $3 FROM l RETURNING id`,
    [
      merchant.merchantId,
      name,
      at,
      document?.format ?? null,
      document && Buffer.from(document.bytes),
    ],
  );
  return rows[0]!.id;
}
async function pdf(width: number): Promise<Document> {
  const one = await PDFDocument.create();
  one.addPage([width, 300]);
  return { format: 'pdf', bytes: await one.save() };
}
const html = (text: string): Document => ({ format: 'html', bytes: Buffer.from(text) });
const askFor = (picked: string[], fileType: 'pdf' | 'zip' = 'pdf'): Promise<string> =>
  ask.askForArchive(merchant.person('clerk'), {
    filter: readReceiptQuery({}).filter,
    picked,
    withLedger: false,
    template: 'full',
    ascii: false,
    profile: 'csv',
    fileType,
  });
/** The widths of the PDF's pages, which tell the documents apart. */
async function taken(id: string, maxBytes?: number): Promise<number[]> {
  const file = (await take.takeArchive(merchant.person('clerk'), id))!;
  const frame = { ...FRAME, role: 'clerk', by: 'x', zone: 'UTC', fileName: 'dizin' } as const;
  const words = { frame, contents: () => '', merged: MERGED_WORDS };
  const bytes = Buffer.concat(await Array.fromAsync(file.pieces(words, maxBytes)));
  return (await PDFDocument.load(bytes)).getPages().map((page) => Math.floor(page.getWidth()));
}
const convertAll = async (browser: string | null): Promise<number> => {
  let count = 0;
  while (await convert.convertOneDueReceipt(merchant.merchantId, browser)) count += 1;
  return count;
};
/** Prints the one receipt that is due; a busy machine may print it at the second try only. */
const printOne = async (): Promise<void> => {
  expect(await convertAll(BROWSER!)).toBe(1);
  await merchant.owner.query(
    `UPDATE receipt_pdfs SET next_at = now() WHERE merchant_id = $1 AND state = 'WAITING'`,
    [merchant.merchantId],
  );
  await convertAll(BROWSER!);
};
const counts = async (id: string) => (await view.viewArchive(merchant.person('clerk'), id))!.counts;
const A4 = 595;

describe('receipts as one PDF', () => {
  it('hold their pages in the order of the list, and name what is not there on the last page', async () => {
    const files = [await pdf(401), await pdf(402)] as const;
    const [first, second] = [
      await aReceipt('Bir', files[0], 1),
      await aReceipt('İki', files[1], 2),
    ];
    const whole = await askFor([first, second]);
    expect(await taken(whole)).toEqual([402, 401]);
    expect(await counts(whole)).toEqual({ ready: 2, waiting: 0, failed: 0 });
    // A file holds the time of its making, so that another one of the same pages may be shorter.
    const both = files[0]!.bytes.length + files[1]!.bytes.length;
    expect(await taken(whole, both - 1), 'the limit is of all together').toEqual([402, A4]);
    const missing = await aReceipt('Bekleyen', null, 3);
    const partial = await askFor([first, second, missing]);
    expect(await taken(partial)).toEqual([402, 401, A4]);
    expect(await taken(partial, 1)).toEqual([A4]);
    expect(
      await merchant.owner
        .query(
          `SELECT 1 FROM audit_entries WHERE subject = $1 AND action LIKE 'receipt.archive%'`,
          [`archive:${partial}`],
        )
        .then(({ rows }) => rows.length),
    ).toBe(3);
  });

  it('without a browser on the server name what came as HTML, and have it printed when asked again', async () => {
    const [first, second] = [
      await aReceipt('Belge', await pdf(403), 4),
      await aReceipt('Sayfa', html('<p>İşlem dekontu</p>'), 5),
    ];
    const id = await askFor([first, second]);
    expect(await counts(id)).toEqual({ ready: 1, waiting: 1, failed: 0 });
    const clerk = merchant.person('clerk');
    expect((await view.viewArchive(clerk, id))!.gaps).toMatchObject([
      { id: second, status: 'ready', pdf: 'WAITING' },
    ]);
    expect(await convertAll(NO_BROWSER)).toBe(1);
    expect(await counts(id)).toEqual({ ready: 1, waiting: 0, failed: 1 });
    expect((await view.viewArchive(clerk, id))!.gaps).toMatchObject([
      { id: second, pdf: 'FAILED', pdfProblem: 'no_engine' },
    ]);
    expect(await taken(id)).toEqual([403, A4]);
    expect(await gaps.askForGaps(clerk, id)).toBe(1);
    expect(await counts(id)).toEqual({ ready: 1, waiting: 1, failed: 0 });
    if (BROWSER === undefined) return void (await convertAll(NO_BROWSER));
    await printOne();
    expect(await counts(id)).toEqual({ ready: 2, waiting: 0, failed: 0 });
    // The HTML receipt is printed on A4 and comes first, because it is newer; there is no page of
    // missing receipts.
    expect(await taken(id)).toEqual([A4, 403]);
    const original = await receipt.readReceiptFile(clerk, second, false);
    expect(Buffer.from(original!.bytes).toString()).toBe('<p>İşlem dekontu</p>');
  }, 90_000);

  it('have what arrives as HTML after they were asked for printed, unlike a ZIP', async () => {
    const [merged, packed] = [
      await aReceipt('Geç gelen', null, 10),
      await aReceipt('Pakette', null, 11),
    ];
    const id = await askFor([merged]);
    await askFor([packed], 'zip');
    await merchant.owner.query(`UPDATE receipts SET next_at = now() WHERE id = ANY($1)`, [
      [merged, packed],
    ]);
    const bytes = Buffer.from('<p>Dekont</p>');
    const wallet = { getReceipt: async () => ({ kind: 'html' as const, bytes }) };
    while (await fetchDue.fetchOneDueReceipt(merchant.merchantId, wallet));
    const { rows } = await merchant.owner.query(
      `SELECT r.state, p.state AS printed FROM receipts r LEFT JOIN receipt_pdfs p
        ON p.receipt_id = r.id WHERE r.id = ANY($1) ORDER BY r.paid_at`,
      [[merged, packed]],
    );
    expect(rows).toEqual([
      { state: 'READY', printed: 'WAITING' },
      { state: 'READY', printed: null },
    ]);
    expect(await counts(id)).toEqual({ ready: 0, waiting: 1, failed: 0 });
    expect(await convertAll(NO_BROWSER)).toBe(1);
  });

  it('are refused beyond their number, of which a ZIP may have more', async () => {
    const ids: string[] = [];
    for (let n = 0; n <= MERGED_MAX; n++) ids.push(await aReceipt('Çok', null, n % 60));
    await expect(askFor(ids)).rejects.toMatchObject({
      code: 'too_many_rows',
      params: { max: MERGED_MAX },
    });
    expect(await askFor(ids.slice(1))).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('are found by the person who asked for them alone', async () => {
    const id = await askFor([await aReceipt('Özel', await pdf(404), 6)]);
    expect(await take.takeArchive(merchant.person('auditor'), id)).toBeNull();
  });
});

describe('one receipt as PDF', () => {
  it('is printed once for whoever may read it, and refused for what did not come as HTML', async () => {
    const [page, document] = [
      await aReceipt('Tek', html('<p>Dekont</p>'), 7),
      await aReceipt('Belge', await pdf(405), 8),
    ];
    const clerk = merchant.person('clerk');
    await request.askForPdf(clerk, page);
    await request.askForPdf(clerk, page);
    await expect(request.askForPdf(clerk, document)).rejects.toMatchObject({ code: 'not_found' });
    const { rows } = await merchant.owner.query(
      `SELECT state FROM receipt_pdfs WHERE receipt_id = ANY($1)`,
      [[page, document]],
    );
    expect(rows).toEqual([{ state: 'WAITING' }]);
    expect(await convertAll(NO_BROWSER)).toBe(1);
    expect((await receipt.viewReceipt(clerk, page, readReceiptQuery({}).filter))!.pdf).toEqual({
      state: 'FAILED',
      problem: 'no_engine',
    });
    expect(await receipt.readReceiptFile(clerk, page, true, true)).toBeNull();
    if (BROWSER === undefined) return;
    await request.askForPdf(clerk, page);
    await printOne();
    const file = (await receipt.readReceiptFile(clerk, page, true, true))!;
    expect(file.format).toBe('pdf');
    expect((await PDFDocument.load(file.bytes)).getPageCount()).toBe(1);
    expect((await receipt.readReceiptFile(clerk, page, false))!.format).toBe('html');
  }, 90_000);

  it('is a copy of which the audit log says that it is the PDF', async () => {
    const id = await aReceipt('Kopya', html('<p>Dekont</p>'), 12);
    const clerk = merchant.person('clerk');
    await request.askForPdf(clerk, id);
    const printed = (await pdf(406))!.bytes;
    await merchant.owner.query(
      `UPDATE receipt_pdfs SET state = 'READY', bytes = $2, next_at = NULL WHERE receipt_id = $1`,
      [id, Buffer.from(printed)],
    );
    const file = (await receipt.readReceiptFile(clerk, id, true, true))!;
    expect([file.format, Buffer.from(printed).equals(file.bytes)]).toEqual(['pdf', true]);
    await receipt.readReceiptFile(clerk, id, true);
    const { rows } = await merchant.owner.query(
      `SELECT body::jsonb -> 'detail' ->> 'file' AS file FROM audit_entries
        WHERE subject = $1 AND action = 'receipt.downloaded' ORDER BY seq`,
      [`receipt:${id}`],
    );
    expect(rows).toEqual([{ file: 'pdf' }, { file: null }]);
  });

  it('is given up when its worker ended each time before it was printed', async () => {
    const id = await aReceipt('Ağır', html('<p>Dekont</p>'), 9);
    const clerk = merchant.person('clerk');
    await request.askForPdf(clerk, id);
    const state = async () =>
      (await receipt.viewReceipt(clerk, id, readReceiptQuery({}).filter))!.pdf!.state;
    // A claim that nobody has ended, due again.
    const died = () =>
      merchant.owner.query(
        `UPDATE receipt_pdfs SET tries = tries + 1, next_at = now() WHERE receipt_id = $1`,
        [id],
      );
    await died();
    await died();
    await died();
    const folder = await mkdtemp(join(tmpdir(), 'given-up-'));
    const [browser, started] = [join(folder, 'chromium'), join(folder, 'started')];
    await writeFile(browser, `#!/bin/sh\ntouch ${started}\n`, { mode: 0o700 });
    expect(await convert.convertOneDueReceipt(merchant.merchantId, browser)).toBe(true);
    expect([await state(), existsSync(started)]).toEqual(['FAILED', false]);
    await request.askForPdf(clerk, id);
    expect(await convert.convertOneDueReceipt(merchant.merchantId, browser)).toBe(true);
    expect([await state(), existsSync(started)], 'asked for anew').toEqual(['WAITING', true]);
    await rm(folder, { recursive: true });
  });
});

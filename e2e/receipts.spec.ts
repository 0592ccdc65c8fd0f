import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator } from '@playwright/test';
import { PDFDocument } from 'pdf-lib';
import { unzip } from '../lib/exports/testing/unzip.ts';
import { expect, test, type Desk } from './story.ts';
import { rows } from './database.ts';
import { launching } from './launching.ts';
import { expectState, send, wanted, type Wanted } from './payout.ts';
import { sandbox } from './sandbox.ts';
import { BASE_URL } from './surroundings.ts';

// The headless shell has no viewer for PDF.
test.use({ launchOptions: launching(process.env['CHROMIUM_PATH']) });

type Receipt = {
  id: string;
  format: 'pdf' | 'html';
  bytes: Buffer;
  name: string;
  iban: string;
  extId: string;
};

/**
 * Finds a receipt in the wanted format. The sandbox chooses the format by the transaction's last
 * digit, so that payments are made until one matches.
 */
async function receiptIn(desk: Desk, format: 'pdf' | 'html'): Promise<Receipt> {
  const find = () =>
    rows<Receipt>(
      `SELECT r.id, r.format, r.bytes, m.name, m.iban, m.ext_id AS "extId" FROM receipts r
        JOIN movements m ON m.id = r.movement_id WHERE m.kind = 'payout' AND r.state = 'READY'
        AND r.format = $1 AND m.amount_minor % 100 <> 47
        AND r.merchant_id = (SELECT merchant_id FROM people WHERE email = 'ayse@demo.test')
        ORDER BY r.fetched_at DESC LIMIT 1`,
      [format],
    );
  for (let tries = 0; tries < 8; tries++) {
    const [found] = await find();
    if (found !== undefined) return found;
    await paidWithReceipt(desk, wanted());
  }
  throw new Error(`eight payments and no receipt as ${format}`);
}

async function paidWithReceipt(desk: Desk, want: Wanted): Promise<void> {
  await send(desk, want);
  await expectState(desk, 'COMPLETED');
  await expect(
    desk.page.getByRole('link', { name: desk.say('payout', 'actions.receipt') }),
  ).toBeVisible({ timeout: 30_000 });
}

for (const format of ['pdf', 'html'] as const) {
  test(`a receipt that came as ${format} is shown in a frame and downloaded byte for byte`, async ({
    sitDown,
  }) => {
    const desk = await sitDown('deniz');
    const { page, say } = desk;
    const receipt = await receiptIn(await sitDown('ayse'), format);
    // Named by its reference: the receipts of other stories may fill the first page.
    await page.goto(`/receipts?q=${receipt.extId}`);
    await expect(
      page.getByRole('row').filter({ has: page.locator(`a[href^="/receipts/${receipt.id}"]`) }),
    ).toContainText(say('receipts', 'states.ready'));
    await page.goto(`/receipts/${receipt.id}`);
    if (format === 'html') {
      const frame = page.locator('iframe');
      await expect(frame).toHaveAttribute(
        'title',
        say('receipts', 'viewer.frame', { name: receipt.name }),
      );
      await expect(frame).toHaveAttribute('sandbox', '');
      await expect(page.frameLocator('iframe').getByText(receipt.iban)).toBeVisible();
    } else if (await page.evaluate(() => navigator.pdfViewerEnabled))
      await expect(page.locator('iframe')).toHaveAttribute(
        'src',
        new RegExp(`^/receipts/${receipt.id}/raw(#|$)`),
      );
    else await expect(page.getByText(say('receipts', 'viewer.noViewer'))).toBeVisible();
    for (const label of ['viewer.download', 'viewer.downloadAscii']) {
      const downloading = page.waitForEvent('download');
      await page
        .getByRole('link', { name: say('receipts', label), exact: true })
        .first()
        .click();
      const download = await downloading;
      expect(readFileSync(await download.path()).equals(receipt.bytes)).toBe(true);
      expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${format}$`));
      if (label === 'viewer.downloadAscii')
        expect(download.suggestedFilename()).toMatch(/^[\x20-\x7e]+$/);
    }
    expect(
      await rows(
        `SELECT 1 FROM audit_entries WHERE action = 'receipt.downloaded' AND subject = $1`,
        [`receipt:${receipt.id}`],
      ),
    ).not.toHaveLength(0);
  });
}

test('a hostile receipt runs nothing, loads nothing, sends nothing and leaves the page as it was', async ({
  sitDown,
  pageProblems,
}) => {
  const desk = await sitDown('ayse');
  const { page, context, say } = desk;
  const reached: string[] = [];
  await context.route(/evil\.test/, (route) => {
    reached.push(route.request().url());
    return route.abort();
  });
  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs += 1;
    void dialog.dismiss();
  });
  await paidWithReceipt(desk, wanted({ amountMinor: 12_347 }));
  await page.getByRole('link', { name: say('payout', 'actions.receipt') }).click();
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Dekont' })).toBeVisible();
  const address = page.url();
  const title = await page.title();
  // Everything in the document that could lure a person is removed; its text stays.
  const shown = page.frameLocator('iframe');
  for (const words of ['Devam', 'Dekontu indir']) await shown.getByText(words).click();
  await expect(
    shown.locator(
      'form, input, button, iframe, object, script, link, meta[http-equiv], [href], [onload], [onerror]',
    ),
  ).toHaveCount(0);
  await expect(shown.getByRole('heading', { name: 'Dekont' })).toBeVisible();
  expect(await page.title()).toBe(title);
  expect(page.url()).toBe(address);

  // At its own address, outside our iframe, the document is equally harmless.
  const raw = `${address.replace(/\?.*$/, '')}/raw`;
  const answer = await context.request.get(raw);
  expect(answer.headers()).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  expect(answer.headers()['content-security-policy']).toMatch(
    /^sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:;/,
  );
  expect(await answer.text()).not.toMatch(/<script|<form|<iframe|<object|javascript:|onload=/i);
  expect(
    await (await context.request.get(`${raw}?download=1`)).text(),
    'the stored bytes stay',
  ).toContain('<script>');
  const alone = await context.newPage();
  await alone.goto(raw);
  await expect(alone.getByRole('heading', { name: 'Dekont' })).toBeVisible();
  expect(alone.url()).toBe(raw);
  expect(reached).toEqual([]);
  expect(dialogs).toBe(0);
  // The console reports only what the policy blocked.
  expect(
    pageProblems.filter((problem) => !/evil\.test|Running the JavaScript URL/.test(problem)),
  ).toEqual([]);
  pageProblems.length = 0;
  expect((await context.cookies()).some(({ name }) => name === 'sid')).toBe(true);
});

test('a receipt that waits for the ledger says so, and appears by itself once the ledger has the payment', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const want = wanted();
  await sandbox.fault({
    operation: 'SummaryRecordByFilter',
    kind: 'code',
    code: '312',
    times: 1_000,
  });
  await send(desk, want);
  await expectState(desk, 'COMPLETED');
  await expect(
    page.getByText('Hesap hareketi henüz görünmüyor; yoğun saatte 20 dakikayı bulabilir.'),
  ).toBeVisible();
  await page.getByRole('link', { name: say('payout', 'actions.receiptWaiting') }).click();
  await expect(
    page.getByRole('heading', { name: say('receipts', 'waiting.ledgerTitle') }),
  ).toBeVisible();
  await page.goto('/receipts?view=waiting');
  await expect(page.getByRole('row').filter({ hasText: want.payee.name })).toContainText(
    say('receipts', 'states.waiting_ledger'),
  );
  await page.getByRole('link', { name: want.payee.name }).click();
  await sandbox.calm();
  await page.getByRole('button', { name: say('receipts', 'askLedger') }).click();
  const announced = page
    .getByRole('button', { name: desk.like('live', 'changes') })
    .or(page.getByRole('button', { name: say('live', 'maybe') }))
    .first();
  const download = page.getByRole('link', {
    name: say('receipts', 'viewer.download'),
    exact: true,
  });
  await expect(download.or(announced).first()).toBeVisible({ timeout: 30_000 });
  // The page renders again by itself, or announces the change and shows it on a click.
  await expect(async () => {
    // The button may go before the click: the page has then rendered by itself.
    if (await announced.isVisible()) await announced.click({ timeout: 1_000 });
    await expect(download).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
});

test('what the provider sends instead of a receipt is not shown, the reason is, and it can be asked for again', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  await sandbox.fault({ operation: 'TransactionReceipt', kind: 'html', times: 1_000 });
  const want = wanted();
  await send(desk, want);
  await expectState(desk, 'COMPLETED');
  const receipt = async () =>
    (
      await rows<{ id: string; state: string; tries: number }>(
        `SELECT r.id, r.state, r.tries FROM receipts r JOIN movements m ON m.id = r.movement_id
          WHERE m.iban = $1`,
        [want.payee.iban],
      )
    )[0];
  await expect.poll(async () => (await receipt())?.tries, { timeout: 30_000 }).toBeGreaterThan(0);
  const { id } = (await receipt())!;
  await page.goto(`/receipts/${id}`);
  await expect(page.getByText(say('receipts', 'problems.title'))).toBeVisible();
  expect((await page.request.get(`${BASE_URL}/receipts/${id}/raw`)).status()).toBe(404);
  await sandbox.calm();
  await page.getByRole('button', { name: say('receipts', 'ask'), exact: true }).click();
  await expect.poll(async () => (await receipt())?.state, { timeout: 30_000 }).toBe('READY');
  await page.reload();
  await expect(
    page.getByRole('link', { name: say('receipts', 'viewer.download'), exact: true }),
  ).toBeVisible();
});

test('receipts picked in the list leave as one file that names what is missing until nothing is', async ({
  sitDown,
}) => {
  const desk = await sitDown('deniz');
  const { page, say } = desk;
  // Of three receipts in the list, the first and the last have a document, and the middle one has
  // none yet.
  const name = `Arşiv ${Date.now()} ../..`;
  const lines = await rows<{ id: string }>(
    `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
      fee_minor, currency, sender_name, created_at, raw)
     SELECT merchant_id, (random() * 1e15)::bigint::text, 1004, 20, 'in', 100 * n, 0, 'TRY', $1,
       now() - n * interval '1 minute', '{}' FROM people, generate_series(1, 3) n
       WHERE email = 'deniz@demo.test' RETURNING id`,
    [name],
  );
  const receipts = await rows<{ id: string }>(
    `INSERT INTO receipts (merchant_id, record_id, state, format, bytes, sha256, tries, next_at, paid_at)
     SELECT merchant_id, id, CASE amount_minor WHEN 200 THEN 'WAITING'
       ELSE 'READY' END, CASE amount_minor WHEN 200 THEN NULL
       ELSE 'html' END, CASE amount_minor WHEN 200 THEN NULL ELSE '<p>Dekont</p>'::bytea END,
       CASE amount_minor WHEN 200 THEN NULL ELSE encode(sha256('<p>Dekont</p>'), 'hex') END, 3,
         CASE amount_minor WHEN 200 THEN now() + interval '1 hour' END, created_at
         FROM ledger_records WHERE id = ANY ($1) ORDER BY created_at DESC RETURNING id`,
    [lines.map(({ id }) => id)],
  );
  await page.goto(`/receipts?q=${encodeURIComponent(name)}`);
  const boxes = page.getByRole('checkbox', { name: say('receipts', 'pick.one', { name }) });
  await expect(boxes).toHaveCount(3);
  await expect(async () => {
    await boxes.first().uncheck();
    await boxes.first().check();
    await boxes.last().click({ modifiers: ['Shift'] });
    await expect(boxes.nth(1)).toBeChecked({ timeout: 500 });
  }).toPass();
  await expect(page.getByText(say('receipts', 'pick.counted', { count: '3' }))).toBeVisible();
  // The key for one row unticks the middle one, and ticks it again.
  await page.getByRole('link', { name, exact: true }).nth(1).focus();
  await page.keyboard.press('x');
  await expect(boxes.nth(1)).not.toBeChecked();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: say('receipts', 'pick.take') }).click();
  await expect(page.getByText('Tek tek seçilen 3 dekont')).toBeVisible();
  await page.getByRole('button', { name: say('receipts', 'archives.new.submit') }).click();
  await expect(page).toHaveURL(/\/receipts\/archives\/[0-9a-f-]{36}$/);
  await expect(page.getByText(say('receipts', 'meter', { ready: 2, all: 3 }))).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(1);
  const take = async (label: string): Promise<string[]> => {
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: say('receipts', label), exact: true }).click();
    return [...unzip(readFileSync(await (await downloading).path())).keys()];
  };
  const early = await take('archives.downloadNow');
  expect(early.filter((file) => file.endsWith('.html'))).toHaveLength(2);
  expect(early.filter((file) => /[/\\]/.test(file))).toEqual([]);
  // The document arrives: the page updates and reports that no receipt is missing.
  await rows(
    `UPDATE receipts SET state = 'READY', format = 'html', bytes = '<p>Dekont</p>',
      sha256 = encode(sha256('<p>Dekont</p>'), 'hex'), next_at = NULL WHERE id = ANY ($1)
      AND state <> 'READY'`,
    [receipts.map(({ id }) => id)],
  );
  await expect(async () => {
    await rows(
      `SELECT
        pg_notify('dashboard', json_build_object('merchantId', merchant_id, 'kind', 'receipt', 'id',
        id)::text) FROM receipts WHERE id = $1`,
      [receipts[0]!.id],
    );
    await expect(page.getByText(desk.like('receipts', 'archives.allThere'))).toBeVisible({
      timeout: 3_000,
    });
  }).toPass({ timeout: 30_000 });
  expect((await take('archives.download')).filter((file) => file.endsWith('.html'))).toHaveLength(
    3,
  );
});

/** A PDF with that many pages. */
async function pdfOf(pages: number): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  for (let n = 0; n < pages; n++) pdf.addPage([300, 300]);
  return Buffer.from(await pdf.save());
}

/** Stores receipts under that name, newest first, with the given documents. */
async function storedReceipts(
  name: string,
  documents: readonly { format: 'pdf' | 'html'; bytes: Buffer }[],
): Promise<void> {
  for (const [n, { format, bytes }] of documents.entries())
    await rows(
      `WITH l AS (INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction,
         amount_minor, fee_minor, currency, sender_name, created_at, raw)
         SELECT merchant_id, (random() * 1e15)::bigint::text, 1004, 20, 'in', 100, 0, 'TRY', $1,
           now() - $2::int * interval '1 minute', '{}' FROM people
           WHERE email = 'deniz@demo.test' RETURNING merchant_id, id, created_at)
       INSERT INTO receipts (merchant_id, record_id, state, format, bytes, sha256, paid_at)
       SELECT merchant_id, id, 'READY', $3, $4::bytea, encode(sha256($4::bytea), 'hex'), created_at
         FROM l`,
      [name, n, format, bytes],
    );
}

test('receipts of a filter leave as one PDF with the pages of all, those that came as HTML printed', async ({
  sitDown,
}) => {
  const desk = await sitDown('deniz');
  const { page, say } = desk;
  const name = `Tek PDF ${Date.now()}`;
  // The document refers to a server on this machine, which must never receive a connection.
  let connections = 0;
  const stranger = createServer((_, answer) => answer.end()).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
  const html = Buffer.from(
    `<link rel="stylesheet" href="${origin}/a"><style>p { background: url(${origin}/b) }</style>` +
      `<p>İşlem dekontu</p><img src="${origin}/c"><script>fetch('${origin}/d')</script>`,
  );
  await storedReceipts(name, [
    { format: 'pdf', bytes: await pdfOf(2) },
    { format: 'html', bytes: html },
    { format: 'pdf', bytes: Buffer.from('%PDF-1.7 broken') },
    { format: 'pdf', bytes: await pdfOf(3) },
  ]);
  await page.goto(`/receipts?q=${encodeURIComponent(name)}`);
  await page.getByRole('link', { name: say('receipts', 'archives.takeAll') }).click();
  const fileNames = page.getByRole('group', { name: say('receipts', 'archives.new.template') });
  await expect(fileNames).toBeVisible();
  await page.getByRole('radio', { name: say('receipts', 'archives.fileTypes.pdf.name') }).check();
  await expect(fileNames).toBeHidden();
  await page.getByRole('button', { name: say('receipts', 'archives.new.submit') }).click();
  await expect(page).toHaveURL(/\/receipts\/archives\/[0-9a-f-]{36}$/);
  await expect(page.getByText(desk.like('receipts', 'archives.allTherePdf'))).toBeVisible({
    timeout: 60_000,
  });
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: say('receipts', 'archives.download'), exact: true }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/-4-4\.pdf$/);
  const merged = await PDFDocument.load(readFileSync(await download.path()));
  // The two pages of the first PDF, the printed HTML document, the three pages of the last PDF, and
  // a page that names the broken document.
  expect(merged.getPages().map((one) => Math.floor(one.getWidth()))).toEqual([
    300, 300, 595, 300, 300, 300, 595,
  ]);
  expect(connections).toBe(0);
  stranger.close();
});

test('on a phone a receipt made for paper is shown without scrolling sideways, printed, and made into a PDF', async ({
  sitDown,
}) => {
  const desk = await sitDown('deniz', { narrow: true });
  const { page, say } = desk;
  const name = `Telefon ${Date.now()}`;
  const wide =
    '<html><body style="width:900px"><div style="position:absolute;left:600px">Sağda</div>' +
    '<table width="1100"><tr><td width="500" nowrap>Alıcı adı ve soyadı</td>' +
    `<td style="min-width:500px">${'X'.repeat(120)}</td></tr></table><pre>${'9 '.repeat(90)}</pre>` +
    '</body></html>';
  await storedReceipts(name, [{ format: 'html', bytes: Buffer.from(wide) }]);
  await page.goto(`/receipts?q=${encodeURIComponent(name)}`);
  await page.getByRole('link', { name, exact: true }).click();
  const shown = page.frameLocator('iframe');
  await expect(shown.getByText('Alıcı adı ve soyadı')).toBeVisible();
  const frame = (await page.locator('iframe').boundingBox())!;
  for (const part of ['div', 'table', 'td >> nth=1', 'pre']) {
    const box = (await shown.locator(part).first().boundingBox())!;
    expect(box.x, part).toBeGreaterThanOrEqual(frame.x);
    expect(box.x + box.width, part).toBeLessThanOrEqual(frame.x + frame.width + 0.5);
  }
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth),
    'the page itself',
  ).toBeLessThanOrEqual(390);
  await expect(page.getByRole('button', { name: say('receipts', 'viewer.print') })).toBeVisible();
  await page.getByRole('button', { name: say('receipts', 'asPdf.make') }).click();
  const link = page.getByRole('link', { name: say('receipts', 'asPdf.download') });
  await expect(link).toBeVisible({ timeout: 45_000 });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toMatch(/\.pdf$/);
  const printed = await PDFDocument.load(readFileSync(await download.path()));
  expect(printed.getPageCount()).toBe(1);
});

test('one press downloads a receipt, on the payout’s page and in the list of payouts', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const want = wanted();
  await paidWithReceipt(desk, want);
  const downloads: string[] = [];
  const press = async (link: Locator): Promise<void> => {
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    downloads.push(readFileSync(await download.path(), 'base64'));
  };
  await press(page.getByRole('link', { name: say('payout', 'actions.receiptDownload') }));
  await page.goto('/payouts');
  const row = page.getByRole('row').filter({ hasText: want.payee.name });
  await press(row.getByRole('link', { name: say('payouts', 'table.receipt') }));
  expect(downloads[0]!.length).toBeGreaterThan(100);
  expect(downloads[1]).toBe(downloads[0]);
});

import type { Page } from '@playwright/test';
import { PDFDocument } from 'pdf-lib';
import { readFileSync } from 'node:fs';
import { expectReady, openDraft, pasteRows, sendBatch } from './batch-rows.ts';
import { rows } from './database.ts';
import { newIban, newTaxNumber } from './payee.ts';
import { expect, pressUntil, test, type Desk } from './story.ts';

/** What a batch leaves behind: its payouts, its receipts, and its rows for the next month. */

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function expectCompleted({ page, say }: Desk, names: readonly string[]): Promise<void> {
  for (const name of names)
    await expect(rowOf(page, name)).toContainText(say('states', 'COMPLETED'), { timeout: 40_000 });
}

function twoSalaries(): { names: [string, string]; lines: string[][] } {
  const ibans = [newIban(), newIban()];
  const names = ['Çağla', 'Özgür'].map((name, at) => `${name} ${ibans[at]!.slice(-6)}`);
  const lines = names.map((name, at) => [
    ...[name, ibans[at]!, newTaxNumber()],
    ...[at === 0 ? '120,50' : '340,25', `Kasım maaşı`],
  ]);
  return { names: names as [string, string], lines };
}

test('a batch opens its payouts and takes their receipts as one PDF and as ZIP', async ({
  sitDown,
}) => {
  test.setTimeout(180_000);
  const desk = await sitDown('ayse');
  const { page, say, like } = desk;
  const { names, lines } = twoSalaries();
  await pasteRows(desk, lines);
  await sendBatch(desk);
  await expectCompleted(desk, names);
  const batch = page.url();
  const main = page.getByRole('main');

  // The list of payouts has the same rows and the same sum as the batch.
  await main.getByRole('link', { name: like('batch-run', 'files.payouts') }).click();
  await expect(page).toHaveURL(/\/payouts\?batch=/);
  const filter = say('payouts', 'chips.batch', { name: say('payouts', 'chips.pasted') });
  await expect(main.getByText(filter, { exact: true })).toBeVisible();
  await expect(main).toContainText('₺460,75');
  await expect(rowOf(page, names[0])).toBeVisible();

  // A payout names its batch and its row, and the link finds the row.
  await main.getByRole('link', { name: names[1], exact: true }).click();
  const about = { name: say('payout', 'facts.batchPasted'), row: 3 };
  await main.getByRole('link', { name: say('payout', 'facts.batchRow', about) }).click();
  await expect(page).toHaveURL(/\/batches\/[0-9a-f-]{36}\?row=3$/);
  await expect(page.locator('tr[aria-current="true"]')).toContainText(names[1]);
  await expect(rowOf(page, names[0])).toHaveCount(0);

  for (const type of ['pdf', 'zip'] as const) {
    await page.goto(batch);
    await main.getByRole('button', { name: say('batch-run', `files.${type}Label`) }).click();
    await expect(page).toHaveURL(/\/receipts\/archives\/[0-9a-f-]{36}$/);
    await expect(main).toContainText(say('receipts', `archives.fileTypes.${type}.name`));
    await expect(main.getByText(filter, { exact: true })).toBeVisible();
    const downloading = page.waitForEvent('download');
    await main.getByRole('link', { name: like('receipts', 'archives.download') }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${type}$`));
    const bytes = readFileSync(await download.path());
    if (type === 'pdf') expect((await PDFDocument.load(bytes)).getPageCount()).toBeGreaterThan(0);
    else expect(bytes.subarray(0, 2).toString()).toBe('PK');
  }
});

test('salaries of last month are a template, and a draft with other amounts', async ({
  sitDown,
}) => {
  test.setTimeout(180_000);
  const desk = await sitDown('ayse', { language: 'en', narrow: true });
  const { page, say, like } = desk;
  const { names, lines } = twoSalaries();
  await pasteRows(desk, lines);
  await sendBatch(desk);
  await expectCompleted(desk, names);
  const main = page.getByRole('main');
  const dialog = page.getByRole('dialog');
  const template = `Maaşlar ${names[0].slice(-6)}`;

  await main.getByRole('button', { name: say('batches', 'earlier.saveAs'), exact: true }).click();
  await dialog.getByLabel(say('batches', 'earlier.name'), { exact: true }).fill(template);
  await dialog.getByRole('button', { name: say('batches', 'earlier.save') }).click();
  await expect(main.getByText(say('batches', 'earlier.saved'), { exact: true })).toBeVisible();

  // A draft of the template without amounts: each is typed.
  await page.goto('/batches/new');
  const named = { name: template };
  await main.getByRole('button', { name: say('batches', 'earlier.openOne', named) }).click();
  await dialog.getByLabel(say('batches', 'earlier.without')).check();
  await dialog.getByRole('button', { name: say('batches', 'earlier.confirm') }).click();
  await expect(page).toHaveURL(/\/batches\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(template);
  await expect(main.getByText(say('batches', 'earlier.from'), { exact: true })).toBeVisible();
  // The sum says that the page is drawn anew: the next change is one of that version.
  for (const [row, amount, sum] of [
    [2, '120,50', '₺120,50'],
    [3, '340,25', '₺460,75'],
  ] as const) {
    const cell = { field: say('batch-file', 'fields.amount'), row };
    await main
      .getByRole('button', { name: new RegExp(`${say('batches', 'cell.edit', cell)}$`) })
      .click();
    const field = page.getByLabel(say('batches', 'cell.field', cell), { exact: true });
    await field.fill(amount.replace(',', '.'));
    await page.keyboard.press('Enter');
    await expect(field).toHaveCount(0);
    await expect(main).toContainText(sum.replace(',', '.'));
  }

  // Both were paid minutes ago: one reason answers both warnings.
  await expect(main.getByText(say('batches', 'together.title'), { exact: true })).toBeVisible();
  const kind = main.getByRole('listitem').filter({
    hasText: like('batches', 'together.kinds.duplicate'),
  });
  await kind.getByLabel(say('batches', 'tick.label')).fill('Aralık maaşları, önceki kasım içindi');
  await kind.getByRole('button', { name: like('batches', 'together.button') }).click();
  await expectReady(desk);

  // The template is renamed and deleted; the batch that it named stays.
  await page.goto('/batches/new');
  await main.getByRole('button', { name: say('batches', 'earlier.renameOne', named) }).click();
  await dialog.getByLabel(say('batches', 'earlier.name'), { exact: true }).fill(`${template} 2`);
  await dialog.getByRole('button', { name: say('batches', 'earlier.save') }).click();
  const renamed = { name: `${template} 2` };
  await main.getByRole('button', { name: say('batches', 'earlier.deleteOne', renamed) }).click();
  await dialog.getByRole('button', { name: say('batches', 'earlier.deleteConfirm') }).click();
  await expect(main.getByText(`${template} 2`, { exact: true })).toHaveCount(0);
  await expect(
    main.getByRole('button', { name: like('batches', 'earlier.openOne') }).first(),
  ).toBeVisible();
});

test('a recipient is named by a nickname in the register and in a file, and a paused batch on the home page', async ({
  sitDown,
}) => {
  test.setTimeout(180_000);
  const desk = await sitDown('ayse');
  const { page, say, like } = desk;
  const iban = newIban();
  const name = `Işıklı Bahçe ${iban.slice(-6)}`;
  const nickname = `IŞIK ${iban.slice(-6)}`;
  const line = (amount: string) => [name, iban, newTaxNumber(), amount, 'Bahçe bakımı'];
  await pasteRows(desk, [line('151,25')]);
  await sendBatch(desk);
  await expectCompleted(desk, [name]);

  const main = page.getByRole('main');
  await page.goto(`/recipients?q=${encodeURIComponent(name)}`);
  await main.getByRole('link', { name, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await pressUntil(
    main.getByRole('button', { name: say('recipients', 'one.edit'), exact: true }),
    dialog,
  );
  await dialog.getByLabel(say('recipients', 'one.nickname'), { exact: true }).fill(nickname);
  await dialog.getByRole('button', { name: say('recipients', 'one.save') }).click();
  await expect(main.getByText(nickname, { exact: true })).toBeVisible();
  await page.goto(`/recipients?q=${encodeURIComponent(nickname.toLocaleLowerCase('tr'))}`);
  await expect(rowOf(page, name)).toContainText(nickname);

  // A file names the recipient by it: account, name and number come from the register, marked.
  await openDraft(
    desk,
    [[nickname.toLocaleLowerCase('tr'), '77,75', 'Kış bakımı']],
    ['Takma Ad', 'Tutar', 'Açıklama'],
  );
  await expectReady(desk);
  await expect(rowOf(page, name)).toContainText(say('batch-file', 'marks.register'));

  // The account was paid within the minute: the row waits in line while its batch is paused. The
  // minute begins anew here, however long the steps above have taken.
  await rows('UPDATE iban_gates SET last_send_at = clock_timestamp() WHERE iban = $1', [iban]);
  await sendBatch(desk);
  await main.getByRole('button', { name: say('batch-run', 'pause'), exact: true }).click();
  await expect(main.getByText(say('batch-run', 'phase.held'), { exact: true })).toBeVisible();
  const batch = new URL(page.url()).pathname;
  await page.goto('/');
  const held = main.locator(`a[href="${batch}"]`);
  await expect(held).toBeVisible();
  await held.click();
  await main.getByRole('button', { name: say('batch-run', 'stop.open'), exact: true }).click();
  await dialog.getByRole('button', { name: like('batch-run', 'stop.confirm') }).click();
  await expect(main.getByText(say('batch-run', 'phase.stopped'), { exact: true })).toBeVisible();
  await page.goto('/');
  await expect(main.locator(`a[href="${batch}"]`)).toHaveCount(0);
});

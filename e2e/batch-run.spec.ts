import type { Page } from '@playwright/test';
import { rows } from './database.ts';
import { sandbox } from './sandbox.ts';
import { newIban, newTaxNumber } from './payee.ts';
import { pasteRows, sendBatch } from './batch-rows.ts';
import { expect, test } from './story.ts';

/** From pasted rows to payouts: sent, followed live, paused, stopped, downloaded, prepared again. */

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('a file is sent row by row, paused, stopped, and its rest is prepared again', async ({
  sitDown,
}) => {
  test.setTimeout(180_000);
  const desk = await sitDown('ayse', { language: 'en', narrow: true });
  const { page, say, like } = desk;
  const [first, second] = [newIban(), newIban()];
  const names = ['Ilgaz', 'Palandöken', 'Kaçkar'].map((name) => `${name} ${first.slice(-6)}`);
  await pasteRows(
    desk,
    [
      [names[0]!, first, newTaxNumber(), '120,50', 'Kasım faturası 1'],
      [names[1]!, second, newTaxNumber(), '340,25', 'Kasım faturası 2'],
      [names[2]!, first, newTaxNumber(), '77,75', 'Kasım faturası 3'],
    ].slice(0, 3),
  );

  const main = page.getByRole('main');
  await main.getByRole('button', { name: like('batch-run', 'send.open') }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('₺538.50');
  await dialog.getByRole('button', { name: like('batch-run', 'send.confirm') }).click();
  const phase = (name: string) =>
    main.getByText(say('batch-run', `phase.${name}`), { exact: true });
  await expect(phase('running')).toBeVisible();

  // The first two leave at once; the third waits for the minute of its IBAN, and says so.
  const done = say('states', 'COMPLETED');
  await expect(rowOf(page, names[0]!)).toContainText(done, { timeout: 30_000 });
  await expect(rowOf(page, names[1]!)).toContainText(done, { timeout: 30_000 });
  // The minute begins anew, however long the steps before have taken.
  await rows('UPDATE iban_gates SET last_send_at = clock_timestamp() WHERE iban = $1', [first]);
  await expect(rowOf(page, names[2]!)).toContainText(say('batch-run', 'rows.inLine'));
  expect((await sandbox.sendsTo(first)).length).toBe(1);

  await main.getByRole('button', { name: say('batch-run', 'pause'), exact: true }).click();
  await expect(phase('held')).toBeVisible();
  await main.getByRole('button', { name: say('batch-run', 'stop.open'), exact: true }).click();
  await dialog.getByRole('button', { name: like('batch-run', 'stop.confirm') }).click();
  await expect(phase('stopped')).toBeVisible();
  await expect(rowOf(page, names[2]!)).toContainText(say('batch-run', 'rows.unsent'));

  // The bar's parts filter the rows, and the address keeps the filter.
  await main.getByRole('link', { name: like('batch-run', 'groups.completed') }).click();
  await expect(page).toHaveURL(/state=completed/);
  await expect(rowOf(page, names[2]!)).toHaveCount(0);

  const download = page.waitForEvent('download');
  await main.getByRole('link', { name: say('batch-run', 'result.xlsx'), exact: true }).click();
  expect((await download).suggestedFilename()).toMatch(/\.xlsx$/);

  const address = page.url();
  await main.getByRole('button', { name: say('batch-run', 'retry.open'), exact: true }).click();
  await dialog.getByRole('button', { name: say('batch-run', 'retry.confirm') }).click();
  await expect(main).toContainText(say('batches', 'list.states.DRAFT'));
  await expect(main).toContainText(names[2]!);
  // The first one's name may stand in a warning: its IBAN is that of the row that is left.
  await expect(main.getByText(names[1]!)).toHaveCount(0);
  expect((await sandbox.sendsTo(first)).length).toBe(1);

  // The rows are prepared again once: from then on the former batch leads to what was prepared.
  const draft = page.url();
  await page.goto(address);
  await main.getByRole('link', { name: say('batch-run', 'retry.made'), exact: true }).click();
  await expect(page).toHaveURL(draft);
  await page.goto('/batches');
  await expect(
    page.getByRole('row').filter({ hasText: say('batches', 'list.retry') }),
  ).not.toHaveCount(0);
});

test('a batch is called done once every outcome is known, and a rejected row says why, on a phone, too', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse', { narrow: true });
  const { page, say } = desk;
  const main = page.getByRole('main');
  const phase = (name: string) =>
    main.getByText(say('batch-run', `phase.${name}`), { exact: true });
  await sandbox.bankMode('manual');
  const ibans = [newIban(), newIban()] as const;
  const names = ibans.map((iban) => `Deneme ${iban.slice(-6)}`);
  await pasteRows(
    desk,
    ibans.map((iban, at) => [names[at]!, iban, newTaxNumber(), '120,50', `Fatura ${at}`]),
  );
  await sendBatch(desk);
  await expect(phase('sent')).toBeVisible({ timeout: 20_000 });
  const rejected = page.getByRole('row').filter({ hasText: names[0]! });
  await expect(async () => sandbox.bankDoes(ibans[0], 'reject')).toPass();
  await expect(rejected).toContainText(say('states', 'REJECTED'), { timeout: 30_000 });
  await expect(rejected.getByText(/^“.+”$/)).toBeVisible();
  await expect(phase('sent')).toBeVisible();
  await expect(async () => sandbox.bankDoes(ibans[1], 'complete')).toPass();
  await expect(phase('done')).toBeVisible({ timeout: 30_000 });

  await rejected.getByRole('link').first().click();
  await expect(main, 'a fee that was foreseen and is not kept').toContainText(
    say('payout', 'facts.feeNone'),
  );
});

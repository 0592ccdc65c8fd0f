import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from './story.ts';
import { rows } from './database.ts';
import { readCsv, readSheet, unzip } from '../lib/exports/testing/unzip.ts';
import { newPayee } from './payee.ts';
import { expectState, send, wanted } from './payout.ts';

test('a clerk exports what the filter shows, and the file describes itself and lists the same rows', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const name = `Dışa ${newPayee().name.slice(-6)}`;
  for (const [which, amountMinor] of [
    ['Bir', 20_000],
    ['İki', 12_300],
  ] as const) {
    await send(desk, wanted({ payee: { ...newPayee(), name: `${name} ${which}` }, amountMinor }));
    await expectState(desk, 'COMPLETED');
  }
  await page.goto(`/payouts?q=${encodeURIComponent(name)}&sort=amount`);
  const listed = page.getByRole('table').getByRole('row');
  await expect(listed).toHaveCount(3);
  await expect(async () => {
    await page.keyboard.press('e');
    await expect(
      page.getByRole('heading', { level: 1, name: say('exports', 'new.title') }),
    ).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(page.getByText('₺323,00')).toBeVisible();
  await expect(page.getByText(`“${name}” geçenler`)).toBeVisible();
  await page.getByRole('radio', { name: say('exports', 'profiles.csv.name') }).check();
  await page.getByRole('button', { name: say('exports', 'new.submit') }).click();
  const table = page.getByRole('table', { name: say('exports', 'caption') });
  const line = table.getByRole('row').nth(1);
  await expect(line).toContainText(say('exports', 'states.READY'));
  await expect(line).toContainText('₺323,00');
  const taking = page.waitForEvent('download');
  await line.getByRole('link', { name: /^İndir/ }).click();
  const taken = await taking;
  expect(taken.suggestedFilename()).toMatch(/^odemeler-20\d\d-\d\d-\d\d\.zip$/);
  const files = unzip(readFileSync(await taken.path()));
  const [csv] = [...files].find(([file]) => file.endsWith('.csv'))!.slice(1) as [Buffer];
  const [head, ...cells] = readCsv(csv.toString(), ',');
  expect(head!.length).toBe(20);
  expect(cells.map((row) => [row[2], row[6], row[9]])).toEqual([
    [`${name} İki`, '123.00', 'COMPLETED'],
    [`${name} Bir`, '200.00', 'COMPLETED'],
  ]);
  const about = files.get('BENIOKU.txt')!.toString();
  expect(about).toContain('Ayşe Toprak');
  expect(about).toContain('Europe/Istanbul');
  expect(about).toContain(name);
  expect(about).toContain(createHash('sha256').update(csv).digest('hex'));

  const [id] = (
    await rows<{ id: string }>('SELECT id FROM exports ORDER BY created_at DESC LIMIT 1')
  ).map((row) => row.id);
  const other = await sitDown('mehmet');
  expect(
    (await other.page.request.get(`/reports/exports/${id}/file`)).status(),
    'of a colleague',
  ).toBe(404);

  await line.getByRole('button', { name: /^Sil/ }).click();
  await expect(line).toContainText(say('exports', 'states.DELETED'));
  expect((await page.request.get(`/reports/exports/${id}/file`)).status()).toBe(404);
  expect(await rows('SELECT 1 FROM export_pieces WHERE export_id = $1', [id])).toEqual([]);
});

test('support exports with payees’ numbers masked, and is told so before', async ({ sitDown }) => {
  const desk = await sitDown('ayse');
  const want = wanted();
  await send(desk, want);
  const { page, say } = await sitDown('can', { language: 'en' });
  await page.goto(`/payouts?q=${encodeURIComponent(want.payee.name)}`);
  await page.getByRole('link', { name: say('exports', 'link'), exact: true }).click();
  await expect(page.getByText(say('exports', 'new.masked'))).toBeVisible();
  await page.getByRole('button', { name: say('exports', 'new.submit') }).click();
  const line = page
    .getByRole('table', { name: say('exports', 'caption') })
    .getByRole('row')
    .nth(1);
  await expect(line).toContainText(say('exports', 'states.READY'));
  const taking = page.waitForEvent('download');
  await line.getByRole('link', { name: /^Download/ }).click();
  const files = unzip(readFileSync(await (await taking).path()));
  const sheet = readSheet(files.get('xl/worksheets/sheet2.xml')!.toString());
  expect(sheet[0]!.map(({ text }) => text)).toContain('Tax number');
  expect(sheet[1]!.map(({ text }) => text)).toContain(want.payee.name);
  expect(sheet[1]![3]!.text).toMatch(/^TR\*\*…\d{4}$/);
  for (const bytes of files.values()) expect(bytes.toString()).not.toContain(want.payee.iban);
});

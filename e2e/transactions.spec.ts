import { readFileSync } from 'node:fs';
import { readCsv, unzip } from '../lib/exports/testing/unzip.ts';
import { expect, test, type Desk } from './story.ts';

const YEAR = { from: '2025-12-01', to: '2026-11-30' };

/** Ledger ids of the page's rows, from the top. */
async function ids({ page }: Desk): Promise<string[]> {
  return await page
    .locator('main tbody tr td:first-child a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!.split('/').at(-1)!));
}

test('the transaction report keeps its days in its address, and its file lists the lines of all pages', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  await page.goto('/reports/transactions');
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);
  await expect(page.locator('main tbody tr').first()).toBeVisible();
  // Entries from before this run: other tests' movements must not shift them.
  const to = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  const from = new Date(Date.now() - 25 * 86_400_000).toISOString().slice(0, 10);
  await page.goto(`/reports/transactions?from=${from}&to=${to}&sort=-amount`);
  const shown: string[] = [];
  for (let number = 1; ; number++) {
    await expect(page.locator('main tbody tr').first()).toBeVisible();
    if (number > 1) await expect(page.locator('#page')).toHaveValue(String(number));
    shown.push(...(await ids(desk)));
    const next = page.getByRole('link', { name: say('common', 'next'), exact: true });
    if ((await next.count()) === 0) break;
    await next.click();
    await expect.poll(async () => (await ids(desk))[0]).not.toBe(shown.at(-25));
  }
  expect(new Set(shown).size).toBe(shown.length);
  expect(shown.length).toBeGreaterThan(50);
  await page.goto(`/reports/transactions?from=${from}&to=${to}&sort=-amount&page=2`);
  await expect.poll(() => ids(desk)).toEqual(shown.slice(25, 50));

  await page.getByRole('link', { name: say('reports', 'export'), exact: true }).click();
  await page.getByRole('radio', { name: say('exports', 'profiles.csv.name') }).check();
  await page.getByRole('button', { name: say('exports', 'new.submit') }).click();
  const line = page
    .getByRole('table', { name: say('exports', 'caption') })
    .getByRole('row')
    .nth(1);
  await expect(line).toContainText(say('exports', 'states.READY'));
  const taking = page.waitForEvent('download');
  await line.getByRole('link', { name: /^İndir/ }).click();
  const files = unzip(readFileSync(await (await taking).path()));
  const [, ...rows] = readCsv(
    [...files].find(([name]) => name.endsWith('.csv'))![1].toString(),
    ',',
  );
  expect(rows.map(([id]) => id!.replace(/^'/, ''))).toEqual(shown);
  expect(files.get('BENIOKU.txt')!.toString()).toContain(say('transactions', 'exporting.complete'));

  await page.goto(`/reports/transactions/${shown[0]}`);
  await expect(page.getByText(shown[0]!).first()).toBeVisible();
  await page
    .locator('summary')
    .filter({ hasText: say('common', 'raw') })
    .click();
  await expect(page.locator('pre')).toContainText(shown[0]!);
});

test('a filter is saved under a name, opened as a tab, renamed, deleted and brought back', async ({
  sitDown,
}) => {
  const { page, say } = await sitDown('deniz');
  const name = `Yüklemeler ${Date.now() % 100_000}`;
  await page.goto(`/reports/transactions?from=${YEAR.from}&to=${YEAR.to}&type=top_up`);
  const dialog = page.getByRole('dialog', { name: say('views', 'save') });
  await expect(async () => {
    await page.getByRole('button', { name: say('views', 'save') }).click();
    await expect(dialog).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: say('views', 'save') }).click();
  const tabs = page.getByRole('navigation', { name: say('views', 'label') });
  const tab = (called: string) => tabs.getByRole('link', { name: called, exact: true });
  await expect(tab(name)).toHaveAttribute('aria-current', 'page');
  await page.goto('/reports/transactions');
  await expect(tab(name)).not.toHaveAttribute('aria-current', 'page');
  await tab(name).click();
  await expect(page).toHaveURL(/type=top_up/);
  await expect(page.locator('#tx-type')).toHaveValue('top_up');

  await page.getByRole('button', { name: say('views', 'rename'), exact: true }).click();
  const renaming = page.getByRole('dialog', { name: say('views', 'rename') });
  await renaming.getByRole('textbox').fill(`${name} 2`);
  await renaming.getByRole('button', { name: say('views', 'rename') }).click();
  await expect(tab(`${name} 2`)).toBeVisible();
  await page
    .getByRole('button', { name: say('views', 'removeOne', { name: `${name} 2` }) })
    .click();
  await expect(tab(`${name} 2`)).toHaveCount(0);
  await page.getByRole('button', { name: say('views', 'undoOne', { name: `${name} 2` }) }).click();
  await expect(tab(`${name} 2`)).toHaveAttribute('aria-current', 'page');
});

import { readFileSync } from 'node:fs';
import { readCsv, unzip } from '../lib/exports/testing/unzip.ts';
import { expect, pressUntil, test, type Desk } from './story.ts';

const YEAR = { from: '2025-12-01', to: '2026-11-30' };

/** Ledger ids of the page's rows, from the top. */
async function ids({ page }: Desk): Promise<string[]> {
  return await page
    .locator('main tbody tr td:first-child a[href^="/reports/transactions/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!.split('/').at(-1)!));
}

/** Waits until the worker has read the days of the page: until then rows come into it. */
async function expectAllRead({ page, say }: Desk): Promise<void> {
  const complete = page.getByText(say('reports', 'freshness.ledger.complete'));
  await expect(complete).toBeVisible({ timeout: 60_000 });
}

test('the transaction report keeps its days in its address, and its file lists the lines of all pages', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  await page.goto('/reports/transactions');
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);
  await expect(page.locator('main tbody tr:visible').first()).toBeVisible();
  // The entries are from before this run, so that other tests' movements do not shift them.
  const to = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  const from = new Date(Date.now() - 25 * 86_400_000).toISOString().slice(0, 10);
  await page.goto(`/reports/transactions?from=${from}&to=${to}&sort=-amount`);
  await expectAllRead(desk);
  const shown: string[] = [];
  for (let number = 1; ; number++) {
    await expect(page.locator('main tbody tr:visible').first()).toBeVisible();
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
  await pressUntil(page.getByRole('button', { name: say('views', 'save') }), dialog);
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

test('the chart of transactions opens as a table, with the sums of the list and links to its days', async ({
  sitDown,
}) => {
  const desk = await sitDown('deniz');
  const { page, say, like } = desk;
  const day = (back: number): string =>
    new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  await page.goto(`/reports/transactions?from=${day(25)}&to=${day(2)}`);
  await expectAllRead(desk);
  await expect(page.getByRole('img', { name: like('transactions', 'chart.label') })).toBeVisible();
  const other = page.getByRole('table', { name: /USD giriş ve çıkışları/ });
  await expect(page.locator('main [style]')).toHaveCount(0);
  const table = page.getByRole('table', { name: /TRY giriş ve çıkışları/ });
  await expect(table).toBeHidden();
  await page.getByText(say('reports', 'chart.asTable'), { exact: true }).first().click();
  const sums = await table.getByRole('row').last().getByRole('cell').allTextContents();
  const foot = page.getByRole('navigation', { name: say('common', 'pages') });
  for (const sum of [sums[1]!, sums[2]!, sums[4]!]) await expect(foot).toContainText(sum);

  await page.locator('summary').filter({ hasText: 'USD' }).click();
  await page
    .locator('details', { has: page.locator('summary', { hasText: 'USD' }) })
    .getByText(say('reports', 'chart.asTable'), { exact: true })
    .click();
  await expect(foot).toContainText(
    await other.getByRole('row').last().getByRole('cell').nth(1).innerText(),
  );

  const first = table.getByRole('row').nth(1);
  const cells = await first.getByRole('cell').allTextContents();
  await first.getByRole('link').click();
  await expect(page).toHaveURL((url) => {
    const { searchParams } = url;
    return searchParams.get('from') === searchParams.get('to');
  });
  for (const cell of [cells[1]!, cells[2]!]) await expect(foot).toContainText(cell);

  await page.goto(`/reports/transactions?from=${YEAR.from}&to=${YEAR.to}&q=nobody-has-this`);
  await expect(page.getByText(say('transactions', 'empty'))).toBeVisible();
  await expect(page.getByText(say('reports', 'chart.asTable'), { exact: true })).toHaveCount(0);
});

import { rows } from './database.ts';
import { send, wanted } from './payout.ts';
import { expect, pressUntil, test, type Desk } from './story.ts';

/**
 * Saved views of the lists that have a filter. transactions.spec.ts tests renaming and deleting.
 */

async function save({ page, say }: Desk, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: say('views', 'save') });
  await pressUntil(page.getByRole('button', { name: say('views', 'save') }), dialog);
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: say('views', 'save') }).click();
  await expect(dialog).toBeHidden();
}

const tabOf = ({ page, say }: Desk, name: string) =>
  page
    .getByRole('navigation', { name: say('views', 'label'), exact: true })
    .getByRole('link', { name, exact: true });

test('a filter of the payouts is kept as a tab, which opens it without a new page', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const want = wanted();
  await send(desk, want);
  const name = `Alıcı ${want.payee.name.slice(-8)} ${Date.now() % 100_000}`;
  await page.goto(`/payouts?q=${encodeURIComponent(want.payee.name)}&sort=-amount`);
  await save(desk, name);
  await expect(tabOf(desk, name)).toHaveAttribute('aria-current', 'page');
  const states = page.getByRole('navigation', { name: say('payouts', 'views.label'), exact: true });
  await states.getByRole('link', { name: say('payouts', 'views.failed'), exact: true }).click();
  await expect(tabOf(desk, name)).not.toHaveAttribute('aria-current', 'page');
  await page.evaluate(() => Object.assign(window, { stayed: true }));
  await tabOf(desk, name).click();
  await expect(page).toHaveURL(/sort=-amount/);
  await expect(page.locator('#filter-text')).toHaveValue(want.payee.name);
  await expect(page.getByRole('row').nth(1)).toContainText(want.payee.name);
  expect(await page.evaluate(() => (window as unknown as { stayed?: boolean }).stayed)).toBe(true);
  const colleague = await sitDown('mehmet');
  await colleague.page.goto('/payouts');
  await expect(colleague.page.getByRole('table')).toBeVisible();
  await expect(tabOf(colleague, name)).toHaveCount(0);
});

test('of two views that have the same days today, the pressed one is open, and is the one deleted', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const [day, week] = [`Gün ${Date.now() % 100_000}`, `Hafta ${Date.now() % 100_000}`];
  await page.goto('/payouts?from=2026-03-02&to=2026-03-02');
  await save(desk, day);
  // The dialog offers no second view of an address that has one; days move to such an address.
  await rows(
    `INSERT INTO saved_views (merchant_id, person_id, list, name, address)
      SELECT merchant_id, person_id, list, $2, address FROM saved_views WHERE name = $1`,
    [day, week],
  );
  await page.reload();
  await expect(tabOf(desk, day)).toHaveAttribute('aria-current', 'page');
  await expect(async () => {
    await tabOf(desk, week).click();
    await expect(tabOf(desk, week)).toHaveAttribute('aria-current', 'page', { timeout: 1_000 });
  }).toPass();
  await expect(tabOf(desk, day)).not.toHaveAttribute('aria-current', 'page');
  await page.getByRole('button', { name: say('views', 'removeOne', { name: week }) }).click();
  await expect(tabOf(desk, week)).toHaveCount(0);
  await expect(tabOf(desk, day)).toHaveAttribute('aria-current', 'page');
});

test('every list with a filter keeps views of its own', async ({ sitDown }) => {
  const desk = await sitDown('selin', { language: 'en' });
  const { page } = desk;
  // The test of the verb (lib/saved-views/views.db.test.ts) covers the other lists, which have a
  // filter only when they have a row.
  for (const [path, filter] of [
    ['/recipients', 'sort=name'],
    ['/receipts', 'from=2026-03-01&to=2026-03-06'],
    ['/reports/withdrawals', 'from=2026-03-01&to=2026-03-06'],
    ['/audit', 'from=2026-03-01&to=2026-03-06'],
  ] as const) {
    const name = `${path.split('/').at(-1)} ${Date.now() % 100_000}`;
    await page.goto(`${path}?${filter}`);
    await save(desk, name);
    await expect(tabOf(desk, name), path).toHaveAttribute('aria-current', 'page');
    await page.goto(path);
    await expect(tabOf(desk, name), path).not.toHaveAttribute('aria-current', 'page');
    await tabOf(desk, name).click();
    await expect(page, path).toHaveURL(`${path}?${filter}`);
  }
});

test('on a phone a list without a filter has no line for saving one', async ({ sitDown }) => {
  const desk = await sitDown('deniz', { narrow: true });
  const { page, say } = desk;
  const button = page.getByRole('button', { name: say('views', 'save') });
  await page.goto('/receipts');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(button).toBeHidden();
  await page.goto('/receipts?view=ready');
  await expect(button).toBeVisible();
});

import { expect, test } from './story.ts';

/** The page with the figures of the metrics, for owners. */

test('an owner sees the figures, which of them are alarms, and what an alarm means', async ({
  sitDown,
}) => {
  const { page, say } = await sitDown('selin');
  const table = page.getByRole('table', { name: say('system', 'caption') });
  const workers = table.getByRole('row', { name: say('system', 'figures.workers') });
  // A story before may have stopped the worker, whose next sign of life is a moment away.
  await expect(async () => {
    await page.goto('/system');
    await expect(workers).toContainText(say('system', 'fine'), { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await expect(page.getByText(say('system', 'own.signInsRefused'))).toBeVisible();
  await workers.getByRole('link').click();
  await expect(page).toHaveURL(/#alarm-NoWorker$/);
  await expect(page.getByText(say('system', 'meaning.NoWorker'))).toBeVisible();
});

test('a clerk has no entry for it in the menu, and the page is refused', async ({ sitDown }) => {
  const { page, say } = await sitDown('ayse');
  await page.goto('/');
  const menu = page.getByRole('navigation', { name: say('shell', 'navigation') });
  await expect(menu.getByRole('link', { name: say('shell', 'items.system') })).toHaveCount(0);
  await page.goto('/system');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    say('common', 'forbidden.title'),
  );
});

import { rows } from './database.ts';
import { expectState, send, wanted } from './payout.ts';
import { expect, test, type Desk } from './story.ts';

/** The number beside an entry of the menu; 0 when the entry has none. */
async function countBeside({ page, say }: Desk, entry: string): Promise<number> {
  const link = page
    .getByRole('navigation', { name: say('shell', 'navigation') })
    .filter({ visible: true })
    .getByRole('link', { name: say('shell', `items.${entry}`), exact: true });
  await expect(link).toBeVisible();
  const badge = link.locator('[title]').filter({ visible: true });
  return (await badge.count()) === 0 ? 0 : Number(await badge.textContent());
}

const entry = ({ page, say }: Desk, name: string) =>
  page
    .getByRole('navigation', { name: say('shell', 'navigation') })
    .filter({ visible: true })
    .getByRole('link', { name: say('shell', `items.${name}`), exact: true });

test('the number beside an entry equals the list behind it, and follows a change without a reload', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page } = desk;
  await send(desk, wanted());
  await expectState(desk, 'COMPLETED');
  const id = page.url().split('/').at(-1)!;
  const before = await countBeside(desk, 'payouts');
  await page.evaluate(() => Object.assign(window, { stayed: true }));
  // The worker writes the row's alert with each look, and its next looks follow within seconds.
  const quiet = `SELECT 1 FROM movements WHERE id = $1 AND lease_until IS NULL
    AND coalesce(next_at, 'infinity') > now() + interval '1 minute'`;
  await expect.poll(async () => (await rows(quiet, [id])).length, { timeout: 30_000 }).toBe(1);
  await rows(`UPDATE movements SET alert = 'contradiction' WHERE id = $1`, [id]);
  await entry(desk, 'recipients').click();
  await expect(page).toHaveURL(/\/recipients$/);
  await expect.poll(() => countBeside(desk, 'payouts')).toBe(before + 1);
  await entry(desk, 'payouts').click();
  const tab = page.locator('main a[href*="view=attention"]').first();
  await expect(tab).toContainText(String(before + 1));
  expect(await page.evaluate(() => 'stayed' in window)).toBe(true);
  await rows(`UPDATE movements SET alert = NULL WHERE id = $1`, [id]);
});

test('a group that was folded stays folded after a reload, and opens for a page inside it', async ({
  sitDown,
}) => {
  const desk = await sitDown('selin');
  const { page, say } = desk;
  await page.goto('/wallets');
  const group = page.locator('summary', { hasText: say('shell', 'groups.developer') });
  await expect(entry(desk, 'webhooks')).toBeVisible();
  await expect(async () => {
    await group.click();
    await expect(entry(desk, 'webhooks')).toBeHidden({ timeout: 1_000 });
  }).toPass();
  // A press before the scripts ran is remembered as soon as they have run.
  const kept = async () =>
    (await page.context().cookies()).find(({ name }) => name.endsWith('folded'))?.value;
  await expect.poll(kept).toContain('developer');
  await page.reload();
  await expect(group).toBeVisible();
  await expect(entry(desk, 'webhooks')).toBeHidden();
  await page.goto('/webhooks');
  await expect(entry(desk, 'webhooks')).toHaveAttribute('aria-current', 'page');
  await page.goto('/wallets');
  await group.click();
  await expect(entry(desk, 'webhooks')).toBeVisible();
});

test('on a phone the sheet shows every group, and closes when a page is chosen', async ({
  sitDown,
}) => {
  const desk = await sitDown('selin', { narrow: true });
  const { page, say } = desk;
  await page.goto('/');
  await expect(page.locator('[popover] a'), 'links of the sheet before it is opened').toHaveCount(
    0,
  );
  await page.getByRole('button', { name: say('shell', 'menu'), exact: true }).click();
  for (const name of ['moneyOut', 'cardSales', 'moneyIn', 'reports', 'developer', 'administration'])
    await expect(page.getByRole('region', { name: say('shell', `groups.${name}`) })).toBeVisible();
  await entry(desk, 'dayClose').click();
  await expect(page).toHaveURL(/day-close/);
  await expect(page.getByRole('region', { name: say('shell', 'groups.reports') })).toBeHidden();
});

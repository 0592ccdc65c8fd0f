import { expect, test } from './story.ts';

test.use({ serviceWorkers: 'allow' });

test('without a connection a page says what is known of payouts, sends nothing and keeps nothing private', async ({
  sitDown,
}) => {
  const { page, context, say } = await sitDown('ayse');
  await page.goto('/payouts');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.goto('/payouts/new');
  await context.setOffline(true);
  await page.goto('/payouts');
  await expect(page.getByRole('heading', { name: 'Bağlantı yok' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible();
  await expect(page.locator('form, button, input')).toHaveCount(0);
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept.sort()).toEqual(['/offline.css', '/offline.html']);
  await context.setOffline(false);
  await page.getByRole('link', { name: 'Tekrar dene' }).click();
  await expect(page).toHaveURL(/\/payouts$/);
  await expect(
    page.getByRole('heading', { level: 1, name: say('payouts', 'title') }),
  ).toBeVisible();
});

test('the product can be installed: its manifest and icons are served, and search engines are turned away', async ({
  openDesk,
}) => {
  const { context, page } = await openDesk();
  await page.goto('/login');
  const link = page.locator('link[rel=manifest]');
  const manifest = (await (
    await context.request.get((await link.getAttribute('href'))!)
  ).json()) as { start_url: string; display: string; icons: { src: string; type: string }[] };
  expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' });
  for (const { src, type } of manifest.icons) {
    const icon = await context.request.get(src);
    expect([icon.status(), icon.headers()['content-type']], src).toEqual([200, type]);
  }
  expect(await (await context.request.get('/robots.txt')).text()).toContain('Disallow: /');
});

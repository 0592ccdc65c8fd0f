import { rows } from './database.ts';
import { emailOf, signIn, typeCode, typePassword } from './sign-in.ts';
import { expect, test } from './story.ts';

test('language and appearance change in place: the address and the input stay, the page is relabelled', async ({
  sitDown,
}) => {
  const { page, say } = await sitDown('ayse');
  await page.goto('/payouts/new');
  const name = page.locator('input[name="name"]');
  await name.fill('Işıl Şahin');
  const address = page.url();
  await page.getByRole('button', { name: new RegExp(say('shell', 'person')) }).click();
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.getByRole('button', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(232, 236, 243)');
  await expect(name).toHaveValue('Işıl Şahin');
  expect(page.url()).toBe(address);
});

test('a session that ends over a half-filled form is renewed over it without losing any input', async ({
  openDesk,
}) => {
  const { page, say } = await openDesk();
  await page.goto('/login?next=/payouts/new');
  await signIn(page, 'tr', 'ayse');
  const name = page.locator('input[name="name"]');
  await name.fill('Işıl Şahin');
  const address = page.url();
  await rows(
    `UPDATE sessions SET revoked_at = clock_timestamp()
      WHERE person_id = (SELECT id FROM people WHERE email = $1)`,
    [emailOf('ayse')],
  );
  await page
    .getByRole('button', { name: say('shell', 'status.signIn') })
    .click({ timeout: 30_000 });
  const sheet = page.getByRole('dialog');
  await expect(sheet).toBeVisible();
  const code = await typePassword(page, 'tr', emailOf('ayse'));
  await typeCode(page, 'tr', code);
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('button', { name: say('shell', 'status.signIn') })).toBeHidden();
  await expect(name).toHaveValue('Işıl Şahin');
  expect(page.url()).toBe(address);
});

test('a click after the session has ended leads to the sign-in once, without the old frame', async ({
  openDesk,
}) => {
  const { page, context, say } = await openDesk();
  await page.goto('/login');
  await signIn(page, 'tr', 'can');
  let asked = 0;
  page.on('request', (request) => (asked += request.url().includes('/login') ? 1 : 0));
  await context.clearCookies({ name: 'sid' });
  await page.getByRole('button', { name: new RegExp(say('shell', 'person')) }).click();
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByRole('navigation')).toBeHidden();
  await page.waitForTimeout(1_000);
  expect(asked).toBeLessThan(5);
});

test('a link pressed after the session has ended shows the sign-in as wide as on its own', async ({
  openDesk,
}) => {
  const { page, context, say } = await openDesk();
  await page.goto('/login');
  await signIn(page, 'tr', 'can');
  await page.goto('/payouts');
  await context.clearCookies({ name: 'sid' });
  await page
    .getByRole('navigation', { name: say('shell', 'navigation') })
    .getByRole('link', { name: say('shell', 'items.transfers'), exact: true })
    .click();
  const password = page.getByLabel(say('login', 'password'));
  await expect(password).toBeVisible();
  await expect(page.getByRole('navigation')).toBeHidden();
  expect((await password.boundingBox())!.width).toBeLessThan(384);
});

test('a pressed link shows soon that its page is on its way, until the page is there', async ({
  sitDown,
}) => {
  const { page, say } = await sitDown('selin');
  await page.goto('/help');
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/receipts?_rsc=*', async (route) => {
    await held;
    await route.continue();
  });
  const line = page.locator('.way');
  await expect(line).toBeHidden();
  await page.locator('nav a[href="/receipts"]').filter({ visible: true }).click();
  await expect(line).toBeVisible();
  await expect(page).toHaveURL(/\/help$/);
  release();
  await expect(page.getByRole('heading', { name: say('receipts', 'title') })).toBeVisible();
  await expect(line).toBeHidden();
});

test('a key pressed while the script that acts on it loads is not lost', async ({ sitDown }) => {
  const { page, say } = await sitDown('selin');
  const scripts = ['Control+K Meta+K', '[data-row-link]'];
  for (const [key, opened] of [
    ['Control+k', say('search', 'label')],
    ['?', say('shell', 'shortcuts.title')],
  ] as const) {
    const pressed = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await page.route('**/_next/static/**/*.js', async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      if (scripts.some((script) => text.includes(script))) {
        held.resolve();
        await pressed.promise;
      }
      await route.fulfill({ response });
    });
    await page.goto('/settings', { waitUntil: 'commit' });
    await held.promise;
    await expect
      .poll(() => page.evaluate(() => Object.keys(window).some((name) => name === 'next')))
      .toBe(true);
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toBeHidden();
    pressed.resolve();
    await expect(page.getByRole('dialog', { name: opened })).toBeVisible();
    await page.unrouteAll({ behavior: 'wait' });
  }
});

test('single keys go and move, none while something is typed, and none for who switched them off', async ({
  sitDown,
}) => {
  const { page, say } = await sitDown('selin');
  await page.goto('/settings');
  const help = page.getByRole('dialog', { name: say('shell', 'shortcuts.title') });
  await expect(async () => {
    await page.keyboard.press('?');
    await expect(help).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press('Escape');
  // The second key counts for a second only.
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await expect(page).toHaveURL(/\/wallets$/, { timeout: 5_000 });
  }).toPass();
  const first = page.locator('tbody tr').first().getByRole('link');
  await expect(first).toBeVisible();
  // The provider's answer takes the place of the known rows, and of the focus in them.
  await expect(page.getByText(say('wallets', 'asking'))).toHaveCount(0);
  await page.keyboard.press('j');
  await expect(first).toBeFocused();
  await page.getByRole('link', { name: say('shell', 'skip') }).press('Enter');
  await expect(page.locator('#content')).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/wallets\/\d+$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/wallets$/);
  await expect(first, 'the page of the address is shown').toBeVisible();
  await page.goto('/settings');
  await page
    .getByRole('form', { name: say('settings', 'browser.shortcuts') })
    .getByRole('button', { name: say('settings', 'browser.off') })
    .click();
  await expect(page.getByRole('button', { name: say('settings', 'browser.off') })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await page.waitForTimeout(500);
  await expect(page).toHaveURL(/\/settings$/);
});

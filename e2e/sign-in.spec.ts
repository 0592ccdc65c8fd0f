import { expect, test } from './story.ts';
import { sandbox } from './sandbox.ts';
import { codeField, emailOf, PASSWORD, signIn, typeCode, typePassword } from './sign-in.ts';
import type { Language } from './words.ts';

const LANGUAGES: Language[] = ['tr', 'en'];

for (const language of LANGUAGES) {
  test(`the code from the phone opens the page that was asked for (${language})`, async ({
    openDesk,
  }) => {
    const { page, say } = await openDesk({ language });
    await page.goto('/payouts');
    await expect(page).toHaveURL(/\/login\?next=%2Fpayouts$/);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await signIn(page, language, 'ayse');
    await expect(page).toHaveURL(/\/payouts$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('payouts', 'title'));
  });
}

test('a wrong password and an unknown person get the same sentence, and no code is sent', async ({
  openDesk,
}) => {
  const { page, say } = await openDesk({ language: 'en' });
  await page.goto('/login');
  const sent = await sandbox.codesSent(emailOf('ayse'));
  for (const [email, password] of [
    [emailOf('ayse'), 'demo-Parola-2'],
    ['nobody@demo.test', PASSWORD],
  ] as const) {
    await page.getByLabel(say('login', 'email')).fill(email);
    await page.getByLabel(say('login', 'password')).fill(password);
    await page.getByRole('button', { name: say('login', 'continue') }).click();
    await expect(
      page.getByRole('alert').filter({ hasText: 'E-mail or password is wrong.' }),
    ).toBeVisible();
    await expect(page.getByLabel(say('login', 'email'))).toHaveValue(email);
  }
  expect(await sandbox.codesSent(emailOf('ayse'))).toBe(sent);
});

test('a wrong code says how many tries are left, and after the last one the password is asked for again', async ({
  openDesk,
}) => {
  const { page, say } = await openDesk({ language: 'en' });
  await page.goto('/login');
  const right = await typePassword(page, 'en', emailOf('deniz'));
  const wrong = right === '000000' ? '000001' : '000000';
  for (const left of [4, 3, 2, 1]) {
    await typeCode(page, 'en', wrong);
    await expect(
      page.getByRole('alert').filter({ hasText: `Wrong code. ${left} tries left.` }),
    ).toBeVisible();
  }
  await typeCode(page, 'en', wrong);
  await expect(page.getByRole('alert').filter({ hasText: 'no tries left' })).toBeVisible();
  await expect(page.getByLabel(say('login', 'password'))).toBeVisible();
  // The right code is refused when its challenge was used before.
  const answer = await page.evaluate(async (code) => {
    const { csrfToken } = await (await fetch('/api/auth/csrf')).json();
    const sent = await fetch('/api/auth/callback/credentials', {
      method: 'POST',
      body: new URLSearchParams({ csrfToken, code, json: 'true', callbackUrl: '/' }),
    });
    return sent.status;
  }, right);
  expect(answer).toBe(401);
  await page.goto('/payouts');
  await expect(page).toHaveURL(/\/login/);
});

test('fifty guesses at once are five tries', async ({ openDesk }) => {
  const { page } = await openDesk();
  await page.goto('/login');
  const right = await typePassword(page, 'tr', emailOf('deniz'));
  const wrong = Array.from({ length: 50 }, (_, index) =>
    String((Number(right) + 1 + index) % 1_000_000).padStart(6, '0'),
  );
  const errors = await page.evaluate(async (codes) => {
    const { csrfToken } = await (await fetch('/api/auth/csrf')).json();
    return Promise.all(
      codes.map(async (code) => {
        const sent = await fetch('/api/auth/callback/credentials', {
          method: 'POST',
          body: new URLSearchParams({ csrfToken, code, json: 'true', callbackUrl: '/' }),
        });
        const { url } = await sent.json();
        return new URL(url ?? '/', location.origin).searchParams.get('error');
      }),
    );
  }, wrong);
  expect(errors.filter((error) => error?.startsWith('wrong_code'))).toHaveLength(4);
  expect(errors.filter((error) => error === 'code_expired')).toHaveLength(46);
});

test('the code can be asked for again only after the countdown', async ({ openDesk }) => {
  const { page, say, like } = await openDesk({ language: 'en' });
  await page.clock.install();
  await page.goto('/login');
  await typePassword(page, 'en', emailOf('can'));
  const again = page.getByRole('button', { name: like('login', 'resendIn') });
  await expect(again).toBeDisabled();
  await expect(page.getByText(like('login', 'expiresIn'))).toBeVisible();
  await page.clock.fastForward('00:31');
  await expect(page.getByRole('button', { name: say('login', 'resend') })).toBeEnabled();
  // The countdown in the browser only informs: the server enforces the limit.
  const sent = await sandbox.codesSent(emailOf('can'));
  await page.getByRole('button', { name: say('login', 'resend') }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: like('login', 'errors.resend_later') }),
  ).toBeVisible();
  expect(await sandbox.codesSent(emailOf('can'))).toBe(sent);
});

test('a person of another merchant is refused in words', async ({ openDesk }) => {
  const { page, say } = await openDesk();
  await page.goto('/login');
  await page.getByLabel(say('login', 'email')).fill('yabanci@other.test');
  await page.getByLabel(say('login', 'password')).fill(PASSWORD);
  await page.getByRole('button', { name: say('login', 'continue') }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: say('login', 'errors.other_merchant') }),
  ).toBeVisible();
  await page.goto('/payouts');
  await expect(page).toHaveURL(/\/login/);
});

test('the sign-in provider being down is said as such and what was typed stays', async ({
  openDesk,
}) => {
  const { page, say } = await openDesk({ language: 'en' });
  await sandbox.fault({ operation: 'corporatelogin', kind: 'status', status: 503 });
  await page.goto('/login');
  await page.getByLabel(say('login', 'email')).fill(emailOf('ayse'));
  await page.getByLabel(say('login', 'password')).fill(PASSWORD);
  await page.getByRole('button', { name: say('login', 'continue') }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'The sign-in service cannot be reached.' }),
  ).toBeVisible();
  await expect(page.getByLabel(say('login', 'email'))).toHaveValue(emailOf('ayse'));
});

test('only a page of our own is opened after signing in', async ({ openDesk }) => {
  const { page } = await openDesk();
  for (const next of ['//evil.test/x', String.raw`/\evil.test/x`, 'https://evil.test/x']) {
    await page.goto(`/login?next=${encodeURIComponent(next)}`);
    expect(await page.content()).not.toContain('evil.test/x"');
  }
  await page.goto('/login?next=https%3A%2F%2Fevil.test%2Fx');
  await signIn(page, 'tr', 'can');
  expect(new URL(page.url()).hostname).toBe('127.0.0.1');
});

test('the session is a cookie that scripts cannot read and other sites do not send', async ({
  sitDown,
}) => {
  const { context, page } = await sitDown('ayse');
  const cookie = (await context.cookies()).find(
    ({ name }) => name === 'sid' || name === '__Host-sid',
  );
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  await page.goto('/login');
  expect(await page.evaluate(() => document.cookie)).not.toContain('sid');
});

test('signing in works with the keyboard alone; the code field takes a pasted code with blanks', async ({
  openDesk,
}) => {
  const { page } = await openDesk();
  await page.goto('/login');
  await page.keyboard.type(emailOf('mehmet'));
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(codeField(page, 'tr')).toBeFocused();
  const code = (await sandbox.code(emailOf('mehmet')))!;
  await page.keyboard.insertText(`${code.slice(0, 3)} ${code.slice(3)}`);
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/\/login/);
});

test('the demo names its people, fills in who is chosen, and links to the phone with the code', async ({
  openDesk,
}) => {
  const { page, say } = await openDesk();
  await page.goto('/login');
  const demo = page.getByRole('region', { name: say('login', 'demo.title') });
  await expect(demo.getByRole('button')).toHaveCount(5);
  await demo.getByRole('button', { name: /Mehmet/ }).click();
  await expect(page.getByLabel(say('login', 'email'))).toHaveValue(emailOf('mehmet'));
  await expect(page.getByLabel(say('login', 'password'))).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(codeField(page, 'tr')).toBeVisible();
  const phone = demo.getByRole('link', { name: say('login', 'demo.phone') });
  expect((await fetch((await phone.getAttribute('href'))!)).status).toBe(200);
});

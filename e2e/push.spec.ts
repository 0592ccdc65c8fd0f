import type { CDPSession } from '@playwright/test';
import { launching } from './launching.ts';
import { BASE_URL } from './surroundings.ts';
import { expect, test } from './story.ts';

/** Notifications on a device: what Settings says of this browser, and what its worker shows. */

// The worker shows what is pushed; other stories block it. The headless shell knows no notifications.
test.use({ serviceWorkers: 'allow', launchOptions: launching(process.env['CHROMIUM_PATH']) });

const PATH = '/payouts/7f0e3a52-0000-4000-8000-00000000bbbb';
const TOLD = {
  title: 'Payout of ₺44,120.10 waits for approval',
  body: 'Open to see how it stands now.',
  path: PATH,
  tag: 'one',
  lang: 'en',
};

/** The id by which the browser's own tools know the registration of this site's worker. */
async function registrationOf(session: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(BASE_URL));
      if (own) resolve(own.registrationId);
    }),
  );
  await session.send('ServiceWorker.enable');
  return found;
}

test('Settings says whether this browser shows notifications', async ({ sitDown }) => {
  const { page, context, say } = await sitDown('ayse');
  await context.grantPermissions(['notifications'], { origin: BASE_URL });
  const state = (name: string) => page.getByText(say('notifications', `devices.states.${name}`));
  const add = page.getByRole('button', { name: say('notifications', 'devices.add') });
  await page.goto('/settings#push');
  await expect(state('off')).toBeVisible();
  await expect(add).toBeEnabled();
  for (const [name, change] of [
    ['denied', `Object.defineProperty(Notification, 'permission', { get: () => 'denied' })`],
    ['unsupported', 'delete window.PushManager'],
    ['insecure', `Object.defineProperty(window, 'isSecureContext', { get: () => false })`],
  ] as const) {
    const other = await context.newPage();
    await other.addInitScript(change);
    await other.goto('/settings#push');
    const shown = other.getByText(say('notifications', `devices.states.${name}`));
    await expect(shown, name).toBeVisible();
    await expect(
      other.getByRole('button', { name: say('notifications', 'devices.add') }),
    ).toHaveCount(0);
    await other.close();
  }
});

test('a pushed message is shown with its link, an unreadable one without text, and nothing is kept', async ({
  sitDown,
}) => {
  const { page, context } = await sitDown('ayse', { language: 'en' });
  await context.grantPermissions(['notifications'], { origin: BASE_URL });
  await page.goto('/notifications');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const session = await context.newCDPSession(page);
  const registrationId = await registrationOf(session);
  const deliver = (data: string) =>
    session.send('ServiceWorker.deliverPushMessage', { origin: BASE_URL, registrationId, data });
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const all = await registration.getNotifications();
      return all.map(({ title, body, tag, data }) => ({ title, body, tag, data: data as unknown }));
    });
  await deliver(JSON.stringify(TOLD));
  await expect
    .poll(shown)
    .toEqual([{ title: TOLD.title, body: TOLD.body, tag: 'one', data: { path: PATH } }]);
  await deliver('<b>no message of ours</b>');
  await expect.poll(async () => (await shown()).map(({ title }) => title)).toContain('•');
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const files = await Promise.all(
      names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
    );
    return files.flat().map((url) => new URL(url).pathname);
  });
  expect(kept.toSorted(), 'what the worker keeps').toEqual(['/offline.css', '/offline.html']);
});

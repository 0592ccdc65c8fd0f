import { expect, test } from './story.ts';
import { rows } from './database.ts';
import type { PersonName } from './sign-in.ts';
import { strangersThings } from './stranger.ts';
import { kept, postWebhook } from './webhook-door.ts';

type Section =
  | 'home'
  | 'wallets'
  | 'payouts'
  | 'recipients'
  | 'moneyIn'
  | 'receipts'
  | 'transactions'
  | 'webhooks'
  | 'audit'
  | 'settings';
const EVERYONE: Section[] = [
  'home',
  'wallets',
  'payouts',
  'recipients',
  'moneyIn',
  'receipts',
  'transactions',
  'webhooks',
  'settings',
];

/**
 * What each of the five roles is shown. The verbs check the role themselves (see doors.spec.ts).
 */
const PEOPLE: {
  person: PersonName;
  name: string;
  audit: boolean;
  prepares: boolean;
  seesPeople: boolean;
  managesPeople: boolean;
  seesAddresses: boolean;
  replays: boolean;
}[] = [
  {
    person: 'ayse',
    name: 'Ayşe Toprak',
    audit: false,
    prepares: true,
    seesPeople: false,
    managesPeople: false,
    seesAddresses: false,
    replays: false,
  },
  {
    person: 'mehmet',
    name: 'Mehmet Kaya',
    audit: true,
    prepares: true,
    seesPeople: true,
    managesPeople: false,
    seesAddresses: false,
    replays: false,
  },
  {
    person: 'selin',
    name: 'Selin Arslan',
    audit: true,
    prepares: true,
    seesPeople: true,
    managesPeople: true,
    seesAddresses: true,
    replays: true,
  },
  {
    person: 'can',
    name: 'Can Yıldız',
    audit: false,
    prepares: false,
    seesPeople: false,
    managesPeople: false,
    seesAddresses: false,
    replays: false,
  },
  {
    person: 'deniz',
    name: 'Deniz Öztürk',
    audit: true,
    prepares: false,
    seesPeople: true,
    managesPeople: false,
    seesAddresses: false,
    replays: false,
  },
];

for (const {
  person,
  name,
  audit,
  prepares,
  seesPeople,
  managesPeople,
  seesAddresses,
  replays,
} of PEOPLE) {
  test(`${person} sees what the role may see, and is told in words what it may not`, async ({
    sitDown,
  }) => {
    const { page, say, like } = await sitDown(person);
    await page.goto('/');
    const navigation = page
      .getByRole('navigation', { name: say('shell', 'navigation') })
      .filter({ visible: true });
    for (const section of EVERYONE)
      await expect(
        navigation.getByRole('link', { name: say('shell', `items.${section}`), exact: true }),
      ).toBeVisible();
    await expect(
      navigation.getByRole('link', { name: say('shell', 'items.audit'), exact: true }),
    ).toHaveCount(audit ? 1 : 0);
    await expect(page.getByRole('banner')).toContainText(name);
    const toNew = page
      .getByRole('main')
      .getByRole('link', { name: say('home', 'new'), exact: true });
    if (prepares) await expect(toNew.first()).toBeVisible();
    else await expect(toNew).toHaveCount(0);

    await page.goto('/audit');
    if (audit)
      await expect(
        page.getByRole('heading', { level: 1, name: say('audit', 'title') }),
      ).toBeVisible();
    else
      await expect(
        page.getByRole('heading', { level: 1, name: say('common', 'forbidden.title') }),
      ).toBeVisible();

    await page.goto('/payouts/new');
    if (prepares)
      await expect(page.getByRole('form', { name: say('new-payout', 'title') })).toBeVisible();
    else await expect(page.getByText(like('new-payout', 'forbidden.text'))).toBeVisible();

    await page.goto('/people');
    await expect(page.getByRole('table', { name: say('people', 'caption') })).toHaveCount(
      seesPeople ? 1 : 0,
    );
    await expect(
      page.getByRole('button', { name: say('people', 'invite.open'), exact: true }),
    ).toHaveCount(managesPeople ? 1 : 0);

    const body = `a note for ${person}`;
    await postWebhook(body);
    await page.goto(`/webhooks?notice=${(await kept(body))!.id}`);
    await expect(
      page.getByRole('button', { name: say('webhooks', 'detail.replay'), exact: true }),
    ).toHaveCount(replays ? 1 : 0);
    await expect(page.getByText(say('webhooks', 'address.title'))).toHaveCount(
      seesAddresses ? 1 : 0,
    );
    if (!seesAddresses) expect(await page.content()).not.toContain('/api/webhooks/');
  });
}

test('a role that changes, and a person who is disabled, counts from the next click on', async ({
  sitDown,
}) => {
  const { page, say, like } = await sitDown('deniz');
  await page.goto('/audit');
  await expect(page.getByRole('heading', { level: 1, name: say('audit', 'title') })).toBeVisible();
  try {
    await rows(`UPDATE people SET role = 'support' WHERE email = 'deniz@demo.test'`);
    await page.reload();
    await expect(page.getByText(like('common', 'forbidden.text'))).toBeVisible();
    await rows(`UPDATE people SET disabled_at = now() WHERE email = 'deniz@demo.test'`);
    await page.reload();
    await expect(page).toHaveURL(/\/login\?next=%2Faudit/);
  } finally {
    await rows(
      `UPDATE people SET role = 'auditor', disabled_at = NULL WHERE email = 'deniz@demo.test'`,
    );
  }
});

test('what belongs to another merchant is not there, whoever asks', async ({ sitDown }) => {
  const { page, say } = await sitDown('selin');
  const foreign = await strangersThings();
  for (const path of [`/payouts/${foreign.payout}`, '/wallets/4488810001']) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(404);
    await expect(
      page.getByRole('heading', { level: 1, name: say('shell', 'notFound.title') }),
    ).toBeVisible();
  }
  expect((await page.request.get(`/api/movements/${foreign.payout}`)).status()).toBe(404);
  await page.goto(`/webhooks?notice=${foreign.notice}`);
  await expect(page.getByText(say('webhooks', 'detail.missing'))).toBeVisible();
  for (const path of ['/', '/payouts', '/payouts?q=Foreign', '/webhooks', '/audit', '/people']) {
    await page.goto(path);
    expect(await page.getByRole('main').innerText(), path).not.toMatch(/Foreign P|foreign notice/);
  }
});

import { rows, untoldDevices } from './database.ts';
import { expectState, markPage, send, wanted } from './payout.ts';
import { expect, test, type Desk } from './story.ts';

/** The bell, from a payout that the bank rejects to the page of the payout. */

/** Amounts that end in 41 are rejected by the sandbox. */
const REJECTED = 4_000_41;
const RINGS_MS = 20_000;

const bell = ({ page, say }: Desk) =>
  page.getByRole('banner').getByRole('link', { name: say('notifications', 'bell') });
const unread = (desk: Desk) => bell(desk).locator('[aria-hidden][title]');

test.describe.configure({ timeout: 180_000 });

/**
 * Reads the person's notifications of earlier stories, and that of this story's sign-in: a
 * device that is new is told some seconds later.
 */
async function readEverything({ page, say }: Desk): Promise<void> {
  await expect.poll(untoldDevices, { timeout: RINGS_MS }).toEqual([]);
  await page.goto('/notifications');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('notifications', 'title'));
  const all = page.getByRole('button', { name: say('notifications', 'readAll') });
  if (await all.isVisible()) await all.click();
  await expect(all).toHaveCount(0);
}

test('a rejected payout rings the bell of its maker, who opens and reads it', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse', { language: 'en', narrow: true, dark: true });
  const colleague = await sitDown('mehmet', { language: 'en' });
  await readEverything(desk);
  await readEverything(colleague);
  await expect(unread(desk)).toHaveCount(0);
  const want = wanted({ amountMinor: REJECTED });
  const id = await send(desk, want);
  const notReloaded = await markPage(desk);
  await expectState(desk, 'REJECTED');
  await expect(unread(desk)).toHaveText('1', { timeout: RINGS_MS });
  await expect(bell(desk)).toHaveAccessibleDescription(
    desk.say('notifications', 'unread').replace('#', '1'),
  );
  await notReloaded();
  await expect(unread(colleague), 'it is nobody else’s').toHaveCount(0);

  await bell(desk).click();
  const { page, say } = desk;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('notifications', 'title'));
  const title = 'Payout of ₺4,000.41 was rejected';
  const first = page.getByRole('main').getByRole('row').filter({ hasText: want.payee.name });
  await expect(first).toContainText(say('notifications', 'new'));
  await page.getByRole('main').getByRole('link', { name: title }).first().click();
  await expect(page).toHaveURL(new RegExp(`/payouts/${id}$`));
  await expect(unread(desk)).toHaveCount(0);
  await page.goto('/notifications?view=unread');
  await expect(page.getByText(say('notifications', 'emptyUnread'))).toBeVisible();
});

test('one is read by its button, an open page learns of another session’s reading, and a kind is switched off', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  await readEverything(desk);
  await rows(
    `INSERT INTO notifications (merchant_id, person_id, kind, thing, detail, at, in_app)
      SELECT merchant_id, id, 'new_device', 'device:' || n, '{"agent": "Firefox/1 Windows"}',
        clock_timestamp(), true FROM people, unnest(ARRAY[gen_random_uuid(), gen_random_uuid()]) n
      WHERE email = 'ayse@demo.test'`,
  );
  const { page, say } = desk;
  await page.goto('/notifications?view=unread');
  await expect(unread(desk)).toHaveText('2');
  const other = await desk.context.newPage();
  await other.goto('/notifications');
  await page.bringToFront();
  const mark = page.getByRole('button', { name: say('notifications', 'read') }).filter({
    hasNotText: say('notifications', 'readAll'),
  });
  await expect(mark).toHaveCount(2);
  await mark.first().click();
  await expect(mark).toHaveCount(1);
  await expect(unread(desk)).toHaveText('1');
  await other.bringToFront();
  await expect(unread({ ...desk, page: other })).toHaveText('1');
  await other.close();

  const app = (kind: string) =>
    page.getByRole('checkbox', {
      name: say('notifications', 'choices.appOf', {
        name: say('notifications', `kinds.${kind}.name`),
      }),
    });
  const save = async (): Promise<void> => {
    await page.getByRole('button', { name: say('notifications', 'choices.save') }).click();
    await expect(page.getByText(say('notifications', 'choices.saved'))).toBeVisible();
  };
  await page.goto('/settings#notifications');
  await expect(page.getByText(say('notifications', 'choices.noMail'))).toBeVisible();
  await app('movement_rejected').uncheck();
  await save();
  await page.reload();
  await expect(app('movement_rejected')).not.toBeChecked();
  await expect(app('movement_failed')).toBeChecked();
  await readEverything(desk);
  await send(desk, wanted({ amountMinor: REJECTED }));
  await expectState(desk, 'REJECTED');
  const told = () =>
    rows(`SELECT n.in_app FROM notifications n JOIN movements m ON n.thing = 'movement:' || m.id
      WHERE m.id::text = '${page.url().slice(-36)}'`);
  await expect.poll(told, { timeout: RINGS_MS }).toEqual([{ in_app: false }]);
  await expect(unread(desk)).toHaveCount(0);
  await page.goto('/settings#notifications');
  await app('movement_rejected').check();
  await save();
});

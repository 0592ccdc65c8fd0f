import { intentsTo, rows, untoldDevices } from './database.ts';
import { fillPayout, goToReview, sendButton, wanted } from './payout.ts';
import { expect, test, type Desk } from './story.ts';

/** What a page learns of changes between its drawing and the opening of its live stream. */

const STREAM = /\/api\/events(\?|$)/;

/** Holds back the tab's stream until the returned function is called. */
async function holdStream({ page }: Desk): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(STREAM, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test('a payout that is sent between the drawing of a list and its stream is announced once', async ({
  sitDown,
}) => {
  const reader = await sitDown('mehmet', { language: 'en' });
  const sender = await sitDown('ayse');
  const want = wanted();
  await fillPayout(sender, want);
  await goToReview(sender, want);
  await expect(sendButton(sender, want)).toBeEnabled();
  const release = await holdStream(reader);
  const { page, say } = reader;
  await page.goto('/payouts');
  await page.bringToFront();
  const row = page.getByRole('main').getByRole('link', { name: want.payee.name });
  await expect(row).toHaveCount(0);
  // A stream that does not open for ten seconds counts as lost.
  await sendButton(sender, want).press('Enter');
  await expect.poll(() => intentsTo(want.payee.iban)).toHaveLength(1);
  release();
  const changes = page.getByRole('button', { name: /change.* · show/ });
  await expect(changes).toBeVisible();
  await expect(page.getByText(say('live', 'maybe')), 'it is known what changed').toHaveCount(0);
  await changes.click();
  await expect(row).toBeVisible();
});

test('the bell of a tab counts what was read between its drawing and its stream', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  // Where a sign-in was from a new device, its notification comes some seconds later.
  await expect.poll(untoldDevices, { timeout: 20_000 }).toEqual([]);
  await rows(
    `INSERT INTO notifications (merchant_id, person_id, kind, thing, detail, at, in_app)
      SELECT merchant_id, id, 'new_device', 'device:' || gen_random_uuid(),
        '{"agent": "Firefox/1 Windows"}', clock_timestamp(), true
      FROM people WHERE email = 'ayse@demo.test'`,
  );
  const other: Desk = { ...desk, page: await desk.context.newPage() };
  const unread = other.page
    .getByRole('banner')
    .getByRole('link', { name: desk.say('notifications', 'bell') })
    .locator('[aria-hidden][title]');
  const release = await holdStream(other);
  await desk.page.goto('/notifications?view=unread');
  await other.page.goto('/help');
  await expect(unread).toHaveCount(1);
  await desk.page.bringToFront();
  await desk.page.getByRole('button', { name: desk.say('notifications', 'readAll') }).click();
  await expect(desk.page.getByText(desk.say('notifications', 'emptyUnread'))).toBeVisible();
  await other.page.bringToFront();
  await expect(unread, 'its stream is not open yet').toHaveCount(1);
  release();
  await expect(unread).toHaveCount(0);
});

test('a load without a change in between announces nothing and refreshes nothing', async ({
  sitDown,
}) => {
  const { page, say } = await sitDown('ayse');
  await page.addInitScript(() => {
    const from: string[] = [];
    const told: (string | undefined)[] = [];
    Object.assign(window, { stream: { from, told } });
    window.EventSource = class extends EventSource {
      constructor(url: string | URL) {
        super(url);
        this.addEventListener('from', (event) => from.push(event.data));
        this.addEventListener('message', (event) => told.push(JSON.parse(event.data).tx));
      }
    };
  });
  for (const address of ['/payouts', '/', '/cards/payments', '/notifications']) {
    await page.goto(address);
    await expect
      .poll(() => page.evaluate(() => (window as unknown as Watched).stream.from.length))
      .toBe(1);
    const { from, told, drawn } = await page.evaluate(() => ({
      ...(window as unknown as Watched).stream,
      drawn: document.documentElement.dataset['snapshot'],
    }));
    expect(from, 'the stream begins where the page ends').toEqual([drawn]);
    const next = BigInt(drawn!.split(':')[1]!);
    const open = drawn!.split(':')[2]!.split(',');
    const shown = told.filter((tx) => tx && BigInt(tx) < next && !open.includes(tx));
    expect(shown, 'changes that the page shows already').toEqual([]);
    await expect(page.getByText(say('live', 'maybe'))).toHaveCount(0);
  }
});

type Watched = { stream: { from: string[]; told: (string | undefined)[] } };

import type { Locator, Request } from '@playwright/test';
import { expect, test, type Desk } from './story.ts';
import { intentsTo, movementCount } from './database.ts';
import {
  expectAtBank,
  expectPaidOnce,
  expectState,
  fillPayout,
  goToReview,
  markPage,
  pressSend,
  send,
  sendButton,
  wanted,
} from './payout.ts';
import { expectFollows } from './live-list.ts';
import { processes } from './processes.ts';
import { sandbox } from './sandbox.ts';
import { BASE_URL, BASE_URL_2 } from './surroundings.ts';

/** Records the paths of the requests that the tab makes to the server, from now on. */
function asked({ page, origin }: Desk): { paths: string[] } {
  const paths: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(origin)) paths.push(new URL(request.url()).pathname);
  });
  return { paths };
}

/**
 * Counts the form's requests to the server from now on; the returned function resolves when at
 * least that many were made and none is pending.
 */
function questionsOf({ page }: Desk): (count: number) => Promise<void> {
  let asked = 0;
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (request.method() !== 'POST') return;
    asked += 1;
    open.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => void open.delete(request));
  return (count) =>
    expect.poll(() => asked >= count && open.size === 0, { timeout: 30_000 }).toBe(true);
}

function isLive({ page, say }: Desk): Locator {
  return page.getByRole('article').getByText(new RegExp(`^${say('live', 'on')}`));
}

test('a page served by one web follows what was begun at the other and what the one worker did', async ({
  sitDown,
}) => {
  const here = await sitDown('ayse', { origin: BASE_URL });
  const there = await sitDown('mehmet', { origin: BASE_URL_2, language: 'en' });
  await sandbox.bankMode('manual');
  await there.page.goto('/payouts');
  // The end of an earlier story's payout may be announced already.
  await expectFollows(there);
  const want = wanted();
  const id = await send(here, want);
  await expectState(here, 'PENDING');
  // The list announces a change and shows it only on a click, so that no row moves under the
  // pointer.
  const changes = there.page.getByRole('button', { name: /change.* · show/ });
  await expect(changes).toBeVisible();
  await expect(there.page.getByRole('link', { name: want.payee.name })).toHaveCount(0);
  await changes.click();
  await there.page.getByRole('link', { name: want.payee.name }).click();
  await expect(there.page).toHaveURL(`${BASE_URL_2}/payouts/${id}`);
  await expectAtBank(there);
  const [one, two] = [await markPage(here), await markPage(there)];
  // The webhook brings the change, and the database passes it to both webs.
  await sandbox.bankDoes(want.payee.iban, 'complete');
  await expectState(here, 'COMPLETED');
  await expectState(there, 'COMPLETED');
  await one();
  await two();
});

test('many open tabs ask the provider no more often than one', async ({ sitDown }) => {
  const desk = await sitDown('ayse');
  await sandbox.bankMode('manual');
  const want = wanted();
  const id = await send(desk, want);
  await expectState(desk, 'PENDING');
  const tabs = await Promise.all(Array.from({ length: 4 }, () => desk.context.newPage()));
  await Promise.all(tabs.map((tab) => tab.goto(`/payouts/${id}`)));
  const extId = (await intentsTo(want.payee.iban))[0]!.ext_id;
  const readsOf = async () =>
    (await sandbox.requests('GetRequestWithdrawByExtId')).filter((one) => one.body.includes(extId))
      .length;
  const before = await readsOf();
  await sandbox.bankDoes(want.payee.iban, 'complete');
  for (const page of [desk.page, ...tabs]) await expectState({ ...desk, page }, 'COMPLETED');
  expect((await readsOf()) - before, 'reads of one completion, five tabs open').toBeLessThanOrEqual(
    2,
  );
});

test('a dropped stream is reported as lost, the page polls meanwhile and follows live again later', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, like } = desk;
  await sandbox.bankMode('manual');
  const want = wanted();
  let cut = true;
  // A proxy that passes every request except the stream.
  await page.route(/\/api\/events(\?|$)/, (route) =>
    cut ? route.abort('connectionreset') : route.fallback(),
  );
  await send(desk, want);
  await expect(page.getByText(like('live', 'polling'))).toBeVisible();
  // The worker may still be sending it.
  await expect(() => sandbox.bankDoes(want.payee.iban, 'complete')).toPass();
  await expectState(desk, 'COMPLETED', 30_000);
  cut = false;
  await expect(isLive(desk)).toBeVisible({ timeout: 40_000 });
});

test('a hidden tab asks for nothing, says so, and is up to date as soon as it is looked at', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  await sandbox.bankMode('manual');
  const want = wanted();
  await send(desk, want);
  await expectState(desk, 'PENDING');
  await expect(isLive(desk)).toBeVisible();
  await setHidden(desk, true);
  await expect(page.getByText(say('live', 'paused'))).toBeVisible();
  const meanwhile = asked(desk);
  await sandbox.bankDoes(want.payee.iban, 'complete');
  await expect
    .poll(async () => (await intentsTo(want.payee.iban))[0]?.state, { timeout: 20_000 })
    .toBe('COMPLETED');
  expect(meanwhile.paths).toEqual([]);
  await setHidden(desk, false);
  await expectState(desk, 'COMPLETED');
});

/** Chromium keeps every tab of a test visible, so that the page's visibility has to be faked. */
async function setHidden({ page }: Desk, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (value ? 'hidden' : 'visible'),
    });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

test('without the database nothing is sent, every open page says so, and all of it recovers by itself', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const form = await sitDown('ayse');
  const { page, say } = desk;
  await sandbox.bankMode('manual');
  const earlier = wanted();
  await send(desk, earlier);
  await expectState(desk, 'PENDING');
  const want = wanted();
  await fillPayout(form, want);
  const answered = questionsOf(form);
  await goToReview(form, want);
  // The review queries the recipient and the wallets when it opens: without the two responses its
  // button stays disabled.
  await answered(2);
  const before = await movementCount();
  await processes.stop('postgres');
  try {
    await expect(
      page
        .getByText(say('shell', 'status.database'))
        .or(page.getByText(desk.like('payout', 'freshness.database')))
        .first(),
    ).toBeVisible({ timeout: 30_000 });
    await expectAtBank(desk);
    // The press leads to an explanation, not to a payment. A reason may have replaced the button
    // before the press.
    await sendButton(form, want).click({ force: true });
    await expect(
      form.page
        .getByRole('alert')
        .filter({ hasText: /./ })
        .or(form.page.getByText(say('shell', 'status.database')))
        .first(),
    ).toBeVisible({ timeout: 30_000 });
    const fresh = await desk.context.newPage();
    await fresh.goto('/payouts');
    await expect(
      fresh.getByRole('heading', { level: 1, name: say('shell', 'database.title') }),
    ).toBeVisible();
    expect((await fetch(`${BASE_URL}/api/health/ready`)).status).toBe(503);
    expect((await fetch(`${BASE_URL}/api/health/live`)).status).toBe(200);
    expect(await sandbox.sendsTo(want.payee.iban)).toEqual([]);
    await processes.start('postgres');
    // The page that could not even read the session reloads by itself.
    await expect(
      fresh.getByRole('heading', { level: 1, name: say('payouts', 'title') }),
    ).toBeVisible({ timeout: 40_000 });
  } finally {
    await processes.start('postgres');
  }
  await sandbox.bankDoes(earlier.payee.iban, 'complete');
  await expectState(desk, 'COMPLETED', 40_000);
  expect(await movementCount()).toBe(before);
  expect(await sandbox.sendsTo(want.payee.iban)).toEqual([]);
  // The form still holds what was typed, and sends it once when the button is pressed again.
  await expect(form.page.getByText(want.payee.name).first()).toBeVisible();
  await pressSend(form, want);
  await expect
    .poll(async () => (await sandbox.paidTo(want.payee.iban)).length, { timeout: 30_000 })
    .toBe(1);
  await sandbox.bankDoes(want.payee.iban, 'complete');
  await expectPaidOnce(want);
});

test('a worker that is gone is said to be, what waits is not lost, and goes out once when it is back', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const want = wanted();
  await processes.stop('worker');
  try {
    await send(desk, want);
    await expectState(desk, 'APPROVED');
    await expect(
      desk.page.getByRole('button', { name: desk.say('payout', 'actions.cancel'), exact: true }),
    ).toBeVisible();
    await expect(async () => {
      await desk.page.reload();
      await expect(desk.page.getByText(desk.say('shell', 'status.worker'))).toBeVisible();
    }).toPass({ timeout: 60_000 });
    await expectState(desk, 'APPROVED');
    expect(await sandbox.sendsTo(want.payee.iban)).toEqual([]);
  } finally {
    await processes.start('worker');
  }
  await expectState(desk, 'COMPLETED', 40_000);
  await expectPaidOnce(want);
  expect(await sandbox.sendsTo(want.payee.iban)).toHaveLength(1);
});

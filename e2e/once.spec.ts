import { expect, test, type Desk } from './story.ts';
import { intentsTo } from './database.ts';
import {
  expectPaidOnce,
  expectState,
  fillPayout,
  formFields,
  goToReview,
  onPayoutPage,
  pressSend,
  restInReview,
  sendButton,
  typePayout,
  wanted,
  type Wanted,
} from './payout.ts';
import { sandbox } from './sandbox.ts';

/**
 * Requires one intent of ours, one request to the provider and one movement of money, however often
 * the button was pressed.
 */
async function expectOnce(desk: Desk, want: Wanted): Promise<void> {
  await expectState(desk, 'COMPLETED', 30_000);
  expect(await intentsTo(want.payee.iban)).toMatchObject([{ state: 'COMPLETED', sends: 1 }]);
  expect(await sandbox.sendsTo(want.payee.iban)).toHaveLength(1);
  await expectPaidOnce(want);
}

/** Fills the form up to its last step, the review. */
async function ready(desk: Desk, want: Wanted): Promise<void> {
  await fillPayout(desk, want);
  await goToReview(desk, want);
}

test('a double click makes one payout', async ({ sitDown }) => {
  const desk = await sitDown('ayse');
  const want = wanted();
  await ready(desk, want);
  await sendButton(desk, want).dblclick();
  await onPayoutPage(desk);
  await expectOnce(desk, want);
});

test('Enter pressed twice on the button makes one payout; Enter in a field makes none', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page } = desk;
  const want = wanted();
  await fillPayout(desk, want);
  await formFields(desk).amount.focus();
  await restInReview(desk, want, async () => {
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(sendButton(desk, want)).toBeVisible();
  });
  expect(await intentsTo(want.payee.iban)).toEqual([]);
  // A closed button says why, and sends nothing.
  await expect(sendButton(desk, want)).not.toHaveAttribute('aria-disabled', 'true');
  await sendButton(desk, want).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await onPayoutPage(desk);
  await expectOnce(desk, want);
});

test('the same form in two tabs, sent in both at once, makes one payout and both tabs show it', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const want = wanted();
  await ready(desk, want);
  const twin: Desk = { ...desk, page: await desk.context.newPage() };
  await fillPayout(twin, want, desk.page.url());
  await goToReview(twin, want);
  await Promise.all([sendButton(desk, want).click(), sendButton(twin, want).click()]);
  expect(await onPayoutPage(desk)).toBe(await onPayoutPage(twin));
  await expectOnce(desk, want);
  await expectState(twin, 'COMPLETED');
});

test('the same form in two tabs with different content makes the first one only, and the second is told so', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const want = wanted();
  // The recipient is another one: for the same one, the minute between two payouts would disable
  // the button.
  const other = wanted();
  await ready(desk, want);
  const twin: Desk = { ...desk, page: await desk.context.newPage() };
  await fillPayout(twin, other, desk.page.url());
  await goToReview(twin, other);
  const id = await pressSend(desk, want);
  await sendButton(twin, other).click();
  await expect(
    twin.page.getByRole('alert').filter({ hasText: desk.say('refusals', 'same_id_other_content') }),
  ).toBeVisible();
  await twin.page
    .getByRole('link', { name: desk.say('new-payout', 'problems.openPayout') })
    .click();
  expect(await onPayoutPage(twin)).toBe(id);
  await expectOnce(desk, want);
  expect(await sandbox.sendsTo(other.payee.iban)).toEqual([]);
});

test('two forms for the same payment, sent at once: the second one is asked about, not sent', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const want = wanted();
  await ready(desk, want);
  const twin: Desk = { ...desk, page: await desk.context.newPage() };
  await ready(twin, want);
  await Promise.all([sendButton(desk, want).click(), sendButton(twin, want).click()]);
  await expect.poll(async () => (await intentsTo(want.payee.iban)).length).toBe(1);
  const [sent, asked] = /\/payouts\/new/.test((await settle(desk, twin)).url())
    ? [twin, desk]
    : [desk, twin];
  await expect(
    asked.page.getByRole('alert').filter({ hasText: desk.say('new-payout', 'problems.findings') }),
  ).toBeVisible();
  await expect(
    asked.page
      .getByRole('main')
      .getByRole('checkbox')
      .or(asked.page.getByText(desk.like('payout-errors', 'findings.unknown_same_amount')))
      .first(),
  ).toBeVisible();
  await expectOnce(sent, want);
});

/** Waits until one of the two desks has left its form; returns the page of the first desk. */
async function settle(one: Desk, two: Desk): Promise<Desk['page']> {
  const left = /\/payouts\/[0-9a-f-]{36}$/;
  await expect.poll(() => left.test(one.page.url()) || left.test(two.page.url())).toBe(true);
  return one.page;
}

test('going back to the form and sending again opens the payout that exists', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page } = desk;
  const want = wanted();
  await page.goto('/payouts');
  await ready(desk, want);
  const form = page.url();
  const id = await pressSend(desk, want);
  await expectState(desk, 'COMPLETED', 30_000);
  await page.goBack();
  await expect(page).not.toHaveURL(form);
  // Even the form's saved address, or its page in the browser's cache, sends nothing again.
  await page.goto(form);
  expect(await onPayoutPage(desk)).toBe(id);
  await expectOnce(desk, want);
});

test('the request of the form, repeated by the browser or by somebody with its cookie, makes no second payout', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, context } = desk;
  const want = wanted();
  await ready(desk, want);
  // The submit is a multipart request; the form's queries while a person types are not.
  const sending = page.waitForRequest(
    (request) =>
      request.method() === 'POST' &&
      (request.headers()['content-type'] ?? '').startsWith('multipart/form-data'),
  );
  await sendButton(desk, want).click();
  const request = await sending;
  const id = await onPayoutPage(desk);
  await expectState(desk, 'COMPLETED', 30_000);
  const {
    cookie: _cookie,
    'content-length': _length,
    host: _host,
    ...headers
  } = await request.allHeaders();
  for (let times = 0; times < 3; times++) {
    const answer = await context.request.post(request.url(), {
      headers: Object.fromEntries(
        Object.entries(headers).filter(([name]) => !name.startsWith(':')),
      ),
      data: request.postDataBuffer()!,
      maxRedirects: 0,
    });
    expect(answer.headers()['x-action-redirect'] ?? '').toContain(id);
  }
  await expectOnce(desk, want);
});

test('a reload while it is being sent neither repeats nor loses the payout', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page } = desk;
  const want = wanted();
  await sandbox.fault({ operation: 'SendMoneyToBankAccount', kind: 'delay', ms: 3_000 });
  await ready(desk, want);
  const form = page.url();
  await sendButton(desk, want).click({ noWaitAfter: true });
  await page.reload();
  // After the reload the tab has the form's own address, if the browser was faster than the server,
  // or the payout's address.
  await expect.poll(async () => (await intentsTo(want.payee.iban)).length).toBeLessThanOrEqual(1);
  if (/\/payouts\/new/.test(page.url())) {
    await expect
      .poll(async () => {
        // The form may find its payout at the same moment and open it.
        await page.goto(form).catch(() => undefined);
        return /\/payouts\/new/.test(page.url()) && (await intentsTo(want.payee.iban)).length === 1;
      })
      .toBe(false);
  }
  if (/\/payouts\/new/.test(page.url())) {
    // No request had reached the server: the person fills in the same form again.
    await typePayout(desk, want);
    await goToReview(desk, want);
    await pressSend(desk, want);
  }
  for (let times = 0; times < 3; times++) await page.reload();
  await expectOnce(desk, want);
});

test('a form submitted while offline never sends anything; submitted again online, it sends once', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, context } = desk;
  const want = wanted();
  await fillPayout(desk, want);
  await restInReview(desk, want);
  await context.setOffline(true);
  await sendButton(desk, want).click();
  await expect(
    page.getByRole('alert').filter({ hasText: desk.say('new-payout', 'problems.unreachable') }),
  ).toBeVisible();
  await context.setOffline(false);
  // Dispatches the events that libraries take as a signal to resume paused work.
  await page.evaluate(() => {
    dispatchEvent(new Event('online'));
    dispatchEvent(new Event('focus'));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  const probe = await context.newPage();
  await probe.goto('/payouts');
  await probe.close();
  expect(await intentsTo(want.payee.iban)).toEqual([]);
  await expect(page.getByText(want.payee.name).first()).toBeVisible();
  await pressSend(desk, want);
  await expectOnce(desk, want);
});

test('a form opened before a new version sends nothing, and after a reload makes the one payout', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page } = desk;
  const want = wanted();
  await ready(desk, want);
  // An action id belongs to the build that rendered the page; the build that answers does not have
  // it.
  await page.route('**/payouts/new**', async (route) => {
    const headers = route.request().headers();
    if (
      route.request().method() !== 'POST' ||
      !(headers['content-type'] ?? '').startsWith('multipart/form-data')
    )
      return route.fallback();
    return route.continue({ headers: { ...headers, 'next-action': '40'.padEnd(42, 'ab') } });
  });
  await sendButton(desk, want).click();
  await expect(
    page.getByRole('alert').filter({ hasText: desk.say('new-payout', 'problems.outdated') }),
  ).toBeVisible();
  await expect(page.getByText(want.payee.name).first()).toBeVisible();
  expect(await intentsTo(want.payee.iban)).toEqual([]);
  await page.unroute('**/payouts/new**');
  const id = new URL(page.url()).searchParams.get('id');
  await page.reload();
  await typePayout(desk, want);
  await goToReview(desk, want);
  expect(await pressSend(desk, want)).toBe(id);
  await expectOnce(desk, want);
});

test('an answer of ours that never reached the browser: the form finds its payout and opens it', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page } = desk;
  const want = wanted();
  await fillPayout(desk, want);
  // What the form asks by itself in the review is answered before answers are lost.
  await restInReview(desk, want);
  // The server executes the requests, and the connection breaks before the browser gets their
  // responses.
  await page.route('**/payouts/new**', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch({ maxRedirects: 0 });
    // The page may have given the request up by itself.
    return route.abort('connectionreset').catch(() => undefined);
  });
  await sendButton(desk, want).click();
  const alert = page.getByRole('alert');
  await expect(alert.getByText(desk.say('new-payout', 'problems.unreachable'))).toBeVisible();
  await expect(alert.getByText(desk.say('new-payout', 'problems.unknownTitle'))).toBeVisible();
  await expect.poll(() => intentsTo(want.payee.iban)).toHaveLength(1);
  await page.unroute('**/payouts/new**');
  await onPayoutPage(desk);
  await expectOnce(desk, want);
});

test('on a phone, what is known of a press without an answer is in view', async ({ sitDown }) => {
  const desk = await sitDown('ayse', { narrow: true });
  const { page } = desk;
  const want = wanted();
  await fillPayout(desk, want);
  await restInReview(desk, want);
  await page.route('**/payouts/new**', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionreset') : route.fallback(),
  );
  await sendButton(desk, want).click();
  const banner = page.getByRole('alert').filter({
    hasText: desk.say('new-payout', 'problems.unknownTitle'),
  });
  await expect(banner).toBeInViewport({ ratio: 1 });
  const belowHeader = async () => {
    const header = (await page.getByRole('banner').boundingBox())!;
    return (await banner.boundingBox())!.y - header.y - header.height;
  };
  await expect.poll(belowHeader, { message: 'below the header' }).toBeGreaterThanOrEqual(0);
  expect(await intentsTo(want.payee.iban)).toEqual([]);
});

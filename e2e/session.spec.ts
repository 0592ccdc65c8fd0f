import { expect, test } from './story.ts';
import { intentsTo, rows } from './database.ts';
import { changesIn } from './live-list.ts';
import {
  expectAtBank,
  expectPaidOnce,
  expectState,
  goToReview,
  pressSend,
  restInReview,
  sendButton,
  typePayout,
  wanted,
} from './payout.ts';
import { sandbox } from './sandbox.ts';
import { emailOf, signIn, typeCode, typePassword } from './sign-in.ts';
import { BASE_URL } from './surroundings.ts';

test('own sessions are listed, and one that is ended is worth nothing from the next click on', async ({
  openDesk,
}) => {
  const here = await openDesk();
  const there = await openDesk({ language: 'en' });
  for (const { page, language } of [here, there]) {
    await page.goto('/login?next=/settings');
    await signIn(page, language, 'can');
  }
  const sessions = here.page.getByRole('table', { name: here.say('settings', 'sessions.caption') });
  await here.page.reload();
  await expect(
    sessions.getByRole('row').filter({ hasText: here.say('settings', 'sessions.current') }),
  ).toHaveCount(1);
  const others = sessions.getByRole('button', { name: here.like('settings', 'sessions.endOne') });
  await expect(others).not.toHaveCount(0);
  const stolen = await there.context.cookies();
  while ((await others.count()) > 0) {
    const before = await others.count();
    await others.first().click();
    await expect(others).toHaveCount(before - 1);
  }
  await there.page.reload();
  await expect(there.page).toHaveURL(/\/login/);
  // The same cookie comes again, as if somebody had copied it.
  await there.context.addCookies(stolen);
  expect(
    (
      await there.context.request.get('/api/movements/00000000-0000-4000-8000-000000000000')
    ).status(),
  ).toBe(401);
  expect((await there.context.request.get('/api/events')).status()).toBe(401);
  await here.page.reload();
  await expect(here.page).toHaveURL(/\/settings/);
});

test('signing out everywhere ends every session of the person, and nobody else’s', async ({
  openDesk,
  sitDown,
}) => {
  const bystander = await sitDown('deniz');
  const [one, two] = [await openDesk(), await openDesk()];
  for (const { page, language } of [one, two]) {
    await page.goto('/login?next=/settings');
    await signIn(page, language, 'can');
  }
  const stolen = await one.context.cookies();
  await one.page.getByRole('button', { name: one.say('settings', 'sessions.endAll') }).click();
  await expect(one.page).toHaveURL(/\/login/);
  await two.page.reload();
  await expect(two.page).toHaveURL(/\/login/);
  await one.context.addCookies(stolen);
  await one.page.goto('/settings');
  await expect(one.page).toHaveURL(/\/login/);
  const left = await rows(
    `SELECT 1 FROM sessions s JOIN people p ON p.id = s.person_id WHERE p.email = $1
      AND s.revoked_at IS NULL`,
    [emailOf('can')],
  );
  expect(left).toHaveLength(0);
  await bystander.page.goto('/settings');
  await expect(bystander.page).toHaveURL(/\/settings/);
});

test('an open stream ends at once with its session, and a person has ten of them at most', async ({
  openDesk,
}) => {
  const { page, context } = await openDesk();
  await page.goto('/login?next=/settings');
  await signIn(page, 'tr', 'can');
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  await page.close();
  const stopped = new AbortController();
  const open = (): Promise<Response> =>
    fetch(`${BASE_URL}/api/events`, {
      headers: { cookie, accept: 'text/event-stream' },
      signal: stopped.signal,
    });
  const streams: Response[] = [];
  // The server may still count the stream of the page that was closed.
  await expect(async () => {
    while (streams.length < 10) {
      const one = await open();
      expect(one.status).toBe(200);
      streams.push(one);
    }
  }).toPass();
  expect((await open()).status, 'the eleventh').toBe(503);
  const ended = Promise.all(streams.map((one) => one.text()));
  const begun = performance.now();
  const out = await fetch(`${BASE_URL}/api/sign-out`, {
    method: 'POST',
    body: '{"everywhere":true}',
    headers: {
      cookie,
      origin: BASE_URL,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
    },
  });
  expect(out.status).toBe(204);
  for (const text of await ended) expect(text).toContain('event: signed-out');
  // A stream that was not closed would notice only at its next heartbeat, up to fifteen seconds
  // later.
  expect(performance.now() - begun).toBeLessThan(5_000);
  stopped.abort();
});

test('signing out ends the session itself, not only the cookie, and the back button shows nothing', async ({
  openDesk,
}) => {
  const { page, context, say } = await openDesk();
  await page.goto('/login?next=/wallets');
  await signIn(page, 'tr', 'can');
  const stolen = await context.cookies();
  await page.getByRole('button', { name: new RegExp(say('shell', 'person')) }).click();
  await page.getByRole('button', { name: say('shell', 'signOut') }).click();
  await expect(page).toHaveURL(/\/login/);
  await page.goBack();
  await expect(page).toHaveURL(/\/login/);
  await context.addCookies(stolen);
  await page.goto('/wallets');
  await expect(page).toHaveURL(/\/login/);
});

test('a session that nobody used for fifteen minutes, or that is twelve hours old, has ended', async ({
  openDesk,
}) => {
  const { page } = await openDesk();
  for (const change of [
    `last_seen_at = last_seen_at - interval '16 minutes'`,
    `expires_at = created_at`,
  ]) {
    await page.goto('/login?next=/settings');
    await signIn(page, 'tr', 'can');
    await rows(
      `UPDATE sessions SET ${change} WHERE person_id = (SELECT id FROM people WHERE email = $1)`,
      [emailOf('can')],
    );
    await page.goto('/settings');
    await expect(page).toHaveURL(/\/login\?next=%2Fsettings/);
  }
});

test('a page that redraws itself does not keep its session alive, and a press does', async ({
  openDesk,
}) => {
  const { page } = await openDesk();
  await page.goto('/login?next=/transfers');
  await signIn(page, 'tr', 'can');
  await expect(page).toHaveURL(/\/transfers$/);
  const [own] = await rows<{ id: string; merchant: string }>(
    `SELECT id, merchant_id AS merchant FROM sessions
      WHERE person_id = (SELECT id FROM people WHERE email = $1) ORDER BY created_at DESC LIMIT 1`,
    [emailOf('can')],
  );
  const idle = async (): Promise<number> => {
    const [row] = await rows<{ idle: number }>(
      `SELECT extract(epoch FROM now() - last_seen_at)::int / 60 AS idle FROM sessions WHERE id = $1`,
      [own!.id],
    );
    return row!.idle;
  };
  const announce = (by: string | null): Promise<unknown> =>
    rows(
      `SELECT pg_notify('dashboard', jsonb_strip_nulls(jsonb_build_object(
        'merchantId', $1::text, 'kind', 'movement', 'id', gen_random_uuid(),
        'by', $2::text, 'tx', pg_current_xact_id()::text))::text)`,
      [own!.merchant, by],
    );
  await rows(`UPDATE sessions SET last_seen_at = now() - interval '12 minutes' WHERE id = $1`, [
    own!.id,
  ]);
  // The page shows changes of its own session at once.
  await expect(async () => {
    const redrawn = page.waitForResponse(
      (answer) => answer.request().headers()['rsc'] === '1' && answer.url().includes('/transfers'),
      { timeout: 3_000 },
    );
    await Promise.all([redrawn, announce(own!.id)]);
  }).toPass({ timeout: 30_000 });
  expect(await idle()).toBe(12);
  await announce(null);
  await changesIn({ page }).click();
  await expect.poll(idle).toBe(0);
});

for (const { when, change } of [
  { when: 'was ended elsewhere', change: 'revoked_at = now()' },
  { when: 'ran out', change: `last_seen_at = now() - interval '16 minutes'` },
]) {
  test(`a session that ${when} during a payout form is signed in over it, and the payout is sent once`, async ({
    openDesk,
  }) => {
    const desk = await openDesk();
    const { page, say } = desk;
    await page.goto('/login?next=/payouts/new');
    await signIn(page, 'tr', 'mehmet');
    const want = wanted();
    await typePayout(desk, want);
    await restInReview(desk, want);
    await rows(
      `UPDATE sessions SET ${change} WHERE person_id = (SELECT id FROM people WHERE email = $1)`,
      [emailOf('mehmet')],
    );
    const address = page.url();
    const sheet = page.getByRole('dialog', { name: say('login', 'sheetTitle') });
    // The page may notice the end by itself before it is pressed.
    const pressed = sendButton(desk, want).click({ timeout: 5_000 });
    await pressed.catch(() => expect(sheet).toBeVisible());
    await expect(sheet).toBeVisible();
    expect(await intentsTo(want.payee.iban)).toEqual([]);
    const code = await typePassword(page, 'tr', emailOf('mehmet'));
    await typeCode(page, 'tr', code);
    await expect(sheet).toBeHidden();
    // The page and its form are the same, with everything in it; signing in did not submit the
    // form.
    expect(page.url()).toBe(address);
    await expect(page.getByText(want.payee.name).first()).toBeVisible();
    expect(await intentsTo(want.payee.iban)).toEqual([]);
    await pressSend(desk, want);
    await expectState(desk, 'COMPLETED', 30_000);
    expect(await intentsTo(want.payee.iban)).toHaveLength(1);
    await expectPaidOnce(want);
  });
}

test('a role revoked during a payout form is refused in words, stores nothing and keeps the input', async ({
  openDesk,
}) => {
  const desk = await openDesk();
  const { page, say } = desk;
  await page.goto('/login?next=/payouts/new');
  await signIn(page, 'tr', 'mehmet');
  const want = wanted();
  await typePayout(desk, want);
  await restInReview(desk, want);
  try {
    await rows(`UPDATE people SET role = 'auditor' WHERE email = $1`, [emailOf('mehmet')]);
    await sendButton(desk, want).click();
    await expect(
      page.getByRole('alert').filter({ hasText: say('refusals', 'not_allowed') }),
    ).toBeVisible();
    await expect(page.getByText(want.payee.name).first()).toBeVisible();
    expect(await intentsTo(want.payee.iban)).toEqual([]);
  } finally {
    await rows(`UPDATE people SET role = 'approver' WHERE email = $1`, [emailOf('mehmet')]);
  }
});

test('an open page stops following when its session ends, says so, and resumes after a new sign-in', async ({
  openDesk,
}) => {
  const desk = await openDesk();
  const { page, say } = desk;
  await sandbox.bankMode('manual');
  await page.goto('/login?next=/payouts/new');
  await signIn(page, 'tr', 'mehmet');
  const want = wanted();
  await typePayout(desk, want);
  await goToReview(desk, want);
  await pressSend(desk, want);
  await expectState(desk, 'PENDING');
  await rows(
    `UPDATE sessions SET revoked_at = now() WHERE person_id = (SELECT id FROM people WHERE email = $1)`,
    [emailOf('mehmet')],
  );
  // The stream checks its session at every heartbeat.
  await expect(page.getByText(say('shell', 'status.ended'))).toBeVisible({ timeout: 30_000 });
  await sandbox.bankDoes(want.payee.iban, 'complete');
  await expect
    .poll(async () => (await intentsTo(want.payee.iban))[0]?.state, { timeout: 20_000 })
    .toBe('COMPLETED');
  await expectAtBank(desk);
  // The status band and the page itself may both have this button.
  await page
    .getByRole('button', { name: say('shell', 'status.signIn'), exact: true })
    .first()
    .click();
  const code = await typePassword(page, 'tr', emailOf('mehmet'));
  await typeCode(page, 'tr', code);
  await expectState(desk, 'COMPLETED', 20_000);
});

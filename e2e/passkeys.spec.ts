import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { groupIban } from '#lib/values/iban.ts';
import { freePort } from '../scripts/ports.ts';
import { readBuild } from './build.ts';
import { rows } from './database.ts';
import { anotherPrivateKey, VirtualKey } from './passkey.ts';
import { expectPaidOnce, expectState, fillPayout, formFields, onPayoutPage } from './payout.ts';
import { wanted, type Wanted } from './payout.ts';
import { sandbox } from './sandbox.ts';
import { emailOf, PASSWORD } from './sign-in.ts';
import { expect, expectFollowed, test, type Desk } from './story.ts';
import { DATA_DIR, DATABASE_URL, SANDBOX_URL } from './surroundings.ts';

/**
 * Browsers make passkeys only for names, and the product under test is opened by its IP address: a
 * web of its own is opened by the name "localhost", on the same database.
 */
const AMOUNT = 6_000_000;
const SIGNED_FROM = { tr: '50.000,00', en: '50,000.00' };

let web: ChildProcess;
let origin: string;

test.beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  web = spawn(process.execPath, ['server.ts'], { stdio: 'ignore', env: await environment(port) });
  await expect
    .poll(
      async () =>
        (await fetch(`http://127.0.0.1:${port}/api/health/live`).catch(() => null))?.status,
      { timeout: 60_000 },
    )
    .toBe(200);
});
test.afterAll(() => {
  web.kill();
});

/** Policy and keys concern every later story: whatever a test leaves is removed in the database. */
test.afterEach(async () => {
  for (const table of ['policy_versions', 'passkeys', 'step_ups', 'approvals'])
    await rows(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await rows('DELETE FROM policy_versions');
  await rows('UPDATE passkeys SET removed_at = clock_timestamp() WHERE removed_at IS NULL');
  for (const table of ['policy_versions', 'passkeys', 'step_ups', 'approvals'])
    await rows(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  await rows(`UPDATE second_person_requests SET closed_at = clock_timestamp()
    WHERE subject_kind = 'policy' AND closed_at IS NULL`);
});

test('an approval is signed with a passkey, bound to exactly this payment', async ({
  sitDown,
  openDesk,
}) => {
  test.setTimeout(300_000);
  const owner = await sitDown('selin');
  const clerk = await sitDown('ayse');
  const atOffice = await sitDown('mehmet');
  await agree(owner, atOffice);
  const [want, second, third] = [wantSigned(), wantSigned(), wantSigned()];
  const id = await submitForApproval(clerk, want);

  const approver = await byName(atOffice, openDesk);
  const { page, say } = approver;
  const key = await VirtualKey.of(page);
  await test.step('a first passkey is added after a fresh sign-in, and signs', async () => {
    await openAndApprove(approver, id);
    const panel = page.getByRole('group', { name: say('step-up', 'title') });
    await expect(panel.getByText('₺60.000,00')).toBeVisible();
    await expect(panel.getByText(want.payee.name)).toBeVisible();
    await expect(panel.getByText(groupIban(want.payee.iban))).toBeVisible();
    await addFirstKey(approver);
    await expect(signButton(approver)).toBeVisible();
    await signButton(approver).click();
    await expectLeftFor(page, `${origin}/payouts/${id}`);
    await expectState(clerk, 'COMPLETED', 40_000);
    await expectPaidOnce(want);
  });

  const next = await submitForApproval(clerk, second);
  await test.step('the answer of the payment before approves no other one', async () => {
    await refusedTrick(approver, key, next, 'replay');
  });
  await test.step('an answer for another payment approves nothing', async () => {
    const other = await submitForApproval(clerk, third);
    await openAndApprove(approver, other);
    await key.play('hold');
    await signButton(approver).click();
    await expect(page.getByText(say('step-up', 'notSigned'))).toBeVisible();
    await refusedTrick(approver, key, next, 'replay');
  });
  await test.step('a key that verified nobody signs nothing', async () => {
    await refusedTrick(approver, key, next, 'unverified');
  });
  await test.step('another key under the same id signs nothing', async () => {
    const own = await key.credential();
    await key.replace({ ...own, privateKey: anotherPrivateKey() });
    await refusedTrick(approver, key, next, 'none');
    await key.replace(own);
  });
  await test.step('a copy of the key, whose counter is behind, signs nothing', async () => {
    const own = await key.credential();
    await key.replace({ ...own, signCount: 0 });
    await refusedTrick(approver, key, next, 'none');
    await key.replace({ ...own, signCount: own.signCount + 5 });
  });
  await test.step('the key itself signs', async () => {
    await openAndApprove(approver, next);
    await key.play('none');
    await signButton(approver).click();
    await expectLeftFor(page, `${origin}/payouts/${next}`);
    await clerk.page.goto(`/payouts/${next}`);
    await expectState(clerk, 'COMPLETED', 40_000);
    await expectPaidOnce(second);
  });
  await test.step('the key stands among the person’s own', async () => {
    await page.goto('/settings/passkeys');
    await expect(page.getByRole('cell', { name: 'Ofis anahtarı' })).toBeVisible();
    await expect(page.getByText(say('passkeys', 'lastText'))).toBeVisible();
  });
});

function wantSigned(): Wanted {
  return wanted({ amountMinor: AMOUNT });
}

/** The same person and session, at the address with a name. */
async function byName(
  desk: Desk,
  openDesk: (options: { origin: string }) => Promise<Desk>,
): Promise<Desk> {
  const named = await openDesk({ origin });
  const cookies = await desk.context.cookies();
  await named.context.addCookies(
    cookies.map(({ name, value, httpOnly, sameSite }) => ({
      name,
      value,
      httpOnly,
      sameSite,
      url: origin,
    })),
  );
  return named;
}

async function openAndApprove(desk: Desk, id: string): Promise<void> {
  await desk.page.goto(`/approvals/${id}`);
  await desk.page.getByRole('button', { name: desk.like('approvals', 'decision.approve') }).click();
}

function signButton({ page, say }: Desk) {
  return page.getByRole('button', { name: say('step-up', 'sign'), exact: true });
}

/** What is decided leads to the movement's own page, which is drawn anew. */
async function expectLeftFor(page: Page, address: string): Promise<void> {
  await expect(page).toHaveURL(address, { timeout: 30_000 });
}

async function refusedTrick(
  desk: Desk,
  key: VirtualKey,
  id: string,
  trick: 'none' | 'unverified' | 'replay',
): Promise<void> {
  await openAndApprove(desk, id);
  await key.play(trick);
  await signButton(desk).click();
  await expect(desk.page.getByText(desk.say('refusals', 'step_up_refused'))).toBeVisible();
  const stored = await rows('SELECT FROM approvals WHERE movement_id = $1', [id]);
  expect(stored).toHaveLength(0);
}

/** On the panel that asks for a signature: password, code, and the browser makes the key. */
async function addFirstKey({ page, say }: Desk): Promise<void> {
  const email = emailOf('mehmet');
  await page.getByLabel(say('step-up', 'add.label')).fill('Ofis anahtarı');
  await page.getByRole('button', { name: say('step-up', 'add.begin') }).click();
  const before = await sandbox.codesSent(email);
  await page.getByLabel(say('step-up', 'password'), { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: say('step-up', 'sendCode') }).click();
  await expect.poll(() => sandbox.codesSent(email)).toBeGreaterThan(before);
  await page.getByLabel(say('step-up', 'code'), { exact: true }).fill((await sandbox.code(email))!);
  await page.getByRole('button', { name: say('step-up', 'confirmCode') }).click();
}

/** The owner proposes one rule and from when it is signed, the approver confirms both. */
async function agree(owner: Desk, approver: Desk): Promise<void> {
  const { page, say, language } = owner;
  await page.goto('/policy');
  const amount = page.getByLabel(say('policy', 'form.amount'), { exact: true });
  await expectFollowed(amount);
  await amount.fill(SIGNED_FROM[language]);
  await page.getByRole('button', { name: say('policy', 'stepUp.add') }).click();
  await page.getByLabel(say('policy', 'stepUp.amount')).fill(SIGNED_FROM[language]);
  await page.getByLabel(say('policy', 'change.reason')).fill('Toplantıda karar verildi');
  await page.getByRole('button', { name: say('policy', 'change.propose') }).click();
  await expect(page.getByText(say('policy', 'proposal.own'))).toBeVisible();
  await approver.page.goto('/policy');
  await expect(approver.page.getByText(approver.like('policy', 'stepUp.sentence'))).toBeVisible();
  await approver.page
    .getByRole('button', { name: approver.say('policy', 'proposal.confirm') })
    .click();
  await expect(approver.page.getByText(approver.say('policy', 'done.confirmed'))).toBeVisible();
}

async function submitForApproval(desk: Desk, want: Wanted): Promise<string> {
  await fillPayout(desk, want);
  await formFields(desk).goOn.click();
  await desk.page
    .getByRole('button', { name: desk.say('foreseen', 'submit') })
    .click({ timeout: 20_000 });
  return onPayoutPage(desk);
}

async function environment(port: number): Promise<NodeJS.ProcessEnv> {
  const credentials = (await (await fetch(`${SANDBOX_URL}/sandbox/credentials`)).json()) as {
    card: { app_id: string; app_secret: string; merchant_key: string };
    wallet: { client_id: string; client_secret: string };
  };
  const secrets = JSON.parse(readFileSync(join(DATA_DIR, 'secrets.json'), 'utf8')) as Record<
    string,
    string
  >;
  return {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    BUILD_DIR: (await readBuild()).folder,
    DATABASE_URL,
    AUTH_SECRET: secrets['AUTH_SECRET'],
    DATA_KEY: secrets['DATA_KEY'],
    WEBHOOK_KEY: secrets['WEBHOOK_KEY'],
    PORT: String(port),
    APP_ORIGIN: origin,
    SANDBOX: 'on',
    SANDBOX_PORT: new URL(SANDBOX_URL).port,
    CARD_APP_ID: credentials.card.app_id,
    CARD_APP_SECRET: credentials.card.app_secret,
    CARD_MERCHANT_KEY: credentials.card.merchant_key,
    WALLET_CLIENT_ID: credentials.wallet.client_id,
    WALLET_CLIENT_SECRET: credentials.wallet.client_secret,
  } as unknown as NodeJS.ProcessEnv;
}

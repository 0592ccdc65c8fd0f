import type { Locator } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { expect, test, type Desk } from './story.ts';
import { intentsTo } from './database.ts';
import {
  COMMERCIAL,
  expectPaidOnce,
  expectState,
  formFields,
  goToReview,
  markPage,
  money,
  onPayoutPage,
  pressSend,
  restInReview,
  sendButton,
  typePayout,
  wanted,
  type Wanted,
} from './payout.ts';
import { sandbox } from './sandbox.ts';
import { grouped } from './payee.ts';
import { emailOf, PASSWORD, signIn } from './sign-in.ts';

/** A browser without a viewer for PDF shows a second link in the viewer's place. */
function downloadLink({ page, say }: Desk): Locator {
  const name = say('receipts', 'viewer.download');
  return page.getByRole('link', { name, exact: true }).first();
}

/** Opens the receipt of the completed payout and saves a copy of it. */
async function keepReceipt(desk: Desk, want: Wanted): Promise<void> {
  const { page, say } = desk;
  await page
    .getByRole('link', { name: say('payout', 'actions.receipt') })
    .click({ timeout: 30_000 });
  await expect(page).toHaveURL(/\/receipts\/[0-9a-f-]{36}/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(want.payee.name);
  const downloading = page.waitForEvent('download');
  await downloadLink(desk).click();
  const bytes = readFileSync(await (await downloading).path());
  expect(
    bytes.subarray(0, 5).toString() === '%PDF-' || bytes.toString('utf8').includes(want.payee.iban),
    'a PDF, or HTML that names the recipient',
  ).toBe(true);
}

for (const { title, language, narrow } of [
  { title: 'in Turkish', language: 'tr', narrow: false },
  { title: 'in English', language: 'en', narrow: false },
  { title: 'in Turkish on a phone of 390 px', language: 'tr', narrow: true },
] as const) {
  test(`from signing in to the receipt, the outcome arrives by itself and one payment was made, ${title}`, async ({
    openDesk,
  }) => {
    const desk = await openDesk({ language, narrow });
    const { page, say } = desk;
    const want = wanted({ amountMinor: 1_240_000 });
    await page.goto('/');
    await signIn(page, language, 'ayse');
    await page
      .getByRole('main')
      .getByRole('link', { name: say('home', 'new'), exact: true })
      .first()
      .click();
    await expect(page).toHaveURL(/\/payouts\/new/);
    await typePayout(desk, want);
    await goToReview(desk, want);
    await expect(
      page.getByText(grouped(want.payee.iban)).filter({ visible: true }).first(),
    ).toBeVisible();
    const id = await pressSend(desk, want);
    const notReloaded = await markPage(desk);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      money(want.amountMinor, language),
    );
    await expectState(desk, 'COMPLETED');
    await notReloaded();
    await expectPaidOnce(want);
    await keepReceipt(desk, want);
    expect(await intentsTo(want.payee.iban)).toMatchObject([{ id, state: 'COMPLETED', sends: 1 }]);
    if (narrow)
      for (const path of [`/payouts/${id}`, '/payouts', '/payouts/new']) {
        await page.goto(path);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth),
          `${path} scrolls sideways`,
        ).toBeLessThanOrEqual(390);
      }
  });
}

test('the whole job with the keyboard alone, from signing in to the downloaded receipt', async ({
  openDesk,
}) => {
  const desk = await openDesk();
  const { page, say } = desk;
  const want = wanted();
  const { payee } = want;
  const fields = formFields(desk);
  await page.goto('/login?next=/payouts/new');
  await page.keyboard.type(emailOf('ayse'));
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel(say('login', 'code'), { exact: true })).toBeFocused();
  await page.keyboard.type((await sandbox.code(emailOf('ayse')))!);
  await page.keyboard.press('Enter');
  await expect(fields.iban).toBeVisible();
  for (const [field, text] of [
    [fields.iban, payee.iban],
    [fields.name, payee.name],
    [fields.taxNumber, payee.taxNumber],
    [fields.amount, '123'],
  ] as const) {
    await tabTo(desk, field);
    await page.keyboard.type(text);
  }
  await tabTo(desk, fields.paymentType);
  await page.keyboard.type(COMMERCIAL);
  await tabTo(desk, fields.description);
  await page.keyboard.type(want.description);
  // Enter in a field leads to the review, and never sends a payout.
  await restInReview(desk, want, async () => {
    await page.keyboard.press('Enter');
    await expect(sendButton(desk, want)).toBeVisible();
  });
  expect(await intentsTo(payee.iban)).toEqual([]);
  // A closed button says why, and sends nothing.
  await expect(sendButton(desk, want)).not.toHaveAttribute('aria-disabled', 'true');
  await tabTo(desk, sendButton(desk, want));
  await page.keyboard.press('Enter');
  await onPayoutPage(desk);
  await expectState(desk, 'COMPLETED');
  const receipt = page.getByRole('link', { name: say('payout', 'actions.receipt') });
  await expect(receipt).toBeVisible({ timeout: 30_000 });
  await tabTo(desk, receipt);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/receipts\//);
  await tabTo(desk, downloadLink(desk));
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await downloading).suggestedFilename()).toMatch(/\.(pdf|html)$/);
  await expectPaidOnce(want);
});

async function tabTo({ page }: Desk, target: ReturnType<Desk['page']['locator']>): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not lead to ${String(target)}`);
}

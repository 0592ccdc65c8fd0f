import { intentsTo } from './database.ts';
import { fillPayout, formFields, MAIN_WALLET, restInReview, sendButton, wanted } from './payout.ts';
import { sandbox } from './sandbox.ts';
import { expect, test } from './story.ts';

test('a wallet blocked while the form is open is refused with its reason and shown as blocked', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const want = wanted();
  await fillPayout(desk, want);
  await restInReview(desk, want);
  await sandbox.wallet(MAIN_WALLET.number, 2);
  await sendButton(desk, want).click();
  await expect(
    page.getByRole('main').getByText(say('payout-errors', 'findings.wallet_blocked')).first(),
  ).toBeVisible();
  expect(await intentsTo(want.payee.iban), 'payouts that were stored').toEqual([]);
  // After the refusal the form queries the wallets again.
  await expect(formFields(desk).wallet(MAIN_WALLET.name)).toBeDisabled();
  // Review brings the first wallet into focus that can be chosen: a blocked one takes no focus.
  await formFields(desk).goOn.click();
  await expect(page.locator('input[name="wallet"]:focus')).toBeEnabled();
  await page.goto('/wallets');
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: MAIN_WALLET.number })
      .getByText(say('wallets', 'accessStates.blocked')),
  ).toBeVisible();
  await page.goto(`/wallets/${MAIN_WALLET.number}`);
  // What the server streams is in the document twice for a moment, once outside the page's content.
  await expect(
    page.getByRole('main').getByText(say('wallets', 'accessTexts.blocked')),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: say('wallets', 'pay') })).toHaveCount(0);
});

test('a wallet’s days come from the ledger, read as a table, and end with the current balance', async ({
  sitDown,
}) => {
  const { page, say, like } = await sitDown('deniz', { language: 'en' });
  await page.goto(`/wallets/${MAIN_WALLET.number}?chart=7`);
  // The worker reads the days that the page needs, and the page updates by itself.
  await expect(page.getByRole('img', { name: like('wallets', 'flow.balanceLabel') })).toBeVisible({
    timeout: 30_000,
  });
  await expect(page.getByText(like('wallets', 'flow.missing'))).toHaveCount(0, { timeout: 30_000 });
  const table = page.getByRole('table', { name: /The wallet's days from/ });
  await expect(table).toBeHidden();
  await page.getByText(say('wallets', 'flow.asTable')).click();
  await expect(table.getByRole('row')).toHaveCount(8);
  const today = table.getByRole('row').nth(1);
  await expect(today).toContainText(say('wallets', 'flow.notOver'));
  const total = page
    .locator('dt', { hasText: say('wallets', 'total') })
    .locator('xpath=following-sibling::dd');
  // The balance may change meanwhile, by the end of an earlier story's payout.
  await expect(async () =>
    expect(today.getByRole('cell').last()).toHaveText(await total.innerText(), { timeout: 1_000 }),
  ).toPass({ timeout: 20_000 });
  await page.getByRole('link', { name: '30 days', exact: true }).click();
  await expect(page).toHaveURL((url) => url.searchParams.get('chart') === null);
  await expect(page.getByText(like('wallets', 'flow.missing'))).toHaveCount(0, { timeout: 30_000 });
  await expect(page.getByRole('img', { name: like('wallets', 'flow.flowLabel') })).toBeVisible();
});

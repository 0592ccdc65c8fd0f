import { expect, test } from './story.ts';
import { rows } from './database.ts';
import {
  COMMERCIAL,
  expectState,
  formFields,
  goToReview,
  MAIN_WALLET,
  pressSend,
  typed,
  wanted,
  showWallets,
} from './payout.ts';

const PATH = '/recipients/bring';

test('payees of earlier bank payouts are brought by one press, and one of them is paid', async ({
  sitDown,
}) => {
  test.setTimeout(180_000);
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  await page.goto('/recipients');
  await page.getByRole('link', { name: say('bring-recipients', 'open'), exact: true }).click();
  await expect(page).toHaveURL(PATH);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    say('bring-recipients', 'title'),
  );
  // The worker reads the days that nobody has requested yet while the page is open.
  await expect(page.getByText(/^Son 90 günün tamamı okundu; okunan en eski gün: /)).toBeVisible({
    timeout: 90_000,
  });
  const table = page.getByRole('table', { name: say('bring-recipients', 'caption') });
  const boxes = table.getByRole('checkbox', { name: desk.like('bring-recipients', 'pickOne') });
  const all = await boxes.count();
  expect(all).toBeGreaterThan(2);
  for (const box of await boxes.all()) await expect(box).toBeChecked();
  const save = (count: number) =>
    page.getByRole('button', { name: `${count} alıcıyı kaydet`, exact: true });
  await expect(save(all)).toBeVisible();

  const listed = await table.locator('tbody td.first .font-medium').allInnerTexts();
  // Two payees may have one name.
  const names = listed.filter((name) => listed.indexOf(name) === listed.lastIndexOf(name));
  await page.getByRole('button', { name: say('bring-recipients', 'bar.none') }).click();
  await expect(
    table.getByRole('checkbox', { name: say('bring-recipients', 'pickPage') }),
  ).not.toBeChecked();
  for (const name of names.slice(0, 2))
    await table
      .getByRole('checkbox', { name: say('bring-recipients', 'pickOne', { name }), exact: true })
      .check();
  await save(2).click();
  await expect(page.getByText('2 alıcı kaydedildi.', { exact: true })).toBeVisible();
  await expect(boxes).toHaveCount(all - 2);
  const [entry] = await rows<{ detail: { count: number } }>(
    `SELECT body::jsonb -> 'detail' AS detail FROM audit_entries
      WHERE action = 'recipient.brought' ORDER BY seq DESC LIMIT 1`,
  );
  expect(entry!.detail.count).toBe(2);

  await page.goto(`/recipients?q=${encodeURIComponent(names[0]!)}`);
  await page.getByRole('main').getByRole('link', { name: names[0]!, exact: true }).click();
  await page
    .getByRole('main')
    .getByRole('link', { name: say('recipients', 'one.pay'), exact: true })
    .first()
    .click();
  const fields = formFields(desk);
  await expect(fields.name).toHaveValue(names[0]!);
  const want = wanted({ amountMinor: 64_300 });
  await showWallets(desk);
  await fields.wallet(MAIN_WALLET.name).check();
  await fields.amount.fill(typed(want.amountMinor, desk.language));
  await fields.paymentType.selectOption(COMMERCIAL);
  await fields.description.fill(want.description);
  // The provider has paid this account before, and yet this is its first payment by the product.
  await expect(
    page.getByText(say('payout-errors', 'findings.first_payment')).first(),
  ).toBeVisible();
  await goToReview(desk, want);
  await pressSend(desk, want);
  await expectState(desk, 'COMPLETED');
});

test('who may not prepare payouts is not offered the page, and is refused its address', async ({
  sitDown,
}) => {
  const { page, say } = await sitDown('can');
  await page.goto('/recipients');
  await expect(page.getByRole('link', { name: say('bring-recipients', 'open') })).toHaveCount(0);
  await page.goto(PATH);
  await expect(page.getByText(say('common', 'forbidden.title'))).toBeVisible();
});

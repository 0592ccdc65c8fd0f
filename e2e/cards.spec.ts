import { dayBefore } from './calendar.ts';
import { CARD, expectRow, order, shop } from './card-shop.ts';
import { rows } from './database.ts';
import { expectFollows } from './live-list.ts';
import { expect, test } from './story.ts';

/**
 * The merchant's web shop takes payments outside the product: a webhook reports a payment, and only
 * the gateway's record decides its state.
 */

test('an authorization from the shop is queued by its webhook and leaves when captured elsewhere', async ({
  sitDown,
}) => {
  const [gateway, desk] = [await shop(), await sitDown('ayse')];
  const { page, say } = desk;
  const sold = order(1_234.5);
  await gateway.pay2D(sold, CARD);
  await expectRow(desk, '/cards/authorizations', sold.invoice, '₺1.234,50');
  const row = page.getByRole('row').filter({ hasText: sold.invoice });
  await expect(row).toContainText('•••• 4509');
  expect(await page.content(), 'no more of the card than four digits').not.toMatch(
    // Not as a part of a random id.
    /(?<![0-9a-f-])450803/i,
  );
  await row.getByRole('link', { name: sold.invoice }).click();
  await expect(page.getByText(say('cards', 'sentences.held'))).toBeVisible();

  await gateway.confirm(sold.invoice, 'capture');
  await page.getByRole('button', { name: say('cards', 'ask') }).click();
  await expect(page.getByText(say('cards', 'asked'))).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(say('cards', 'sentences.captured'))).toBeVisible({
      timeout: 1_000,
    });
  }).toPass({ timeout: 60_000 });
  await page.goto('/cards/authorizations');
  await expect(
    page.getByRole('heading', { name: say('cards', 'holds.title'), level: 1 }),
  ).toBeVisible();
  await expect(page.getByText(sold.invoice)).toHaveCount(0);
});

test('an order without a webhook is added by its number and verified; a card number is refused', async ({
  sitDown,
}) => {
  const [gateway, desk] = [await shop(), await sitDown('ayse', { language: 'en' })];
  const { page, say } = desk;
  const { saleHook: _none, ...sold } = order(88.4);
  await gateway.pay2D(sold, CARD);
  await page.goto('/cards/payments');
  const numbers = page.getByLabel(say('cards', 'add.label'));
  await expect(async () => {
    if (!(await numbers.isVisible())) await page.getByText(say('cards', 'add.title')).click();
    await expect(numbers).toBeVisible({ timeout: 500 });
  }).toPass();
  await numbers.fill('4508 0345 0803 4509');
  await page.getByRole('button', { name: say('cards', 'add.button') }).click();
  await expect(page.getByText(say('refusals', 'card_number_typed'))).toBeVisible();
  await expect(numbers).toHaveValue('4508 0345 0803 4509');
  await numbers.fill(`${sold.invoice}\nNOBODY-${sold.invoice}`);
  await page.getByRole('button', { name: say('cards', 'add.button') }).click();
  await expect(page.getByText(/^2 orders added\. /)).toBeVisible();
  await expectRow(
    desk,
    `/cards/payments?q=${encodeURIComponent(sold.invoice)}`,
    sold.invoice,
    say('cards', 'states.held'),
  );
  await expectRow(
    desk,
    `/cards/payments?q=NOBODY-${encodeURIComponent(sold.invoice)}`,
    sold.invoice,
    say('cards', 'problems.not_found'),
  );
  // No row of this list can be captured, so that no row and no head has a checkbox.
  await expectRow(desk, '/cards/authorizations?bucket=age_unknown', sold.invoice, '₺88.40');
  await expect(page.getByRole('checkbox')).toHaveCount(0);
});

test('added orders show their records in the list as these are read', async ({ sitDown }) => {
  const [gateway, desk] = [await shop(), await sitDown('mehmet')];
  const { page, say } = desk;
  const sold = [order(21), order(22), order(23)].map(({ saleHook: _none, ...one }) => one);
  for (const one of sold) await gateway.pay2D(one, CARD);
  await page.goto('/cards/payments');
  await expectFollows(desk);
  const numbers = page.getByLabel(say('cards', 'add.label'));
  if (!(await numbers.isVisible())) await page.getByText(say('cards', 'add.title')).click();
  await numbers.fill(sold.map(({ invoice }) => invoice).join('\n'));
  await page.getByRole('button', { name: say('cards', 'add.button') }).click();
  for (const { invoice } of sold)
    await expect(page.getByRole('row').filter({ hasText: invoice })).toContainText(
      say('cards', 'states.held'),
      { timeout: 20_000 },
    );
});

test('the home page names an authorization that can no longer be captured here, and what to do', async ({
  sitDown,
}) => {
  const [gateway, desk] = [await shop(), await sitDown('ayse')];
  const { page, say, like } = desk;
  const { saleHook: _none, ...sold } = order(64);
  await gateway.pay2D(sold, CARD);
  await page.goto('/cards/payments');
  await expectFollows(desk);
  const numbers = page.getByLabel(say('cards', 'add.label'));
  if (!(await numbers.isVisible())) await page.getByText(say('cards', 'add.title')).click();
  await numbers.fill(sold.invoice);
  await page.getByLabel(say('cards', 'add.heldOn'), { exact: true }).fill(dayBefore(19));
  await page.getByRole('button', { name: say('cards', 'add.button') }).click();
  await expect(page.getByRole('row').filter({ hasText: sold.invoice })).toContainText(
    say('cards', 'states.held'),
    { timeout: 20_000 },
  );
  // Half a day from both ends of the only day on which it is too old and has not lapsed.
  await rows(
    `UPDATE card_payments SET held_since = clock_timestamp() - interval '468 hours'
      WHERE invoice_id = $1`,
    [sold.invoice],
  );
  await page.goto('/');
  const line = page.getByRole('listitem').filter({ hasText: say('home', 'needs.tooOldText') });
  await line.getByRole('link', { name: like('home', 'needs.tooOld') }).click();
  await expect(page.getByRole('row').filter({ hasText: sold.invoice })).toBeVisible();
});

test('card sales by installments open as a table that says what is not known', async ({
  sitDown,
}) => {
  const [gateway, desk] = [await shop(), await sitDown('ayse', { language: 'en' })];
  const { page, say } = desk;
  const sold = { ...order(431.2), preauthorize: false };
  await gateway.pay2D(sold, CARD);
  await expectRow(desk, '/cards/payments', sold.invoice, '₺431.20');
  await expect(async () => {
    await page.goto(`/cards/payments?q=${sold.invoice}`);
    await expect(
      page.getByRole('heading', { name: say('cards', 'installments.title') }),
    ).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await expect(page.locator('main [style]')).toHaveCount(0);
  await expect(page.getByText(say('cards', 'sales.about'))).toBeVisible();
  const table = page.getByRole('table', { name: say('cards', 'installments.caption') });
  await expect(table).toBeHidden();
  await page.getByText(say('reports', 'chart.asTable'), { exact: true }).last().click();
  const row = table.getByRole('row').nth(1);
  await expect(row).toContainText('Single payment');
  await expect(row).toContainText('₺431.20');
  await rows('UPDATE card_payments SET commission_minor = NULL WHERE invoice_id = $1', [
    sold.invoice,
  ]);
  await page.reload();
  await page.getByText(say('reports', 'chart.asTable'), { exact: true }).last().click();
  await expect(row.getByRole('cell').last()).toHaveText(say('cards', 'installments.unknown'));
});

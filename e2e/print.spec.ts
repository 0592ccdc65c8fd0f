import { CARD, expectRow, order, shop } from './card-shop.ts';
import { rows } from './database.ts';
import { expectState, send, wanted } from './payout.ts';
import { expect, test, type Desk } from './story.ts';
import { sendTransfer, wantedTransfer } from './transfer.ts';

/**
 * People show a printed page to a supplier or a bank on a later day, so that its dates must be
 * complete.
 */

const DATE_AND_TIME = /\d{1,2} \S+ \d{4} \d{2}:\d{2}:\d{2}/;

async function expectPaper({ page, say }: Desk): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  const head = page.getByText(new RegExp(`${say('shell', 'printed')}: .*${DATE_AND_TIME.source}`));
  await expect(head).toBeVisible();
  for (const role of ['button', 'navigation', 'textbox', 'combobox'] as const)
    await expect(page.getByRole(role).filter({ visible: true }), role).toHaveCount(0);
  await expect(page.getByText(say('live', 'on'), { exact: true })).toBeHidden();
  // Each time has its date beside it: in its own text, or added by the style sheet for print.
  const bare = await page.locator('time').evaluateAll((all) =>
    all
      .filter((time) => time.checkVisibility() && time.textContent!.includes(':'))
      .filter(
        (time) => !/\d{4}/.test(getComputedStyle(time, '::before').content + time.textContent),
      )
      .map((time) => time.textContent),
  );
  expect(bare, 'times without their day').toEqual([]);
}

test('a printed payout and transfer carry whose they are, full dates, and no controls', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  await send(desk, wanted());
  await expectState(desk, 'COMPLETED');
  const payout = page.url();
  await expect(async () => {
    await page.goto(payout);
    await expectPaper(desk);
    await expect(page.getByText('Lodos Ticaret ve Tekstil A.Ş.')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole('article')).not.toContainText(/: \d{2}:\d{2}:\d{2}/);
  for (const text of await page.getByText(say('payout', 'back'), { exact: true }).all())
    await expect(text).toBeHidden();
  expect((await page.pdf()).length).toBeGreaterThan(10_000);
  await page.emulateMedia({ media: 'screen' });
  await sendTransfer(desk, await wantedTransfer('transfer_business'));
  await expectPaper(desk);
});

test('a printed card payment and day close carry full dates and no controls', async ({
  sitDown,
}) => {
  const desk = await sitDown('selin');
  const { page } = desk;
  const sold = order(250);
  await (await shop()).pay2D(sold, CARD);
  await expectRow(desk, '/cards/payments', sold.invoice, '₺');
  const [row] = await rows<{ id: string }>('SELECT id FROM card_payments WHERE invoice_id = $1', [
    sold.invoice,
  ]);
  await page.goto(`/cards/payments/${row!.id}`);
  await expectPaper(desk);
  await page.emulateMedia({ media: 'screen' });
  await page.goto('/reports/day-close');
  await expectPaper(desk);
  await expect(page.getByText(/Ana Cüzdan · 4410270001/)).toBeVisible();
});

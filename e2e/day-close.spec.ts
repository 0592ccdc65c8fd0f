import { rows } from './database.ts';
import { monthToClose, openMonthToClose } from './day-close.ts';
import { expect, pressUntil, test } from './story.ts';

const PAYROLL = '4410270002';

test('a day closes after a dialog has said what freezes, stays closed, and a clerk only looks', async ({
  sitDown,
}) => {
  const { page, say } = await sitDown('selin');
  const table = page.getByRole('table');
  const open = page.getByRole('button', {
    name: say('day-close', 'closing.openFirst'),
    exact: true,
  });
  // The worker reads the days one after the other, and stores the provider's balance of the wallet.
  await expect(async () => {
    await openMonthToClose(page, PAYROLL);
    await expect(open).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 90_000 });
  const [form, figures] = [(await open.boundingBox())!, (await table.boundingBox())!];
  expect(form.y, 'the way to close stands above the figures').toBeLessThan(figures.y);
  const dialog = page.getByRole('dialog', { name: say('day-close', 'closing.dialogFirst') });
  await pressUntil(open, dialog);
  const choice = dialog.getByLabel(say('day-close', 'closing.firstDay'));
  const day = await choice.inputValue();
  const to = (await choice.locator('option:checked').textContent())!;
  await expect(dialog).toContainText(say('day-close', 'closing.closesFirst', { to }));
  await expect(dialog).toContainText(say('day-close', 'closing.text'));
  await dialog.getByRole('button', { name: say('day-close', 'closing.keep') }).click();
  expect(await rows('SELECT FROM closed_days WHERE wallet = $1', [PAYROLL])).toEqual([]);
  await open.click();
  await choice.selectOption(day);
  const note = dialog.getByLabel(say('day-close', 'closing.note'));
  const confirm = dialog.getByRole('button', { name: say('day-close', 'closing.confirm') });
  await note.fill('Ay sonu öncesi kontrol edildi');
  await page.route('**/reports/day-close**', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionreset') : route.fallback(),
  );
  await confirm.click();
  await expect(dialog.getByRole('alert')).toHaveText(say('error', 'unanswered'));
  await expect(note, 'the press is lost, and not what was typed').toHaveValue(/kontrol edildi$/);
  await page.unroute('**/reports/day-close**');
  await confirm.click();
  await expect(dialog).toBeHidden();
  const row = table.getByRole('row').filter({ hasText: say('day-close', 'states.closed') });
  await expect(row).toHaveCount(1);
  const [{ closing }] = (await rows<{ closing: string }>(
    'SELECT closing_minor::text AS closing FROM closed_days WHERE wallet = $1 AND day = $2',
    [PAYROLL, day],
  )) as [{ closing: string }];
  const merchant = `(SELECT merchant_id FROM people WHERE email = 'selin@demo.test')`;
  try {
    // The entry is from 23:30 of that day in Istanbul; the product received it a day later.
    await rows(
      `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
        fee_minor, currency, to_wallet, created_at, completed_at, raw)
      VALUES (${merchant}, 'late-line', 1004, 20, 'in', 12345, 0, 'TRY', $1,
        ($2::date + time '23:30') AT TIME ZONE 'Europe/Istanbul',
        ($2::date + time '23:30') AT TIME ZONE 'Europe/Istanbul', '{}')`,
      [PAYROLL, day],
    );
    await page.goto(`${monthToClose(PAYROLL)}&day=${day}`);
    await expect(row).toContainText('+₺123,45');
    await expect(page.getByText(say('day-close', 'detail.lateStates.new'))).toBeVisible();
    expect(
      await rows(
        'SELECT closing_minor::text AS closing FROM closed_days WHERE wallet = $1 AND day = $2',
        [PAYROLL, day],
      ),
    ).toEqual([{ closing }]);
    const clerk = await sitDown('ayse', { language: 'en' });
    await clerk.page.goto(`${monthToClose(PAYROLL)}&day=${day}`);
    await expect(clerk.page.getByText(/closed by Selin/)).toBeVisible();
    await expect(
      clerk.page.getByRole('button', { name: say('day-close', 'closing.open') }),
    ).toHaveCount(0);
  } finally {
    await rows(`DELETE FROM ledger_records WHERE id = 'late-line'`);
  }
});

test('the chart of closing balances opens as a table with the days of the month', async ({
  sitDown,
}) => {
  const { page, say, like } = await sitDown('deniz');
  const table = page.getByRole('table', { name: like('day-close', 'chart.caption') });
  await expect(async () => {
    await openMonthToClose(page, PAYROLL);
    await expect(page.getByRole('img', { name: like('day-close', 'chart.label') })).toBeVisible({
      timeout: 2_000,
    });
  }).toPass({ timeout: 90_000 });
  await expect(page.locator('main [style]')).toHaveCount(0);
  await expect(table).toBeHidden();
  await page.getByText(say('reports', 'chart.asTable'), { exact: true }).click();
  const month = page.getByRole('table', { name: like('day-close', 'caption') });
  const closing = month.locator(`td[data-label="${say('day-close', 'columns.closing')}"]`);
  // The page may be drawn anew, with a day that was just read, between the two tables.
  await expect(async () => {
    const drawn = await table.getByRole('row').allInnerTexts();
    const texts = await closing.allInnerTexts();
    expect(drawn.length - 1).toBe(texts.length);
    for (const [n, text] of texts.entries())
      expect(drawn[n + 1]).toContain(text === '–' ? say('day-close', 'chart.unknown') : text);
  }).toPass({ timeout: 20_000 });
});

import { expectState, send, wanted } from './payout.ts';
import { expect, pressUntil, test, type Desk } from './story.ts';

/** A person hides columns of the wide lists, and the choice is stored for that person. */

async function choose(desk: Desk, column: string, shown: boolean): Promise<void> {
  const { page, say } = desk;
  const dialog = page.getByRole('dialog', { name: say('columns', 'title') });
  await pressUntil(page.getByRole('button', { name: say('columns', 'open'), exact: true }), dialog);
  await dialog.getByRole('checkbox', { name: column, exact: true }).setChecked(shown);
  await dialog.getByRole('button', { name: say('columns', 'save') }).click();
  await expect(dialog).toBeHidden();
}

const heads = ({ page }: Desk) => page.getByRole('columnheader');

test('a hidden column of a list stays hidden for its person alone, and in the first HTML', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const want = wanted();
  await send(desk, want);
  await expectState(desk, 'COMPLETED');
  await page.goto('/payouts');
  // Only a wide screen shows all columns of the list.
  await page.setViewportSize({ width: 1440, height: 900 });
  const [iban, wallet] = [say('payouts', 'table.iban'), say('payouts', 'table.wallet')];
  await expect(heads(desk).filter({ hasText: iban })).toBeVisible();
  await choose(desk, iban, false);
  await expect(heads(desk).filter({ hasText: iban })).toHaveCount(0);
  await expect(heads(desk).filter({ hasText: wallet })).toBeVisible();
  // Rows that the browser fetches by itself have the same columns.
  await page.getByRole('link', { name: say('payouts', 'views.completed'), exact: true }).click();
  await expect(page).toHaveURL(/view=completed/);
  await expect(page.getByRole('row').nth(1).getByRole('cell')).toHaveCount(5);
  const html = await (await page.request.get('/payouts')).text();
  expect(html).toContain(want.payee.name);
  expect(html).not.toContain(`data-label="${iban}"`);

  const colleague = await sitDown('mehmet');
  await colleague.page.goto('/payouts');
  await expect(heads(colleague).filter({ hasText: iban })).toHaveCount(1);
  await choose(desk, iban, true);
  await expect(heads(desk).filter({ hasText: iban })).toBeVisible();
});

test('each wide list has its own choice; two-line rows on a phone have none', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse', { language: 'en' });
  const { page, say } = desk;
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const [path, column] of [
    ['/reports/transactions', say('transactions', 'table.about')],
    ['/reports/withdrawals', say('withdrawals', 'table.ours')],
  ] as const) {
    await page.goto(path);
    const head = page.getByRole('columnheader', { name: column, exact: true });
    await expect(async () => {
      await page.reload();
      await expect(head).toHaveCount(1, { timeout: 2_000 });
    }).toPass();
    await choose(desk, column, false);
    await expect(head).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await expect(head).toHaveCount(0);
    await choose(desk, column, true);
    await expect(head).toHaveCount(1);
  }
  await page.goto('/payouts');
  await expect(page.getByRole('button', { name: say('columns', 'open') })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('button', { name: say('columns', 'open') })).toBeHidden();
});

import { expect, test, type Desk } from './story.ts';
import { MONTHS } from '#lib/values/dates.ts';
import { dayBefore } from './calendar.ts';
import { newPayee } from './payee.ts';
import { expectState, markPage, send, wanted } from './payout.ts';

/** The first cell of each row, from the top. */
function names({ page }: Desk): Promise<string[]> {
  return page.locator('main tbody tr td:first-child').allTextContents();
}

/** Two payouts that match one search, the second with the larger amount. */
async function sendTwo(desk: Desk): Promise<{ search: string; small: string; large: string }> {
  const search = `Sıra${newPayee().iban.slice(-8)}`;
  const [small, large] = [`${search} Ağaç`, `${search} Çınar`];
  for (const [name, amountMinor] of [
    [small, 11_000],
    [large, 22_000],
  ] as const) {
    await send(desk, wanted({ payee: { ...newPayee(), name }, amountMinor }));
    await expectState(desk, 'COMPLETED');
  }
  return { search, small, large };
}

test('orders and filters change the rows and address of a list; back and reload follow the address', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const { search, small, large } = await sendTwo(desk);
  await page.goto(`/payouts?q=${encodeURIComponent(search)}`);
  const stayed = await markPage(desk);
  const amount = page.getByRole('columnheader', { name: say('payouts', 'table.amount') });
  await expect.poll(() => names(desk)).toEqual([large, small]);
  await amount.getByRole('link').click();
  await expect(page).toHaveURL(/sort=-amount/);
  await expect(amount).toHaveAttribute('aria-sort', 'descending');
  await amount.getByRole('link').click();
  await expect.poll(() => names(desk)).toEqual([small, large]);
  await page.goBack();
  await expect(page).toHaveURL(/sort=-amount/);
  await expect.poll(() => names(desk)).toEqual([large, small]);
  const box = page.locator('#filter-text');
  await box.fill(small);
  await box.press('Enter');
  await expect.poll(() => names(desk)).toEqual([small]);
  // Submitting the filter form keeps the parameters that are not fields of it.
  await expect(page).toHaveURL(/sort=-amount/);
  await page
    .getByRole('list', { name: say('payouts', 'chips.label') })
    .getByRole('link')
    .click();
  await expect(box).toHaveValue('');
  await expect(page).not.toHaveURL(/q=/);
  await page.goBack();
  await expect(box).toHaveValue(small);
  await expect.poll(() => names(desk)).toEqual([small]);
  await stayed();
  await page.reload();
  await expect.poll(() => names(desk)).toEqual([small]);
  await expect(amount).toHaveAttribute('aria-sort', 'descending');
});

test('what is typed into a filter before the scripts run stays, and is applied', async ({
  sitDown,
}) => {
  const { page } = await sitDown('ayse');
  let release = (): void => undefined;
  const scripts = new Promise<void>((open) => (release = open));
  await page.route('**/_next/static/**/*.js', async (route) => {
    await scripts;
    await route.continue();
  });
  await page.goto('/payouts', { waitUntil: 'commit' });
  const box = page.locator('#filter-text');
  await box.fill('kimse');
  release();
  // React marks an element that it listens to.
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('#filter-text')!).some((key) => key.startsWith('__react')),
  );
  await box.press('Enter');
  await expect(page).toHaveURL(/q=kimse/);
  await page.unroute('**/_next/static/**/*.js');
});

test('when a list cannot be had the rows before stay, with their time and a way to try again', async ({
  sitDown,
  pageProblems,
}) => {
  const desk = await sitDown('ayse');
  const { page, say, like } = desk;
  const { search, small, large } = await sendTwo(desk);
  await page.goto(`/payouts?q=${encodeURIComponent(search)}`);
  await page.route('**/api/payouts?*', (route) =>
    route.fulfill({ status: 503, json: { error: 'unavailable' } }),
  );
  await page
    .getByRole('columnheader', { name: say('payouts', 'table.recipient') })
    .getByRole('link')
    .click();
  await expect(page.getByText(like('payouts', 'stale'))).toBeVisible();
  expect(await names(desk)).toEqual([large, small]);
  await page.unroute('**/api/payouts?*');
  await page.getByRole('button', { name: say('payouts', 'retry') }).click();
  await expect.poll(() => names(desk)).toEqual([small, large]);
  await expect(page.getByText(like('payouts', 'stale'))).toHaveCount(0);
  // The browser itself logs the 503 response.
  pageProblems.splice(0);
});

test('going back to the list from a payout shows the rows of its address, and then what changed meanwhile', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const { search, small, large } = await sendTwo(desk);
  await page.goto(`/payouts?q=${encodeURIComponent(search)}`);
  await page
    .getByRole('columnheader', { name: say('payouts', 'table.recipient') })
    .getByRole('link')
    .click();
  await expect.poll(() => names(desk)).toEqual([small, large]);
  await page.getByRole('main').getByRole('link', { name: large, exact: true }).click();
  await expect(page).toHaveURL(/\/payouts\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('article')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/sort=name/);
  await expect.poll(() => names(desk)).toEqual([small, large]);
});

test('days are typed in the order of the language or chosen as a period, and Back undoes each', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse', { language: 'en' });
  const { page, say } = desk;
  await send(desk, wanted());
  // No usual period that ends today begins on this day.
  const day = dayBefore(40);
  const [year, month, date] = day.split('-') as [string, string, string];
  for (const address of ['/payouts', '/money-in', '/reports/transactions']) {
    const form = page.getByRole('search');
    const from = form.getByLabel(say('common', 'from'), { exact: true });
    const period = form.getByLabel(say('common', 'days.range'), { exact: true });
    const wrong = form.getByText(say('common', 'days.wrong'));
    // Before its scripts run, the form is one of the browser, which knows no calendar.
    await expect(async () => {
      await page.goto(address);
      await from.fill('31.02.2026');
      await from.press('Enter');
      await expect(wrong, 'no day of the calendar').toBeVisible({ timeout: 2_000 });
    }).toPass();
    // Days of the address may be a 31st.
    await expect(page, address).not.toHaveURL(({ search }) => /31\.02|-02-31/.test(search));
    await from.fill(`${Number(date)} ${MONTHS.en.short[Number(month) - 1]} ${year.slice(2)}`);
    await from.press('Enter');
    await expect(page).toHaveURL(new RegExp(`[?&]from=${day}`));
    await expect(from).toHaveValue(`${date}/${month}/${year}`);
    await expect(period).toHaveValue('typed');
    await period.selectOption('today');
    await expect(page).toHaveURL(/[?&]from=(\d{4}-\d\d-\d\d)&to=\1/);
    await expect(period).toHaveValue('today');
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`[?&]from=${day}`));
    await expect(from).toHaveValue(`${date}/${month}/${year}`);
  }
});

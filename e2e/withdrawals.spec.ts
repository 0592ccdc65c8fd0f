import { rows } from './database.ts';
import { expectState, send, wanted } from './payout.ts';
import { expect, test } from './story.ts';

const PATH = '/reports/withdrawals';

test('the report shows each provider request beside our payout, and its export follows the filter', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const want = wanted({ amountMinor: 73_100 });
  await send(desk, want);
  await expectState(desk, 'COMPLETED');

  await page.goto(PATH);
  await expect(page, 'the days stand in the address').toHaveURL(
    /\?from=20\d\d-\d\d-\d\d&to=20\d\d-\d\d-\d\d$/,
  );
  const back = (days: number): string =>
    new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  // Days that nobody has asked for are read once the page has asked; it is not drawn again by itself.
  await expect(async () => {
    await page.goto(`${PATH}?from=${back(10)}&to=${back(2)}`);
    await expect(
      page.getByText(say('withdrawals', 'beside.not_ours'), { exact: true }).first(),
    ).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });

  // The worker reads the day every few seconds while the page is open.
  await expect(async () => {
    await page.goto(`${PATH}?q=${encodeURIComponent(want.payee.name)}`);
    await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText(
      say('withdrawals', 'levels.completed'),
      { timeout: 2_000 },
    );
  }).toPass({ timeout: 60_000 });
  const line = page.getByRole('table').getByRole('row').nth(1);
  await expect(line).toContainText('₺731,00');
  await expect(line).toContainText(say('states', 'COMPLETED'));
  await expect(page.getByText('1 talep', { exact: true })).toBeVisible();

  await line.getByRole('link', { name: want.payee.name }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('₺731,00');
  await expect(page.getByText(want.payee.taxNumber, { exact: true })).toBeVisible();
  await page.getByText(say('common', 'raw'), { exact: true }).click();
  await expect(page.getByText(`"receiver_national_id":"${want.payee.taxNumber}"`)).toBeVisible();
  await expect(page.getByRole('link', { name: say('withdrawals', 'openOurs') })).toHaveAttribute(
    'href',
    /^\/payouts\//,
  );

  const support = await sitDown('can', { language: 'en' });
  await support.page.goto(new URL(page.url()).pathname);
  await expect(
    support.page.getByText(support.say('withdrawals', 'facts.iban'), { exact: true }),
  ).toBeVisible();
  await expect(support.page.getByText(want.payee.taxNumber)).toHaveCount(0);
  await expect(support.page.getByText(support.say('withdrawals', 'rawMasked'))).toHaveCount(1);

  await page.goto(`${PATH}?q=${encodeURIComponent(want.payee.name)}`);
  await page.getByRole('link', { name: say('reports', 'export'), exact: true }).click();
  await expect(page.getByText('1 satır', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: say('exports', 'new.submit') }).click();
  const file = page
    .getByRole('table', { name: say('exports', 'caption') })
    .getByRole('row')
    .nth(1);
  await expect(file).toContainText(say('exports', 'sources.withdrawals'));
  await expect(file).toContainText(say('exports', 'states.READY'), { timeout: 20_000 });
  const [made] = await rows<{ rows: number; sums: Record<string, { minor: string }> }>(
    `SELECT rows, sums FROM exports WHERE source = 'withdrawals' ORDER BY created_at DESC LIMIT 1`,
  );
  expect([made!.rows, made!.sums.TRY!.minor]).toEqual([1, '73100']);
});

test('the chart of withdraw requests opens as a table with the sums of its list', async ({
  sitDown,
}) => {
  const { page, say, like } = await sitDown('can', { language: 'en' });
  const back = (days: number): string =>
    new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const table = page.getByRole('table', { name: /^TRY payout records from/ });
  // The worker reads the days while the page is open.
  await expect(async () => {
    await page.goto(`${PATH}?from=${back(12)}&to=${back(2)}`);
    await page
      .getByText(say('reports', 'chart.asTable'), { exact: true })
      .first()
      .click({ timeout: 2_000 });
    await expect(table).not.toContainText(say('reports', 'chart.partlyRead'), { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await expect(page.getByRole('img', { name: like('withdrawals', 'chart.label') })).toBeVisible();
  await expect(page.locator('main [style]')).toHaveCount(0);
  const sum = table.getByRole('row').last().getByRole('cell');
  const heads = await table.getByRole('columnheader').allTextContents();
  expect(heads).toContain(say('withdrawals', 'levels.completed'));
  const foot = page.getByRole('navigation', { name: say('common', 'pages') });
  for (const [n, head] of heads.entries()) {
    if (n === 0) continue;
    const [, amount, count] = /^(.*) \((\d+)\)$/.exec(await sum.nth(n).innerText())!;
    await expect(foot).toContainText(`${head} (${count}) ${amount}`);
  }
});

import { CARD, expectRow, order, shop } from './card-shop.ts';
import { rows } from './database.ts';
import { expectState, send, wanted } from './payout.ts';
import { expect, test, type Desk } from './story.ts';

/** The home page: its figures, the movements that wait, and the money of the last days. */

type Shown = { href: string; label: string; amount: string };

/** Waits until the balances are those that the provider has just reported. */
async function balancesAnswered(page: Desk['page'], say: Desk['say']): Promise<void> {
  await expect(page.getByText(say('wallets', 'asking'))).toHaveCount(0);
}

/** Every figure, with the address of the page that it opens. */
async function figuresOf({ page, say }: Desk): Promise<Shown[]> {
  const figures = page.getByRole('region', { name: say('home', 'figures.title') });
  await expect(figures.getByRole('link').first()).toBeVisible();
  await balancesAnswered(page, say);
  return figures.getByRole('link').evaluateAll((links) =>
    links.map((link) => ({
      href: link.getAttribute('href')!,
      label: link.firstElementChild!.textContent!,
      amount: link.lastElementChild!.textContent!,
    })),
  );
}

/** The sum that the page of a figure shows; empty when the page's list has no rows. */
async function sumOf({ page, say }: Desk, { href, label }: Shown): Promise<string> {
  await page.goto(href);
  if (href.startsWith('/wallets')) {
    await balancesAnswered(page, say);
    return page.locator('main table + p').innerText();
  }
  if (href.startsWith('/cards/authorizations'))
    return page.locator('main nav [aria-current]').first().innerText();
  const list = href.startsWith('/payouts') ? 'payouts' : 'cards';
  const sums = page.getByText(say(list, 'totalsLabel')).locator('..');
  const empty = say(list, list === 'payouts' ? 'emptyFilter.title' : 'emptyFilter');
  await expect(sums.or(page.getByText(empty)).first(), label).toBeVisible();
  return (await sums.count()) === 0 ? '' : sums.innerText();
}

test('each figure of the home page equals what the list that it opens adds up to', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page } = desk;
  const gateway = await shop();
  const [sold, held] = [{ ...order(312.5), preauthorize: false }, order(88)];
  for (const one of [sold, held]) await gateway.pay2D(one, CARD);
  for (const one of [sold, held]) await expectRow(desk, '/cards/payments', one.invoice, '₺');
  await send(desk, wanted({ amountMinor: 1_234_567 }));
  await expectState(desk, 'COMPLETED');
  // The worker reads the record no more, which has no refund.
  await rows(
    `UPDATE card_payments SET state = 'partly_refunded', refunded_minor = 1250, next_at = NULL
      WHERE invoice_id = $1`,
    [sold.invoice],
  );
  await page.goto('/');
  const shown = await figuresOf(desk);
  const pages = new Set(shown.map(({ href }) => href.replace(/\?.*/, '')));
  expect([...pages].sort()).toEqual([
    '/cards/authorizations',
    '/cards/payments',
    '/payouts',
    '/wallets',
  ]);
  const sales = shown.find(({ label }) => label === desk.say('home', 'figures.cards'));
  expect(sales?.href, 'with the sales that were refunded since').toContain('part=sold');
  for (const one of shown) {
    const sum = await sumOf(desk, one);
    if (one.amount === '₺0,00') expect(sum, one.label).not.toMatch(/₺\S*[1-9]/);
    else for (const part of one.amount.split(' + ')) expect(sum, one.label).toContain(part);
  }
  expect(shown.filter(({ amount }) => amount !== '₺0,00').length).toBeGreaterThanOrEqual(5);
});

test('the home page draws the money in and out of all wallets, and keeps the chosen days', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse', { language: 'en' });
  const { page, say } = desk;
  await page.goto('/');
  const days = page.getByRole('link', { name: '7 days', exact: true });
  await days.click();
  await expect(page).toHaveURL(/\/\?chart=7$/);
  await expect(
    page.getByRole('heading', { name: say('home', 'cash.title', { currency: 'TRY' }) }),
  ).toBeVisible();
  await expect(days).toHaveAttribute('aria-current', 'true');
});

import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Desk } from './story.ts';
import { CARD, order, shop } from './card-shop.ts';
import { rows } from './database.ts';
import { expectState, send } from './payout.ts';

const PAGES = [
  '/',
  '/wallets',
  '/wallets/account',
  '/wallets/new',
  '/wallets/4410270001',
  '/search?q=1.234',
  '/payouts',
  '/payouts/new',
  '/transfers',
  '/transfers/new',
  '/payouts/export?q=şafak&view=completed',
  '/recipients',
  '/recipients?view=archived&q=şafak',
  '/money-in',
  '/money-in/failed',
  '/reports/day-close',
  '/receipts',
  '/receipts/archives',
  '/receipts/archives/new',
  '/reports/withdrawals',
  '/reports/withdrawals/export',
  '/reports/reconciliation',
  '/cards/payments',
  '/cards/authorizations',
  '/cards/tools',
  '/cards/tools/pos?bin=450803&amount=1000',
  '/cards/tools/links',
  '/cards/tools/connection',
  '/cards/tools/hash-keys',
  '/cards/recurring',
  '/cards/saved',
  '/cards/saved?customer=900719',
  '/cards/payments/new',
  '/cards/links',
  '/reports/transactions?type=payout',
  '/reports/transactions/export',
  '/reports/exports',
  '/webhooks',
  '/audit',
  '/settings',
  '/help',
  '/nowhere',
];
const PHONE = 390;
const BAD = ['serious', 'critical'];

// Colours do not depend on the language, nor widths and labels on the theme: two runs see each of
// both.
for (const [language, dark] of [
  ['tr', false],
  ['en', true],
] as const) {
  test(`axe finds no serious issue and no page scrolls aside (${language}, ${dark ? 'dark' : 'light'})`, async ({
    sitDown,
    openDesk,
  }) => {
    test.setTimeout(300_000);
    const desk = await sitDown('selin', { language, dark });
    const errors: string[] = [];
    desk.page.on('console', (message) => {
      // The browser logs every error response to its console; one page here is missing on purpose.
      // In the frame of a receipt it refuses the script of axe, as any other.
      const { url } = message.location();
      const isExpected = url.endsWith('/nowhere') || /^\/receipts\/[^/]+\/raw$/.test(pathOf(url));
      if (message.type() === 'error' && !isExpected)
        errors.push(`${desk.page.url()}: ${message.text()}`);
    });
    // Rows and their controls on the lists: run alone, this file would see them empty.
    await (await shop()).pay2D(order(12.5), CARD);
    await send(desk);
    await expectState(desk, 'COMPLETED');
    const payouts = await rows<{ path: string }>(
      `SELECT DISTINCT ON (state, refund) '/payouts/' || id AS path FROM movements
        WHERE card_payment_id IS NULL ORDER BY state, refund, created_at DESC`,
    );
    const receipts = await rows<{ path: string }>(
      `SELECT DISTINCT ON (state, format) '/receipts/' || id AS path FROM receipts
        ORDER BY state, format, created_at DESC`,
    );
    const [notice] = await rows<{ path: string }>(
      `SELECT '/webhooks?notice=' || id AS path FROM notices ORDER BY id DESC LIMIT 1`,
    );
    const moneyIn = await rows<{ path: string }>(
      `(SELECT '/money-in/' || id AS path FROM ledger_records WHERE type_id = 1004 LIMIT 1)
        UNION ALL (SELECT DISTINCT ON (kind, state) '/money-in/failed/' || id FROM failed_top_ups)`,
    );
    const recipients = await rows<{ path: string }>(
      `SELECT '/recipients/' || id AS path FROM recipients ORDER BY used_at DESC LIMIT 2`,
    );
    const cards = await rows<{ path: string }>(
      `SELECT DISTINCT ON (kind, state) '/cards/payments/' || id || CASE WHEN state IS NULL
        AND sent_at IS NULL AND kind <> 'link' THEN '/take' ELSE '' END AS path FROM card_payments
        WHERE source = 'made_here' ORDER BY kind, state`,
    );
    for (const path of [
      ...PAGES,
      ...[
        ...payouts,
        ...receipts,
        ...recipients,
        ...moneyIn,
        ...cards,
        ...(notice ? [notice] : []),
      ].map((one) => one.path),
    ])
      await look(desk, path);
    const door = await openDesk({ language, dark });
    await look(door, '/login');
    expect(errors, 'the console').toEqual([]);
  });
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : '';
}

async function look({ page, language }: Desk, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.getByRole('main')).toHaveCount(1);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  expect(await page.title(), path).not.toBe('');
  // In the frame of a receipt no script runs, and axe would wait for it without end.
  const { violations } = await new AxeBuilder({ page }).exclude('iframe[sandbox]').analyze();
  const bad = violations
    .filter(({ impact }) => BAD.includes(impact ?? ''))
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes
          .slice(0, 4)
          .map((node) => node.html.slice(0, 160))
          .join(' | ')}`,
    );
  expect.soft(bad, path).toEqual([]);
  const { width, height } = page.viewportSize()!;
  await page.setViewportSize({ width: PHONE, height: 844 });
  const widths = await page.evaluate(() => ({
    page: document.documentElement.scrollWidth,
    widest: [...document.querySelectorAll('body *')]
      .filter(
        (one) =>
          one.getBoundingClientRect().right > innerWidth + 1 &&
          getComputedStyle(one).position !== 'absolute',
      )
      .slice(0, 3)
      .map((one) => one.outerHTML.slice(0, 120)),
  }));
  expect
    .soft(widths.page, `${path} scrolls sideways: ${widths.widest.join(' | ')}`)
    .toBeLessThanOrEqual(PHONE);
  await page.setViewportSize({ width, height });
}

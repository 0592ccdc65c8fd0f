import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Desk } from './story.ts';
import { CARD, order, shop } from './card-shop.ts';
import { PAGES, pagesOfRows } from './pages.ts';
import { expectState, send } from './payout.ts';

const PHONE = 390;
/** Experimental ones, which axe leaves out unless they are named. */
const EXTRA_RULES = { 'label-content-name-mismatch': { enabled: true } };

// Colours do not depend on the language, nor labels on the theme or the width: two runs see each of
// all three. The narrow one has touch, which makes controls larger.
for (const [language, dark] of [
  ['tr', false],
  ['en', true],
] as const) {
  test(`axe finds nothing and no page scrolls aside (${language}, ${dark ? 'dark, phone' : 'light'})`, async ({
    sitDown,
    openDesk,
  }) => {
    test.setTimeout(300_000);
    const desk = await sitDown('selin', { language, dark, narrow: dark });
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
    for (const path of [...PAGES, ...(await pagesOfRows())]) await look(desk, path);
    const door = await openDesk({ language, dark, narrow: dark });
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
  const { violations } = await new AxeBuilder({ page })
    .options({ rules: EXTRA_RULES })
    .exclude('iframe[sandbox]')
    .analyze();
  const bad = violations.map(
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

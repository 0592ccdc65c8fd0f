import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Desk } from './story.ts';
import { CARD, order, shop } from './card-shop.ts';
import { PAGES, pagesOfRows } from './pages.ts';
import { expectState, send } from './payout.ts';

/** How long a page may take on average, with its check. */
const PAGE_MS = 20_000;

// A trace would store each of the pages many times, and the messages here name page and element.
test.use({ trace: 'off' });

const PHONE = 390;
/** Screen widths in px. 720 px is a window of 1440 px at a zoom of 200 %. */
const WIDTHS = [320, PHONE, 720, 1024] as const;
/** Experimental rules of axe, which run only when they are named. */
const EXTRA_RULES = { 'label-content-name-mismatch': { enabled: true } };

// Colours do not depend on the language, and labels do not depend on the theme or the width, so two
// runs cover both languages, both themes and both widths. The narrow run has touch, which makes
// controls larger.
for (const [language, dark] of [
  ['tr', false],
  ['en', true],
] as const) {
  const look = { language, dark, narrow: dark };
  const how = `${language}, ${dark ? 'dark, phone' : 'light'}`;

  test(`axe finds nothing on pages of the menu, and none scrolls aside (${how})`, async ({
    sitDown,
    openDesk,
  }) => {
    test.setTimeout(PAGES.length * PAGE_MS);
    const desk = await sitDown('selin', look);
    const errors = errorsOf(desk);
    for (const path of PAGES) await inspect(desk, path);
    expect(
      (await menu(desk)).filter((path) => !PAGES.some((page) => pathOfPage(page) === path)),
      'pages of the menu that were not opened',
    ).toEqual([]);
    await inspect(await openDesk(look), '/login');
    expect(errors, 'the console').toEqual([]);
  });

  test(`axe finds nothing on pages of rows, and none scrolls aside (${how})`, async ({
    sitDown,
  }) => {
    test.setTimeout(600_000);
    const desk = await sitDown('selin', look);
    const errors = errorsOf(desk);
    // Creates rows, so that there are some even when this file runs alone.
    await (await shop()).pay2D(order(12.5), CARD);
    await send(desk);
    await expectState(desk, 'COMPLETED');
    const paths = await pagesOfRows();
    test.setTimeout(600_000 + paths.length * PAGE_MS);
    for (const path of paths) await inspect(desk, path);
    expect(errors, 'the console').toEqual([]);
  });
}

/** The errors that the browser logs from now on, by page. */
function errorsOf(desk: Desk): string[] {
  const errors: string[] = [];
  desk.page.on('console', (message) => {
    // The browser logs every error response to its console, and one page of this test is missing on
    // purpose. In a receipt's iframe the browser blocks axe's script, like any other script.
    const { url } = message.location();
    // The status band asks whether all is ready, and shows what is not.
    const isExpected =
      url.endsWith('/nowhere') || /^\/(receipts\/[^/]+\/raw|api\/health\/ready)$/.test(pathOf(url));
    if (message.type() === 'error' && !isExpected)
      errors.push(`${desk.page.url()}: ${message.text()}`);
  });
  return errors;
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : '';
}

function pathOfPage(page: string): string {
  return page.split('?')[0]!;
}

/** The addresses in the menu at the side. */
async function menu({ page }: Desk): Promise<string[]> {
  await page.goto('/help');
  return page
    .getByRole('navigation')
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
}

async function inspect({ page, language }: Desk, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.getByRole('main')).toHaveCount(1);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  expect(await page.title(), path).not.toBe('');
  // No script runs in a receipt's iframe, and axe would wait for it for ever. The legacy mode opens
  // no second page for each page; it looks into no other iframe, and there is none.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
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
  for (const narrow of WIDTHS) {
    await page.setViewportSize({ width: narrow, height: 844 });
    const widest = await page.evaluate(() =>
      document.documentElement.scrollWidth <= innerWidth
        ? null
        : [...document.querySelectorAll('body *')]
            .filter(
              (one) =>
                one.getBoundingClientRect().right > innerWidth + 1 &&
                getComputedStyle(one).position !== 'absolute',
            )
            .slice(0, 3)
            .map((one) => one.outerHTML.slice(0, 120)),
    );
    expect.soft(widest, `${path} scrolls sideways at ${narrow} px`).toBeNull();
  }
  await page.setViewportSize({ width, height });
}

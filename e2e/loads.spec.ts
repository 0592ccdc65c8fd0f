import type { Page, Request } from '@playwright/test';
import { rows } from './database.ts';
import { expect, test, type Desk } from './story.ts';

/** Long enough for a redirect in the browser, or for a refresh of a page that was just rendered. */
const AFTERWARDS_MS = 700;

/**
 * What a visit fetched: addresses of rendered documents, of scripts, and of the router's payloads.
 */
type Fetched = { documents: string[]; scripts: string[]; payloads: string[] };

/** Begins to record what a page fetches. */
function note(page: Page): { taken(): Fetched; stop(): void } {
  const fetched: Fetched = { documents: [], scripts: [], payloads: [] };
  const answered = async (request: Request): Promise<void> => {
    const { pathname, search, searchParams } = new URL(request.url());
    const status = (await request.response())?.status() ?? 0;
    // A redirect before the first byte renders nothing.
    if (status >= 300 && status < 400) return;
    searchParams.delete('_rsc');
    const address = `${pathname}?${searchParams}`;
    if (request.resourceType() === 'document') fetched.documents.push(address);
    else if (request.resourceType() === 'script') fetched.scripts.push(pathname + search);
    else if ((await request.allHeaders())['rsc'] === '1') fetched.payloads.push(address);
  };
  const listen = (request: Request): void => void answered(request).catch(() => undefined);
  page.on('request', listen);
  return { taken: () => fetched, stop: () => page.off('request', listen) };
}

const twice = (addresses: readonly string[]): string[] =>
  addresses.filter((one, at) => addresses.indexOf(one) !== at);

/** The addresses in the menu at the side. */
async function menu({ page, say }: Desk): Promise<string[]> {
  const links = page
    .getByRole('navigation', { name: say('shell', 'navigation') })
    .filter({ visible: true })
    .locator('a[href]');
  await expect(links.first()).toBeAttached();
  return links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
}

async function settled(page: Page): Promise<void> {
  await expect(page.locator('main h1').first()).toBeVisible();
  await expect(page.locator('main .skeleton')).toHaveCount(0);
  await page.waitForTimeout(AFTERWARDS_MS);
}

/** The pages whose days the worker reads when they are opened. */
const WITH_DAYS = [
  '/',
  '/wallets',
  '/reports/transactions',
  '/reports/withdrawals',
  '/reports/day-close',
];

/** Waits until every day of these pages has been read: until then they draw themselves anew. */
async function haveDaysRead({ page }: Desk): Promise<void> {
  for (const path of WITH_DAYS) await page.goto(path);
  const unread = () => rows('SELECT FROM record_days WHERE read_at IS NULL');
  await expect.poll(unread, { timeout: 90_000 }).toEqual([]);
}

/** The first paint waits for the end of the frame, which comes after what the page shows. */
async function expectPaintedWhole(page: Page): Promise<void> {
  const end = await page.locator('link[rel=expect][blocking=render]').getAttribute('href');
  const isBefore = await page
    .locator(`main, ${end}`)
    .evaluateAll(([main, last]) =>
      Boolean(main!.compareDocumentPosition(last!) & Node.DOCUMENT_POSITION_FOLLOWING),
    );
  expect(isBefore, `${end} after the page`).toBe(true);
}

test('each entry of the menu, opened by its address, is one document, and no script comes twice', async ({
  sitDown,
}) => {
  test.slow();
  const desk = await sitDown('selin');
  await haveDaysRead(desk);
  await desk.page.goto('/help');
  const hrefs = await menu(desk);
  expect(hrefs.length, 'entries of the menu').toBeGreaterThan(18);
  for (const href of hrefs) {
    const page = await desk.context.newPage();
    const { taken } = note(page);
    await page.goto(href);
    await settled(page);
    const { documents, scripts, payloads } = taken();
    expect(documents, `documents of ${href}`).toHaveLength(1);
    expect(documents[0]!.split('?')[0], 'the document').toBe(href);
    await expectPaintedWhole(page);
    expect(scripts.length, `scripts of ${href}`).toBeGreaterThan(3);
    expect(twice(scripts), `scripts of ${href} that come twice`).toEqual([]);
    expect(
      payloads.filter((one) => documents.includes(one)),
      `${href} once more`,
    ).toEqual([]);
    await page.close();
  }
});

test('each entry of the menu, opened by its link, fetches its page once and no document', async ({
  sitDown,
}) => {
  test.slow();
  const desk = await sitDown('selin');
  const { page, say } = desk;
  await haveDaysRead(desk);
  await page.goto('/help');
  const hrefs = await menu(desk);
  const nav = page
    .getByRole('navigation', { name: say('shell', 'navigation') })
    .filter({ visible: true });
  for (const href of hrefs.filter((one) => one !== '/help')) {
    const { taken, stop } = note(page);
    // The click comes without a pointer over the link, so that the link prefetches nothing.
    await nav.locator(`a[href="${href}"]`).evaluate((link: HTMLElement) => link.click());
    await expect(page).toHaveURL((url) => url.pathname === href);
    await settled(page);
    stop();
    const { documents, scripts, payloads } = taken();
    expect(documents, `documents after the link to ${href}`).toEqual([]);
    expect(twice(scripts), `scripts of ${href} that come twice`).toEqual([]);
    const here = payloads.filter((one) => one.startsWith(`${href}?`));
    expect(here, `payloads of ${href}`).toHaveLength(1);
  }
});

test('a report without days is redirected before its first byte, to days that are in its address', async ({
  sitDown,
}) => {
  const { context, page } = await sitDown('selin');
  for (const path of ['/reports/transactions', '/reports/withdrawals']) {
    const answer = await context.request.get(`${path}?q=a%26b`, { maxRedirects: 0 });
    expect(answer.status(), path).toBe(307);
    const { location, ...headers } = answer.headers();
    expect(location, path).toMatch(
      new RegExp(`^${path}\\?from=\\d{4}-\\d\\d-\\d\\d&to=\\d{4}-\\d\\d-\\d\\d&q=a%26b$`),
    );
    expect(headers['cache-control'], path).toContain('no-store');
    expect(headers['content-security-policy'], path).toContain("default-src 'none'");
    await page.goto(path);
    await expect(page).toHaveURL(/\?from=[\d-]{10}&to=[\d-]{10}$/);
  }
});

test('no selector with :has() is anchored at an element that wraps much of a page', async ({
  sitDown,
}) => {
  test.slow();
  const desk = await sitDown('selin');
  const { page } = desk;
  await page.goto('/help');
  let met = 0;
  for (const path of [
    ...(await menu(desk)),
    '/payouts/new',
    '/transfers/new',
    '/receipts/archives/new',
    '/cards/payments/new',
  ]) {
    await page.goto(path);
    await expect(page.locator('main h1').first()).toBeVisible();
    const anchors = await anchorsOfHas(page);
    met += anchors.length;
    expect(
      anchors.filter(({ size }) => size > 60),
      path,
    ).toEqual([]);
    // An attribute of a list's panel clips the list; before, a `:has()` selector did this.
    expect(await looseLists(page), `lists of ${path} whose panel does not clip them`).toBe(0);
  }
  expect(met, 'elements that a :has() is anchored at').toBeGreaterThan(3);
});

test('the foot of a page waits for the page, and is there without scripts', async ({
  sitDown,
  browser,
}) => {
  const { context, page, origin, say } = await sitDown('selin');
  const words = say('shell', 'zone', { zone: 'Europe/Istanbul' });
  await page.goto('/wallets');
  await expect(page.getByText(words)).toBeVisible();
  await page.locator('main').evaluate((main) => {
    const placeholder = document.createElement('span');
    placeholder.className = 'skeleton';
    main.append(placeholder);
  });
  await expect(page.getByText(words)).toBeHidden();
  await page.locator('main > .skeleton').evaluate((one) => one.remove());
  await expect(page.getByText(words)).toBeVisible();
  const bare = await browser.newContext({
    baseURL: origin,
    locale: 'tr-TR',
    storageState: await context.storageState(),
    javaScriptEnabled: false,
  });
  const still = await bare.newPage();
  await still.goto('/help');
  await expect(still.getByText(words)).toBeVisible();
  await bare.close();
});

/**
 * The elements to which a `:has()` of the page's style sheets is anchored. `size`: how many
 * elements each contains.
 */
function anchorsOfHas(page: Page): Promise<{ anchor: string; size: number }[]> {
  return page.evaluate(() => {
    const selectors = (rules: CSSRuleList): string[] =>
      [...rules].flatMap((rule) => [
        ...(rule instanceof CSSStyleRule && rule.selectorText.includes(':has(')
          ? [rule.selectorText]
          : []),
        ...('cssRules' in rule ? selectors(rule.cssRules as CSSRuleList) : []),
      ]);
    return [...document.styleSheets]
      .flatMap((sheet) => selectors(sheet.cssRules))
      .map((text) => text.slice(0, text.indexOf(':has(')).replace(/^:is\(:where\((.*)\)$/, '$1'))
      .flatMap((anchor) =>
        [...document.querySelectorAll(anchor || '*')].map((element) => ({
          anchor,
          size: element.querySelectorAll('*').length,
        })),
      );
  });
}

function looseLists(page: Page): Promise<number> {
  return page.locator('table.list').evaluateAll(
    (lists) =>
      lists.filter((list) => {
        const panel = list.closest('section.rounded-panel');
        return panel !== null && getComputedStyle(panel).overflowX !== 'clip';
      }).length,
  );
}

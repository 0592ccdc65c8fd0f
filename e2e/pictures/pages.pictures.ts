import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { PAGES, pagesOfRows } from '../pages.ts';
import { expect, test } from '../story.ts';

/** Takes a picture of every page, in both languages, themes and widths, into docs/pictures. */

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'pictures');
const WIDTHS = { 1440: { width: 1440, height: 900 }, 390: { width: 390, height: 844 } } as const;
/** The height at which a longer page is cut, in px: below it come only more rows. */
const HEIGHT_MAX = 1_800;
const QUALITY = 40;
/** The number of pictures of pages with the same name. */
const SAME_MAX = 2;

test('every page of the demo', async ({ sitDown, openDesk }) => {
  test.setTimeout(3_600_000);
  const named = namesOf(['/login', ...PAGES, ...(await pagesOfRows())]);
  rmSync(FOLDER, { recursive: true, force: true });
  for (const language of ['tr', 'en'] as const)
    for (const dark of [false, true])
      for (const width of [1440, 390] as const) {
        const narrow = width === 390;
        const desk = await sitDown('selin', { language, dark, narrow });
        const visitor = await openDesk({ language, dark, narrow });
        const folder = join(FOLDER, `${language}-${dark ? 'dark' : 'light'}-${width}`);
        mkdirSync(folder, { recursive: true });
        for (const [name, path] of named) {
          const { page } = path === '/login' ? visitor : desk;
          await page.setViewportSize(WIDTHS[width]);
          await page.goto(path);
          await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
          await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
          await expect(page.getByText(desk.say('live', 'connecting'))).toHaveCount(0);
          writeFileSync(join(folder, `${name}.webp`), await picture(page));
        }
        await desk.context.close();
        await visitor.context.close();
      }
});

/**
 * Each page with the name of its picture, which stays when other pages come. Of pages with the same
 * name, as those of several payouts, the second ends in `-2`, and no more than SAME_MAX are taken.
 */
function namesOf(paths: readonly string[]): [name: string, path: string][] {
  const seen = new Map<string, number>();
  return paths.flatMap((path): [string, string][] => {
    const name = nameOf(path);
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return nth > SAME_MAX ? [] : [[nth === 1 ? name : `${name}-${nth}`, path]];
  });
}

/**
 * `/payouts/new` is `payouts-new`, `/recipients?view=archived` is `recipients-archived`. Ids and
 * search texts are left out.
 */
function nameOf(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://picture');
  const values = [...searchParams].flatMap(([name, value]) => (name === 'view' ? [value] : []));
  const words = [...pathname.split('/'), ...values]
    .map((word) => word.replace(/^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+)$/, 'one'))
    .filter((word) => word !== '');
  return words.length === 0 ? 'home' : words.join('-');
}

/** The window is as high as the picture, so that bars at the edges of the window stand at its edges. */
async function picture(page: Page): Promise<Buffer> {
  const browser = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize()!;
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  const shown = Math.min(Math.max(whole, height), HEIGHT_MAX);
  await page.setViewportSize({ width, height: shown });
  const { data } = await browser.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    clip: { x: 0, y: 0, width, height: shown, scale: 1 },
  });
  await browser.detach();
  return Buffer.from(data, 'base64');
}

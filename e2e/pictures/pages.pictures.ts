import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { CARD, order, shop } from '../card-shop.ts';
import { PAGES, pagesOfRows } from '../pages.ts';
import { expectState, send, wanted } from '../payout.ts';
import { sandbox } from '../sandbox.ts';
import { expect, test } from '../story.ts';

/** A picture of every page, in both languages, both themes and both widths, into docs/pictures. */

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'pictures');
const WIDTHS = { 1440: { width: 1440, height: 900 }, 390: { width: 390, height: 844 } } as const;
/** A longer page is cut here: what follows are more rows. */
const HEIGHT_MAX = 2_400;
const QUALITY = 50;
/** The last two digits choose the outcome at the sandbox's bank. */
const PAYOUTS = [12_400_00, 980_41, 2_340_44, 7_250_00, 18_900_10];

test('every page of the demo', async ({ sitDown, openDesk }) => {
  test.setTimeout(3_600_000);
  const clerk = await sitDown('ayse');
  const gateway = await shop();
  for (const total of [1_250, 640.5]) await gateway.pay2D(order(total), CARD);
  await gateway.pay2D({ ...order(389.9), preauthorize: false }, CARD);
  for (const amountMinor of PAYOUTS) {
    await send(clerk, wanted({ amountMinor }));
    if (amountMinor % 100 === 0) await expectState(clerk, 'COMPLETED');
  }
  await sandbox.topUp('4410270001', { amount: '18400.00', sender_name: 'Kaya Nakliyat' });
  const paths = ['/login', ...PAGES, ...(await pagesOfRows())];
  rmSync(FOLDER, { recursive: true, force: true });
  for (const language of ['tr', 'en'] as const)
    for (const dark of [false, true])
      for (const width of [1440, 390] as const) {
        const narrow = width === 390;
        const desk = await sitDown('selin', { language, dark, narrow });
        const visitor = await openDesk({ language, dark, narrow });
        const folder = join(FOLDER, `${language}-${dark ? 'dark' : 'light'}-${width}`);
        mkdirSync(folder, { recursive: true });
        for (const [nth, path] of paths.entries()) {
          const { page } = path === '/login' ? visitor : desk;
          await page.setViewportSize(WIDTHS[width]);
          await page.goto(path);
          await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
          await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
          writeFileSync(join(folder, `${nameOf(path, nth)}.webp`), await picture(page));
        }
        await desk.context.close();
        await visitor.context.close();
      }
});

/** `/payouts/new` is `03-payouts-new`; ids are left out, because they differ from run to run. */
function nameOf(path: string, nth: number): string {
  const words = path
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'one')
    .replace(/\?.*/, '')
    .split('/')
    .filter((word) => word !== '');
  return [String(nth).padStart(2, '0'), ...(words.length === 0 ? ['home'] : words)].join('-');
}

async function picture(page: Page): Promise<Buffer> {
  const browser = await page.context().newCDPSession(page);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const { data } = await browser.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    captureBeyondViewport: true,
    clip: {
      x: 0,
      y: 0,
      width: page.viewportSize()!.width,
      height: Math.min(Math.max(height, page.viewportSize()!.height), HEIGHT_MAX),
      scale: 1,
    },
  });
  await browser.detach();
  return Buffer.from(data, 'base64');
}

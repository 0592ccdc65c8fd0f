import { newPayee } from './payee.ts';
import { expectState, send, wanted } from './payout.ts';
import { sandbox } from './sandbox.ts';
import { changesIn, expectFollows } from './live-list.ts';
import { expect, test, type Desk } from './story.ts';

/**
 * Pages with text that nobody can break, in every payout state, are as wide as the screen: nothing
 * scrolls sideways, and no side is cut off. `a11y.spec.ts` looks at every page in four widths.
 */

const WIDTH = 390;
/** Text without spaces, as programs and hasty people write it. */
const UNBROKEN = 'Ş'.repeat(60);

async function expectFits({ page }: Desk, what: string): Promise<void> {
  const { scrollWidth, widest } = await page.evaluate((width) => {
    const beyond = [...document.querySelectorAll('main *')].filter(
      (element) => element.getBoundingClientRect().right > width + 0.5,
    );
    return {
      scrollWidth: document.documentElement.scrollWidth,
      widest: beyond
        .map((element) => `${element.tagName.toLowerCase()} "${element.textContent?.slice(0, 40)}"`)
        .slice(0, 3),
    };
  }, WIDTH);
  expect(scrollWidth, `${what}: ${widest.join(', ')}`).toBeLessThanOrEqual(WIDTH);
}

for (const language of ['tr', 'en'] as const) {
  test(`no list is wider than a phone in ${language}, with unbreakable words and in every payout state`, async ({
    sitDown,
  }) => {
    test.setTimeout(300_000);
    const desk = await sitDown('selin', { language, narrow: true });
    const { page } = desk;
    await sandbox.bankMode('manual');
    const payee = newPayee();
    // Another name for the same payee would cause a warning.
    const want = wanted({
      payee: { ...payee, name: UNBROKEN + payee.name.replaceAll(' ', '') },
      description: UNBROKEN,
    });
    const id = await send(desk, want);
    await expectState(desk, 'PENDING');
    await expectFits(desk, 'a pending payout');
    await sandbox.bankDoes(want.payee.iban, 'complete');
    await expectState(desk, 'COMPLETED');
    await expectFits(desk, 'a completed payout');
    for (const path of [
      `/search?q=${UNBROKEN}`,
      `/payouts?q=${UNBROKEN}`,
      '/payouts?view=attention',
      `/payouts/export?q=${UNBROKEN}`,
      `/reports/transactions?q=${UNBROKEN}`,
      `/recipients?q=${UNBROKEN}`,
      `/payouts/${id}`,
    ]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectFits(desk, path);
    }
    await page.goto('/payouts');
    // The payout's record in the ledger may be announced already.
    await expectFollows(desk);
    const changes = changesIn(desk);
    const other = await sitDown('ayse', { language });
    await send(other, wanted());
    await expect(changes).toBeVisible();
    await expectFits(desk, 'the list that says that something changed');
    await expect(async () => {
      // The later steps of the payout are announced, too.
      if (await changes.isVisible()) await changes.click({ timeout: 1_000 });
      await expectFits(desk, 'the list that merges it');
      await expect(changes).toBeHidden({ timeout: 500 });
    }).toPass();
    await expectFits(desk, 'the list that has merged it');
  });
}

test('the bar at the foot of a phone covers neither the end of a page nor what has the focus', async ({
  sitDown,
}) => {
  const { page, say } = await sitDown('selin', { narrow: true });
  for (const path of ['/', '/help']) {
    await page.goto(path);
    await expect(page.locator('.skeleton')).toHaveCount(0);
    const bar = page.getByRole('navigation', { name: say('shell', 'navigation') });
    const top = (await bar.boundingBox())!.y;
    const links = page.getByRole('main').getByRole('link');
    for (let nth = 0; nth < (await links.count()); nth++)
      await expect(async () => {
        const link = links.nth(nth);
        // The page may be drawn anew with fewer links, when the worker has read another day.
        if ((await link.count()) === 0) return;
        // What arrives above it moves a link that has the focus already.
        await link.blur({ timeout: 1_000 });
        await link.focus({ timeout: 1_000 });
        const box = (await link.boundingBox({ timeout: 1_000 }))!;
        const words = await link.textContent({ timeout: 1_000 });
        expect(box.y + box.height, `${path}: ${words}`).toBeLessThanOrEqual(top);
      }).toPass({ timeout: 20_000 });
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const foot = page.getByRole('contentinfo').locator('p');
    await expect
      .poll(async () => (await foot.boundingBox())!.y + (await foot.boundingBox())!.height)
      .toBeLessThanOrEqual(top);
  }
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  const menu = page.getByRole('banner').getByRole('button', { name: say('shell', 'person') });
  const { x, width } = (await menu.boundingBox())!;
  expect(x + width, 'with text of twice the size the bar fits').toBeLessThanOrEqual(390);
});

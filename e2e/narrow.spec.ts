import { newPayee } from './payee.ts';
import { expectState, send, wanted } from './payout.ts';
import { sandbox } from './sandbox.ts';
import { expect, test, type Desk } from './story.ts';

/** A list or page is as wide as the screen, and nothing scrolls sideways or is cut off at its side. */

const WIDTH = 390;
/** Text without spaces, from machines and hasty people. */
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
  test(`no page is wider than a phone in ${language}, with unbreakable words and in every payout state`, async ({
    sitDown,
  }) => {
    test.setTimeout(300_000);
    const desk = await sitDown('selin', { language, narrow: true });
    const { page } = desk;
    await sandbox.bankMode('manual');
    const payee = newPayee();
    // The name of another payee would cause a warning.
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
      '/',
      '/search',
      `/search?q=${UNBROKEN}`,
      '/payouts',
      `/payouts?q=${UNBROKEN}`,
      '/payouts?view=attention',
      '/payouts/new',
      '/transfers',
      '/transfers/new',
      `/payouts/export?q=${UNBROKEN}`,
      '/reports/withdrawals',
      '/reports/withdrawals/export',
      '/reports/reconciliation',
      `/reports/transactions?q=${UNBROKEN}`,
      '/reports/transactions/export',
      '/reports/exports',
      '/wallets',
      '/wallets/account',
      '/wallets/new',
      '/wallets/4410270001',
      '/recipients',
      `/recipients?q=${UNBROKEN}`,
      '/money-in',
      '/money-in/failed',
      '/reports/day-close',
      '/receipts',
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
      '/receipts/archives',
      '/receipts/archives/new',
      '/webhooks',
      '/audit',
      '/settings',
      '/help',
      `/payouts/${id}`,
    ]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectFits(desk, path);
    }
    await page.goto('/payouts');
    await expect(page.getByText(desk.say('live', 'on'), { exact: true })).toBeVisible();
    const other = await sitDown('ayse', { language });
    await send(other, wanted());
    const changes = page.getByRole('main').getByRole('button', { name: / · (göster|show)/ });
    await expect(changes).toBeVisible();
    await expectFits(desk, 'the list that says that something changed');
    await changes.click();
    await expectFits(desk, 'the list that merges it');
    await expect(changes).toBeHidden();
    await expectFits(desk, 'the list that has merged it');
  });
}

/** 720 px is a window of 1440 px at 200 %. */
const WIDTHS = [320, 390, 720, 1024] as const;

test('no page of the menu scrolls sideways from 320 px to 1024 px', async ({ sitDown }) => {
  test.setTimeout(240_000);
  const desk = await sitDown('selin');
  const { page } = desk;
  const id = await send(desk, wanted());
  await page.goto('/');
  const menu = await page
    .getByRole('navigation')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
  expect(menu.length).toBeGreaterThan(12);
  const day = new Date().toISOString().slice(0, 10);
  for (const path of [
    ...menu,
    '/reports/day-close',
    `/reports/day-close?day=${day}`,
    '/reports/reconciliation',
    '/reports/withdrawals',
    '/payouts/new',
    '/cards/payments/new',
    `/payouts/${id}`,
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const { wide, inner } = await page.evaluate(() => ({
        wide: document.scrollingElement!.scrollWidth,
        inner: innerWidth,
      }));
      expect(wide, `${path} at ${width} px`).toBeLessThanOrEqual(inner);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  }
});

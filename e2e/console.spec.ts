import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { Sandbox } from '../sandbox/testing/sandbox.ts';

/**
 * The sandbox's console, in which a person tries things out: it shows what can be chosen, it keeps
 * a choice, and it fits a phone.
 */

const box = new Sandbox();

test.beforeAll(() => box.start());
test.afterAll(() => box.stop());

/** Texts that the console shows in each language. */
const WORDS = {
  'tr-TR': {
    switches: 'Anahtarlar',
    card: 'Kart ayarları',
    cards: 'Deneme kartı',
    prefix: 'Fatura numarasının başı',
  },
  'en-GB': {
    switches: 'Switches',
    card: 'Card settings',
    cards: 'Test card',
    prefix: 'Beginning of the invoice id',
  },
} as const;

async function openAll(page: Page): Promise<void> {
  await page.locator('#switches summary').last().waitFor();
  for (const summary of await page.locator('#magic summary, #switches summary').all())
    await summary.click();
}

for (const [locale, width, colorScheme] of [
  ['tr-TR', 1440, 'light'],
  ['tr-TR', 390, 'dark'],
  ['en-GB', 1440, 'dark'],
  ['en-GB', 390, 'light'],
] as const) {
  test(`the console in ${locale}, ${colorScheme}, ${width} px shows all and fits the screen`, async ({
    browser,
  }) => {
    // This test is slow, because it checks the accessibility of every row of every table.
    test.slow();
    const context = await browser.newContext({
      locale,
      colorScheme,
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on(
      'console',
      (message) => void (message.type() === 'error' && problems.push(message.text())),
    );
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(box.base);
    await openAll(page);
    const words = WORDS[locale];
    await expect(page.getByRole('heading', { name: words.switches, exact: true })).toBeVisible();
    await expect(page.locator('#magic')).toContainText('4508 0345 0803 4509');
    await expect(page.locator('#magic')).toContainText('REFUND41-…');
    for (const title of [words.cards, words.prefix])
      await expect(page.locator('#magic summary').filter({ hasText: title })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(
      violations.map(
        (one) =>
          `${one.id}: ${one.nodes
            .map((node) => node.target.join(' '))
            .slice(0, 3)
            .join(', ')}`,
      ),
    ).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });
}

test('a switch that is chosen on the console holds at once, and a wrong value is said to be wrong', async ({
  page,
}) => {
  await page.goto(box.base);
  await openAll(page);
  await page.getByLabel('foreign_cards').selectOption('refused');
  await expect(page.locator('#toast')).toContainText('foreign_cards: refused');
  expect(await box.get('card/settings')).toMatchObject({ foreign_cards: { value: 'refused' } });
  await expect(page.locator('#switches .chip').last()).toContainText('1');
  await page.getByLabel('bank_step_minutes').fill('999');
  await page.getByLabel('bank_step_minutes').blur();
  await expect(page.locator('#toast')).toContainText('from 1 to 60');
  expect(await box.get('card/settings')).toMatchObject({ bank_step_minutes: { value: 5 } });
});

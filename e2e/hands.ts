import { expect, type Locator } from '@playwright/test';
import { test, type Desk } from './story.ts';

/** Counts the effort of a job: the presses of a pointer, and the fields that are typed into. */
export class Hands {
  clicks = 0;
  fields = 0;
  readonly #desk: Desk;
  constructor(desk: Desk) {
    this.#desk = desk;
  }
  async click(what: Locator): Promise<void> {
    this.clicks += 1;
    await what.click();
  }
  async type(into: Locator, text: string): Promise<void> {
    this.fields += 1;
    await into.fill(text);
  }
  /** A choice from a list counts as a click. */
  async choose(from: Locator, value: string): Promise<void> {
    this.clicks += 1;
    await from.selectOption(value);
  }
  /** A key press counts neither as a click nor as a field. */
  press(key: string): Promise<void> {
    return this.#desk.page.keyboard.press(key);
  }
  /** Enter in a money form, which goes no further before the provider has told the balances. */
  async enter(): Promise<void> {
    const { page, say } = this.#desk;
    await expect(page.getByRole('main').getByText(say('new-payout', 'wallet.asking'))).toHaveCount(
      0,
    );
    await this.press('Enter');
  }
  /** Opens an entry of the menu, named by its key in the messages. */
  async openPlace(item: string): Promise<void> {
    const menu = this.#desk.page.getByRole('navigation').first();
    await this.click(
      menu.getByRole('link', { name: this.#desk.say('shell', `items.${item}`) }).first(),
    );
    await this.atRest();
  }
  /** Opens the home page and waits until it has loaded, so that the first click takes effect. */
  async atHome(): Promise<void> {
    await this.#desk.page.goto('/');
    await this.atRest();
  }
  /** Waits until the page has loaded, so that the next click takes effect. */
  async atRest(): Promise<void> {
    const { page } = this.#desk;
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await page.waitForLoadState('networkidle');
  }
}

export type Cost = { clicks: number; fields: number };

/** What the job costs from the home page on. */
export async function cost(desk: Desk, job: (hands: Hands) => Promise<void>): Promise<Cost> {
  const hands = new Hands(desk);
  await hands.atHome();
  await job(hands);
  const { clicks, fields } = hands;
  test.info().annotations.push({ type: 'cost', description: `${clicks} clicks, ${fields} fields` });
  return { clicks, fields };
}

/** Requires that a job costs no more than the limit, in clicks and in fields. */
export function expectAtMost(spent: Cost, limit: Cost): void {
  expect(spent.clicks, 'clicks').toBeLessThanOrEqual(limit.clicks);
  expect(spent.fields, 'typed fields').toBeLessThanOrEqual(limit.fields);
}

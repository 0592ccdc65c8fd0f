import type { Locator } from '@playwright/test';
import { CARD, order, shop } from './card-shop.ts';
import { rows } from './database.ts';
import { newIban, newPayee } from './payee.ts';
import {
  COMMERCIAL,
  expectState,
  formFields,
  send,
  sendButton,
  wanted,
  type Wanted,
} from './payout.ts';
import { expect, test, type Desk } from './story.ts';

/**
 * What the daily jobs cost, from the home page to their end: presses of a pointer, and fields that
 * are typed into. The figures are upper bounds; docs/performance.md has them as a table.
 */

class Hands {
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
  /** A key costs neither. */
  press(key: string): Promise<void> {
    return this.#desk.page.keyboard.press(key);
  }
  /** The page is loaded and listens, so that the first press is heard. */
  async atHome(): Promise<void> {
    const { page } = this.#desk;
    await page.goto('/');
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await page.waitForLoadState('networkidle');
  }
}

/** Paid in the first story, so that the last one need not wait before it pays the same account. */
let paid: Wanted | undefined;

type Cost = { clicks: number; fields: number };

async function cost(desk: Desk, job: (hands: Hands) => Promise<void>): Promise<Cost> {
  const hands = new Hands(desk);
  await hands.atHome();
  await job(hands);
  const { clicks, fields } = hands;
  test.info().annotations.push({ type: 'cost', description: `${clicks} clicks, ${fields} fields` });
  return { clicks, fields };
}

const newPayout = ({ page, say }: Desk): Locator =>
  page
    .getByRole('main')
    .getByRole('link', { name: say('home', 'new'), exact: true })
    .first();

test('a payout to a new recipient costs at most four clicks and five fields', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page } = desk;
  const want = wanted({ payee: { ...newPayee(), iban: newIban() } });
  const spent = await cost(desk, async (hands) => {
    const fields = formFields(desk);
    await hands.click(newPayout(desk));
    // The first payout of all chooses its wallet, every later one keeps that of the last.
    const isFirst = (await page.locator('input[name="wallet"]:checked').count()) === 0;
    if (isFirst) await hands.click(fields.wallet(want.walletName));
    await hands.type(fields.iban, want.payee.iban);
    await hands.type(fields.name, want.payee.name);
    await hands.type(fields.taxNumber, want.payee.taxNumber);
    await hands.type(fields.amount, '123,00');
    if ((await fields.paymentType.inputValue()) === '') {
      hands.clicks += 1;
      await fields.paymentType.selectOption(COMMERCIAL);
    }
    await hands.type(fields.description, want.description);
    await hands.press('Enter');
    await hands.click(sendButton(desk, want));
    await expectState(desk, 'COMPLETED');
  });
  paid = want;
  expect(spent.clicks).toBeLessThanOrEqual(4);
  expect(spent.fields).toBe(5);
});

test('the receipt of a payout costs one click from the home page', async ({ sitDown }) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const want = wanted();
  await send(desk, want);
  await expectState(desk, 'COMPLETED');
  await expect(
    page.getByRole('link', { name: say('payout', 'actions.receiptDownload') }),
  ).toBeVisible({ timeout: 30_000 });
  const spent = await cost(desk, async (hands) => {
    const row = page.getByRole('row').filter({ hasText: want.payee.name });
    const download = page.waitForEvent('download');
    await hands.click(row.getByRole('link', { name: say('home', 'recent.receipt') }));
    expect((await download).suggestedFilename()).toMatch(/\.(pdf|html)$/);
  });
  expect(spent).toEqual({ clicks: 1, fields: 0 });
});

test('closing the days of a wallet costs two clicks', async ({ sitDown }) => {
  // A closed day stays closed, so a second try needs another wallet.
  const WALLET = ['4410270006', '4410270005'][test.info().retry % 2]!;
  const desk = await sitDown('selin');
  const { page, say } = desk;
  // The books of the wallet are begun with the oldest of its days; the worker has to have read them.
  const begin = page.getByRole('button', { name: say('day-close', 'closing.openFirst') });
  const dialogOf = (words: string) =>
    page.getByRole('dialog', { name: say('day-close', `closing.${words}`) });
  const confirm = (dialog: Locator) =>
    dialog.getByRole('button', { name: say('day-close', 'closing.confirm') });
  await expect(async () => {
    await page.goto(`/reports/day-close?wallet=${WALLET}`);
    await expect(begin).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await expect(async () => {
    await begin.click();
    await expect(dialogOf('dialogFirst')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await confirm(dialogOf('dialogFirst')).click();
  await expect(page.getByRole('button', { name: say('day-close', 'closing.open') })).toBeVisible({
    timeout: 15_000,
  });
  const spent = await cost(desk, async (hands) => {
    await hands.click(page.locator(`main a[href="/reports/day-close?wallet=${WALLET}&close=1"]`));
    await hands.click(confirm(dialogOf('dialog')));
    await expect(dialogOf('dialog')).toBeHidden();
  });
  expect(spent).toEqual({ clicks: 2, fields: 0 });
  expect(
    await rows('SELECT FROM closed_days WHERE wallet = $1', [WALLET]),
    'the day of before, and those that have ended since',
  ).not.toHaveLength(1);
});

for (const operation of ['capture', 'release'] as const)
  test(
    operation === 'capture'
      ? 'capturing an authorization costs three clicks'
      : 'voiding an authorization costs four clicks, its reason among them',
    async ({ sitDown }) => {
      const desk = await sitDown('ayse');
      const { page, say, like } = desk;
      const sold = order(210);
      await (await shop()).pay2D(sold, CARD);
      const row = page.getByRole('main').getByRole('row').filter({ hasText: sold.invoice });
      await expect(async () => {
        await page.goto('/cards/authorizations');
        await expect(row).toContainText('₺210,00', { timeout: 1_000 });
      }).toPass({ timeout: 20_000 });
      const spent = await cost(desk, async (hands) => {
        const menu = page.getByRole('navigation').first();
        await hands.click(menu.getByRole('link', { name: say('shell', 'items.holds') }).first());
        const open = row.getByRole('button', { name: say('card-dialogs', `${operation}.open`) });
        await expect(open).toBeVisible();
        await page.waitForLoadState('networkidle');
        await hands.click(open);
        const dialog = page.getByRole('dialog');
        await expect(
          dialog.getByRole('status').filter({ hasText: like('card-dialogs', 'look.held') }),
        ).toBeVisible({ timeout: 15_000 });
        if (operation === 'release')
          await hands.click(dialog.getByRole('group').getByRole('button').first());
        await hands.click(
          dialog.getByRole('button', { name: like('card-dialogs', `${operation}.confirm`) }),
        );
        await expect(dialog).toBeHidden({ timeout: 15_000 });
      });
      expect(spent.clicks).toBeLessThanOrEqual(operation === 'capture' ? 3 : 4);
      expect(spent.fields).toBe(0);
    },
  );

test('a report as a spreadsheet costs at most four clicks, its download among them', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const spent = await cost(desk, async (hands) => {
    await hands.click(
      page
        .getByRole('navigation')
        .first()
        .getByRole('link', { name: say('shell', 'items.transactions') })
        .first(),
    );
    await expect(page.getByRole('table').getByRole('row').nth(1)).toBeVisible({ timeout: 30_000 });
    await hands.click(
      page.getByRole('main').getByRole('link', { name: 'Dışa aktar', exact: true }).first(),
    );
    await hands.click(page.getByRole('button', { name: say('exports', 'new.submit') }));
    const line = page
      .getByRole('table', { name: say('exports', 'caption') })
      .getByRole('row')
      .nth(1);
    await expect(line).toContainText(say('exports', 'states.READY'), { timeout: 30_000 });
    const download = page.waitForEvent('download');
    await hands.click(line.getByRole('link', { name: /^İndir/ }));
    await download;
  });
  expect(spent.clicks).toBeLessThanOrEqual(4);
});

test('a search costs one field, from anywhere', async ({ sitDown }) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const want = wanted();
  await send(desk, want);
  await expectState(desk, 'COMPLETED');
  const spent = await cost(desk, async (hands) => {
    await hands.press('ControlOrMeta+k');
    await hands.type(
      page.getByRole('combobox', { name: say('search', 'label') }),
      want.payee.name.toUpperCase(),
    );
    await expect(
      page.getByRole('option', { name: new RegExp(want.payee.name) }).first(),
    ).toBeVisible();
    await hands.press('Enter');
    await expect(page).toHaveURL(/\/(payouts|recipients|search)/);
  });
  expect(spent).toEqual({ clicks: 0, fields: 1 });
});

test('a payout to a known recipient costs three clicks and one field', async ({ sitDown }) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  test.setTimeout(150_000);
  const want = paid ?? wanted();
  if (paid === undefined) await send(desk, want);
  const spent = await cost(desk, async (hands) => {
    await hands.click(newPayout(desk));
    const recent = page.getByRole('list', { name: say('new-payout', 'recipient.recent') });
    await hands.click(recent.getByRole('button', { name: want.payee.name }));
    await expect(formFields(desk).amount).toBeFocused();
    await hands.type(formFields(desk).amount, '45,67');
    await hands.press('Enter');
    // One account is paid once a minute at most.
    const button = sendButton(desk, { ...want, amountMinor: 4_567 });
    await expect(button).toBeEnabled({ timeout: 70_000 });
    await hands.click(button);
    await expectState(desk, 'COMPLETED');
  });
  expect(spent).toEqual({ clicks: 3, fields: 1 });
});

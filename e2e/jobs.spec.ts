import type { Locator } from '@playwright/test';
import { CARD, order, shop } from './card-shop.ts';
import { rows } from './database.ts';
import { openMonthToClose } from './day-close.ts';
import { cost, expectAtMost } from './hands.ts';
import { newIban, newPayee } from './payee.ts';
import {
  COMMERCIAL,
  expectState,
  formFields,
  restInReview,
  send,
  sendButton,
  typed,
  wanted,
  type Wanted,
} from './payout.ts';
import { expect, pressUntil, test, type Desk } from './story.ts';
import { transferButton, transferFields, wantedTransfer } from './transfer.ts';

/**
 * The effort of the daily jobs, from the home page to their end: clicks, and fields that are typed
 * into. The numbers are upper bounds; docs/performance.md has them as a table.
 */

/** The payout of the first test. The last test pays the same account. */
let paid: Wanted | undefined;

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
    // The very first payout needs a choice of wallet; later forms start with the wallet of the last
    // payout.
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
    await hands.enter();
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
  const WALLET = '4410270006';
  const desk = await sitDown('selin');
  const { page, say } = desk;
  // The first close of a wallet starts with its oldest day, which the worker must have read.
  const begin = page.getByRole('button', { name: say('day-close', 'closing.openFirst') });
  const dialogOf = (words: string) =>
    page.getByRole('dialog', { name: say('day-close', `closing.${words}`) });
  const confirm = (dialog: Locator) =>
    dialog.getByRole('button', { name: say('day-close', 'closing.confirm') });
  await expect(async () => {
    await openMonthToClose(page, WALLET);
    await expect(begin).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await pressUntil(begin, dialogOf('dialogFirst'));
  await confirm(dialogOf('dialogFirst')).click();
  await expect(page.getByRole('button', { name: say('day-close', 'closing.open') })).toBeVisible({
    timeout: 15_000,
  });
  const spent = await cost(desk, async (hands) => {
    await hands.click(page.locator(`main a[href^="/reports/day-close?wallet=${WALLET}&"]`));
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
      }).toPass({ timeout: 60_000 });
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

for (const [kind, limit] of [
  ['transfer_person', { clicks: 5, fields: 3 }],
  ['transfer_own', { clicks: 6, fields: 1 }],
] as const)
  test(`a transfer costs at most ${limit.clicks} clicks and ${limit.fields} fields (${kind})`, async ({
    sitDown,
  }) => {
    const desk = await sitDown('ayse');
    const { page, say } = desk;
    const want = await wantedTransfer(kind);
    const spent = await cost(desk, async (hands) => {
      const form = transferFields(desk);
      await hands.openPlace('transfers');
      await hands.click(page.locator('main a[href="/transfers/new"]').first());
      await expect(form.kind('transfer_person'), 'chosen already').toBeChecked();
      await hands.atRest();
      if (kind === 'transfer_own') await hands.click(form.kind(kind));
      const isFirst = (await page.locator('input[name="wallet"]:checked').count()) === 0;
      if (isFirst) await hands.click(form.wallet);
      if (kind === 'transfer_own') await hands.click(form.toWallet(want.toWallet));
      else {
        await hands.type(form.phone, want.phone ?? '');
        await hands.type(form.name, want.name);
        await expect(
          page.getByText(
            say('new-transfer', 'person.outcomes.fits.title', { masked: 'El** Şa***' }),
          ),
        ).toBeVisible();
        await hands.choose(form.paymentType, COMMERCIAL);
      }
      await hands.type(form.amount, typed(want.amountMinor, desk.language));
      await hands.press('Enter');
      await hands.click(transferButton(desk, want));
      await expect(page).toHaveURL(/\/transfers\/[0-9a-f-]{36}$/);
    });
    expectAtMost(spent, limit);
  });

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
    // The look-up may find that the account was paid just now: the button then waits for the minute.
    await restInReview(desk, want, () => hands.enter());
    await hands.click(sendButton(desk, { ...want, amountMinor: 4_567 }));
    // One account can be paid only once a minute: until then the payout is in the queue.
    await expectState(desk, 'COMPLETED', 80_000);
  });
  expect(spent).toEqual({ clicks: 3, fields: 1 });
});

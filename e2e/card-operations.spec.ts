import AxeBuilder from '@axe-core/playwright';
import type { Locator } from '@playwright/test';
import { CARD, expectRow, order, shop } from './card-shop.ts';
import { rows } from './database.ts';
import { sandbox } from './sandbox.ts';
import { expectFollows } from './live-list.ts';
import { expect, pressUntil, test, type Desk } from './story.ts';

/**
 * Captures, voids and refunds that people request. The gateway's own ledger shows what was
 * executed.
 */

/**
 * The delay of a record: long enough for a person to see the page with an unknown outcome, and
 * shorter than a request may take.
 */
const RECORD_MS = 20_000;

type Operation = 'capture' | 'release' | 'refund';

/**
 * Makes an authorization in the web shop and waits until the product has read it. Returns its
 * invoice and the address of its page.
 */
async function held(desk: Desk, total: number): Promise<{ invoice: string; address: string }> {
  const sold = order(total);
  await (await shop()).pay2D(sold, CARD);
  await expectRow(desk, '/cards/authorizations', sold.invoice, '₺');
  return { invoice: sold.invoice, address: await addressOf(sold.invoice) };
}

async function addressOf(invoice: string): Promise<string> {
  const [row] = await rows<{ id: string }>('SELECT id FROM card_payments WHERE invoice_id = $1', [
    invoice,
  ]);
  return `/cards/payments/${row!.id}`;
}

/**
 * Opens the dialog by its button, retrying on a page that has just loaded, and waits until the
 * gateway was queried.
 */
async function openDialog({ page, say, like }: Desk, operation: Operation): Promise<Locator> {
  const dialog = page.getByRole('dialog');
  await pressUntil(
    page
      .getByRole('main')
      .getByRole('button', { name: say('card-dialogs', `${operation}.open`) })
      .first(),
    dialog,
  );
  await expect(
    dialog.getByRole('status').filter({
      hasText: like('card-dialogs', operation === 'refund' ? 'look.taken' : 'look.held'),
    }),
  ).toBeVisible();
  return dialog;
}

const amountField = (dialog: Locator, { say }: Desk, operation: 'capture' | 'refund'): Locator =>
  dialog.getByLabel(say('card-dialogs', `${operation}.amount`));
const taken = async (invoice: string): Promise<string[]> =>
  (await sandbox.cardMoney(invoice)).filter((line) => line.sign > 0).map((line) => line.amount);
const givenBack = async (invoice: string): Promise<string[]> =>
  (await sandbox.cardMoney(invoice)).filter((line) => line.sign < 0).map((line) => line.amount);

async function expectSentence({ page, say }: Desk, state: string): Promise<void> {
  await expect(page.getByText(say('cards', `sentences.${state}`))).toBeVisible({ timeout: 30_000 });
}

test('a partial capture asks the gateway first, Enter and Esc lose nothing, and the record proves it', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const { invoice, address } = await held(desk, 1_234.5);
  await page.goto(address);
  let dialog = await openDialog(desk, 'capture');
  await expect(amountField(dialog, desk, 'capture')).toHaveValue('1.234,50');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(
    page.getByRole('button', { name: say('card-dialogs', 'capture.open') }),
  ).toBeFocused();

  dialog = await openDialog(desk, 'capture');
  const field = amountField(dialog, desk, 'capture');
  expect((await new AxeBuilder({ page }).include('dialog').analyze()).violations).toEqual([]);
  await field.fill('2000');
  await expect(dialog.getByText('En çok ₺1.234,50 olabilir.')).toBeVisible();
  await expect(
    dialog.getByRole('button', { name: say('card-dialogs', 'capture.confirmEmpty'), exact: true }),
    'a closed money button says why',
  ).toHaveAccessibleDescription(say('card-dialogs', 'closed.amount'));
  await field.fill('1.000,00');
  await expect(
    dialog.getByText('Kalan ₺234,50 karta serbest kalır; sonradan tahsil edilemez.'),
  ).toBeVisible();
  await field.press('Enter');
  await field.press('Escape');
  await expect(field).toHaveValue('1.000,00');
  expect(await taken(invoice)).toEqual([]);
  await dialog.getByRole('button', { name: '₺1.000,00 tahsil et' }).click();
  await expect(dialog).toBeHidden();
  await expect(
    page.getByText(say('card-dialogs', 'started.capture', { invoice, amount: '₺1.000,00' })),
  ).toBeVisible();
  await expect(page.getByText(say('cards', 'capturedPart', { amount: '₺1.000,00' }))).toBeVisible({
    timeout: 30_000,
  });
  expect(await taken(invoice)).toEqual(['1000.00']);
});

test('a capture whose answer is lost stays unknown until its record, and cannot be sent again', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say, like } = desk;
  const { invoice, address } = await held(desk, 640);
  await page.goto(address);
  const dialog = await openDialog(desk, 'capture');
  await sandbox.fault({ operation: 'confirmPayment', kind: 'lost_after' });
  // The gateway executes the capture, but delays every answer about its record.
  await sandbox.fault({
    ...{ operation: 'checkstatus', kind: 'delay', ms: RECORD_MS, times: 1_000 },
    // The reads of the press and before the send are answered at once.
    after: 2,
  });
  await dialog.getByRole('button', { name: '₺640,00 tahsil et' }).click();
  await expect(
    page.getByRole('heading', { name: like('card-dialogs', 'band.unknown.title') }),
  ).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText(say('card-dialogs', 'band.unknown.text'))).toBeVisible();
  expect(await taken(invoice)).toEqual(['640.00']);
  for (const operation of ['capture', 'release', 'refund'])
    await expect(
      page
        .getByRole('main')
        .getByRole('button', { name: say('card-dialogs', `${operation}.open`), exact: true }),
    ).toHaveCount(0);
  await sandbox.calm();
  await expectSentence(desk, 'captured');
  expect(await taken(invoice)).toEqual(['640.00']);
});

test('a capture made elsewhere stops ours and keeps the typed text; of two simultaneous ones one wins', async ({
  sitDown,
}) => {
  const [desk, other] = [await sitDown('ayse'), await sitDown('mehmet')];
  const elsewhere = await held(desk, 90);
  await desk.page.goto(elsewhere.address);
  const dialog = await openDialog(desk, 'capture');
  await amountField(dialog, desk, 'capture').fill('50,00');
  await (await shop()).confirm(elsewhere.invoice, 'capture');
  await dialog.getByRole('button', { name: '₺50,00 tahsil et' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    desk.say('card-dialogs', 'stops.changed_elsewhere'),
  );
  await expect(amountField(dialog, desk, 'capture')).toHaveValue('50,00');
  expect(await taken(elsewhere.invoice)).toEqual(['90.00']);

  const both = await held(desk, 75);
  const desks = [desk, other];
  for (const one of desks) await one.page.goto(both.address);
  const dialogs = await Promise.all(desks.map((one) => openDialog(one, 'capture')));
  await Promise.all(
    dialogs.map((one) => one.getByRole('button', { name: '₺75,00 tahsil et' }).click()),
  );
  for (const one of desks) await expectSentence(one, 'captured');
  expect(await taken(both.invoice)).toEqual(['75.00']);
  expect(
    await rows(
      `SELECT id FROM movements WHERE card_payment_id = (SELECT id FROM card_payments WHERE invoice_id = $1)`,
      [both.invoice],
    ),
  ).toHaveLength(1);
});

test('a hold is released with a reason, on a phone; nothing is taken, and the page says so', async ({
  sitDown,
}) => {
  const desk = await sitDown('mehmet', { narrow: true, dark: true });
  const { page, say } = desk;
  const { invoice, address } = await held(desk, 27);
  await page.goto(address);
  const dialog = await openDialog(desk, 'release');
  const confirm = dialog.getByRole('button', { name: say('card-dialogs', 'release.confirm') });
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('button', { name: say('card-dialogs', 'reason.release.stock') }).click();
  expect((await new AxeBuilder({ page }).include('dialog').analyze()).violations).toEqual([]);
  await confirm.click();
  await expectSentence(desk, 'cancelled');
  expect(await sandbox.cardMoney(invoice)).toEqual([]);
  await expect(page.getByText(say('card-dialogs', 'reason.release.stock'))).toBeVisible();
});

test('two people who refund more than there is at once refund once, and the second sees what is left', async ({
  sitDown,
}) => {
  const [desk, other] = [await sitDown('ayse'), await sitDown('mehmet')];
  const { preauthorize: _none, ...sold } = order(100);
  await (await shop()).pay2D(sold, CARD);
  await expectRow(
    desk,
    `/cards/payments?q=${encodeURIComponent(sold.invoice)}`,
    sold.invoice,
    desk.say('cards', 'states.completed'),
  );
  const address = await addressOf(sold.invoice);
  const desks = [desk, other];
  for (const one of desks) await one.page.goto(address);
  const dialogs = await Promise.all(
    desks.map(async (one) => {
      const dialog = await openDialog(one, 'refund');
      await expect(amountField(dialog, one, 'refund')).toHaveValue('');
      await amountField(dialog, one, 'refund').fill('60');
      await dialog
        .getByRole('button', { name: one.say('card-dialogs', 'reason.refund.returned') })
        .click();
      return dialog;
    }),
  );
  await Promise.all(
    dialogs.map((one) => one.getByRole('button', { name: '₺60,00 iade et' }).click()),
  );
  await expect(async () =>
    expect(await Promise.all(dialogs.map((one) => one.getByRole('alert').count()))).toContain(1),
  ).toPass();
  for (const one of desks) await expectSentence(one, 'partly_refunded');
  expect(await givenBack(sold.invoice)).toEqual(['60.00']);
  await desk.page.goto(address);
  const again = await openDialog(desk, 'refund');
  await amountField(again, desk, 'refund').fill('60');
  await expect(again.getByText('En çok ₺40,00 olabilir.')).toBeVisible();
  expect(await givenBack(sold.invoice)).toEqual(['60.00']);
});

test('a bulk capture shows a result for each authorization: one voided elsewhere stops no other', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse', { language: 'en' });
  const { page, say } = desk;
  const some = [await held(desk, 11), await held(desk, 12), await held(desk, 13)];
  await page.goto('/cards/authorizations');
  await expect(
    page.getByRole('checkbox', { name: say('card-dialogs', 'bulk.page') }),
  ).toBeVisible();
  const row = (invoice: string) => page.getByRole('row').filter({ hasText: invoice });
  for (const { invoice } of some) {
    await expect(row(invoice)).toBeVisible();
    await expect(async () => {
      const box = row(invoice).getByRole('checkbox');
      await row(invoice).getByRole('link', { name: invoice }).focus();
      if (!(await box.isChecked())) await page.keyboard.press('x');
      await expect(box).toBeChecked({ timeout: 500 });
    }).toPass();
  }
  await (await shop()).confirm(some[1]!.invoice, 'release');
  await page.getByRole('button', { name: say('card-dialogs', 'bulk.take') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Capture 3 authorizations (₺36.00)' })
    .click();
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText(
    '2 captures have begun, 1 stopped.',
    { timeout: 20_000 },
  );
  await expect(
    page.getByRole('dialog').getByRole('listitem').filter({ hasText: some[1]!.invoice }),
  ).toContainText(say('card-dialogs', 'stops.changed_elsewhere'));
  await expect
    .poll(async () => Promise.all(some.map(({ invoice }) => taken(invoice))), { timeout: 20_000 })
    .toEqual([['11.00'], [], ['13.00']]);
});

test('a capture from the list shows its result in the list by itself', async ({ sitDown }) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const { invoice } = await held(desk, 31);
  const row = page.getByRole('row').filter({ hasText: invoice });
  await expectFollows(desk);
  await row.getByRole('button', { name: say('card-dialogs', 'capture.open') }).click();
  await page.getByRole('dialog').getByRole('button', { name: '₺31,00 tahsil et' }).click();
  await expect(row, 'no longer an authorization').toHaveCount(0, { timeout: 20_000 });
  await expect.poll(() => taken(invoice)).toEqual(['31.00']);
});

import type { Locator, Page, Request } from '@playwright/test';
import { CARD, expectRow, order, shop } from './card-shop.ts';
import { rows } from './database.ts';
import { newPayee } from './payee.ts';
import {
  expectPaidOnce,
  expectState,
  fillPayout,
  formFields,
  money,
  onPayoutPage,
  send,
  sendButton,
  wanted,
} from './payout.ts';
import { expect, test, type Desk } from './story.ts';
import { fillTransfer, wantedTransfer } from './transfer.ts';

/**
 * No press of a button that moves money is lost: not before the page's scripts run, not while a
 * look-up is pending, not when the button moves between press and release. There are 200 presses
 * here.
 */

const SLOWER = 2;

async function slowDown({ context, page }: Desk): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
}

/**
 * Presses with the mouse; `meanwhile` runs between press and release. When the button moved while
 * the pointer was on its way, the pointer aims again, as a person would: only a press that began on
 * the button counts.
 */
async function press(page: Page, button: Locator, meanwhile: () => Promise<void>): Promise<void> {
  await expect(button).toBeEnabled();
  await expect(async () => {
    const at = await button.evaluate((element) => {
      element.scrollIntoView({ block: 'nearest' });
      delete element.dataset['begun'];
      element.addEventListener('pointerdown', () => (element.dataset['begun'] = ''), {
        once: true,
      });
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    });
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    const begun = await button.evaluate((element) => {
      const isBegun = 'begun' in element.dataset;
      delete element.dataset['begun'];
      return isBegun;
    });
    if (!begun) await page.mouse.up();
    expect(begun, 'the press began on the button').toBe(true);
  }).toPass({ intervals: [50], timeout: 10_000 });
  await meanwhile();
  await page.mouse.up();
}

/** Presses a button that moves away under the pointer, by more than its height. */
async function pressMoving(page: Page, button: Locator): Promise<void> {
  await press(page, button, async () => {
    const moved = await button.evaluate((element) => {
      const before = element.getBoundingClientRect();
      const gap = document.createElement('div');
      gap.dataset['gap'] = '';
      gap.style.height = '160px';
      element.parentElement!.before(gap);
      return element.getBoundingClientRect().top - before.top > before.height;
    });
    expect(moved, 'the button moved').toBe(true);
  });
  // When the press opened another page, the gap has gone with the previous page.
  await page.evaluate(() => document.querySelector('[data-gap]')?.remove()).catch(() => undefined);
}

/** Aborts the requests that would move money, and counts them. */
async function dropSends(page: Page, isSend: (request: Request) => boolean) {
  let sent = 0;
  const path = (url: URL): boolean => !url.pathname.startsWith('/_next');
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST' || !isSend(route.request())) return route.continue();
    sent += 1;
    await route.abort();
  });
  return { count: () => sent, stop: () => page.unroute(path) };
}

/**
 * Whether a request submits a form: a server action receives a form as multipart data, and the
 * arguments of a look-up as a list.
 */
const hasParts = (request: Request): boolean => !request.postData()?.startsWith('[');

const isLookUp = (request: Request): boolean => request.postData()?.includes('"iban"') === true;

async function expectEachSent(
  page: Page,
  button: Locator,
  times: number,
  isSend: (request: Request) => boolean,
): Promise<void> {
  const dropped = await dropSends(page, isSend);
  for (let nth = 1; nth <= times; nth++) {
    await expect(button).not.toHaveAttribute('aria-disabled', 'true');
    await pressMoving(page, button);
    await expect.poll(dropped.count, { message: `press ${nth}`, intervals: [20] }).toBe(nth);
  }
  await expect(button).not.toHaveAttribute('aria-disabled', 'true');
  await dropped.stop();
}

async function pressWhileLoading(
  page: Page,
  path: string,
  button: Locator,
  effect: Locator,
): Promise<void> {
  for (let nth = 0; nth < 4; nth++) {
    await page.goto(path, { waitUntil: 'commit' });
    // While the page streams in, the document may also contain a copy of the button that is not
    // visible yet.
    await button.first().click();
    await expect(effect, `press ${nth} on a page that has just appeared`).toBeVisible();
  }
}

test('no press of a payout is lost while the page loads, a look-up answers or the button moves', async ({
  sitDown,
}) => {
  test.setTimeout(300_000);
  const desk = await sitDown('ayse', { language: 'en' });
  const { page, like, say } = desk;
  // After this payout the product knows a fee, which the look-up then adds to the summary.
  await send(desk);
  await slowDown(desk);
  const fields = formFields(desk);
  const effect = page
    .getByRole('status')
    .filter({ hasText: like('new-payout', 'problems.blocked') });
  const error = page.locator('[aria-invalid=true]').first();
  await pressWhileLoading(page, '/payouts/new', fields.goOn, error.or(effect).first());
  const want = wanted({ amountMinor: 1_240_000 });
  await fillPayout(desk, want);
  for (let nth = 0; nth < 6; nth++) {
    want.payee = newPayee();
    const asked = page.waitForRequest(isLookUp);
    let answer = (): void => undefined;
    const gate = new Promise<void>((open) => (answer = open));
    // Only the look-up waits: behind a refresh of the page that waits, no look-up would be asked.
    await page.route('**/payouts/new*', async (route) => {
      if (isLookUp(route.request())) await gate;
      await route.continue();
    });
    await fields.iban.fill(want.payee.iban);
    await fields.name.fill(want.payee.name);
    await fields.taxNumber.fill(want.payee.taxNumber);
    await asked;
    await press(page, fields.goOn, async () => {
      answer();
      await expect(page.getByText(say('new-payout', 'card.first'))).toBeVisible();
    });
    await expect(sendButton(desk, want), `press ${nth} while a look-up answers`).toBeVisible();
    await page.unroute('**/payouts/new*');
    await fields.edit.click();
  }
  for (let nth = 0; nth < 15; nth++) {
    await pressMoving(page, fields.goOn);
    await expect(sendButton(desk, want), `press ${nth} of Review`).toBeVisible();
    await pressMoving(page, fields.edit);
    await expect(fields.goOn, `press ${nth} of Edit`).toBeVisible();
  }
  await fields.goOn.click();
  await expectEachSent(page, sendButton(desk, want), 15, hasParts);
  await pressMoving(page, sendButton(desk, want));
  await onPayoutPage(desk);
  // The press is answered before the worker has sent.
  await expectState(desk, 'COMPLETED');
  await expectPaidOnce(want);
});

test('no press of a transfer is lost while the page loads or the button moves', async ({
  sitDown,
}) => {
  test.setTimeout(300_000);
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  await slowDown(desk);
  const main = page.getByRole('main');
  const goOn = main.getByRole('button', { name: say('new-payout', 'review.go') });
  const edit = main.getByRole('button', { name: say('new-payout', 'review.edit') });
  const error = page.locator('[aria-invalid=true]').first();
  await pressWhileLoading(page, '/transfers/new', goOn, error);
  const want = await wantedTransfer('transfer_business');
  await fillTransfer(desk, want);
  const button = main.getByRole('button', {
    name: say('new-payout', 'review.send', { amount: money(want.amountMinor, 'tr') }),
  });
  for (let nth = 0; nth < 10; nth++) {
    await pressMoving(page, goOn);
    await expect(button, `press ${nth} of Review`).toBeVisible();
    await pressMoving(page, edit);
    await expect(goOn, `press ${nth} of Edit`).toBeVisible();
  }
  await goOn.click();
  await expectEachSent(page, button, 15, hasParts);
  await pressMoving(page, button);
  await expect(page).toHaveURL(/\/transfers\/[0-9a-f-]{36}$/);
});

test('no press of Take a payment is lost while the page loads or the button moves', async ({
  sitDown,
}) => {
  test.setTimeout(300_000);
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  await slowDown(desk);
  const button = page.locator('main form button[type=submit]');
  const error = page.locator('[aria-invalid=true]').first();
  await pressWhileLoading(page, '/cards/payments/new?way=link', button, error);
  await page.goto('/cards/payments/new?way=link');
  for (const [field, text] of [
    ['items.name', 'Kumaş'],
    ['items.price', '125,50'],
    ['customer.name', 'Elif'],
    ['customer.surname', 'Şahin'],
    ['customer.description', 'Kumaş 3 m'],
  ] as const)
    await page.getByLabel(say('charges', field), { exact: true }).fill(text);
  await expectEachSent(page, button, 19, () => true);
  await pressMoving(page, button);
  await expect(page).toHaveURL(/\/cards\/payments\/[0-9a-f-]{36}$/);
});

async function paymentOf(desk: Desk, preauthorize: boolean): Promise<string> {
  const sold = { ...order(100), preauthorize };
  await (await shop()).pay2D(sold, CARD);
  const list = preauthorize ? '/cards/authorizations' : '/cards/payments';
  await expectRow(desk, list, sold.invoice, '₺');
  const [row] = await rows<{ id: string }>('SELECT id FROM card_payments WHERE invoice_id = $1', [
    sold.invoice,
  ]);
  return `/cards/payments/${row!.id}`;
}

test('no press of a capture, void or refund is lost while the page loads or the button moves', async ({
  sitDown,
}) => {
  test.setTimeout(300_000);
  const desk = await sitDown('ayse');
  const { page, say, like } = desk;
  const [held, paid] = [await paymentOf(desk, true), await paymentOf(desk, false)];
  await slowDown(desk);
  const dialog = page.getByRole('dialog');
  const opener = (operation: string): Locator =>
    page.getByRole('main').getByRole('button', { name: say('card-dialogs', `${operation}.open`) });
  await pressWhileLoading(page, held, opener('capture').first(), dialog);
  for (const operation of ['capture', 'release', 'refund'] as const) {
    await page.goto(operation === 'refund' ? paid : held);
    const keep = dialog.getByRole('button', { name: say('card-dialogs', 'keep') });
    for (let nth = 0; nth < 6; nth++) {
      await pressMoving(page, opener(operation).first());
      await expect(dialog, `press ${nth} of ${operation}`).toBeVisible();
      await pressMoving(page, keep);
      await expect(dialog, `press ${nth} of Keep`).toBeHidden();
    }
    await opener(operation).first().click();
    if (operation === 'refund')
      await dialog.getByLabel(say('card-dialogs', 'refund.amount')).fill('40,00');
    if (operation !== 'capture')
      await dialog
        .getByRole('textbox', { name: say('card-dialogs', 'reason.label') })
        .fill('Sipariş iptal');
    const confirm = dialog.getByRole('button', {
      name: like('card-dialogs', `${operation}.confirm`),
    });
    await expectEachSent(page, confirm, 13, hasParts);
    await pressMoving(page, keep);
    await expect(dialog).toBeHidden();
  }
});

test('what was typed before the page listened stays, and N puts the focus in the first field', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  let listen = (): void => undefined;
  const scripts = new Promise<void>((open) => (listen = open));
  await page.route('**/_next/static/**/*.js', async (route) => {
    await scripts;
    await route.continue();
  });
  await page.goto('/payouts/new', { waitUntil: 'commit' });
  const fields = formFields(desk);
  const want = wanted();
  await fields.iban.fill(want.payee.iban);
  await fields.name.fill(want.payee.name);
  await expect(fields.goOn.first(), 'closed until the page listens').toBeDisabled();
  listen();
  await expect(fields.goOn).toBeEnabled();
  await expect(page.getByText(say('new-payout', 'card.first'))).toBeVisible();
  await expect(fields.name).toHaveValue(want.payee.name);
  await page.unroute('**/_next/static/**/*.js');

  for (const [list, first] of [
    ['/payouts', 'form input >> nth=0'],
    ['/transfers', 'input[name="kind"]:checked'],
    ['/cards/payments', 'input[name="kind"]:checked'],
  ] as const) {
    await page.goto(list);
    await expect(async () => {
      await page.keyboard.press('n');
      await expect(page).toHaveURL(/\/new\?/, { timeout: 2_000 });
    }).toPass();
    await expect(page.locator(`main ${first}`), list).toBeFocused();
  }
});

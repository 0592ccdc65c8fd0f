import { randomUUID } from 'node:crypto';
import { CARD, expectRow, order, shop } from './card-shop.ts';
import { rows } from './database.ts';
import { cost, expectAtMost, type Hands } from './hands.ts';
import { sandbox } from './sandbox.ts';
import { expect, test, type Desk } from './story.ts';
import { BASE_URL, SANDBOX_URL } from './surroundings.ts';

/** The effort of the card jobs, counted like the others in `jobs.spec.ts`. */

// Traces, screenshots and videos would contain the typed card numbers, so these tests record none.
test.use({ trace: 'off', screenshot: 'off', video: 'off' });

/** Opens the form that takes a payment, from the home page. */
async function openCharge(hands: Hands, { page }: Desk): Promise<void> {
  await hands.openPlace('cardPayments');
  await hands.click(page.locator('main a[href="/cards/payments/new"]').first());
  await expect(page).toHaveURL(/\/cards\/payments\/new/);
  await hands.atRest();
}

/** Types what is sold and to whom. */
async function typeSale(hands: Hands, { page, say }: Desk): Promise<void> {
  const field = (path: string) =>
    page.getByRole('main').getByLabel(say('charges', path), { exact: true });
  await hands.type(field('items.name'), 'Kumaş');
  await hands.type(field('items.price'), '125,50');
  await hands.type(field('customer.name'), 'Elif');
  await hands.type(field('customer.surname'), 'Şahin');
  await hands.type(field('customer.description'), 'Kumaş 3 m');
}

test('a partial refund costs at most five clicks and one field', async ({ sitDown }) => {
  const desk = await sitDown('ayse');
  const { page, say, like } = desk;
  const { preauthorize: _none, ...sold } = order(140);
  await (await shop()).pay2D(sold, CARD);
  const completed = say('cards', 'states.completed');
  await expectRow(
    desk,
    `/cards/payments?q=${encodeURIComponent(sold.invoice)}`,
    sold.invoice,
    completed,
  );
  const spent = await cost(desk, async (hands) => {
    await hands.openPlace('cardPayments');
    await hands.click(page.getByRole('main').getByRole('link', { name: sold.invoice }));
    const open = page
      .getByRole('main')
      .getByRole('button', { name: say('card-dialogs', 'refund.open') });
    await expect(open.first()).toBeVisible();
    await hands.atRest();
    await hands.click(open.first());
    const dialog = page.getByRole('dialog');
    await expect(
      dialog.getByRole('status').filter({ hasText: like('card-dialogs', 'look.taken') }),
    ).toBeVisible();
    await hands.type(dialog.getByLabel(say('card-dialogs', 'refund.amount')), '40');
    await hands.click(
      dialog.getByRole('button', { name: say('card-dialogs', 'reason.refund.returned') }),
    );
    await hands.click(dialog.getByRole('button', { name: '₺40,00 iade et' }));
    await expect(page.getByText(say('cards', 'sentences.partly_refunded'))).toBeVisible({
      timeout: 30_000,
    });
  });
  expectAtMost(spent, { clicks: 5, fields: 1 });
  const back = (await sandbox.cardMoney(sold.invoice)).filter((line) => line.sign < 0);
  expect(back.map((line) => line.amount)).toEqual(['40.00']);
});

test('a payment with 3D costs at most four clicks and nine fields', async ({ sitDown }) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const spent = await cost(desk, async (hands) => {
    await openCharge(hands, desk);
    await expect(page.locator('#charge-three_d'), 'chosen already').toBeChecked();
    await typeSale(hands, desk);
    await hands.press('Enter');
    await page.waitForURL(/\/take$/);
    await hands.atRest();
    const field = (path: string) =>
      page.getByLabel(say('charges', `take.${path}`), { exact: true });
    await hands.type(field('holder'), CARD.holder);
    await hands.type(field('number'), CARD.number);
    await hands.choose(field('month'), CARD.month);
    await hands.choose(field('year'), CARD.year);
    await hands.type(field('cvv'), CARD.cvv);
    await hands.press('Enter');
    await page.locator('input[name=sms_code]').waitFor();
    await hands.type(page.locator('input[name=sms_code]'), await codeOnPhone());
    await hands.press('Enter');
    await page.waitForURL(new RegExp(`^${BASE_URL}/cards/payments/[0-9a-f-]{36}$`));
    await expect(page.getByText(say('cards', 'sentences.completed'))).toBeVisible({
      timeout: 20_000,
    });
  });
  expectAtMost(spent, { clicks: 4, fields: 9 });
});

/** The code of the latest card payment on the sandbox's phone. */
async function codeOnPhone(): Promise<string> {
  const messages = (await (await fetch(`${SANDBOX_URL}/sandbox/messages`)).json()) as {
    code: string;
    text: string;
  }[];
  return messages.find(
    (one) => one.text.includes('kart ödemenizin') || one.text.includes('your card payment'),
  )!.code;
}

test('a payment link costs at most four clicks and five fields, the copying among them', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  await desk.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const spent = await cost(desk, async (hands) => {
    await openCharge(hands, desk);
    await hands.click(page.locator('#charge-link'));
    await typeSale(hands, desk);
    await hands.press('Enter');
    await page.waitForURL(new RegExp(`^${BASE_URL}/cards/payments/[0-9a-f-]{36}$`));
    const copy = page.getByRole('button', { name: say('charges', 'made.copy') });
    await expect(copy).toBeVisible();
    await hands.atRest();
    await hands.click(copy);
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain(`${SANDBOX_URL}/card/pay?id=`);
  });
  expectAtMost(spent, { clicks: 4, fields: 5 });
});

test('saving a card costs at most two clicks and six fields', async ({ sitDown }) => {
  const desk = await sitDown('ayse');
  const { page, say, like } = desk;
  const customer = String(Date.now()).slice(-9).replace(/^0/, '1');
  const spent = await cost(desk, async (hands) => {
    await hands.openPlace('savedCards');
    await hands.click(page.getByText(say('saved-cards', 'register.title'), { exact: true }));
    const form = page.getByRole('form', { name: say('saved-cards', 'register.title') });
    const field = (path: string) => form.getByLabel(say('saved-cards', path), { exact: true });
    await hands.type(field('customer'), customer);
    await hands.type(field('register.name'), 'Elif Şahin');
    await hands.type(field('register.number'), CARD.number);
    await hands.type(field('register.holder'), CARD.holder);
    await hands.type(field('register.month'), CARD.month);
    await hands.type(field('register.year'), CARD.year);
    await hands.press('Enter');
    await expect(form.getByText(like('saved-cards', 'answers.save.done'))).toBeVisible();
  });
  expectAtMost(spent, { clicks: 2, fields: 6 });
  expect(await rows('SELECT FROM card_customers WHERE number = $1', [customer])).toHaveLength(1);
});

test('pausing a plan costs at most four clicks', async ({ sitDown }) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const gateway = await shop();
  const invoice = `ABONE-${randomUUID().slice(0, 8)}`;
  await gateway.pay2D(
    { invoice, total: 71.4, saleHook: 'sale_hook', monthly: { count: 6, hook: 'recurring_hook' } },
    CARD,
  );
  const plan = String((await gateway.check(invoice))['recurring_plan_code']);
  await expectRow(desk, `/cards/recurring?q=${plan}`, plan, say('recurring', 'states.active'));
  const spent = await cost(desk, async (hands) => {
    await hands.openPlace('recurring');
    await hands.click(page.getByRole('link', { name: plan, exact: true }));
    await expect(page.getByText(say('recurring', 'sentences.active'))).toBeVisible();
    await hands.atRest();
    await hands.click(page.getByRole('button', { name: say('recurring', 'pause.open') }));
    const dialog = page.getByRole('dialog', { name: say('recurring', 'pause.title') });
    await hands.click(dialog.getByRole('button', { name: say('recurring', 'pause.confirm') }));
    await expect(page.getByText(say('recurring', 'sentences.inactive'))).toBeVisible();
  });
  expectAtMost(spent, { clicks: 4, fields: 0 });
});

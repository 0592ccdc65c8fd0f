import { expect, test, type Page } from '@playwright/test';
import { Sandbox } from '../sandbox/testing/sandbox.ts';
import { Gateway, type Card, type Order } from './independent/gateway.ts';
import { Shop, type Visit } from './independent/shop.ts';

/**
 * The page of the buyer's bank, between the shop and the return to it: what a person can do there,
 * and which fields the shop receives.
 */

const CARD: Card = {
  number: '4508034508034509',
  holder: 'Elif Şahin',
  month: '12',
  year: '2031',
  cvv: '000',
};
const SLOW_PHONE: Card = { ...CARD, number: '4000000000000234' };
const WRONG = '------';

const box = new Sandbox();
const shop = new Shop();
let gateway: Gateway;
let sold = 0;

test.beforeAll(async () => {
  await Promise.all([box.start(), shop.open()]);
  const { card } = (await box.get('credentials')) as {
    card: { app_id: string; app_secret: string; merchant_key: string };
  };
  gateway = new Gateway(`${box.base}/card`, {
    appId: card.app_id,
    appSecret: card.app_secret,
    merchantKey: card.merchant_key,
  });
});
test.beforeEach(async () => {
  shop.visits.length = 0;
  await gateway.signIn();
});
test.afterAll(async () => {
  await Promise.all([box.stop(), shop.close()]);
});

/** Takes the buyer to the bank's page. */
async function goToBank(page: Page, by?: 'GET' | 'POST', card = CARD): Promise<Order> {
  const order = { invoice: `BANK-${(sold += 1)}`, total: 320.5 };
  await page.goto(shop.offer(gateway.form3D(order, card, { ...shop.ends, ...(by ? { by } : {}) })));
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByRole('textbox')).toBeFocused();
  return order;
}

async function enter(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox').fill(code);
  await page.locator('button.main').click();
}

const codeOnPhone = async (): Promise<string> =>
  ((await box.get('messages')) as { code: string }[])[0]!.code;

/**
 * Requires that the shop's page shows a failure, that the shop received it by `by`, and that the
 * gateway confirms it when queried. Returns the fields that the shop received.
 */
async function expectNotPaid(page: Page, order: Order, by: string): Promise<Visit['fields']> {
  await page.getByRole('heading', { name: 'Not paid' }).waitFor();
  expect(shop.visits.map((visit) => [visit.to, visit.by])).toEqual([['/failed', by]]);
  const { fields } = shop.visits[0]!;
  expect(fields).toMatchObject({
    svc_status: '0',
    payment_status: '0',
    invoice_id: order.invoice,
    status_code: '41',
    error_code: '41',
    md_status: '0',
  });
  expect(fields).not.toHaveProperty('hash_key');
  expect(await gateway.check(order.invoice)).toMatchObject({
    status_code: 41,
    transaction_status: 'Failed',
  });
  expect(await box.get(`ledger?invoice_id=${order.invoice}`)).toEqual([]);
  return fields;
}

for (const by of ['GET', 'POST'] as const) {
  test(`the code of the phone pays, and the shop is told by ${by}`, async ({ page }) => {
    const order = await goToBank(page, by);
    await expect(page.locator('dl')).toContainText('320.50 TRY');
    await expect(page.locator('dl')).toContainText('•••• 4509');
    await enter(page, await codeOnPhone());
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(shop.visits.map((visit) => [visit.to, visit.by])).toEqual([['/done', by]]);
    expect(gateway.returned(order, shop.visits[0]!.fields)).toMatchObject({
      payment_status: '1',
      md_status: '1',
    });
    expect(await box.get(`ledger?invoice_id=${order.invoice}`)).toHaveLength(1);
  });

  test(`three wrong codes end without a payment, and the shop is told by ${by}`, async ({
    page,
  }) => {
    const order = await goToBank(page, by);
    for (const left of ['2', '1']) {
      await enter(page, WRONG);
      await expect(page.getByRole('alert')).toContainText(left);
    }
    await enter(page, WRONG);
    await expectNotPaid(page, order, by);
  });

  test(`a buyer who gives up is back in the shop without a payment, told by ${by}`, async ({
    page,
  }) => {
    const order = await goToBank(page, by);
    await page.locator('button[value=give_up]').click();
    await expectNotPaid(page, order, by);
  });
}

test('after a wrong code the right one still pays', async ({ page }) => {
  const order = await goToBank(page);
  await enter(page, WRONG);
  // The next code is typed into the bank's next page.
  await expect(page.getByRole('alert')).toContainText('2');
  await enter(page, await codeOnPhone());
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  expect(gateway.returned(order, shop.visits[0]!.fields)).toMatchObject({ payment_status: '1' });
});

test('five minutes later the right code pays nothing any more', async ({ page }) => {
  const order = await goToBank(page);
  const code = await codeOnPhone();
  await box.post('clock', { advance: '5m1s' });
  expect(await gateway.check(order.invoice)).toMatchObject({ status_code: 41 });
  await enter(page, code);
  await expectNotPaid(page, order, 'GET');
});

test('a code that never comes leaves the payment open until the bank stops waiting', async ({
  page,
}) => {
  const order = await goToBank(page, 'POST', SLOW_PHONE);
  expect(
    ((await box.get('messages')) as { name: string }[]).filter((message) =>
      message.name.endsWith('0234'),
    ),
  ).toEqual([]);
  expect(await gateway.check(order.invoice)).toMatchObject({
    status_code: 69,
    transaction_status: 'Pending',
  });
  await box.post('clock', { advance: '6m' });
  await page.reload();
  await expectNotPaid(page, order, 'POST');
});

test('a finished bank step cannot be reused: going back leads to the same result and one payment', async ({
  page,
}) => {
  const order = await goToBank(page);
  const bank = page.url();
  await enter(page, await codeOnPhone());
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  await page.goto(bank);
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  expect(shop.visits).toHaveLength(2);
  expect(shop.visits[1]!.fields['order_no']).toBe(shop.visits[0]!.fields['order_no']);
  expect(await box.get(`ledger?invoice_id=${order.invoice}`)).toHaveLength(1);
});

import { expect, test, type Page } from '@playwright/test';
import { Sandbox } from '../../sandbox/testing/sandbox.ts';
import {
  Gateway,
  Refused,
  seal,
  Untrusted,
  type Buyer,
  type Card,
  type Form,
  type Keys,
  type Order,
} from './gateway.ts';
import { Shop } from './shop.ts';

/**
 * Tests the sandbox with a client that is written from the published interface and uses no code of
 * ours (gateway.ts, shop.ts). Only the keys, which a person would read in the gateway's panel, and
 * the code, which the phone would show, come from the control interface.
 */

const CARD: Card = {
  number: '5406675406675403',
  holder: 'Elif Şahin',
  month: '12',
  year: '2031',
  cvv: '000',
};
const BUYER: Buyer = {
  number: 70_021,
  name: 'Elif Şahin',
  email: 'elif@shop.test',
  phone: '905320000000',
};

const box = new Sandbox();
const shop = new Shop();
let keys: Keys;
let gateway: Gateway;
let sold = 0;

test.beforeAll(async () => {
  await Promise.all([box.start(), shop.open()]);
  const { card } = (await box.get('credentials')) as {
    card: { app_id: string; app_secret: string; merchant_key: string };
  };
  keys = { appId: card.app_id, appSecret: card.app_secret, merchantKey: card.merchant_key };
});
test.beforeEach(async () => {
  shop.visits.length = 0;
  gateway = new Gateway(`${box.base}/card`, keys);
  await gateway.signIn();
});
test.afterAll(async () => {
  await Promise.all([box.stop(), shop.close()]);
});

const order = (more: Partial<Order> = {}): Order => ({
  invoice: `SHOP-${(sold += 1)}`,
  total: 149.9,
  ...more,
});

/** The buyer pays in a browser, with the code sent to the phone, and returns to the shop. */
async function payInBrowser(page: Page, form: Form): Promise<void> {
  await page.goto(shop.offer(form));
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByRole('textbox').fill(await codeOnPhone());
  await page.locator('button.main').click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
}

async function codeOnPhone(): Promise<string> {
  const [newest] = (await box.get('messages')) as { code: string }[];
  return newest!.code;
}

test('a stranger gets a token, and without the right secret none', async () => {
  expect(await gateway.signIn()).toMatchObject({
    is_3d: 1,
    expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  });
  await expect(
    new Gateway(`${box.base}/card`, { ...keys, appSecret: 'another' }).signIn(),
  ).rejects.toThrow(Refused);
});

test('a stranger pays without a bank page, checks, and gives back a part and the rest', async () => {
  const sale = order({ total: 149.9 });
  const paid = await gateway.pay2D(sale, CARD);
  expect(paid).toMatchObject({
    svc_status: 1,
    payment_status: 1,
    transaction_type: 'Auth',
    invoice_id: sale.invoice,
    credit_card_no: expect.stringMatching(/^540667\*+5403$/),
  });
  expect(await gateway.check(sale.invoice)).toMatchObject({
    status_code: 100,
    transaction_status: 'Completed',
    order_id: paid['order_no'],
    transaction_amount: 149.9,
  });
  expect(await gateway.refund(sale.invoice, 49.9)).toMatchObject({
    order_no: paid['order_no'],
    invoice_id: sale.invoice,
  });
  expect(await gateway.check(sale.invoice)).toMatchObject({
    transaction_status: 'Partially Refunded',
    total_refunded_amount: 49.9,
  });
  await box.post('clock', { advance: '1m' });
  await gateway.refund(sale.invoice, 100);
  expect(await gateway.check(sale.invoice)).toMatchObject({
    transaction_status: 'Refunded',
    total_refunded_amount: 149.9,
  });
});

for (const by of ['GET', 'POST'] as const) {
  test(`a stranger's buyer pays through the bank page and comes back by ${by}, with a result whose hash holds`, async ({
    page,
  }) => {
    const sale = order({ total: 1_250.35 });
    await payInBrowser(page, gateway.form3D(sale, CARD, { ...shop.ends, by }));
    expect(shop.visits.map((visit) => [visit.to, visit.by])).toEqual([['/done', by]]);
    await expect(page.getByText('cart 7')).toBeVisible();
    const back = gateway.returned(sale, shop.visits[0]!.fields);
    expect(back).toMatchObject({
      svc_status: '1',
      payment_status: '1',
      status_code: '100',
      transaction_type: 'Auth',
      error_code: '100',
      order_id: back['order_no'],
    });
    expect(await gateway.check(sale.invoice)).toMatchObject({
      status_code: 100,
      transaction_status: 'Completed',
      order_id: back['order_no'],
    });
  });
}

test('a stranger saves a card, the buyer pays with it in the browser, and after its deletion it pays nothing', async ({
  page,
}) => {
  const token = await gateway.saveCard(BUYER, CARD);
  expect(await gateway.savedCards(BUYER)).toEqual([
    expect.objectContaining({
      card_token: token,
      customer_number: `${BUYER.number}-20417`,
      card_number: expect.stringMatching(/^540667\*+5403$/),
    }),
  ]);
  const sale = order({ total: 80 });
  await payInBrowser(page, gateway.formToken(sale, token, BUYER, shop.ends));
  expect(gateway.returned(sale, shop.visits[0]!.fields)).toMatchObject({
    payment_status: '1',
    invoice_id: sale.invoice,
  });
  expect(await gateway.check(sale.invoice)).toMatchObject({
    status_code: 100,
    transaction_status: 'Completed',
  });
  await gateway.deleteCard(BUYER, token);
  expect(await gateway.savedCards(BUYER)).toEqual([]);
  await page.goto(shop.offer(gateway.formToken(order(), token, BUYER, shop.ends)));
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.locator('body')).toContainText('"status_code":1');
});

test('a stranger blocks money, takes one block and lets the other go', async () => {
  const [taken, freed] = [order({ preauthorize: true }), order({ preauthorize: true })];
  for (const one of [taken, freed])
    expect(await gateway.pay2D(one, CARD)).toMatchObject({
      payment_status: 1,
      transaction_type: 'Pre-Authorization',
    });
  expect(await gateway.confirm(taken.invoice, 'capture')).toMatchObject({
    status_code: 100,
    transaction_status: 'Completed',
    invoice_id: taken.invoice,
  });
  expect(await gateway.confirm(freed.invoice, 'release')).toMatchObject({
    status_code: 100,
    invoice_id: freed.invoice,
  });
  expect(await gateway.check(taken.invoice)).toMatchObject({
    status_code: 100,
    transaction_status: 'Completed',
  });
  expect(await gateway.check(freed.invoice)).toMatchObject({ transaction_status: 'Cancelled' });
  await expect(gateway.confirm(freed.invoice, 'capture')).rejects.toMatchObject({ code: 113 });
});

test('a stranger believes no result that was changed on its way back', async ({ page }) => {
  const sale = order({ total: 10 });
  await payInBrowser(page, gateway.form3D(sale, CARD, shop.ends));
  const { fields } = shop.visits[0]!;
  const forged = seal(['1', '10', sale.invoice, fields['order_no'], 'TRY'], 'not the secret');
  for (const changed of [
    { hash_key: forged },
    { hash_key: '' },
    { invoice_id: 'ANOTHER' },
    { order_no: 'SB1' },
    { payment_status: '0' },
  ])
    expect(() => gateway.returned(sale, { ...fields, ...changed })).toThrow(Untrusted);
  expect(() => gateway.returned({ ...sale, total: 9 }, fields)).toThrow(Untrusted);
});

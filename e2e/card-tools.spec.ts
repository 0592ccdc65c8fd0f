import { randomUUID } from 'node:crypto';
import { Gateway } from './independent/gateway.ts';
import { sandbox } from './sandbox.ts';
import { expect, test } from './story.ts';
import { SANDBOX_URL } from './surroundings.ts';
import { doorUrl, postWebhook } from './webhook-door.ts';

/**
 * The merchant's tools: accepted cards, payment methods, the connection to the gateway, and hash
 * keys for developers.
 */

test('commissions and installments are requested, and a silent gateway is reported and asked again', async ({
  sitDown,
}) => {
  const { page, say } = await sitDown('deniz');
  await page.goto('/cards/tools');
  await expect(page.getByRole('row').filter({ hasText: '6 taksit' }).first()).toContainText('%');
  await sandbox.fault({ operation: 'commissions', kind: 'status', status: 503, times: 1 });
  await page.goto('/cards/tools?currency=USD&by=user');
  await expect(page.getByText(say('card-tools', 'noAnswer.title'))).toBeVisible();
  await page.getByRole('button', { name: say('card-tools', 'noAnswer.retry') }).click();
  await expect(page.getByRole('row').nth(1)).toContainText('%');

  await page.goto('/cards/tools/pos');
  await page.getByLabel(say('card-tools', 'pos.bin')).fill('450803');
  await page.getByLabel(say('card-tools', 'pos.amount'), { exact: true }).fill('1.000,00');
  await page.getByRole('button', { name: say('card-tools', 'pos.ask') }).click();
  await expect(page).toHaveURL(/bin=450803/);
  await expect(page.getByRole('row').filter({ hasText: '3 taksit' })).toContainText('₺');
  await expect(page.getByText(/MAXIMUM/)).toBeVisible();
});

test('the log links a sale webhook to its card payment; a forged hash is distrusted and links nowhere', async ({
  sitDown,
}) => {
  const { card } = (await (await fetch(`${SANDBOX_URL}/sandbox/credentials`)).json()) as {
    card: { app_id: string; app_secret: string; merchant_key: string };
  };
  const gateway = new Gateway(`${SANDBOX_URL}/card`, {
    appId: card.app_id,
    appSecret: card.app_secret,
    merchantKey: card.merchant_key,
  });
  await gateway.signIn();
  const invoice = `GÜNLÜK-${randomUUID().slice(0, 8).toUpperCase()}`;
  await gateway.pay2D(
    { invoice, total: 120.5, saleHook: 'sale_hook' },
    { number: '4508034508034509', holder: 'Elif Şahin', month: '12', year: '2031', cvv: '000' },
  );
  const { page, say } = await sitDown('selin');
  const row = page.getByRole('row').filter({ hasText: invoice });
  await expect(async () => {
    await page.goto(`/webhooks?channel=card&q=${encodeURIComponent(invoice)}`);
    await expect(row).toContainText(say('webhooks', 'effects.asked_gateway'), { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await row.getByRole('link').first().click();
  await expect(page.getByText(say('webhooks', 'sources.hash'))).toBeVisible();
  await page.getByRole('link', { name: say('webhooks', 'detail.openCardPayment') }).click();
  await expect(page).toHaveURL(/\/cards\/payments\//);

  const forged = `F-${randomUUID()}`;
  expect(
    (
      await postWebhook(
        `invoice_id=${forged}&order_id=VP1&amount=10.00&status=Completed&hash_key=0123456789abcdef:0123:AAAA`,
        doorUrl('card'),
      )
    ).status,
  ).toBe(200);
  await page.goto('/webhooks?channel=card&effect=not_understood');
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await expect(page.getByText(say('webhooks', 'effectTexts.not_believed'))).toBeVisible();
  await page.goto(`/cards/payments?q=${forged}`);
  await expect(page.getByText(say('cards', 'emptyFilter'))).toBeVisible();
});

test('the connection shows currencies and keys, and a hash key is made without showing its secret', async ({
  sitDown,
}) => {
  const { card } = (await (await fetch(`${SANDBOX_URL}/sandbox/credentials`)).json()) as {
    card: { app_id: string; app_secret: string };
  };
  const clerk = await sitDown('ayse');
  await clerk.page.goto('/cards/tools/connection');
  await expect(clerk.page.getByRole('row').filter({ hasText: 'EUR' })).toBeVisible();
  await expect(clerk.page.getByText('sale_hook')).toHaveCount(0);
  await clerk.page.goto('/cards/tools/hash-keys');
  await expect(clerk.page.getByLabel(clerk.say('card-tools', 'hashKeys.subject'))).toHaveCount(0);

  const { page, say } = await sitDown('selin');
  await page.goto('/cards/tools/connection');
  await expect(page.getByRole('row').filter({ hasText: 'sale_hook' })).toContainText(
    '/api/webhooks/',
  );
  await expect(page.getByText(/is_3d/)).toBeVisible();
  expect(await page.content(), 'neither the secret nor the whole app id').not.toMatch(
    new RegExp(`${card.app_secret}|${card.app_id}`),
  );

  await page.goto('/cards/tools/hash-keys?for=refund');
  const make = page.locator('section').filter({
    has: page.getByRole('heading', {
      name: say('card-tools', 'hashKeys.makeTitle'),
      exact: true,
    }),
  });
  const check = page.locator('section').filter({
    has: page.getByRole('heading', {
      name: say('card-tools', 'hashKeys.checkTitle'),
      exact: true,
    }),
  });
  await make.getByLabel(/amount/).fill('10.00');
  await make.getByLabel(/invoice_id/).fill('F-1');
  await make.getByRole('button', { name: say('card-tools', 'hashKeys.make') }).click();
  const made = make.getByText(/^[0-9a-f]{16}:/);
  await expect(made).toBeVisible();
  const hashKey = await made.innerText();
  await check.getByLabel(say('card-tools', 'hashKeys.pasted')).fill(hashKey);
  await check.getByLabel(/amount/).fill('10');
  await check.getByLabel(/invoice_id/).fill('F-2');
  await check.getByRole('button', { name: say('card-tools', 'hashKeys.check') }).click();
  await expect(check.getByText(say('card-tools', 'hashKeys.differs'))).toBeVisible();
  await expect(check.getByRole('row').filter({ hasText: 'F-1' })).toContainText(
    say('card-tools', 'hashKeys.other'),
  );
  await check
    .getByLabel(say('card-tools', 'hashKeys.pasted'))
    .fill(`${hashKey.slice(0, -6)}AAAA==`);
  await check.getByRole('button', { name: say('card-tools', 'hashKeys.check') }).click();
  await expect(check.getByText(say('card-tools', 'hashKeys.unreadable'))).toBeVisible();
  expect(await page.content()).not.toContain(card.app_secret);
});

test('a payment link of the panel is made once, listed, looked at and sent; a lost answer is said to be one', async ({
  sitDown,
}) => {
  const { page, say } = await sitDown('ayse');
  const product = `Bahar ${randomUUID().slice(0, 8)}`;
  await page.goto('/cards/tools/links');
  await page.getByText(say('card-tools', 'links.new'), { exact: true }).click();
  const make = page.getByRole('button', { name: say('card-tools', 'links.make') });
  await page.getByLabel(say('card-tools', 'links.product')).fill(product);
  await page.getByLabel(say('card-tools', 'links.amount')).fill('1,500');
  await make.click();
  await expect(page.getByText(say('card-tools', 'links.errors.amount'))).toBeVisible();
  await expect(
    page.getByLabel(say('card-tools', 'links.product')),
    'what was typed stays',
  ).toHaveValue(product);
  await page.getByLabel(say('card-tools', 'links.amount')).fill('1.500,25');
  await make.click();
  await expect(page.getByText(say('card-tools', 'links.made.done'))).toBeVisible();
  await page.getByRole('link', { name: product }).click();
  const detail = page
    .locator('section')
    .filter({ has: page.getByRole('button', { name: say('card-tools', 'links.send') }) });
  await expect(detail).toContainText('₺1.500,25');
  await detail.getByLabel(say('card-tools', 'links.to')).fill('elif@example.test');
  await detail.getByRole('button', { name: say('card-tools', 'links.send') }).click();
  await expect(detail.getByText(/\/card\/pay\?id=/)).toBeVisible();

  await sandbox.fault({ operation: 'create', kind: 'lost_after', times: 1 });
  await page.getByLabel(say('card-tools', 'links.product')).fill(`${product} 2`);
  await page.getByLabel(say('card-tools', 'links.amount')).fill('10,00');
  await make.click();
  await expect(page.getByText(say('card-tools', 'links.made.unclear'))).toBeVisible();
});

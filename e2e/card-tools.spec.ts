import { sandbox } from './sandbox.ts';
import { expect, test } from './story.ts';
import { SANDBOX_URL } from './surroundings.ts';

/** The merchant's tools: what the gateway takes, how a card may pay, how this installation is joined to it, and hash keys for developers. */

test('commissions and installments are asked for; a gateway that does not answer is said to be silent, and is asked again', async ({ sitDown }) => {
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

test('the connection names currencies and keys, the addresses to the owner alone; a hash key is made and read without anybody seeing the secret', async ({ sitDown }) => {
  const { card } = (await (await fetch(`${SANDBOX_URL}/sandbox/credentials`)).json()) as { card: { app_id: string; app_secret: string } };
  const clerk = await sitDown('ayse');
  await clerk.page.goto('/cards/tools/connection');
  await expect(clerk.page.getByRole('row').filter({ hasText: 'EUR' })).toBeVisible();
  await expect(clerk.page.getByText('sale_hook')).toHaveCount(0);
  await clerk.page.goto('/cards/tools/hash-keys');
  await expect(clerk.page.getByLabel(clerk.say('card-tools', 'hashKeys.subject'))).toHaveCount(0);

  const { page, say } = await sitDown('selin');
  await page.goto('/cards/tools/connection');
  await expect(page.getByRole('row').filter({ hasText: 'sale_hook' })).toContainText('/api/webhooks/');
  await expect(page.getByText(/is_3d/)).toBeVisible();
  expect(await page.content(), 'neither the secret nor the whole app id').not.toMatch(new RegExp(`${card.app_secret}|${card.app_id}`));

  await page.goto('/cards/tools/hash-keys?for=refund');
  const make = page.locator('section').filter({ has: page.getByRole('heading', { name: say('card-tools', 'hashKeys.makeTitle'), exact: true }) });
  const check = page.locator('section').filter({ has: page.getByRole('heading', { name: say('card-tools', 'hashKeys.checkTitle'), exact: true }) });
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
  await expect(check.getByRole('row').filter({ hasText: 'F-1' })).toContainText(say('card-tools', 'hashKeys.other'));
  await check.getByLabel(say('card-tools', 'hashKeys.pasted')).fill(`${hashKey.slice(0, -6)}AAAA==`);
  await check.getByRole('button', { name: say('card-tools', 'hashKeys.check') }).click();
  await expect(check.getByText(say('card-tools', 'hashKeys.unreadable'))).toBeVisible();
  expect(await page.content()).not.toContain(card.app_secret);
});

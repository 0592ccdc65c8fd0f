import { randomInt } from 'node:crypto';
import { rows } from './database.ts';
import { sandbox } from './sandbox.ts';
import { expect, test } from './story.ts';
import { postWebhook } from './webhook-door.ts';

const WALLET = '4410270001';

test('money announced by a webhook is counted, waits for the ledger, and does not make the list jump', async ({
  sitDown,
}) => {
  const { page, say } = await sitDown('ayse');
  const sender = `Işıl Çağrı ${randomInt(1e9)}`;
  await page.goto('/money-in');
  const changes = page.getByRole('button', { name: /değişiklik/ });
  // The list also announces changes for the days that the worker reads meanwhile.
  await expect(async () => {
    if (await changes.isVisible()) await changes.click({ timeout: 1_000 });
    await expect(page.getByText(say('live', 'on'))).toBeVisible({ timeout: 2_000 });
  }).toPass();
  // Anyone who knows the address can post this webhook: the provider has no such money.
  const message = JSON.stringify({
    Message: {
      SenderName: sender,
      SenderIban: 'TR330006100519786457841326',
      Description: 'Fatura 12',
    },
  });
  const id = `6318${randomInt(1e9)}${randomInt(1e5)}`;
  await postWebhook(
    `{"id":${id},"transaction_type_id":1004,"tx_base_amount":12345.67,"currency_code":"TRY",` +
      `"to_wallet_number":"${WALLET}","tx_additional_data_json":${JSON.stringify(message)}}`,
  );
  await expect(changes).toBeVisible();
  await expect(page.getByText(sender)).toHaveCount(0);
  const row = page.getByRole('row').filter({ hasText: sender });
  await expect(async () => {
    // What was announced first may be a day that was read.
    if (await changes.isVisible()) await changes.click({ timeout: 1_000 });
    await expect(row).toContainText(say('money-in', 'states.announced'), { timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  await expect(row).toContainText('₺12.345,67');
  await page.goto(`/money-in?q=${encodeURIComponent(sender.toLocaleUpperCase('tr'))}`);
  await row.getByRole('link', { name: sender }).click();
  await expect(page.getByText(say('money-in', 'sentences.announced'))).toBeVisible();
});

test('a real top-up is announced by the provider and arrives by the ledger', async ({
  sitDown,
}) => {
  const { page, say } = await sitDown('can', { language: 'en' });
  const sender = `Deniz Ltd. ${randomInt(1e9)}`;
  await sandbox.topUp(WALLET, { amount: '77.10', sender_name: sender, description: 'Order 7' });
  await expect(async () => {
    await page.goto(`/money-in?q=${encodeURIComponent(sender)}`);
    await expect(page.getByRole('row').filter({ hasText: sender })).toContainText(
      say('money-in', 'states.arrived'),
      { timeout: 2_000 },
    );
  }).toPass({ timeout: 90_000 });
  const row = page.getByRole('row').filter({ hasText: sender });
  await expect(row).toContainText('₺77.10');
  await expect(row).toContainText('TR**');
});

test('a failed top-up is on home and on the desk, is closed with a note, and reopens when it recurs', async ({
  sitDown,
}) => {
  const { page, say } = await sitDown('can');
  const description = `Sipariş ${randomInt(1e9)} Ana Cuzdan`;
  const fail = () =>
    sandbox.topUp('1', { amount: '55.00', description }).then(
      () => {
        throw new Error('it was loaded');
      },
      () => undefined,
    );
  await fail();
  const known = () =>
    rows<{ seen: number }>('SELECT seen FROM failed_top_ups WHERE description = $1', [description]);
  await expect.poll(async () => (await known())[0]?.seen).toBe(1);
  await page.goto('/');
  await page.getByRole('link', { name: /yüklenemedi/ }).click();
  const row = page.getByRole('row').filter({ hasText: description });
  await expect(row).toContainText('Ana Cüzdan');
  await row.getByRole('link', { name: say('money-in', 'failed.kinds.no_such_wallet') }).click();
  await expect(page.getByText(/₺55,00 cüzdanımıza ulaşmadı/)).toBeVisible();
  await expect(page.getByText(/₺55\.00 you sent/)).toBeVisible();
  await page.getByLabel(say('money-in', 'failed.note')).fill('Gönderen arandı, yeniden gönderecek');
  await page.getByRole('button', { name: say('money-in', 'failed.close'), exact: true }).click();
  await expect(page.getByText(/Can Yıldız: “Gönderen arandı, yeniden gönderecek”/)).toBeVisible();
  await fail();
  await expect.poll(async () => (await known())[0]?.seen).toBe(2);
  await page.reload();
  await expect(page.getByText(/Önceki kapanış notu/)).toBeVisible();
  await expect(
    page.getByRole('button', { name: say('money-in', 'failed.close'), exact: true }),
  ).toBeVisible();
});

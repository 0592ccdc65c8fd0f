import { expect, test, type Desk } from './story.ts';
import { newPayee } from './payee.ts';
import { expectState, send, wanted } from './payout.ts';
import { sandbox } from './sandbox.ts';

/**
 * One search box for everything: keys open it, words describe what is searched, and our own records
 * answer first.
 */

const CARD = '4111 1111 1111 1111';

async function openBox({ page, say }: Desk) {
  const box = page.getByRole('combobox', { name: say('search', 'label') });
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(box).toBeFocused({ timeout: 2_000 });
  }).toPass();
  return box;
}

test('keys alone find a payee by any i, an IBAN in any shape and our reference, and open the row', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const mark = Date.now()
    .toString(36)
    .replace(/\d/g, (digit) => 'ğüşiöçıbcd'[Number(digit)]!);
  const payee = { ...newPayee(), name: `Işıl Diş ${mark}` };
  // Whole liras: the sandbox reads an outcome from some kuruş.
  const id = await send(desk, wanted({ payee, amountMinor: (4_321 + (Date.now() % 90)) * 100 }));
  await expectState(desk, 'COMPLETED');
  await page.goto('/wallets');
  const box = await openBox(desk);
  await expect(page.getByText(say('search', 'empty.title'))).toBeVisible();
  const found = page.getByRole('option', { name: payee.name }).first();
  for (const text of [`ISIL DIS ${mark.toUpperCase()}`, `ışıl ${mark}`]) {
    await box.fill(text);
    await expect(found).toBeVisible();
    await expect(page.getByRole('dialog').getByRole('status').first()).toHaveText(
      'Ad olarak arandı',
    );
    await box.fill('');
  }
  await box.fill(payee.iban.toLowerCase().replace(/(.{4})/g, '$1 '));
  await expect(page.getByRole('dialog').getByRole('status').first()).toHaveText(
    'IBAN olarak arandı',
  );
  await expect(found).toHaveAttribute('aria-selected', 'true');
  await expect(box).toHaveAttribute('aria-activedescendant', (await found.getAttribute('id'))!);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/payouts/${id}$`));
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const again = await openBox(desk);
  // The tab keeps recent searches, for this person only.
  await expect(page.getByRole('group', { name: say('search', 'groups.recent') })).toContainText(
    payee.iban.toLowerCase().slice(0, 4),
  );
  await again.fill('1.234');
  await expect(page.getByRole('dialog').getByRole('status').first()).toHaveText(
    'Tutar (1.234,00 veya 1,23) olarak arandı',
  );
  await page.keyboard.press('Escape');
  await expect(again).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(again).toHaveCount(0);
});

test('a card number is refused in the browser: nothing that was typed of it is sent, whole or half', async ({
  sitDown,
}) => {
  const desk = await sitDown('can');
  const { page, say } = desk;
  await page.goto('/');
  const box = await openBox(desk);
  await expect(page.getByText(say('search', 'empty.title'))).toBeVisible();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await box.pressSequentially(CARD, { delay: 90 });
  await expect(page.getByRole('dialog').getByText(say('search', 'card'))).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.goto('/search');
  await page.getByRole('searchbox', { name: say('search', 'label') }).fill(CARD);
  await page.getByRole('searchbox', { name: say('search', 'label') }).press('Enter');
  await expect(page.getByRole('alert').getByText(say('search', 'card'))).toBeVisible();
  expect(sent.filter((one) => /4111[\s+%20]*1111[\s+%20]*1111/.test(one))).toEqual([]);
  // Without scripts the number is in the address once, until a redirect removes it.
  await page.goto(`/search?q=${encodeURIComponent(CARD)}`);
  await expect(page).toHaveURL(/\/search\?card=1$/);
  await expect(page.getByText(say('search', 'card'))).toBeVisible();
});

test('the search page works without scripts, asks the provider, and shows support no whole IBAN', async ({
  sitDown,
  browser,
}) => {
  const desk = await sitDown('can');
  const other = await sitDown('ayse');
  const want = wanted();
  await send(other, want);
  await expectState(other, 'COMPLETED');
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await desk.context.storageState(),
    baseURL: desk.origin,
    locale: 'tr-TR',
  });
  try {
    const page = await plain.newPage();
    await page.goto('/search');
    await page.getByRole('searchbox').fill(want.payee.iban);
    await page.getByRole('searchbox').press('Enter');
    await expect(page.getByText('IBAN olarak arandı')).toBeVisible();
    const row = page.getByRole('link', { name: want.payee.name }).first();
    await expect(row).toContainText(`TR**…${want.payee.iban.slice(-4)}`);
    expect(await page.getByRole('main').innerText()).not.toContain(want.payee.iban.slice(4, 20));
    await page.getByRole('link', { name: desk.say('search', 'askProvider') }).click();
    await expect(
      page.getByRole('heading', { name: desk.say('search', 'groups.providerWithdrawals') }),
    ).toBeVisible();
    await sandbox.fault({
      operation: 'SummaryRecordByFilter',
      kind: 'status',
      status: 503,
      times: 100,
    });
    await page.goto('/search?q=7999999999999999998');
    await page.getByRole('link', { name: desk.say('search', 'askProvider') }).click();
    await expect(page.getByText(desk.say('search', 'providerSilent'))).toBeVisible();
  } finally {
    await plain.close();
  }
});

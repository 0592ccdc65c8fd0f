import { expect, test } from './story.ts';
import { intentsTo } from './database.ts';
import {
  COMMERCIAL,
  expectPaidOnce,
  expectState,
  fillPayout,
  formFields,
  goToReview,
  pressSend,
  send,
  sendButton,
  typed,
  wanted,
  showWallets,
} from './payout.ts';
import { grouped, newIban } from './payee.ts';
import { sandbox } from './sandbox.ts';

const PERSONAL = '07';

test('every field refuses with a sentence that says what is wrong, and keeps what was typed', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page } = desk;
  const fields = formFields(desk);
  const error = (code: string) => desk.like('payout-errors', `errors.${code}`);
  const good = newIban();
  const oneDigitWrong = `${good.slice(0, -1)}${(Number(good.at(-1)) + 1) % 10}`;
  const cases = [
    [fields.iban, good.slice(0, 22), /^26 karakterin 22'si yazıldı/],
    [fields.iban, oneDigitWrong, error('iban_check_digits')],
    [fields.iban, `DE${good.slice(2)}`, error('iban_not_tr')],
    [fields.name, 'A', error('name_too_short')],
    [fields.taxNumber, '1234567891', /^VKN kontrol hanesi tutmuyor/],
    [fields.amount, '0', error('amount_zero')],
    [fields.amount, '-5', error('amount_negative')],
    [fields.amount, '12,345', error('amount_ambiguous')],
    [fields.amount, '1,2345', error('amount_too_many_decimals')],
    [fields.amount, 'on lira', error('amount_not_a_number')],
  ] as const;
  await page.goto('/payouts/new');
  for (const [field, text, sentence] of cases) {
    await field.fill(text);
    await field.blur();
    await expect(field, text).toHaveAttribute('aria-invalid', 'true');
    const described = (await field.getAttribute('aria-describedby'))!
      .split(' ')
      .map((id) => `[id="${id}"]`)
      .join(', ');
    await expect(page.locator(described).filter({ hasText: sentence })).toBeVisible();
    expect((await field.inputValue()).replaceAll(' ', ''), 'what was typed stays').toBe(
      text.replaceAll(' ', ''),
    );
  }
  await fields.paymentType.selectOption(PERSONAL);
  await fields.description.fill('on dokuz karakter 1');
  await fields.description.blur();
  await expect(
    page
      .getByText(desk.like('payout-errors', 'findings.description_too_short'))
      .filter({ visible: true })
      .first(),
  ).toBeVisible();
  await fields.goOn.click();
  await expect(page.getByRole('button', { name: /gönder$/ })).toHaveCount(0);
});

test('an IBAN and an amount are taken as people paste them, and are shown as they were understood', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page } = desk;
  const fields = formFields(desk);
  const want = wanted({ amountMinor: 1_240_000 });
  await fillPayout(desk, want);
  await fields.iban.fill(`IBAN: ${want.payee.iban.toLowerCase().replace(/(.{4})/g, '$1-')} `);
  await expect(fields.iban).toHaveValue(grouped(want.payee.iban));
  await expect(
    page.getByText('IBAN geçerli · Garanti BBVA').filter({ visible: true }).first(),
  ).toBeVisible();
  await fields.amount.fill('12.400');
  await fields.amount.blur();
  await expect(fields.amount).toHaveValue('12.400,00');
  await expect(
    page
      .getByText('on iki bin dört yüz Türk lirası')
      .or(page.getByText(/on iki bin dört yüz/))
      .filter({ visible: true })
      .first(),
  ).toBeVisible();
  // The form asks what an ambiguous amount means, and never guesses.
  await fields.amount.fill('12,400');
  await fields.amount.blur();
  await page
    .getByRole('group', { name: desk.say('new-payout', 'amount.ambiguous') })
    .getByRole('button', { name: '₺12.400,00' })
    .click();
  await expect(fields.amount).toHaveValue('12.400,00');
  await goToReview(desk, want);
  await pressSend(desk, want);
  await expectState(desk, 'COMPLETED');
  await expectPaidOnce(want);
});

test('the summary says what leaves, what stays and what is unusual before the button is there', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const want = wanted({ amountMinor: 1_240_000 });
  await fillPayout(desk, want);
  const summary = page
    .getByRole('complementary', { name: say('new-payout', 'summary.title') })
    .filter({ visible: true });
  for (const words of [
    'summary.fee',
    'summary.leaves',
    'summary.available',
    'summary.after',
    'summary.checks',
  ])
    await expect(summary.getByText(say('new-payout', words)).first()).toBeVisible();
  await expect(summary.getByText('₺12.400,00').first()).toBeVisible();
  await expect(summary.getByText(say('payout-errors', 'findings.first_payment'))).toBeVisible();
  await goToReview(desk, want);
  await page.reload();
  await expect(formFields(desk).name, 'kept over a reload in the review').toHaveValue(
    want.payee.name,
  );
  await expect(formFields(desk).amount).toHaveValue(typed(want.amountMinor, desk.language));
  // For an amount above the balance the form has no button.
  await formFields(desk).amount.fill('900.000.000,00');
  await expect(
    summary.getByText(desk.like('payout-errors', 'findings.insufficient_balance')),
  ).toBeVisible();
  await formFields(desk).goOn.click();
  await expect(page.getByRole('button', { name: /gönder$/ })).toHaveCount(0);
  // A blocked wallet is listed with its reason and cannot be chosen.
  await showWallets(desk);
  const blocked = formFields(desk).wallet('Teminat Cüzdanı');
  await expect(blocked).toBeDisabled();
  await expect(page.getByText(say('new-payout', 'wallet.access.blocked'))).toBeVisible();
});

test('a repeated amount to one recipient needs a tick and a reason, and waits a minute for its button', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say, like } = desk;
  const want = wanted();
  await send(desk, want);
  await expectState(desk, 'COMPLETED');
  await fillPayout(desk, want);
  const warning = page.getByRole('checkbox', { name: /aynı tutar son 7 günde.*₺123,00/ });
  await expect(warning).not.toBeChecked();
  await formFields(desk).goOn.click();
  await expect(sendButton(desk, want)).toHaveCount(0);
  await warning.check();
  const reason = page.getByLabel(say('new-payout', 'overrides.reason'), { exact: true });
  await reason.fill('kısa');
  await formFields(desk).goOn.click();
  await expect(page.getByText(like('payout-errors', 'errors.reason_too_short'))).toBeVisible();
  await page
    .getByRole('button', { name: say('payout-errors', 'reasons.separate_invoice') })
    .click();
  await goToReview(desk, want);
  // The provider refuses a second payout to one IBAN within a minute (326): the form shows the
  // remaining seconds and keeps its button disabled until then.
  const countdown = page.getByText(/^\d+ sn sonra gönderilebilir$/);
  const left = async () => Number.parseInt(await countdown.innerText(), 10);
  const first = await left();
  expect(first).toBeLessThanOrEqual(65);
  await expect.poll(left).toBeLessThan(first);
  await expect(sendButton(desk, want)).toHaveAttribute('aria-disabled', 'true');
  await sendButton(desk, want).click({ force: true });
  expect(await intentsTo(want.payee.iban)).toHaveLength(1);
});

test('nothing is sent without a fresh balance; the form says so, keeps its input, and continues later', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const want = wanted();
  await fillPayout(desk, want);
  await sandbox.fault({ operation: 'ListByFilter', kind: 'status', status: 503, times: 1_000 });
  await sandbox.fault({ operation: 'Info', kind: 'status', status: 503, times: 1_000 });
  await formFields(desk).goOn.click();
  const message = page
    .getByText(say('new-payout', 'review.changed'))
    .or(page.getByRole('alert').filter({ hasText: say('refusals', 'wallet_unverified') }));
  await expect(async () => {
    if (await sendButton(desk, want).isVisible())
      await sendButton(desk, want).click({ force: true, timeout: 1_000 });
    await expect(message.first()).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
  expect(await intentsTo(want.payee.iban)).toEqual([]);
  await sandbox.calm();
  await formFields(desk).edit.click();
  await expect(formFields(desk).name).toHaveValue(want.payee.name);
  const again = page.getByRole('button', { name: say('new-payout', 'wallet.ask') });
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 2_000 });
    if (await formFields(desk).goOn.isVisible())
      await formFields(desk).goOn.click({ timeout: 2_000 });
    await expect(sendButton(desk, want)).toBeEnabled({ timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
  await pressSend(desk, want);
  await expectState(desk, 'COMPLETED');
  await expectPaidOnce(want);
});

test('a saved recipient fills the form, and the list finds the payout by name, IBAN, reference and amount', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const want = wanted({ amountMinor: 345_600 });
  await send(desk, want);
  await expectState(desk, 'COMPLETED');
  const { ext_id: extId } = (await intentsTo(want.payee.iban))[0]!;
  await page.goto('/payouts/new');
  await page
    .getByRole('combobox', { name: say('new-payout', 'recipient.search') })
    .fill(want.payee.name.slice(0, -2));
  await page.getByRole('option', { name: new RegExp(want.payee.name) }).click();
  await expect(formFields(desk).iban).toHaveValue(grouped(want.payee.iban));
  await expect(formFields(desk).taxNumber).toHaveValue(want.payee.taxNumber);
  const found = page.getByRole('main').getByRole('link', { name: want.payee.name, exact: true });
  await page.goto('/payouts');
  await page
    .getByRole('main')
    .getByLabel(say('payouts', 'filter.text'))
    .fill(want.payee.name.toLowerCase());
  await page
    .getByRole('main')
    .getByRole('button', { name: say('payouts', 'filter.apply'), exact: true })
    .click();
  await expect(page).toHaveURL(/\?.*q=/);
  await expect(found).toBeVisible();
  for (const text of [grouped(want.payee.iban), extId, '3.456']) {
    await page.goto(`/payouts?q=${encodeURIComponent(text)}`);
    await expect(found).toBeVisible();
  }
  await page.goto('/payouts?q=nobody-is-called-this');
  await expect(page.getByText(say('payouts', 'emptyFilter.title'))).toBeVisible();
  await expect(page.getByRole('main').getByRole('table')).toHaveCount(0);
});

test('the form begins with the recipient, is no more than a screen high, and repeats the last payout', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const want = wanted();
  await send(desk, want);
  await expectState(desk, 'COMPLETED');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/payouts/new');
  const fields = formFields(desk);
  await expect(page.locator('main form input').first()).toBeFocused();
  await expect(fields.wallet(want.walletName), 'as last time').toBeChecked();
  const height = async () => (await page.getByRole('main').getByRole('form').boundingBox())!.height;
  expect(await height()).toBeLessThanOrEqual(700);
  // The other wallets are folded; choosing one folds them again.
  await expect(page.getByRole('main').getByRole('radio')).toHaveCount(1);
  await showWallets(desk);
  await page.getByText('Maaş Ödemeleri').click();
  await expect(page.getByRole('main').getByRole('radio')).toHaveCount(1);
  await expect(fields.wallet('Maaş Ödemeleri')).toBeChecked();
  await showWallets(desk);
  await page.getByText(want.walletName, { exact: true }).click();
  await expect(fields.wallet(want.walletName)).toBeChecked();
  // With a recent recipient, one press, an amount and Enter lead to the review.
  const recent = page.getByRole('list', { name: say('new-payout', 'recipient.recent') });
  await recent.getByRole('button', { name: want.payee.name }).click();
  await expect(fields.paymentType).toHaveValue(COMMERCIAL);
  await expect(fields.amount).toBeFocused();
  await page.keyboard.type('45,67');
  await page.keyboard.press('Enter');
  await expect(sendButton(desk, { ...want, amountMinor: 4_567 })).toBeVisible();
  await page.goto('/payouts/new');
  await page
    .getByRole('link', { name: say('new-payout', 'repeat', { name: want.payee.name }) })
    .click();
  await expect(page).toHaveURL(/repeat=/);
  await expect(fields.iban).toHaveValue(/^TR/);
  await expect(fields.name).toHaveValue(want.payee.name);
  await expect(fields.amount).toHaveValue(typed(want.amountMinor, 'tr'));
  await expect(fields.description).toHaveValue(want.description);
  await expect(fields.paymentType).toHaveValue(COMMERCIAL);
  const warning = page.getByRole('checkbox', { name: /aynı tutar son 7 günde/ });
  await expect(warning).toBeVisible();
  expect(await height(), 'complete, with what the checks found').toBeLessThanOrEqual(1_000);
  await fields.goOn.click();
  // The same amount to the same account a minute later needs a confirmation: the warning is shown
  // before the review, or in the review when the look-up answers later.
  const asks = page.getByText(say('new-payout', 'review.changed'));
  await expect(
    asks.or(page.getByText(say('new-payout', 'problems.reasons'))).first(),
  ).toBeVisible();
});

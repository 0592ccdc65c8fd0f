import { expect, pressUntil, test, type Desk } from './story.ts';
import { rows } from './database.ts';
import { grouped, newIban } from './payee.ts';
import { expectState, fillPayout, formFields, send, sendButton, wanted } from './payout.ts';

async function openRecipient({ page, say }: Desk, search: string, name: string): Promise<void> {
  await page.goto('/recipients');
  const field = page.getByLabel(say('recipients', 'search'), { exact: true });
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(field).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await field.fill(search);
  await field.press('Enter');
  await expect(page).toHaveURL(/\?q=/);
  const link = page.getByRole('main').getByRole('link', { name, exact: true });
  await expect(link).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();
  await expect(async () => {
    await page.keyboard.press('j');
    await expect(link).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

test('a payee enters the book by itself, is found by any i, renamed, archived and paid again', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const want = wanted({ amountMinor: 78_900 });
  await send(desk, want);
  await expectState(desk, 'COMPLETED');
  const { name } = want.payee;
  await expect(page.getByRole('link', { name: say('payout', 'facts.history') })).toHaveAttribute(
    'href',
    /^\/recipients\/[0-9a-f-]{36}$/,
  );
  await openRecipient(desk, name.toUpperCase().replaceAll('İ', 'I'), name);
  const main = page.getByRole('main');
  await expect(main.getByText(/^1 ödeme ulaştı · /)).toBeVisible();
  await expect(main.getByText(grouped(want.payee.iban)).first()).toBeVisible();
  // A clerk may pay, and may not change the account of a saved name.
  await expect(
    main.getByRole('button', { name: new RegExp(say('recipients', 'one.change')) }),
  ).toHaveCount(0);
  const dialog = page.getByRole('dialog');
  await pressUntil(
    main.getByRole('button', { name: say('recipients', 'one.edit'), exact: true }),
    dialog,
  );
  await dialog.getByLabel(say('recipients', 'one.tax'), { exact: true }).fill('1234567891');
  await dialog.getByRole('button', { name: say('recipients', 'one.save') }).click();
  await expect(dialog.getByText(/^VKN kontrol hanesi tutmuyor/)).toBeVisible();
  await dialog.getByLabel(say('recipients', 'one.tax'), { exact: true }).fill(want.payee.taxNumber);
  await dialog.getByLabel(say('recipients', 'one.name'), { exact: true }).fill(`${name} Limited`);
  await dialog.getByRole('button', { name: say('recipients', 'one.save') }).click();
  await expect(page.getByRole('heading', { level: 1, name: `${name} Limited` })).toBeVisible();
  expect(await rows('SELECT name FROM movements WHERE iban = $1', [want.payee.iban])).toEqual([
    { name },
  ]);
  await main.getByRole('button', { name: say('recipients', 'one.archive'), exact: true }).click();
  await expect(main.getByText(desk.like('recipients', 'one.archivedText'))).toBeVisible();
  await expect(
    main.getByRole('link', { name: say('recipients', 'one.pay'), exact: true }),
  ).toHaveCount(0);
  await main.getByRole('button', { name: say('recipients', 'one.restore'), exact: true }).click();
  await main
    .getByRole('link', { name: say('recipients', 'one.pay'), exact: true })
    .first()
    .click();
  await expect(formFields(desk).iban).toHaveValue(grouped(want.payee.iban));
  await expect(formFields(desk).name).toHaveValue(`${name} Limited`);
  await expect(formFields(desk).taxNumber).toHaveValue(want.payee.taxNumber);
});

test('a changed account is pointed out to its next payer, who has to tick it and give a reason', async ({
  sitDown,
}) => {
  const clerk = await sitDown('ayse');
  const want = wanted({ amountMinor: 45_600 });
  await send(clerk, want);
  await expectState(clerk, 'COMPLETED');
  const approver = await sitDown('mehmet');
  await openRecipient(approver, want.payee.iban.slice(-8), want.payee.name);
  const change = approver.page.getByRole('button', {
    name: approver.like('recipients', 'one.changeOne'),
  });
  await pressUntil(change, approver.page.getByRole('dialog'));
  const next = newIban();
  await approver.page
    .getByRole('dialog')
    .getByLabel(approver.say('recipients', 'one.number'))
    .fill(grouped(next).toLowerCase());
  await expect(approver.page.getByRole('dialog').getByText('Garanti BBVA')).toBeVisible();
  await approver.page
    .getByRole('dialog')
    .getByRole('button', { name: approver.say('recipients', 'one.save') })
    .click();
  await expect(approver.page.getByText(/Mehmet Kaya değiştirdi\. Önceki: /)).toBeVisible();
  const elsewhere = { ...want, payee: { ...want.payee, iban: next }, amountMinor: 45_700 };
  await fillPayout(clerk, elsewhere);
  const caution = clerk.page.getByRole('checkbox', {
    name: /kaydının IBAN'ını Mehmet Kaya değiştirdi \(.*\)\. Önceki: TR/,
  });
  await expect(caution).not.toBeChecked();
  await formFields(clerk).goOn.click();
  await expect(sendButton(clerk, elsewhere)).toHaveCount(0);
  // A role that may not see full numbers sees neither number in full, and cannot change anything.
  const support = await sitDown('can');
  await openRecipient(support, want.payee.name, want.payee.name);
  await expect(support.page.getByText(`TR**…${next.slice(-4)}`).first()).toBeVisible();
  expect((await support.page.getByRole('main').innerText()).replaceAll(' ', '')).not.toMatch(
    new RegExp(`${next.slice(4)}|${want.payee.iban.slice(4)}|${want.payee.taxNumber}`),
  );
  await expect(
    support.page.getByRole('main').getByRole('button', {
      name: new RegExp(
        ['one.change', 'one.archive', 'one.edit']
          .map((key) => support.say('recipients', key))
          .join('|'),
      ),
    }),
  ).toHaveCount(0);
});

import { openDraft, expectReady, sendBatch } from './batch-rows.ts';
import { rows } from './database.ts';
import { newIban, newTaxNumber } from './payee.ts';
import { typed } from './payout.ts';
import { expect, test } from './story.ts';
import { executedOnce, wantedTransfer } from './transfer.ts';

/** People whose wallets are paid in the same file as accounts of banks. */

const HEADINGS = ['Alıcı Adı', 'IBAN', 'VKN', 'Tutar', 'Açıklama', 'Cüzdan / Telefon'];

test('a person found by phone is paid in a file of IBANs', async ({ sitDown }) => {
  test.setTimeout(180_000);
  const desk = await sitDown('ayse', { narrow: true });
  const { page, say } = desk;
  const [own, other] = [newIban(), newIban()];
  const want = await wantedTransfer('transfer_person');
  const firm = `Uludağ ${other.slice(-6)}`;
  const amount = typed(want.amountMinor, 'tr');
  await openDraft(
    desk,
    [
      [want.name, own, '', amount, want.description, `0${want.phone}`],
      [firm, other, newTaxNumber(), '210,40', 'Kasım faturası', ''],
    ],
    HEADINGS,
  );

  // An IBAN and a phone number in one row: the person says which of them is meant.
  const main = page.getByRole('main');
  const rowOf = (name: string) =>
    main
      .getByRole('table', { name: say('batches', 'rows.caption'), exact: true })
      .locator('tr.row')
      .filter({ hasText: name });
  const person = rowOf(want.name);
  await expect(person).toContainText(say('batch-file', 'errors.person_and_iban'));
  const about = { field: say('batch-file', 'fields.iban'), row: 2 };
  const edit = new RegExp(`${say('batches', 'cell.edit', about)}$`);
  // The row is drawn anew with the payment type of all rows, and with the draft's next version.
  await expect(person).toContainText(say('batches', 'rows.forAll'));
  await page.getByRole('button', { name: edit }).click();
  const field = page.getByLabel(say('batches', 'cell.field', about), { exact: true });
  await field.fill('');
  await page.keyboard.press('Enter');
  await expect(field).toHaveCount(0);
  await expectReady(desk);
  await expect(person).toContainText('+90 533 000 02 01');

  await sendBatch(desk);
  const done = say('states', 'COMPLETED');
  await expect(rowOf(firm)).toContainText(done, { timeout: 40_000 });
  await expect(person).toContainText(done, { timeout: 40_000 });
  await expect(person).toContainText('+90 533 000 02 01');
  await expect(person).toContainText('El** Şa***');

  const [paid] = await rows<{ id: string; to_wallet: string; iban: string }>(
    'SELECT id, to_wallet, iban FROM movements WHERE description = $1',
    [want.description],
  );
  expect(paid).toMatchObject({ to_wallet: want.toWallet, iban: '' });
  await executedOnce(paid!.id, 'transfer_person');
  await person.getByRole('link', { name: want.name }).click();
  await expect(page).toHaveURL(new RegExp(`/transfers/${paid!.id}$`));
});

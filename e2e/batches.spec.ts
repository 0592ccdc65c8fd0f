import type { Page } from '@playwright/test';
import { cookieOf } from './call-action.ts';
import { rows } from './database.ts';
import { newIban, newTaxNumber } from './payee.ts';
import { COMMERCIAL, MAIN_WALLET } from './payout.ts';
import { expect, expectFollowed, test, type Desk } from './story.ts';
import { BASE_URL } from './surroundings.ts';

const HEADINGS = ['Alıcı Adı', 'IBAN', 'VKN', 'Tutar', 'Açıklama'];
/** The letters of Turkish that Windows-1254 has where ISO 8859-1 has others. */
const WINDOWS_1254: Record<string, number> = {
  ...{ ğ: 0xf0, Ğ: 0xd0, ı: 0xfd, İ: 0xdd, ş: 0xfe, Ş: 0xde },
};

/** A file as Turkish Excel saves CSV: semicolons, Windows-1254. */
function turkishCsv(lines: readonly (readonly string[])[]): Buffer {
  const text = [HEADINGS, ...lines].map((cells) => `${cells.join(';')}\r\n`).join('');
  return Buffer.from(Array.from(text, (one) => WINDOWS_1254[one] ?? one.charCodeAt(0)));
}

/** A tax number that begins with a zero. */
function zeroTaxNumber(): string {
  for (;;) {
    const number = newTaxNumber();
    const nine = `0${number.slice(1, 9)}`;
    for (let last = 0; last < 10; last++) if (isVkn(`${nine}${last}`)) return `${nine}${last}`;
  }
}

function isVkn(number: string): boolean {
  let sum = 0;
  for (let place = 1; place <= 9; place++) {
    const shifted = (Number(number[place - 1]) + 10 - place) % 10;
    sum += shifted === 9 ? 9 : (shifted * 2 ** (10 - place)) % 9;
  }
  return (10 - (sum % 10)) % 10 === Number(number[9]);
}

async function upload({ page, say }: Desk, name: string, buffer: Buffer): Promise<void> {
  await page.goto('/batches/new');
  const file = page.getByLabel(say('batches', 'upload.file'), { exact: true });
  await expectFollowed(file);
  await page.getByLabel(say('batches', 'upload.wallet')).selectOption(MAIN_WALLET.number);
  await file.setInputFiles({ name, mimeType: 'text/csv', buffer });
  await expect(page).toHaveURL(/\/batches\/[0-9a-f-]{36}$/);
}

/** The line of one row of the file. */
const lineOf = (page: Page, row: number) =>
  page.getByRole('row').filter({ has: page.getByText(String(row), { exact: true }).first() });

async function type({ page, say }: Desk, row: number, field: string, text: string): Promise<void> {
  const about = { field: say('batch-file', `fields.${field}`), row };
  const edit = say('batches', 'cell.edit', about);
  await page.getByRole('button', { name: new RegExp(`${edit}$`) }).click();
  await page.getByLabel(say('batches', 'cell.field', about), { exact: true }).fill(text);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel(say('batches', 'cell.field', about), { exact: true })).toHaveCount(
    0,
  );
}

test('a file of Turkish Excel is repaired cell by cell until every row is ready', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const [first, lost, third] = [newIban(), newIban(), newIban()];
  const tax = zeroTaxNumber();
  const file = turkishCsv([
    [`Işıl Öğütçü ${first.slice(-6)}`, first, newTaxNumber(), '1.234', 'Kasım faturası 1'],
    [`Şafak Gıda ${lost.slice(-6)}`, '3,30006E+24', newTaxNumber(), '250', 'Kasım faturası 2'],
    [`Ağrı Nakliyat ${third.slice(-6)}`, third, tax.slice(1), '75', 'Kasım faturası 3'],
  ]);
  await page.goto('/batches');
  await upload(desk, 'kasım ödemeleri.csv', file);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('kasım ödemeleri.csv');

  // The rows lack a payment type: it is named once for all of them.
  await page.getByLabel(say('batches', 'settings.type')).selectOption(COMMERCIAL);
  await page.getByRole('button', { name: say('batches', 'settings.save'), exact: true }).click();
  await expect(page.getByText(say('batches', 'settings.saved'), { exact: true })).toBeVisible();
  await expect(page.getByText('2 satır sizi bekliyor', { exact: false })).toBeVisible();

  // Problems first: the amount that can be read in two ways, and the IBAN that lost its digits.
  await expect(lineOf(page, 2)).toContainText(say('batch-file', 'asks.amount_ambiguous'));
  await expect(lineOf(page, 3)).toContainText(say('batch-file', 'errors.iban_digits_lost'));
  await page
    .getByRole('button', {
      name: say('batches', 'cell.choose', {
        value: '₺1.234,00',
        field: say('batch-file', 'fields.amount'),
        row: 2,
      }),
      exact: true,
    })
    .click();
  await expect(page.getByText('1 satır sizi bekliyor', { exact: false })).toBeVisible();

  // What is wrong stays as it was typed, with the words of the form for one payout.
  await page
    .getByRole('button', { name: desk.like('batches', 'cell.edit') })
    .first()
    .waitFor();
  await type(desk, 3, 'iban', lost.slice(0, 10));
  await expect(lineOf(page, 3)).toContainText("26 karakterin 10'u yazıldı");
  await expect(lineOf(page, 3).locator('del')).toContainText('3,30006E+24');
  await type(desk, 3, 'iban', lost);
  await expect(page.getByText(say('batches', 'summary.ready'), { exact: true })).toBeVisible();

  // The repaired tax number is shown beside the file's, with undo.
  await page.getByRole('link', { name: desk.like('batches', 'rows.shows.repaired') }).click();
  await expect(page).toHaveURL(/show=repaired/);
  const third3 = lineOf(page, 4);
  await expect(third3.locator('del')).toContainText(tax.slice(1));
  await expect(third3).toContainText(tax);
  await expect(third3).toContainText(say('batch-file', 'marks.leading_zero'));
  const main = page.getByRole('main');
  await expect(main).toContainText('₺1.559,00');
  await expect(main).toContainText(say('batches', 'summary.first'));
  const about = { field: say('batch-file', 'fields.taxNumber'), row: 4 };
  await page
    .getByRole('button', { name: say('batches', 'cell.undoOne', about), exact: true })
    .click();
  await expect(page.getByText('1 satır sizi bekliyor', { exact: false })).toBeVisible();
  await page.getByRole('link', { name: desk.like('batches', 'rows.shows.problems') }).click();
  await page
    .getByRole('button', { name: say('batches', 'cell.restoreOne', about), exact: true })
    .click();
  await expect(page.getByText(say('batches', 'summary.ready'), { exact: true })).toBeVisible();

  // Everything is still there after a reload, and nothing was prepared or sent.
  await page.reload();
  await expect(page.getByText(say('batches', 'summary.ready'), { exact: true })).toBeVisible();
  expect(
    await rows('SELECT 1 FROM movements WHERE iban = ANY($1)', [[first, lost, third]]),
  ).toEqual([]);
});

test('two tabs, the same file again, rows of their own draft, and the end of a draft', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse', { narrow: true });
  const { page, say } = desk;
  const file = turkishCsv([
    ['Birinci Satır', newIban(), newTaxNumber(), '10,00', 'Fatura 1'],
    ['İkinci Satır', 'TR12', newTaxNumber(), '20,00', 'Fatura 2'],
  ]);
  await upload(desk, 'aynı.csv', file);
  const first = page.url();
  await page.getByLabel(say('batches', 'settings.type')).selectOption(COMMERCIAL);
  await page.getByRole('button', { name: say('batches', 'settings.save'), exact: true }).click();
  await expect(page.getByText('1 satır sizi bekliyor', { exact: false })).toBeVisible();

  // The other tab was first: this one is told so, and what was typed is still in its field.
  const other = await desk.context.newPage();
  await other.goto(first);
  await type({ ...desk, page: other }, 3, 'name', 'Öbür Sekme');
  const about = { field: say('batch-file', 'fields.iban'), row: 3 };
  const iban = newIban();
  await page
    .getByRole('button', { name: new RegExp(`${say('batches', 'cell.edit', about)}$`) })
    .click();
  const field = page.getByLabel(say('batches', 'cell.field', about), { exact: true });
  await field.fill(iban);
  await page.keyboard.press('Enter');
  await expect(page.getByText(say('refusals', 'batch_changed'), { exact: true })).toBeVisible();
  await expect(field).toHaveValue(iban);
  await expect(page.getByText('Öbür Sekme').first()).toBeVisible();
  await other.close();
  await page.getByRole('button', { name: say('batches', 'cell.cancel'), exact: true }).click();

  // The row with the problem becomes a draft of its own.
  await page.getByRole('button', { name: /ayrı taslak yap$/ }).click();
  await page
    .getByRole('button', { name: say('batches', 'rows.splitConfirm'), exact: true })
    .click();
  await expect(page).not.toHaveURL(first);
  await expect(page.getByText('Öbür Sekme').first()).toBeVisible();
  await expect(page.getByText('Birinci Satır')).toHaveCount(0);
  await page.goto(first);
  await expect(page.getByText(say('batches', 'summary.ready'), { exact: true })).toBeVisible();

  // The same file again is said, with a link to the draft that has it.
  await upload(desk, 'aynı.csv', file);
  await page.getByRole('link', { name: say('batches', 'draft.same.open'), exact: true }).click();
  await expect(page).toHaveURL(first);
  await page.getByRole('button', { name: say('batches', 'rows.discard'), exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('batches', 'rows.discardConfirm'), exact: true })
    .click();
  await expect(page).toHaveURL('/batches');
  await page.goto(first);
  await expect(page.getByText(say('batches', 'draft.gone'), { exact: true })).toBeVisible();
});

test('a file is refused in a sentence, and taken from people who prepare payouts only', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  await page.goto('/batches/new');
  const file = page.getByLabel(say('batches', 'upload.file'), { exact: true });
  await expectFollowed(file);
  await file.setInputFiles({
    name: 'ödemeler.xlsx',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7'),
  });
  await expect(
    page.getByText(say('refusals', 'file_renamed', { name: 'xlsx', found: 'PDF' })),
  ).toBeVisible();
  for (const format of ['xlsx', 'csv']) {
    const name = say('batches', 'upload.template', {
      format: format.toUpperCase(),
      language: say('batches', 'upload.languages.tr'),
    });
    const taken = page.waitForEvent('download');
    await page.getByRole('link', { name, exact: true }).click();
    expect((await taken).suggestedFilename()).toBe(`toplu-odeme-sablonu.${format}`);
  }
  const before = await rows('SELECT 1 FROM batches');
  const cookie = await cookieOf(await sitDown('can'));
  const answer = await fetch(`${BASE_URL}/api/batches?wallet=${MAIN_WALLET.number}`, {
    method: 'POST',
    headers: {
      ...{ cookie, origin: BASE_URL, 'sec-fetch-site': 'same-origin' },
      'content-type': 'application/octet-stream',
    },
    body: 'IBAN;Tutar\n',
  });
  expect(answer.status).toBe(403);
  expect(await rows('SELECT 1 FROM batches')).toEqual(before);
});

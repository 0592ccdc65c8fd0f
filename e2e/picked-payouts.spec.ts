import { readFileSync } from 'node:fs';
import { readCsv, unzip } from '../lib/exports/testing/unzip.ts';
import { rows } from './database.ts';
import { newPayee } from './payee.ts';
import { expectState, send, wanted } from './payout.ts';
import { sandbox } from './sandbox.ts';
import { expect, test, type Desk } from './story.ts';

/**
 * People tick rows of the list of payouts, to export them, take their receipts, and ask about them
 * again.
 */

/**
 * Sends two payouts that complete and a third that the bank does not answer. Both lists have the
 * newest first.
 */
async function sendThree(desk: Desk): Promise<{ search: string; names: string[]; ids: string[] }> {
  const search = `Seçim${newPayee().iban.slice(-8)}`;
  const names = ['Bir', 'İki', 'Üç'].map((last) => `${search} ${last}`);
  const ids: string[] = [];
  for (const name of names) {
    if (name.endsWith('Üç')) await sandbox.bankMode('manual');
    ids.push(await send(desk, wanted({ payee: { ...newPayee(), name } })));
    await expectState(desk, name.endsWith('Üç') ? 'PENDING' : 'COMPLETED');
  }
  return { search, names: names.toReversed(), ids: ids.toReversed() };
}

test('ticked payouts are exported, their receipts taken as one file, and asked about again', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const { search, names, ids } = await sendThree(desk);
  const list = `/payouts?q=${encodeURIComponent(search)}&sort=-date`;
  const box = (name: string) =>
    page.getByRole('checkbox', { name: say('payouts', 'table.pickOne', { name }) });
  const bar = page.getByRole('form', { name: say('payout-picks', 'label') });
  const tickAll = async (): Promise<void> => {
    await page.goto(list);
    // Until the page is hydrated, a tick is not counted.
    await expect(async () => {
      await page.getByRole('checkbox', { name: say('payouts', 'table.pickPage') }).uncheck();
      await page.getByRole('checkbox', { name: say('payouts', 'table.pickPage') }).check();
      await expect(bar.getByText(/^3 /)).toBeVisible({ timeout: 1_000 });
    }).toPass();
  };

  await tickAll();
  await box(names[1]!).uncheck();
  await expect(bar.getByText(/^2 /)).toBeVisible();
  await bar.getByRole('link', { name: say('payout-picks', 'export'), exact: true }).click();
  await expect(page.getByText('Seçilen 2 ödeme', { exact: true })).toBeVisible();
  await expect(page.getByText('2 satır', { exact: true })).toBeVisible();
  await page.getByRole('radio', { name: say('exports', 'profiles.csv.name') }).check();
  await page.getByRole('button', { name: say('exports', 'new.submit') }).click();
  const line = page
    .getByRole('table', { name: say('exports', 'caption') })
    .getByRole('row')
    .nth(1);
  await expect(line).toContainText(say('exports', 'states.READY'));
  const taking = page.waitForEvent('download');
  await line.getByRole('link', { name: /^İndir/ }).click();
  const files = unzip(readFileSync(await (await taking).path()));
  const [csv] = [...files].find(([file]) => file.endsWith('.csv'))!.slice(1) as [Buffer];
  const [, ...cells] = readCsv(csv.toString(), ',');
  expect(cells.map((row) => row[2])).toEqual([names[0], names[2]]);

  await tickAll();
  await bar.getByRole('link', { name: say('payout-picks', 'receipts'), exact: true }).click();
  await expect(page.getByText('Seçilen 1 ödemenin dekontu yok')).toBeVisible();
  await page.getByRole('button', { name: say('receipts', 'archives.new.submit') }).click();
  await expect(page).toHaveURL(/\/receipts\/archives\/[0-9a-f-]{36}$/);
  const archived = await rows<{ id: string }>(
    `SELECT r.movement_id AS id FROM receipt_archive_items i JOIN receipts r ON r.id = i.receipt_id
      WHERE i.archive_id = $1`,
    [page.url().slice(-36)],
  );
  expect(archived.map(({ id }) => id).sort()).toEqual(ids.slice(1).sort());

  await tickAll();
  await rows(`UPDATE movements SET last_hint_at = NULL WHERE id = ANY($1)`, [ids]);
  await rows(
    `UPDATE movements SET last_hint_at = clock_timestamp() + interval '9 seconds'
    WHERE id = $1`,
    [ids[1]],
  );
  await bar.getByRole('button', { name: say('payout-picks', 'check'), exact: true }).click();
  await expect(bar.getByText('2 ödemenin durumu soruluyor')).toBeVisible();
  await expect(bar.getByText('1 ödeme az önce soruldu.')).toBeVisible();
  expect(
    await rows('SELECT FROM movements WHERE id = ANY($1) AND last_hint_at IS NULL', [ids]),
  ).toEqual([]);
  await bar.getByRole('button', { name: say('payout-picks', 'none'), exact: true }).click();
  await expect(bar).toBeHidden();
  await expect(box(names[0]!)).not.toBeChecked();
});

test('the bar offers what the role may do, fits a phone, and forgets rows that left the list', async ({
  sitDown,
}) => {
  const { search, names } = await sendThree(await sitDown('ayse'));
  const desk = await sitDown('deniz', { narrow: true });
  const { page, say } = desk;
  await page.goto(`/payouts?q=${encodeURIComponent(search)}`);
  const bar = page.getByRole('form', { name: say('payout-picks', 'label') });
  const box = page.getByRole('checkbox', {
    name: say('payouts', 'table.pickOne', { name: names[0]! }),
  });
  await expect(async () => {
    await box.uncheck();
    await box.check();
    await expect(bar).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(bar.getByRole('link')).toHaveText([
    say('payout-picks', 'export'),
    say('payout-picks', 'receipts'),
  ]);
  await expect(bar.getByRole('button', { name: say('payout-picks', 'check') })).toHaveCount(0);
  await expect(bar).toBeInViewport();
  await page.getByRole('link', { name: say('payouts', 'views.completed'), exact: true }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(bar).toBeHidden();
});

import { COMMERCIAL, MAIN_WALLET } from './payout.ts';
import { expect, expectFollowed, type Desk } from './story.ts';

/** Batches of a few pasted rows, which is the shortest way to one. */

export const HEADINGS = ['Alıcı Adı', 'IBAN', 'VKN', 'Tutar', 'Açıklama'];

/** Pastes rows below headings, and opens their draft. */
export async function openDraft(
  { page, say }: Desk,
  lines: readonly (readonly string[])[],
  headings: readonly string[] = HEADINGS,
): Promise<void> {
  await page.goto('/batches/new');
  await expectFollowed(page.getByLabel(say('batches', 'upload.paste')));
  await page.getByLabel(say('batches', 'upload.wallet')).selectOption(MAIN_WALLET.number);
  await page
    .getByLabel(say('batches', 'upload.paste'))
    .fill([headings, ...lines].map((cells) => cells.join('\t')).join('\n'));
  await page.getByRole('button', { name: say('batches', 'upload.pasteButton') }).click();
  await expect(page).toHaveURL(/\/batches\/[0-9a-f-]{36}$/);
  await page.getByLabel(say('batches', 'settings.type')).selectOption(COMMERCIAL);
  await page.getByRole('button', { name: say('batches', 'settings.save'), exact: true }).click();
}

/** A draft whose rows are all ready. */
export async function pasteRows(desk: Desk, lines: readonly (readonly string[])[]): Promise<void> {
  await openDraft(desk, lines);
  await expectReady(desk);
}

export async function expectReady({ page, say }: Desk): Promise<void> {
  await expect(page.getByText(say('batches', 'summary.ready'), { exact: true })).toBeVisible();
}

/** Sends the draft that is open, and waits for the page of the running batch. */
export async function sendBatch({ page, like }: Desk): Promise<void> {
  const send = page.getByRole('main').getByRole('button', { name: like('batch-run', 'send.open') });
  await send.click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: like('batch-run', 'send.confirm') })
    .click();
  await expect(send).toHaveCount(0);
}

import { COMMERCIAL, MAIN_WALLET } from './payout.ts';
import { expect, type Desk } from './story.ts';

const HEADINGS = ['Alıcı Adı', 'IBAN', 'VKN', 'Tutar', 'Açıklama'];

/** Makes a draft of pasted rows, and leaves it ready to be sent. */
export async function pasteRows(desk: Desk, lines: readonly (readonly string[])[]): Promise<void> {
  const { page, say } = desk;
  await page.goto('/batches/new');
  await page.getByLabel(say('batches', 'upload.wallet')).selectOption(MAIN_WALLET.number);
  await page
    .getByLabel(say('batches', 'upload.paste'))
    .fill([HEADINGS, ...lines].map((cells) => cells.join('\t')).join('\n'));
  await page.getByRole('button', { name: say('batches', 'upload.pasteButton') }).click();
  await expect(page).toHaveURL(/\/batches\/[0-9a-f-]{36}$/);
  await page.getByLabel(say('batches', 'settings.type')).selectOption(COMMERCIAL);
  await page.getByRole('button', { name: say('batches', 'settings.save'), exact: true }).click();
  await expect(page.getByText(say('batches', 'summary.ready'), { exact: true })).toBeVisible();
}

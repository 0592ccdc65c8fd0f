import { randomInt } from 'node:crypto';
import { expect } from '@playwright/test';
import { rows } from './database.ts';
import { money, typed } from './payout.ts';
import { sandbox, type LedgerLine } from './sandbox.ts';
import { type Desk } from './story.ts';

export type Kind = 'transfer_person' | 'transfer_business' | 'transfer_own';
export type WantedTransfer = {
  kind: Kind;
  amountMinor: number;
  description: string;
  phone?: string;
  name: string;
  toWallet: string;
};

export const OPERATIONS: Record<Kind, string> = {
  transfer_person: 'BusinessToPersonalTransfer',
  transfer_business: 'BusinessToBusinessTransfer',
  transfer_own: 'TransferToVirement',
};
const MAIN = 'Ana Cüzdan';

/** Texts of the transfer form, with the payout form's where it has none of its own. */
function wordsOf({ say }: Desk) {
  return (path: string, values?: Record<string, string | number>): string => {
    try {
      return say('new-transfer', path, values);
    } catch {
      return say('new-payout', path, values);
    }
  };
}

const amounts: number[] = [];

/** In minor units, and not near an earlier one: the form would ask about a repeated amount. */
function newAmount(): number {
  for (;;) {
    // The last two digits are not magic at the sandbox.
    const amount = randomInt(100, 900) * 100 + randomInt(10, 39);
    if (amounts.some((one) => Math.abs(one - amount) < one / 50)) continue;
    amounts.push(amount);
    return amount;
  }
}

/** A transfer of an amount that no other test has sent: tests share the records. */
export function wantedTransfer(kind: Kind, parts: Partial<WantedTransfer> = {}): WantedTransfer {
  const to = {
    transfer_person: { phone: '533 000 02 01', name: 'Elif Şahin', toWallet: '5510100001' },
    transfer_business: { name: 'Kuzey Makina', toWallet: '4488810801' },
    transfer_own: { name: 'Maaş Ödemeleri', toWallet: '4410270002' },
  }[kind];
  return {
    kind,
    amountMinor: newAmount(),
    description: `Aktarım ${randomInt(1_000_000)}`,
    ...to,
    ...parts,
  };
}

export async function fillTransfer(desk: Desk, want: WantedTransfer): Promise<void> {
  const { page, language } = desk;
  const word = wordsOf(desk);
  await page.goto('/transfers/new');
  await page.bringToFront();
  const form = page.getByRole('main');
  await form.getByRole('radio', { name: new RegExp(word(`kinds.${want.kind}.name`)) }).check();
  await form
    .locator('input[name="wallet"]')
    .and(form.getByRole('radio', { name: new RegExp(MAIN) }))
    .check();
  if (want.kind === 'transfer_person')
    await form
      .getByLabel(word('person.phone'), { exact: true })
      .and(form.getByRole('textbox'))
      .fill(want.phone ?? '');
  if (want.kind === 'transfer_business')
    await form.getByLabel(word('business.wallet'), { exact: true }).fill(want.toWallet);
  if (want.kind === 'transfer_own')
    await form.locator(`input[name="toWallet"][value="${want.toWallet}"]`).check();
  else {
    await form.locator('input[name="name"]').fill(want.name);
    await form.getByLabel(word('why.type'), { exact: true }).selectOption('06');
  }
  await form
    .getByLabel(word('amount.label'), { exact: true })
    .fill(typed(want.amountMinor, language));
  await form.getByLabel(word('why.description'), { exact: true }).fill(want.description);
}

/** From the form through the review to the transfer's page. Returns its id. */
export async function sendTransfer(desk: Desk, want: WantedTransfer): Promise<string> {
  const { page, language } = desk;
  const word = wordsOf(desk);
  await fillTransfer(desk, want);
  if (want.kind === 'transfer_person')
    await expect(
      page.getByText(word('person.outcomes.fits.title', { masked: 'El** Şa***' })),
    ).toBeVisible();
  const button = page.getByRole('button', {
    name: word('review.send', { amount: money(want.amountMinor, language) }),
  });
  await expect(async () => {
    await page.getByRole('button', { name: word('review.go') }).click();
    await expect(button).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await button.click();
  await expect(page).toHaveURL(/\/transfers\/[0-9a-f-]{36}$/);
  return page.url().slice(-36);
}

/**
 * The provider's ledger and its request log: how often this transfer was executed, and how often it
 * was requested.
 */
export async function executedOnce(id: string, kind: Kind): Promise<void> {
  const [own] = await rows<{ ext_id: string; sends: number }>(
    'SELECT ext_id, sends FROM movements WHERE id = $1',
    [id],
  );
  const lines: LedgerLine[] = await sandbox.ledgerOf(own!.ext_id);
  expect(lines).toHaveLength(1);
  const requests = await sandbox.requests(OPERATIONS[kind]);
  expect(requests.filter((one) => one.body.includes(own!.ext_id))).toHaveLength(1);
  expect(own!.sends).toBe(1);
}

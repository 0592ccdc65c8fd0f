import { randomInt } from 'node:crypto';
import { expect, type Locator } from '@playwright/test';
import { rows } from './database.ts';
import { COMMERCIAL, money, showWallets, typed } from './payout.ts';
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

/** Texts of the transfer form; where it has no text of its own, those of the payout form. */
function wordsOf({ say }: Desk) {
  return (path: string, values?: Record<string, string | number>): string => {
    try {
      return say('new-transfer', path, values);
    } catch {
      return say('new-payout', path, values);
    }
  };
}

/**
 * A new amount in minor units. It differs from all earlier ones of this kind by at least 2 %,
 * because the form would warn of a repeated amount, and is below three times each of them, because
 * it would warn of an unusual one.
 */
async function newAmount(kind: Kind): Promise<number> {
  const amounts = await rows<{ minor: number }>(
    'SELECT amount_minor::float8 AS minor FROM movements WHERE kind = $1',
    [kind],
  );
  for (let tries = 0; tries < 10_000; tries += 1) {
    // The sandbox treats no last two digits from 10 to 39 as magic.
    const amount = randomInt(400, 900) * 100 + randomInt(10, 39);
    if (amounts.every(({ minor }) => Math.abs(minor - amount) >= amount / 50)) return amount;
  }
  throw new Error(`no new amount is left beside ${amounts.length} earlier ones`);
}

/** A transfer of an amount that no other test has sent: tests share the records. */
export async function wantedTransfer(
  kind: Kind,
  parts: Partial<WantedTransfer> = {},
): Promise<WantedTransfer> {
  const to = {
    transfer_person: { phone: '533 000 02 01', name: 'Elif Şahin', toWallet: '5510100001' },
    transfer_business: { name: 'Kuzey Makina', toWallet: '4488810801' },
    transfer_own: { name: 'Maaş Ödemeleri', toWallet: '4410270002' },
  }[kind];
  return {
    kind,
    amountMinor: await newAmount(kind),
    description: `Aktarım ${randomInt(1_000_000)}`,
    ...to,
    ...parts,
  };
}

export function transferFields(desk: Desk) {
  const word = wordsOf(desk);
  const form = desk.page.getByRole('main');
  return {
    kind: (kind: Kind) => form.getByRole('radio', { name: new RegExp(word(`kinds.${kind}.name`)) }),
    wallet: form
      .locator('input[name="wallet"]')
      .and(form.getByRole('radio', { name: new RegExp(MAIN) })),
    phone: form.getByLabel(word('person.phone'), { exact: true }).and(form.getByRole('textbox')),
    toBusiness: form.getByLabel(word('business.wallet'), { exact: true }),
    toWallet: (number: string) => form.locator(`input[name="toWallet"][value="${number}"]`),
    name: form.locator('input[name="name"]'),
    paymentType: form.getByLabel(word('why.type'), { exact: true }),
    amount: form.getByLabel(word('amount.label'), { exact: true }),
    description: form.getByLabel(word('why.description'), { exact: true }),
  };
}

/** The button of the review that sends the transfer. */
export function transferButton(desk: Desk, { amountMinor }: WantedTransfer): Locator {
  const amount = money(amountMinor, desk.language);
  return desk.page.getByRole('button', { name: wordsOf(desk)('review.send', { amount }) });
}

export async function fillTransfer(desk: Desk, want: WantedTransfer): Promise<void> {
  const { page, language } = desk;
  await page.goto('/transfers/new');
  await page.bringToFront();
  const form = transferFields(desk);
  await form.kind(want.kind).check();
  await showWallets(desk);
  await form.wallet.check();
  if (want.kind === 'transfer_person') await form.phone.fill(want.phone ?? '');
  if (want.kind === 'transfer_business') await form.toBusiness.fill(want.toWallet);
  if (want.kind === 'transfer_own') await form.toWallet(want.toWallet).check();
  else {
    await form.name.fill(want.name);
    await form.paymentType.selectOption(COMMERCIAL);
  }
  await form.amount.fill(typed(want.amountMinor, language));
  await form.description.fill(want.description);
}

/** Fills the form, goes through the review, and waits for the transfer's page. Returns its id. */
export async function sendTransfer(desk: Desk, want: WantedTransfer): Promise<string> {
  const { page } = desk;
  const word = wordsOf(desk);
  await fillTransfer(desk, want);
  if (want.kind === 'transfer_person')
    await expect(
      page.getByText(word('person.outcomes.fits.title', { masked: 'El** Şa***' })),
    ).toBeVisible();
  const button = transferButton(desk, want);
  const goOn = page.getByRole('button', { name: word('review.go') });
  await expect(async () => {
    // The review may have opened after the wait of the round before.
    if (!(await button.isVisible())) await goOn.click({ timeout: 2_000 });
    await expect(button).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await button.click();
  await expect(page).toHaveURL(/\/transfers\/[0-9a-f-]{36}$/);
  return page.url().slice(-36);
}

/**
 * Requires that this transfer was executed once and requested once, by the provider's ledger and
 * request log.
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

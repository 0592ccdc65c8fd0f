import { expect, type Locator } from '@playwright/test';
import { newPayee, type Payee } from './payee.ts';
import { sandbox } from './sandbox.ts';
import type { Desk } from './story.ts';
import type { Language } from './words.ts';

export const MAIN_WALLET = { number: '4410270001', name: 'Ana Cüzdan' };
/** The purpose "commercial": its description has no minimum length. */
export const COMMERCIAL = '06';

export type Wanted = {
  payee: Payee;
  /** In minor units; the last two digits may be magic. */
  amountMinor: number;
  walletName: string;
  description: string;
};

/** An ordinary payment, to a payee no other test has paid. */
export function wanted(parts: Partial<Wanted> = {}): Wanted {
  return {
    payee: newPayee(),
    amountMinor: 12_300,
    walletName: MAIN_WALLET.name,
    description: 'Fatura 4711',
    ...parts,
  };
}

/** As a person of that language types it: 1240000 → "12.400,00" or "12,400.00". */
export function typed(amountMinor: number, language: Language): string {
  return new Intl.NumberFormat(language === 'tr' ? 'tr-TR' : 'en-GB', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(amountMinor / 100);
}

/** As the pages write it. */
export function money(amountMinor: number, language: Language): string {
  return `₺${typed(amountMinor, language)}`;
}

export function formFields({ page, say }: Desk) {
  const form = page.getByRole('main');
  return {
    wallet: (name: string) => form.getByRole('radio', { name: new RegExp(name) }),
    iban: form.getByLabel(say('new-payout', 'recipient.iban'), { exact: true }),
    name: form.getByLabel(say('new-payout', 'recipient.name'), { exact: true }),
    taxNumber: form.locator('input[name="taxNumber"]'),
    amount: form.getByLabel(say('new-payout', 'amount.label'), { exact: true }),
    paymentType: form.getByLabel(say('new-payout', 'why.type'), { exact: true }),
    description: form.getByLabel(say('new-payout', 'why.description'), { exact: true }),
    goOn: form.getByRole('button', { name: say('new-payout', 'review.go') }),
    edit: form.getByRole('button', { name: say('new-payout', 'review.edit') }),
  };
}

export function sendButton({ page, say, language }: Desk, { amountMinor }: Wanted): Locator {
  return page.getByRole('button', {
    name: say('new-payout', 'review.send', { amount: money(amountMinor, language) }),
  });
}

/** Opens the form and fills every field, by role and label. */
export async function fillPayout(
  desk: Desk,
  want: Wanted,
  address = '/payouts/new',
): Promise<void> {
  await desk.page.goto(address);
  await typePayout(desk, want);
}

export async function typePayout(
  desk: Desk,
  { payee, amountMinor, walletName, description }: Wanted,
): Promise<void> {
  const fields = formFields(desk);
  // In a window behind the newest one the browser may paint no frame, and a click waits for one.
  await desk.page.bringToFront();
  await fields.wallet(walletName).check();
  await fields.iban.fill(payee.iban);
  await fields.name.fill(payee.name);
  await fields.taxNumber.fill(payee.taxNumber);
  await fields.amount.fill(typed(amountMinor, desk.language));
  await fields.paymentType.selectOption(COMMERCIAL);
  await fields.description.fill(description);
}

/** From the filled form to the review, whose button sends. */
export async function goToReview(desk: Desk, want: Wanted): Promise<void> {
  await formFields(desk).goOn.click();
  await expect(sendButton(desk, want)).toBeVisible();
}

/**
 * The same, and waits until the form has refreshed the balances and the recipient, as it does by
 * itself in that step.
 */
export async function restInReview(desk: Desk, want: Wanted): Promise<void> {
  const balances = desk.page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.request().postData() === '[]',
  );
  await goToReview(desk, want);
  await balances;
}

/** Presses the button and follows to the payout's page. Returns its id. */
export async function pressSend(desk: Desk, want: Wanted): Promise<string> {
  await sendButton(desk, want).click();
  return onPayoutPage(desk);
}

export async function onPayoutPage({ page }: Desk): Promise<string> {
  await expect(page).toHaveURL(/\/payouts\/[0-9a-f-]{36}$/);
  return page.url().slice(-36);
}

/** From the form through the review to the payout's page. */
export async function send(desk: Desk, want: Wanted = wanted()): Promise<string> {
  await fillPayout(desk, want);
  await goToReview(desk, want);
  return pressSend(desk, want);
}

type State =
  | 'APPROVED'
  | 'SUBMITTING'
  | 'UNKNOWN'
  | 'PENDING'
  | 'MANUAL_REVIEW'
  | 'COMPLETED'
  | 'REJECTED'
  | 'FAILED'
  | 'CANCELLED'
  | 'RETURN_REPORTED'
  | 'RETURNED';

/** The payout's state, beside the amount, on the open page. It changes without a reload. */
export async function expectState(
  { page, say }: Desk,
  state: State,
  timeout = 15_000,
): Promise<void> {
  const head = page.getByRole('article').getByRole('heading', { level: 1 }).locator('xpath=..');
  await expect(head.getByText(say('states', state), { exact: true })).toBeVisible({ timeout });
}

/** Returns a check that the page was not reloaded since. */
export async function markPage({ page }: Desk): Promise<() => Promise<void>> {
  await page.evaluate(() => Object.assign(window, { neverReloaded: true }));
  return async () =>
    expect(
      await page.evaluate(() => (window as unknown as { neverReloaded?: boolean }).neverReloaded),
      'the page was reloaded',
    ).toBe(true);
}

/** The central guarantee: one movement of money at the provider. */
export async function expectPaidOnce({ payee, amountMinor }: Wanted): Promise<void> {
  const lines = await sandbox.paidTo(payee.iban);
  expect(lines.map((line) => line.amount)).toEqual([(amountMinor / 100).toFixed(2)]);
}

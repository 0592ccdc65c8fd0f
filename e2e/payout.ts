import { expect, type Locator } from '@playwright/test';
import { newPayee, type Payee } from './payee.ts';
import { sandbox } from './sandbox.ts';
import type { Desk } from './story.ts';
import type { Language } from './words.ts';

export const MAIN_WALLET = { number: '4410270001', name: 'Ana Cüzdan' };
/** The code of the purpose "commercial": its description has no minimum length. */
export const COMMERCIAL = '06';

export type Wanted = {
  payee: Payee;
  /** The amount in minor units. Its last two digits may be magic at the sandbox. */
  amountMinor: number;
  walletName: string;
  description: string;
};

/** An ordinary payout, to a payee whom no other test has paid. */
export function wanted(parts: Partial<Wanted> = {}): Wanted {
  return {
    payee: newPayee(),
    amountMinor: 12_300,
    walletName: MAIN_WALLET.name,
    description: 'Fatura 4711',
    ...parts,
  };
}

/** An amount as a person of that language types it: 1240000 → "12.400,00" or "12,400.00". */
export function typed(amountMinor: number, language: Language): string {
  return new Intl.NumberFormat(language === 'tr' ? 'tr-TR' : 'en-GB', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(amountMinor / 100);
}

/** An amount as the pages write it. */
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

/** Shows every wallet; the form folds those that are not chosen. */
export async function showWallets({ page, say }: Pick<Desk, 'page' | 'say'>): Promise<void> {
  const others = page.getByRole('button', { name: say('new-payout', 'wallet.others') });
  if ((await others.count()) > 0 && (await others.getAttribute('aria-expanded')) === 'false')
    await others.click();
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
  // The browser may not paint a window behind the newest one, and a click waits for a frame.
  await desk.page.bringToFront();
  await showWallets(desk);
  await fields.wallet(walletName).check();
  await fields.iban.fill(payee.iban);
  await fields.name.fill(payee.name);
  await fields.taxNumber.fill(payee.taxNumber);
  await fields.amount.fill(typed(amountMinor, desk.language));
  await fields.paymentType.selectOption(COMMERCIAL);
  await fields.description.fill(description);
}

/** Goes from the filled form to the review, whose button sends. */
export async function goToReview(desk: Desk, want: Wanted): Promise<void> {
  await formFields(desk).goOn.click();
  await expect(sendButton(desk, want)).toBeVisible();
}

/**
 * Goes to the review by `goOn`, and waits until the form has refreshed the balances and looked the recipient
 * up again, as it does by itself there.
 */
export async function restInReview(
  desk: Desk,
  want: Wanted,
  goOn: () => Promise<void> = () => goToReview(desk, want),
): Promise<void> {
  const answers = Promise.all(
    ['[]', '[{"iban":'].map((asked) =>
      desk.page.waitForResponse((response) => {
        const body = response.request().postData() ?? '';
        return asked === '[]' ? body === asked : body.startsWith(asked);
      }),
    ),
  );
  await goOn();
  await answers;
}

/** Presses the button and waits for the payout's page. Returns the payout's id. */
export async function pressSend(desk: Desk, want: Wanted): Promise<string> {
  await sendButton(desk, want).click();
  return onPayoutPage(desk);
}

export async function onPayoutPage({ page }: Desk): Promise<string> {
  await expect(page).toHaveURL(/\/payouts\/[0-9a-f-]{36}$/);
  return page.url().slice(-36);
}

/**
 * Fills the form, goes through the review, and waits for the payout's page. Returns the payout's
 * id.
 */
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
  | 'EXPIRED'
  | 'RETURN_REPORTED'
  | 'RETURNED';

/** Requires the payout's state on the open page, which changes without a reload. */
export async function expectState(
  { page, say }: Desk,
  state: State | 'SENT_BACK',
  timeout = 40_000,
): Promise<void> {
  const head = page.getByRole('article').getByRole('heading', { level: 1 }).locator('xpath=..');
  await expect(head.getByText(say('states', state), { exact: true })).toBeVisible({ timeout });
}

/**
 * Requires that the open page shows the payout at the bank. After some seconds without an outcome
 * it is in manual review by our own clock.
 */
export async function expectAtBank({ page, say }: Desk): Promise<void> {
  const head = page.getByRole('article').getByRole('heading', { level: 1 }).locator('xpath=..');
  await expect(
    head
      .getByText(say('states', 'PENDING'), { exact: true })
      .or(head.getByText(say('states', 'MANUAL_REVIEW'), { exact: true })),
  ).toBeVisible();
}

/** Marks the page. Returns a check that the page was not reloaded since. */
export async function markPage({ page }: Desk): Promise<() => Promise<void>> {
  await page.evaluate(() => Object.assign(window, { neverReloaded: true }));
  return async () =>
    expect(
      await page.evaluate(() => (window as unknown as { neverReloaded?: boolean }).neverReloaded),
      'the page was reloaded',
    ).toBe(true);
}

/** The central guarantee: the provider moved the money exactly once. */
export async function expectPaidOnce({ payee, amountMinor }: Wanted): Promise<void> {
  const lines = await sandbox.paidTo(payee.iban);
  expect(lines.map((line) => line.amount)).toEqual([(amountMinor / 100).toFixed(2)]);
}

import { sandbox } from './sandbox.ts';
import { expect, test } from './story.ts';
import { formFields, goToReview, pressSend, showWallets, typed, wanted } from './payout.ts';
import type { Wanted } from './payout.ts';
import type { Desk } from './story.ts';

/**
 * Opens and fills the form for the card balance, which needs a phone number and no payment type.
 */
async function fillCashout(desk: Desk, { payee, amountMinor, description }: Wanted): Promise<void> {
  const fields = formFields(desk);
  await desk.page.goto('/payouts/new');
  await showWallets(desk);
  await fields.wallet(desk.say('new-payout', 'wallet.card')).check();
  await expect(fields.paymentType).toHaveCount(0);
  await fields.iban.fill(payee.iban);
  await fields.name.fill(payee.name);
  await fields.taxNumber.fill(payee.taxNumber);
  await desk.page
    .getByLabel(desk.say('new-payout', 'recipient.phone'), { exact: true })
    .fill('0533 000 02 01');
  await fields.amount.fill(typed(amountMinor, desk.language));
  await fields.description.fill(description);
}

/**
 * One of two people claims that the gateway accepted the payout. `address` null: the payout's page
 * is already open.
 */
async function sayTaken(
  { page, say }: Desk,
  address: string | null,
  reason: string,
): Promise<void> {
  if (address !== null) await page.goto(address);
  await page.getByLabel(say('second-person', 'claim')).selectOption('taken');
  await page.getByLabel(say('second-person', 'reason'), { exact: true }).fill(reason);
  await page.getByRole('button', { name: say('second-person', 'button'), exact: true }).click();
}

test('a card-balance payout is accepted and says what cannot be known; an unclear one asks two people', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const want = wanted({ amountMinor: 1_200 });
  await fillCashout(desk, want);
  await goToReview(desk, want);
  await pressSend(desk, want);
  await expect(
    page.getByRole('heading', { name: say('cashout', 'sentences.pending.title') }),
  ).toBeVisible();
  await expect(
    page.getByText(say('states', 'GATEWAY_ACCEPTED'), { exact: true }).first(),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: say('payout', 'actions.ask') })).toHaveCount(0);

  await sandbox.fault({ operation: 'tobank', kind: 'lost_after' });
  const other = wanted({ amountMinor: 1_300 });
  await fillCashout(desk, other);
  await goToReview(desk, other);
  await pressSend(desk, other);
  await expect(
    page.getByRole('heading', { name: say('cashout', 'sentences.unknown.title') }),
  ).toBeVisible();
  // People may claim an outcome only when the waiting time is over, which is short here. The person
  // who made the payout may not claim anything.
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(say('second-person', 'maker'))).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await expect(page.getByLabel(say('second-person', 'claim'))).toHaveCount(0);
  const address = new URL(page.url()).pathname;
  const [first, second] = [await sitDown('mehmet'), await sitDown('selin', { narrow: true })];
  await sayTaken(first, address, 'so');
  await expect(
    first.page.getByLabel(first.say('second-person', 'reason'), { exact: true }),
    'what was typed stays after a refusal',
  ).toHaveValue('so');
  await sayTaken(first, null, 'Panelde gördüm');
  await expect(first.page.getByText(first.say('second-person', 'result.asked'))).toBeVisible();
  await sayTaken(second, address, 'Ekstrede gördüm');
  await expect(second.page.getByText('“Panelde gördüm”')).toBeVisible();
  await expect(
    second.page.getByRole('heading', { name: second.say('cashout', 'sentences.pending.title') }),
  ).toBeVisible();

  await page.goto('/payouts?wallet=card');
  await expect(page.getByRole('link', { name: want.payee.name }).first()).toBeVisible();
});

import { expect, test, type Desk } from './story.ts';
import { intentsTo, rows } from './database.ts';
import {
  expectPaidOnce,
  expectState,
  formFields,
  markPage,
  onPayoutPage,
  send,
  sendButton,
  wanted,
} from './payout.ts';
import { ibanOf, newIban } from './payee.ts';
import { processes } from './processes.ts';
import { sandbox } from './sandbox.ts';
import { MANUAL_SECONDS } from './surroundings.ts';

/**
 * Requires that after a failed end the page offers a new payment that is linked to this one, and
 * never a resend of this one.
 */
async function expectPayAgain(
  { page, say }: Desk,
  words: 'payAgain' | 'payAgainReturned',
): Promise<void> {
  await expect(
    page
      .getByRole('article')
      .getByRole('link', { name: say('payout', `actions.${words}`), exact: true }),
  ).toBeVisible();
}

async function expectNoPayAgain({ page, say }: Desk): Promise<void> {
  for (const words of ['payAgain', 'payAgainReturned', 'copy'])
    await expect(
      page
        .getByRole('article')
        .getByRole('link', { name: say('payout', `actions.${words}`), exact: true }),
    ).toHaveCount(0);
}

test('a payout the bank rejects ends as rejected on the open page, and may be paid again in its place', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page } = desk;
  await sandbox.bankMode('manual');
  const want = wanted();
  await send(desk, want);
  const notReloaded = await markPage(desk);
  await expectState(desk, 'PENDING');
  await expect(
    page.getByRole('heading', { name: 'Sağlayıcı kabul etti. Bankadan sonuç bekleniyor.' }),
  ).toBeVisible();
  await expectNoPayAgain(desk);
  await sandbox.bankDoes(want.payee.iban, 'reject');
  await expectState(desk, 'REJECTED');
  await expect(page.getByRole('heading', { name: 'Ödenmedi: reddedildi.' })).toBeVisible();
  await notReloaded();
  await expectPayAgain(desk, 'payAgain');
  expect(await sandbox.paidTo(want.payee.iban)).toMatchObject([{ state: 'rejected' }]);
});

test('a transfer that fails ends as failed on the open page (in English)', async ({ sitDown }) => {
  const desk = await sitDown('ayse', { language: 'en' });
  await sandbox.bankMode('manual');
  const want = wanted();
  await send(desk, want);
  await expectState(desk, 'PENDING');
  await expect(
    desk.page.getByRole('heading', { name: 'Accepted by the provider. Waiting for the bank.' }),
  ).toBeVisible();
  await sandbox.bankDoes(want.payee.iban, 'fail');
  await expectState(desk, 'FAILED');
  await expect(
    desk.page.getByRole('heading', { name: 'Not paid: the transfer failed.' }),
  ).toBeVisible();
  await expectPayAgain(desk, 'payAgain');
  expect(await sandbox.paidTo(want.payee.iban)).toMatchObject([{ state: 'failed' }]);
});

test('a refusal of the provider is told with its cause and code, and what was sent stays readable', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page } = desk;
  const want = wanted({
    payee: { ...wanted().payee, iban: ibanOf(`999990${String(Date.now()).slice(-12)}9503`) },
  });
  await send(desk, want);
  await expectState(desk, 'REJECTED');
  await expect(
    page.getByRole('article').getByText('Ad, TCKN/VKN ve IBAN birbirini tutmuyor.').first(),
  ).toBeVisible();
  await expect(page.getByRole('article').getByText(/503/).first()).toBeVisible();
  expect(await sandbox.paidTo(want.payee.iban)).toEqual([]);
});

test('a long wait is called a possible manual review only by its age, the bank’s approval completes it', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page } = desk;
  await sandbox.bankMode('manual');
  const want = wanted();
  await send(desk, want);
  await expectState(desk, 'PENDING');
  // The bank's staff review the payout. No webhook reports this, so that the page must not show it
  // yet.
  await sandbox.bankDoes(want.payee.iban, 'manual');
  await expectState(desk, 'PENDING');
  await expectState(desk, 'MANUAL_REVIEW', (MANUAL_SECONDS + 30) * 1_000);
  await expect(
    page.getByRole('heading', { name: 'Beklenenden uzun sürüyor; elle incelemede olabilir.' }),
  ).toBeVisible();
  await expectNoPayAgain(desk);
  await sandbox.bankDoes(want.payee.iban, 'approve');
  await expectState(desk, 'COMPLETED', 30_000);
  await expectPaidOnce(want);
});

test('a return of a payout by the bank is confirmed by the ledger, and only then may it be paid again', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const want = wanted();
  const first = await send(desk, want);
  await expectState(desk, 'COMPLETED');
  await expectNoPayAgain(desk);
  await expect(page.getByRole('link', { name: say('payout', 'actions.receipt') })).toBeVisible({
    timeout: 30_000,
  });

  // The webhook arrives at once; the ledger entry is kept back until the faults are removed.
  await sandbox.fault({
    operation: 'SummaryRecordByFilter',
    kind: 'status',
    status: 503,
    times: 1_000,
  });
  await sandbox.bankDoes(want.payee.iban, 'return');
  await expectState(desk, 'RETURN_REPORTED', 30_000);
  await expect(
    page.getByRole('heading', { name: 'Ödenmişti; bir iade bildirildi ve doğrulanıyor.' }),
  ).toBeVisible();
  await expectNoPayAgain(desk);
  await sandbox.calm();
  await expectState(desk, 'RETURNED', 60_000);
  await expect(
    page.getByRole('heading', { name: /^Banka iade etti\. Para .+ cüzdana geri döndü\.$/ }),
  ).toBeVisible();
  // The page still shows the earlier completion.
  await expect(
    page.getByRole('article').getByText(say('payout', 'timeline.nodes.completed')),
  ).toBeVisible();

  await page
    .getByRole('link', { name: say('payout', 'actions.payAgainReturned'), exact: true })
    .click();
  await expect(page).toHaveURL(new RegExp(`/payouts/new\\?retry_of=${first}$`));
  await expect(formFields(desk).iban).toHaveValue(new RegExp(want.payee.iban.slice(-2)));
  // The bank found no such account, and the recipient has given another one.
  const again = { ...want, payee: { ...want.payee, iban: newIban() } };
  await formFields(desk).iban.fill(again.payee.iban);
  // The look-up of the new account replaces what was found about the former one.
  await expect(async () => {
    if (await sendButton(desk, again).isVisible()) return;
    await passWarnings(desk);
    await formFields(desk).goOn.click({ timeout: 2_000 });
    await expect(sendButton(desk, again)).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  await sendButton(desk, again).click();
  await expect(page).not.toHaveURL(new RegExp(`${first}|/payouts/new`), { timeout: 20_000 });
  const second = await onPayoutPage(desk);
  await expectState(desk, 'COMPLETED');
  await expect(
    page.getByRole('link', { name: say('payout', 'links.retryOfLink') }),
  ).toHaveAttribute('href', `/payouts/${first}`);
  expect(await intentsTo(want.payee.iban)).toMatchObject([{ id: first, returned: 'CONFIRMED' }]);
  expect(await intentsTo(again.payee.iban)).toMatchObject([{ id: second, retry_of: first }]);
  await page.getByRole('link', { name: say('payout', 'links.retryOfLink') }).click();
  await expect(
    page.getByRole('link', { name: say('payout', 'links.retriedByLink') }),
  ).toHaveAttribute('href', `/payouts/${second}`);
  await expectNoPayAgain(desk);
  expect(await sandbox.paidTo(want.payee.iban)).toMatchObject([{ state: 'returned' }]);
  expect(await sandbox.paidTo(again.payee.iban)).toMatchObject([{ state: 'live' }]);
});

/** Ticks every warning of the form and gives a reason. */
async function passWarnings({ page, say }: Desk): Promise<void> {
  const ticks = page.getByRole('main').getByRole('checkbox');
  await expect(ticks.first()).toBeVisible({ timeout: 2_000 });
  for (const tick of await ticks.all()) await tick.check({ timeout: 2_000 });
  await page
    .getByLabel(say('new-payout', 'overrides.reason'), { exact: true })
    .fill('banka iade etti, yeni hesap');
}

test('a payout that is queued can be cancelled, and then nothing was sent', async ({ sitDown }) => {
  const desk = await sitDown('ayse');
  const { page, say, like } = desk;
  const want = wanted();
  await processes.stop('worker');
  try {
    await send(desk, want);
    await expectState(desk, 'APPROVED');
    await page.getByRole('button', { name: say('payout', 'actions.cancel'), exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: like('payout', 'actions.cancelConfirm') })
      .click();
    await expectState(desk, 'CANCELLED');
    await expect(
      page.getByRole('heading', { name: 'İptal edildi. Hiçbir şey gönderilmedi.' }),
    ).toBeVisible();
  } finally {
    await processes.start('worker');
  }
  // The worker runs again and has sent a later payout: it did not resend this one.
  const later = wanted();
  await send(desk, later);
  await expectState(desk, 'COMPLETED', 30_000);
  expect(await sandbox.sendsTo(want.payee.iban)).toEqual([]);
});

test('the home page lists a rejected and a returned payout until somebody has seen them', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  // The home page lists the oldest ones first, and other stories leave many.
  await rows(`UPDATE movements SET outcome_seen_by = maker_id, outcome_seen_at = now()
    WHERE outcome_seen_at IS NULL AND (state IN ('REJECTED', 'FAILED') OR returned = 'CONFIRMED')`);
  await sandbox.bankMode('manual');
  const [rejected, returned] = [wanted(), wanted()];
  for (const want of [rejected, returned]) {
    await send(desk, want);
    await expectState(desk, 'PENDING');
  }
  await sandbox.bankDoes(rejected.payee.iban, 'reject');
  await sandbox.bankDoes(returned.payee.iban, 'complete');
  await expectState(desk, 'COMPLETED');
  await sandbox.bankDoes(returned.payee.iban, 'return');
  await expectState(desk, 'RETURNED', 30_000);
  await page.goto('/');
  const line = ({ payee }: typeof rejected) =>
    page.getByRole('listitem').filter({ hasText: payee.name });
  await expect(line(rejected)).toContainText(say('home', 'outcomes.again'));
  await expect(line(returned)).toContainText(say('home', 'outcomes.returned'));
  await expect(page.getByText(say('home', 'needs.none'))).toHaveCount(0);
  const seen = { name: say('home', 'outcomes.seenLabel', { name: rejected.payee.name }) };
  await line(rejected).getByRole('button', seen).click();
  await expect(line(rejected)).toHaveCount(0);
  await expect(page.getByText(say('home', 'outcomes.done'))).toBeVisible();
  await expect(line(returned)).toBeVisible();
});

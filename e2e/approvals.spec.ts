import { agree, forgetPolicies } from './agreement.ts';
import { rows } from './database.ts';
import {
  expectPaidOnce,
  expectState,
  fillPayout,
  formFields,
  onPayoutPage,
  send,
  wanted,
  type Wanted,
} from './payout.ts';
import { sandbox } from './sandbox.ts';
import { expect, expectFollowed, test, type Desk } from './story.ts';

/** A policy concerns every later story: whatever a test leaves is removed in the database. */
test.afterEach(forgetPolicies);

/** ₺44.120,10: above the amount of the rule. */
const AMOUNT = 4_412_010;

const LOOKS = [
  { title: 'in Turkish', language: 'tr', narrow: false },
  { title: 'in English on a phone of 390 px', language: 'en', narrow: true },
] as const;

for (const { title, language, narrow } of LOOKS) {
  test(`a payment waits as the policy says, is approved by another and leaves once, ${title}`, async ({
    sitDown,
  }) => {
    test.setTimeout(150_000);
    const owner = await sitDown('selin', { language, narrow });
    const approver = await sitDown('mehmet', { language, narrow });
    const clerk = await sitDown('ayse', { language, narrow });
    await agree(owner, approver);
    const want = wanted({ amountMinor: AMOUNT });
    const id = await submitForApproval(clerk, want);
    await expect(
      clerk.page.getByText(clerk.like('approvals', 'mayApprove')),
      'who may approve it',
    ).toBeVisible();

    // The bell rings, and its notification leads to the payment.
    const { page, say } = approver;
    const row = page.getByRole('main').getByRole('row').filter({ hasText: want.payee.name });
    await expect(async () => {
      await page.goto('/notifications');
      await expect(row).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 60_000 });
    await row.getByRole('link').first().click();
    await expect(page).toHaveURL(`/approvals/${id}`);
    await expect(page.getByText(say('approvals', 'sentences.first_payment'))).toBeVisible();
    const shown = page.locator('section', { hasText: say('approvals', 'facts.title') });
    for (const fact of ['bank', 'taxNumber', 'paymentType'])
      await expect(shown.getByText(say('payout', `facts.${fact}`), { exact: true })).toBeVisible();
    await expect(shown.getByText(say('approvals', 'facts.after'))).toBeVisible();
    await page.getByRole('button', { name: approveButton(approver) }).click();
    await expect(page).toHaveURL(`/payouts/${id}`);
    await expectState(clerk, 'COMPLETED' as const, 40_000);
    await expectPaidOnce(want);
    await expect(
      clerk.page.getByText(clerk.like('approvals', 'onPayment.given')),
      'who approved it, without a reload',
    ).toBeVisible();
    await expect(clerk.page.getByText(clerk.like('approvals', 'mayApprove'))).toHaveCount(0);
  });
}

for (const { title, language, narrow } of LOOKS)
  test(`what nobody approves within a day runs out, and nothing has left, ${title}`, async ({
    sitDown,
  }) => {
    const owner = await sitDown('selin', { language, narrow });
    const approver = await sitDown('mehmet', { language, narrow });
    const clerk = await sitDown('ayse', { language, narrow });
    await agree(owner, approver);
    const want = wanted({ amountMinor: AMOUNT });
    const id = await submitForApproval(clerk, want);
    await rows(
      `UPDATE movements SET state_since = state_since - interval '25 hours',
        next_at = clock_timestamp() WHERE id = $1`,
      [id],
    );
    await expectState(clerk, 'EXPIRED', 40_000);
    await approver.page.goto(`/approvals/${id}`);
    await expect(
      approver.page.getByRole('button', { name: approveButton(approver) }),
      'nobody can approve it any more',
    ).toHaveCount(0);
    expect(await sandbox.sendsTo(want.payee.iban)).toEqual([]);
  });

test('what is sent back says why, its copy is judged anew, and the maker withdraws it', async ({
  sitDown,
}) => {
  test.setTimeout(150_000);
  const owner = await sitDown('selin');
  const approver = await sitDown('mehmet');
  const clerk = await sitDown('ayse');
  await agree(owner, approver);
  const want = wanted({ amountMinor: AMOUNT });
  const id = await submitForApproval(clerk, want);
  const { page, say } = approver;
  await page.goto(`/approvals/${id}`);
  await page.getByLabel(say('approvals', 'decision.reason')).fill('Fatura yanlış');
  await page.getByRole('button', { name: say('approvals', 'decision.sendBack') }).click();
  await expect(page).toHaveURL(`/payouts/${id}`);
  await expectState(clerk, 'SENT_BACK');
  await expect(
    clerk.page.getByRole('heading', { name: clerk.like('payout', 'sentences.sent_back.title') }),
  ).toBeVisible();
  await expect(clerk.page.getByText('“Fatura yanlış”')).toBeVisible();
  await expect(
    clerk.page.getByText(clerk.like('approvals', 'onPayment.sentBack')),
    'without a reload',
  ).toBeVisible();

  await clerk.page.goto(`/payouts/new?retry_of=${id}`);
  await formFields(clerk).goOn.click();
  await clerk.page
    .getByRole('button', { name: clerk.say('foreseen', 'submit') })
    .click({ timeout: 20_000 });
  const copy = await onPayoutPage(clerk);
  expect(copy).not.toBe(id);
  await clerk.page.getByRole('button', { name: clerk.say('payout', 'actions.cancel') }).click();
  await clerk.page
    .getByRole('dialog')
    .getByRole('button', { name: clerk.like('payout', 'actions.cancelConfirm') })
    .click();
  await expectState(clerk, 'CANCELLED');
  await page.goto('/approvals');
  await expect(page.getByRole('link', { name: want.payee.name })).toHaveCount(0);
});

test('nobody approves their own, and an owner’s release stays visible', async ({ sitDown }) => {
  test.setTimeout(150_000);
  const owner = await sitDown('selin');
  const approver = await sitDown('mehmet');
  await agree(owner, approver, '2');
  const want = wanted({ amountMinor: AMOUNT });
  const id = await submitForApproval(approver, want, 'short');
  await approver.page.goto(`/approvals/${id}`);
  await expect(
    approver.page.getByText(approver.say('approvals', 'refusals.own'), { exact: true }),
  ).toBeVisible();
  await expect(
    approver.page.getByRole('button', { name: approveButton(approver) }),
    'no button for one’s own',
  ).toHaveCount(0);
  const { page, say } = owner;
  await page.goto(`/approvals/${id}`);
  await expect(page.getByText(say('approvals', 'nobodyText'))).toBeVisible();
  await page.getByLabel(say('approvals', 'decision.overrideReason')).fill('İkinci kişi yok');
  await page.getByRole('button', { name: say('approvals', 'decision.override') }).click();
  await expect(page).toHaveURL(`/payouts/${id}`);
  await expectState(owner, 'COMPLETED', 40_000);
  await expect(page.getByText('“İkinci kişi yok”'), 'in the banner').toBeVisible();
  await expect(page.getByText(say('payout', 'timeline.nodes.released_alone'))).toBeVisible();
  await page.goto('/payouts');
  const row = page.getByRole('row').filter({ hasText: want.payee.name });
  await expect(row.getByText(say('payouts', 'released'))).toBeVisible();
});

test('what changes while a decision is open is shown, old and new, before one can decide', async ({
  sitDown,
}) => {
  test.setTimeout(150_000);
  const owner = await sitDown('selin');
  const approver = await sitDown('mehmet');
  const clerk = await sitDown('ayse');
  await agree(owner, approver, '2');
  const want = wanted({ amountMinor: AMOUNT });
  const id = await submitForApproval(clerk, want, 'two');
  const { page, say } = owner;
  await page.goto(`/approvals/${id}`);
  await expect(page.getByRole('button', { name: approveButton(owner) })).toBeVisible();
  await approver.page.goto(`/approvals/${id}`);
  await approver.page.getByRole('button', { name: approveButton(approver) }).click();
  await expect(
    approver.page.getByText(approver.say('approvals', 'refusals.given')),
    'no difference is shown to who made it',
  ).toBeVisible();
  await expect(page.getByText(say('approvals', 'changed.title'))).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText('0 / 2 → 1 / 2')).toBeVisible();
  await expect(page.getByRole('button', { name: approveButton(owner) })).toHaveCount(0);
  await page.getByRole('button', { name: say('approvals', 'changed.look') }).click();
  await page.getByRole('button', { name: approveButton(owner) }).click();
  await expect(page).toHaveURL(`/payouts/${id}`);
  await expectState(owner, 'COMPLETED', 40_000);
});

test('several are approved at once: a refusal keeps the ticks, the result outlives the form', async ({
  sitDown,
}) => {
  test.setTimeout(240_000);
  const owner = await sitDown('selin');
  const approver = await sitDown('mehmet');
  const clerk = await sitDown('ayse');
  await agree(owner, approver);
  const wants = [wanted({ amountMinor: AMOUNT }), wanted({ amountMinor: AMOUNT })];
  for (const want of wants) {
    // Only a payee that was paid before is nothing unusual.
    await send(clerk, { ...want, amountMinor: 12_300 });
    await expectState(clerk, 'COMPLETED', 40_000);
  }
  const ids: string[] = [];
  for (const want of wants) ids.push(await submitForApproval(clerk, want));
  const { page, say } = approver;
  await page.goto('/approvals');
  const count = page.getByLabel(say('approvals', 'many.typed'));
  const ticks = page.getByRole('main').getByRole('checkbox');
  await expectFollowed(count);
  for (const id of ids) await page.locator(`input[name="pick"][value^="${id}"]`).check();
  await count.fill('9');
  const press = page.getByRole('button', { name: say('approvals', 'many.approve') });
  await press.click();
  await expect(page.getByText(say('refusals', 'miscounted'))).toBeVisible();
  await expect(ticks.and(page.locator(':checked')), 'what is ticked stays ticked').toHaveCount(2);
  await expect(count).toHaveValue('9');
  await count.fill('2');
  await press.click();
  await expect(page.getByText(say('approvals', 'many.title')), 'the form is gone').toHaveCount(0);
  await expect(page.getByText(approver.like('approvals', 'many.done'))).toBeVisible();
});

async function submitForApproval(
  desk: Desk,
  want: Wanted,
  foreseen: 'one' | 'two' | 'short' = 'one',
): Promise<string> {
  await fillPayout(desk, want);
  await expect(
    desk.page
      .getByText(desk.say('new-payout', 'when.approvalText'))
      .filter({ visible: true })
      .first(),
    'the form does not promise that it leaves at once',
  ).toBeVisible();
  await formFields(desk).goOn.click();
  await expect(
    desk.page.getByText(desk.like('foreseen', foreseen)),
    'who approves it is said before it is submitted',
  ).toBeVisible({ timeout: 20_000 });
  await desk.page
    .getByRole('button', { name: desk.say('foreseen', 'submit') })
    // An IBAN that was just paid takes its next payment a minute later.
    .click({ timeout: 75_000 });
  const id = await onPayoutPage(desk);
  await expect(
    desk.page.getByText(desk.like('payout', 'timeline.runsOut')),
    'its time runs out; nobody is asked then',
  ).toBeVisible();
  return id;
}

function approveButton(desk: Desk): RegExp {
  return desk.like('approvals', 'decision.approve');
}

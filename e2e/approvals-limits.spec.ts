import { rows } from './database.ts';
import { expectPaidOnce, expectState, fillPayout, formFields, onPayoutPage } from './payout.ts';
import { typed, wanted } from './payout.ts';
import { emailOf } from './sign-in.ts';
import { expect, PHONE, pressUntil, test, type Desk } from './story.ts';

const REASON = 'Deneme süresi';
/** ₺40,00: what the clerk may send alone in one payment. */
const SINGLE = 4_000;

/** A limit concerns every later story: it is removed in the database, whatever a test leaves. */
test.afterEach(async () => {
  await rows('ALTER TABLE person_limits DISABLE TRIGGER person_limits_append_only');
  await rows('DELETE FROM person_limits');
  await rows('ALTER TABLE person_limits ENABLE TRIGGER person_limits_append_only');
  await rows(`UPDATE second_person_requests SET closed_at = clock_timestamp()
    WHERE subject_id LIKE '% limits' AND closed_at IS NULL`);
});

test('above a person’s own limit a second person approves', async ({ sitDown }) => {
  test.setTimeout(150_000);
  const owner = await sitDown('selin', PHONE);
  const approver = await sitDown('mehmet', PHONE);
  const clerk = await sitDown('ayse', PHONE);
  await setLimit(owner, SINGLE);
  await expect(owner.page.getByText(owner.say('people', 'results.limitDone'))).toBeVisible();

  const want = wanted({ amountMinor: SINGLE + 1_00 });
  await fillPayout(clerk, want);
  await expect(clerk.page.getByText(clerk.like('foreseen', 'limit.single'))).toBeVisible();
  await formFields(clerk).goOn.click();
  await expect(clerk.page.getByText(clerk.like('foreseen', 'one'))).toBeVisible();
  await clerk.page
    .getByRole('button', { name: clerk.say('foreseen', 'submit') })
    .click({ timeout: 20_000 });
  const id = await onPayoutPage(clerk);
  await approver.page.goto(`/approvals/${id}`);
  await expect(
    approver.page.getByText(approver.like('policy', 'because.own_single')).first(),
    'the approver reads why',
  ).toBeVisible();
  await approver.page
    .getByRole('button', { name: approver.like('approvals', 'decision.approve') })
    .click();
  await expectState(clerk, 'COMPLETED', 40_000);
  await expectPaidOnce(want);

  await setLimit(owner, SINGLE * 2, /\d/);
  await expect(owner.page.getByText(owner.say('people', 'results.asked'))).toBeVisible();
  await approver.page.goto(`/people/${await clerkId()}`);
  await approver.page
    .getByRole('button', { name: approver.like('people', 'waiting.confirmLabel') })
    .click();
  await approver.page
    .getByRole('dialog')
    .getByRole('button', { name: approver.say('people', 'waiting.confirm'), exact: true })
    .click();
  await expect(approver.page.getByText(approver.say('people', 'results.confirmed'))).toBeVisible();
  expect(
    await rows('SELECT single_minor::text AS single FROM person_limits ORDER BY id DESC LIMIT 1'),
  ).toEqual([{ single: String(SINGLE * 2) }]);
});

/** `stands`: what the field of the amount shows before. */
async function setLimit(
  { page, say, language }: Desk,
  single: number,
  stands: RegExp = /^$/,
): Promise<void> {
  await page.goto(`/people/${await clerkId()}`);
  const dialog = page.getByRole('dialog');
  await pressUntil(
    page.getByRole('button', { name: say('people', 'limits.change'), exact: true }),
    dialog,
  );
  const amount = dialog.getByLabel(say('people', 'limits.single'));
  await expect(amount).toHaveValue(stands);
  await amount.fill(typed(single, language));
  await dialog.getByLabel(say('people', 'one.reason')).fill(REASON);
  await dialog.getByRole('button', { name: say('people', 'limits.confirm'), exact: true }).click();
}

async function clerkId(): Promise<string> {
  const [clerk] = await rows<{ id: string }>('SELECT id FROM people WHERE email = $1', [
    emailOf('ayse'),
  ]);
  return clerk!.id;
}

import { rows } from './database.ts';
import { expect, expectFollowed, type Desk } from './story.ts';

/** An approval policy, agreed by two people in the browser. */

const ASKED_FROM = { tr: '44.120,00', en: '44,120.00' };

/** The owner proposes one rule, the approver confirms it. */
export async function agree(
  owner: Desk,
  approver: Desk,
  approvals: '1' | '2' = '1',
): Promise<void> {
  await owner.page.goto('/policy');
  const { page, say } = owner;
  await expectFollowed(page.getByLabel(say('policy', 'form.amount')));
  await page.getByLabel(say('policy', 'form.amount')).fill(ASKED_FROM[owner.language]);
  await page.getByLabel(say('policy', 'form.approvals')).selectOption(approvals);
  await page.getByRole('button', { name: say('policy', 'change.propose') }).click();
  await expect(page.getByText(owner.like('refusals', 'stop_reason_needed'))).toBeVisible();
  await expect(
    page.getByLabel(say('policy', 'form.approvals')),
    'a refusal leaves what was chosen',
  ).toHaveValue(approvals);
  await page.getByLabel(say('policy', 'change.reason')).fill('Toplantıda karar verildi');
  await page.getByRole('button', { name: say('policy', 'change.propose') }).click();
  await expect(page.getByText(say('policy', 'proposal.own'))).toBeVisible();
  await expect(
    page.getByRole('heading', { name: say('policy', 'difference.added') }),
  ).toBeVisible();
  await approver.page.goto('/policy');
  await approver.page
    .getByRole('button', { name: approver.say('policy', 'proposal.confirm') })
    .click();
  await expect(approver.page.getByText(approver.say('policy', 'done.confirmed'))).toBeVisible();
}

/** Removes every policy, so that later stories need no approval. */
export async function forgetPolicies(): Promise<void> {
  await rows('ALTER TABLE policy_versions DISABLE TRIGGER policy_versions_append_only');
  await rows('DELETE FROM policy_versions');
  await rows('ALTER TABLE policy_versions ENABLE TRIGGER policy_versions_append_only');
  await rows(`UPDATE second_person_requests SET closed_at = clock_timestamp()
    WHERE subject_kind = 'policy' AND closed_at IS NULL`);
}

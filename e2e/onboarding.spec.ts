import { expect, test, type Desk } from './story.ts';
import { rows } from './database.ts';
import { forged, postWebhook } from './webhook-door.ts';

/** The list of first steps on the home page. Earlier tests may have completed all of them. */

/**
 * Posts a webhook that is understood and names no payout, so that it changes nothing. One of the
 * gateway would add its order; the same webhook is stored as one of its channel instead.
 */
async function hello(channel: 'wallet' | 'card'): Promise<void> {
  const body = forged(`P-hello-${Math.random()}`, 1);
  await postWebhook(body);
  await rows(`UPDATE notices SET channel = $1 WHERE body_hash = sha256(convert_to($2, 'UTF8'))`, [
    channel,
    body,
  ]);
}

const list = ({ page, say }: Desk) => page.getByRole('list', { name: say('onboarding', 'title') });

test('the list of first steps shrinks with what happens, is put away and comes back', async ({
  sitDown,
}) => {
  await sitDown('mehmet');
  const owner = await sitDown('selin');
  const { page, say } = owner;
  const step = (desk: Desk, name: string) =>
    list(desk).getByText(desk.say('onboarding', `steps.${name}.title`), { exact: true });
  // Makes it look as if the gateway had never sent a webhook; nothing else refers to these rows.
  await rows(`UPDATE notices SET channel = 'wallet' WHERE channel = 'card'`);
  await hello('wallet');
  await page.goto('/');
  await expect(step(owner, 'webhooks')).toBeVisible();
  await expect(step(owner, 'second_person'), 'two have signed in').toHaveCount(0);
  await expect(step(owner, 'wallet'), 'Home has read the wallets').toHaveCount(0);
  await expect(list(owner).getByText(say('onboarding', 'steps.webhooks.only.card'))).toBeVisible();
  await step(owner, 'webhooks').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('webhooks', 'title'));

  const approver = await sitDown('mehmet', { language: 'en', narrow: true, dark: true });
  await approver.page.goto('/');
  await expect(step(approver, 'webhooks')).toBeVisible();
  const dismiss = (desk: Desk) =>
    desk.page.getByRole('button', { name: desk.say('onboarding', 'dismiss') });
  await expect(dismiss(approver)).toHaveCount(0);

  await page.goto('/');
  await dismiss(owner).click();
  await expect(page.getByText(say('onboarding', 'dismissed'))).toBeVisible();
  await expect(list(owner)).toHaveCount(0);
  await approver.page.goto('/');
  await expect(approver.page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(list(approver), 'put away for everybody').toHaveCount(0);

  await page.goto('/settings');
  await page.getByRole('button', { name: say('onboarding', 'restore') }).click();
  await expect(page.getByText(say('onboarding', 'restored'))).toBeVisible();
  await page.goto('/');
  await expect(step(owner, 'webhooks')).toBeVisible();
  await hello('card');
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(step(owner, 'webhooks')).toHaveCount(0);

  const clerk = await sitDown('ayse');
  await clerk.page.goto('/');
  await expect(clerk.page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(list(clerk), 'not for a clerk').toHaveCount(0);
});

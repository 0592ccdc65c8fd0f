import { rows } from './database.ts';
import { expectPaidOnce, fillPayout, goToReview, sendButton, wanted } from './payout.ts';
import { expect, test, type Desk } from './story.ts';

/** The button's name, which may include the number of waiting payouts. */
const CONFIRM = /^Gönderimi yeniden başlat/;

/**
 * A stop affects the whole product, so that the switch is reset directly in the database after each
 * test.
 */
test.afterEach(async () => {
  await rows('ALTER TABLE send_switches DISABLE TRIGGER send_switches_guard');
  await rows('UPDATE send_switches SET off = false');
  await rows('ALTER TABLE send_switches ENABLE TRIGGER send_switches_guard');
});

test('one person stops sending, and a waiting payout leaves once two people release it', async ({
  sitDown,
}) => {
  const approver = await sitDown('mehmet');
  const clerk = await sitDown('ayse');
  const owner = await sitDown('selin');
  await clerk.page.goto('/payouts');
  await stopSending(approver);
  await expect(
    clerk.page.getByText(clerk.say('sending', 'band.person')),
    'an open page shows it',
  ).toBeVisible();

  const want = wanted();
  await clerk.page.goto('/payouts/new');
  await expect(
    clerk.page.getByText(clerk.say('sending', 'form.title')),
    'before anything is typed',
  ).toBeVisible();
  await fillPayout(clerk, want);
  await goToReview(clerk, want);
  await sendButton(clerk, want).click();
  await expect(clerk.page).toHaveURL(/\/payouts\/[0-9a-f-]{36}$/);
  await expect(
    clerk.page.getByText(clerk.say('payout', 'sentences.queued_held.title')),
  ).toBeVisible();
  await expect(
    clerk.page.getByRole('main').getByText('Yanlış dosya', { exact: false }),
  ).toBeVisible();

  await approver.page.reload();
  await askToLetGo(approver);
  await expect(approver.page.getByText(approver.say('sending', 'release.second'))).toBeVisible();
  await expect(approver.page.getByRole('button', { name: CONFIRM })).toHaveCount(0);
  await owner.page.goto('/settings');
  await owner.page.getByRole('button', { name: CONFIRM }).click();
  await expect(owner.page.getByText(owner.say('sending', 'going'))).toBeVisible();
  await expect(clerk.page.getByText(clerk.say('sending', 'band.person'))).toBeHidden();
  await expect(
    clerk.page.getByText(clerk.like('payout', 'sentences.completed.title')).first(),
  ).toBeVisible({ timeout: 30_000 });
  await expectPaidOnce(want);
});

test('who may not control it sees why sending is stopped, and no button', async ({ sitDown }) => {
  await stopSending(await sitDown('mehmet'));
  const clerk = await sitDown('ayse', { narrow: true });
  await clerk.page.goto('/settings');
  await expect(
    clerk.page.getByRole('main').getByText('Yanlış dosya', { exact: false }),
  ).toBeVisible();
  await expect(clerk.page.getByText(clerk.say('sending', 'onlySome'))).toBeVisible();
  await expect(
    clerk.page.getByRole('button', { name: clerk.say('sending', 'release.askButton') }),
  ).toHaveCount(0);
});

async function stopSending({ page, say }: Desk): Promise<void> {
  await page.goto('/settings');
  await page
    .getByLabel(say('sending', 'stop.reason'), { exact: true })
    .fill('Yanlış dosya yüklendi');
  await page.getByRole('button', { name: say('sending', 'stop.button') }).click();
  await expect(
    page.getByRole('main').getByText(say('sending', 'band.person'), { exact: false }),
  ).toBeVisible();
}

async function askToLetGo({ page, say, like }: Desk): Promise<void> {
  await page.getByLabel(like('sending', 'release.ask')).fill('Dosya düzeltildi');
  await page.getByRole('button', { name: say('sending', 'release.askButton') }).click();
}

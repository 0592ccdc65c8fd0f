import { rows } from './database.ts';
import { QUIET_SECONDS } from './surroundings.ts';
import { expect, test, type Desk } from './story.ts';

/** Nothing of a recovery may hold the stories that come after it. */
test.afterEach(async () => {
  await rows(`ALTER TABLE send_switches DISABLE TRIGGER send_switches_guard`);
  await rows(`UPDATE send_switches SET off = false`);
  await rows(`ALTER TABLE send_switches ENABLE TRIGGER send_switches_guard`);
  await rows(`UPDATE recovered_records SET acknowledged_at = now() WHERE acknowledged_at IS NULL`);
  await rows(`UPDATE recoveries SET ended_at = now() WHERE ended_at IS NULL AND scanned_at IS NOT NULL AND problem IS NULL`);
});

for (const language of ['tr', 'en'] as const) {
  test(`who restored a backup says so: sending is off, what the provider holds is compared, and two people let it go on (${language})`, async ({ sitDown }) => {
    test.setTimeout(150_000);
    const owner = await sitDown('selin', { language });
    const approver = await sitDown('mehmet', { language });
    const clerk = await sitDown('ayse', { language });
    await rows(`UPDATE recovered_records SET acknowledged_at = NULL WHERE finding = 'foreign'`);
    await owner.page.goto('/settings');
    await owner.page.getByText(owner.say('recovery', 'begin.title')).click();
    await owner.page.getByLabel(owner.say('recovery', 'begin.reason'), { exact: true }).fill('Gece yedeği geri yüklendi');
    await owner.page.getByRole('button', { name: owner.say('recovery', 'begin.button') }).click();
    await expect(owner.page.getByRole('heading', { name: owner.say('recovery', 'title'), exact: true })).toBeVisible();

    await clerk.page.goto('/payouts/new');
    await expect(clerk.page.getByText(clerk.say('sending', 'band.recovery'))).toBeVisible();
    await expect(clerk.page.getByText(clerk.say('sending', 'form.title'))).toBeVisible();

    await expect.poll(async () => (await rows<{ ready: boolean }>(`SELECT coalesce(scanned_at >= listed_by, false) AS ready FROM recoveries WHERE ended_at IS NULL`))[0]?.ready, { timeout: 40_000 + QUIET_SECONDS * 2_000 }).toBe(true);
    await owner.page.reload();
    await ask(owner);
    await expect(owner.page.getByText(owner.like('refusals', 'recovery_unseen')), 'not while a record waits for a person').toBeVisible();
    const buttons = owner.page.getByRole('button', { name: owner.say('recovery', 'look.button') });
    for (let left = await buttons.count(); left > 0; left -= 1) {
      await owner.page.getByLabel(owner.say('recovery', 'look.label'), { exact: true }).first().fill('Sağlayıcının ekranından yapılmış');
      await buttons.first().click();
      await expect(buttons).toHaveCount(left - 1);
    }
    await expect(owner.page.getByText(owner.say('recovery', 'ready'))).toBeVisible();
    await ask(owner);
    await expect(owner.page.getByText(owner.say('sending', 'release.second'))).toBeVisible();
    await approver.page.goto('/settings');
    await approver.page.getByRole('button', { name: language === 'tr' ? /^Gönderimi aç/ : /^Let sending go on/ }).click();
    await expect(approver.page.getByText(approver.say('sending', 'going'))).toBeVisible();
    await expect(clerk.page.getByText(clerk.say('sending', 'band.recovery'))).toBeHidden();
  });
}

async function ask({ page, say }: Desk): Promise<void> {
  await page.getByLabel(say('sending', 'release.ask'), { exact: true }).fill('Kayıtlar karşılaştırıldı');
  await page.getByRole('button', { name: say('sending', 'release.askButton') }).click();
}

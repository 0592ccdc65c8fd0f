import type { Locator } from '@playwright/test';
import { rows } from './database.ts';
import { expectPaidOnce, expectState, send, wanted, type Wanted } from './payout.ts';
import { frozeWorkerAtRest, processes } from './processes.ts';
import { payElsewhere, sandbox } from './sandbox.ts';
import { QUIET_SECONDS } from './surroundings.ts';
import { expect, test, type Desk } from './story.ts';

/** Turns sending on again: a recovery must not stop sending in later tests. */
test.afterEach(async () => {
  await rows(`ALTER TABLE send_switches DISABLE TRIGGER send_switches_guard`);
  await rows(`UPDATE send_switches SET off = false`);
  await rows(`ALTER TABLE send_switches ENABLE TRIGGER send_switches_guard`);
  await rows(`UPDATE recovered_records SET acknowledged_at = now() WHERE acknowledged_at IS NULL`);
  await rows(
    `UPDATE recoveries SET ended_at = now() WHERE ended_at IS NULL AND scanned_at IS NOT NULL
      AND problem IS NULL`,
  );
});

test('a restored backup stops sending, is compared, and goes on after two people agree', async ({
  sitDown,
}) => {
  test.setTimeout(150_000);
  const owner = await sitDown('selin');
  const approver = await sitDown('mehmet');
  const clerk = await sitDown('ayse');
  await payElsewhere();
  await owner.page.goto('/settings');
  await owner.page.getByText(owner.say('recovery', 'begin.title'), { exact: true }).click();
  await owner.page
    .getByLabel(owner.say('recovery', 'begin.reason'), { exact: true })
    .fill('Gece yedeği geri yüklendi');
  await owner.page.getByRole('button', { name: owner.say('recovery', 'begin.button') }).click();
  await expect(
    owner.page.getByRole('heading', { name: owner.say('recovery', 'title'), exact: true }),
  ).toBeVisible();

  await clerk.page.goto('/payouts/new');
  await expect(clerk.page.getByText(clerk.say('sending', 'band.recovery'))).toBeVisible();
  await expect(clerk.page.getByText(clerk.say('sending', 'form.title'))).toBeVisible();

  await expect
    .poll(
      async () =>
        (
          await rows<{ ready: boolean }>(
            `SELECT coalesce(scanned_at >= listed_by, false) AS ready FROM recoveries
              WHERE ended_at IS NULL`,
          )
        )[0]?.ready,
      { timeout: 40_000 + QUIET_SECONDS * 2_000 },
    )
    .toBe(true);
  await owner.page.reload();
  await ask(owner);
  await expect(
    owner.page.getByText(owner.like('refusals', 'recovery_unseen')),
    'not while a record waits for a person',
  ).toBeVisible();
  const buttons = owner.page.getByRole('button', { name: owner.say('recovery', 'look.button') });
  for (let left = await buttons.count(); left > 0; left -= 1) {
    await owner.page
      .getByLabel(owner.say('recovery', 'look.label'), { exact: true })
      .first()
      .fill('Sağlayıcının ekranından yapılmış');
    await buttons.first().click();
    await expect(buttons).toHaveCount(left - 1);
  }
  await expect(owner.page.getByText(owner.say('recovery', 'ready'))).toBeVisible();
  await ask(owner);
  await expect(owner.page.getByText(owner.say('sending', 'release.second'))).toBeVisible();
  await approver.page.goto('/settings');
  await approver.page.getByRole('button', { name: /^Gönderimi yeniden başlat/ }).click();
  await expect(approver.page.getByText(approver.say('sending', 'going'))).toBeVisible();
  await expect(clerk.page.getByText(clerk.say('sending', 'band.recovery'))).toBeHidden();
});

test('older rows leave one by one when a person says "send it"; a cancelled row never leaves', async ({
  sitDown,
}) => {
  const clerk = await sitDown('ayse');
  const [confirmed, calledOff] = [wanted({ amountMinor: 21_700 }), wanted({ amountMinor: 21_800 })];
  const [{ began } = { began: new Date() }] = await rows<{ began: Date }>('SELECT now() AS began');
  // The checkpoint of this payout is younger than the recovery, so that no other recovery begins.
  await send(clerk);
  await expectState(clerk, 'COMPLETED', 60_000);
  await expect.poll(frozeWorkerAtRest).toBe(true);
  try {
    for (const want of [confirmed, calledOff]) await send(clerk, want);
    await rows(
      `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by, scanned_at,
        journal, ended_at) SELECT merchant_id, 'asked', $1, $1, $1, $1,
        '{"files":1,"lines":0,"missing":0,"unreadable":0}', $1 FROM people
        WHERE email = 'selin@demo.test'`,
      [began],
    );
    await rows('ALTER TABLE movements DISABLE TRIGGER USER');
    await rows(
      `UPDATE movements SET created_at = $1::timestamptz - interval '1 second' WHERE iban = ANY ($2)`,
      [began, [confirmed.payee.iban, calledOff.payee.iban]],
    );
    await rows('ALTER TABLE movements ENABLE TRIGGER USER');
  } finally {
    await processes.thaw('worker');
  }
  await clerk.page.reload();
  await expect(
    clerk.page.getByRole('heading', {
      name: clerk.say('payout', 'sentences.queued_confirm.title'),
    }),
    'its page does not say that it leaves by itself',
  ).toBeVisible();
  await clerk.page.goto('/settings');
  await expect(line(clerk, confirmed).getByText(clerk.say('recovery', 'held.waits'))).toBeVisible();
  await expect(
    line(clerk, confirmed).getByRole('button', { name: clerk.like('recovery', 'held.sendLabel') }),
  ).toHaveCount(0);

  const phone = await sitDown('selin', { narrow: true, dark: true });
  await phone.page.goto('/settings');
  expect(
    await phone.page.evaluate(() => document.documentElement.scrollWidth),
    'no wider than the phone',
  ).toBeLessThanOrEqual(390);
  await line(phone, calledOff)
    .getByRole('button', { name: phone.like('recovery', 'held.cancelLabel') })
    .click();
  await expect(line(phone, calledOff)).toHaveCount(0);
  await expect(
    phone.page.getByRole('status').filter({ hasText: phone.say('recovery', 'held.cancelled') }),
    'the answer outlives its row',
  ).toBeVisible();

  const approver = await sitDown('mehmet', { language: 'en' });
  await approver.page.goto('/settings');
  await expect(line(approver, calledOff)).toHaveCount(0);
  await line(approver, confirmed)
    .getByRole('button', { name: approver.like('recovery', 'held.sendLabel') })
    .click();
  await expect(line(approver, confirmed)).toHaveCount(0);
  await expect(
    approver.page
      .getByRole('status')
      .filter({ hasText: approver.say('recovery', 'held.confirmed') }),
  ).toBeVisible();
  await expect
    .poll(() => sandbox.sendsTo(confirmed.payee.iban), { timeout: 20_000 })
    .toHaveLength(1);
  await expect
    .poll(
      async () =>
        await rows(`SELECT state FROM movements WHERE iban = ANY ($1) ORDER BY amount_minor`, [
          [confirmed.payee.iban, calledOff.payee.iban],
        ]),
      { timeout: 30_000 },
    )
    .toEqual([{ state: 'COMPLETED' }, { state: 'CANCELLED' }]);
  await expectPaidOnce(confirmed);
  expect(await sandbox.sendsTo(calledOff.payee.iban)).toEqual([]);
});

/** A payout's row in the list of those that wait for "send it". */
function line({ page, say }: Desk, { payee }: Wanted): Locator {
  return page
    .getByRole('table', { name: say('recovery', 'held.caption') })
    .getByRole('row')
    .filter({ hasText: payee.name });
}

async function ask({ page, say, like }: Desk): Promise<void> {
  await page.getByLabel(like('sending', 'release.ask')).fill('Kayıtlar karşılaştırıldı');
  await page.getByRole('button', { name: say('sending', 'release.askButton') }).click();
}

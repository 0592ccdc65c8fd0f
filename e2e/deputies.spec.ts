import { rows } from './database.ts';
import { expectPaidOnce, expectState, fillPayout, formFields, onPayoutPage } from './payout.ts';
import { wanted } from './payout.ts';
import { emailOf } from './sign-in.ts';
import { expect, PHONE, pressUntil, test, type Desk } from './story.ts';

const REASON = 'Deneme: yıllık izin';
/** ₺40,00: what the owner may send alone in these stories. */
const SINGLE = 4_000;

/** A limit of the owner, which no colleague may set, so that a payout of hers waits for approval. */
test.beforeEach(async () => {
  await unguarded(
    'person_limits',
    `INSERT INTO person_limits (merchant_id, person_id, currency, single_minor, set_by, reason)
      SELECT p.merchant_id, p.id, 'TRY', ${SINGLE}, o.id, 'test' FROM people p JOIN people o
        ON o.merchant_id = p.merchant_id AND o.email = '${emailOf('mehmet')}'
      WHERE p.email = '${emailOf('selin')}'`,
  );
});

test.afterEach(async () => {
  await unguarded('person_limits', 'DELETE FROM person_limits');
  await rows('UPDATE deputyships SET ended_at = clock_timestamp() WHERE ended_at IS NULL');
  await rows(`UPDATE second_person_requests SET closed_at = clock_timestamp()
    WHERE subject_kind = 'deputy' AND closed_at IS NULL`);
});

test('a clerk approves for an approver who is away', async ({ sitDown }) => {
  test.setTimeout(150_000);
  const away = await sitDown('mehmet', PHONE);
  const owner = await sitDown('selin', PHONE);
  const deputy = await sitDown('ayse', PHONE);
  await deputy.page.goto('/approvals');
  await expect(
    deputy.page.getByRole('heading', { name: deputy.say('common', 'forbidden.title') }),
  ).toBeVisible();

  await nameDeputy(away);
  await expect(away.page.getByText(away.say('people', 'results.deputyAsked'))).toBeVisible();
  await owner.page.goto('/waiting');
  await expect(owner.page.getByText(owner.like('waiting', 'effects.deputy'))).toBeVisible();
  await confirmDeputy(owner);
  const table = owner.page.getByRole('table', { name: owner.say('people', 'deputies.title') });
  await expect(table.getByRole('row').filter({ hasText: 'Mehmet' })).toContainText(
    owner.say('people', 'deputies.states.now'),
  );

  const want = wanted({ amountMinor: SINGLE + 1_00 });
  await fillPayout(owner, want);
  await formFields(owner).goOn.click();
  await owner.page
    .getByRole('button', { name: owner.say('foreseen', 'submit') })
    .click({ timeout: 20_000 });
  const id = await onPayoutPage(owner);

  await deputy.page.goto(`/approvals/${id}`);
  await expect(deputy.page.getByText(deputy.like('people', 'deputies.acting'))).toBeVisible();
  await deputy.page
    .getByRole('button', { name: deputy.like('approvals', 'decision.approve') })
    .click();
  await expectState(owner, 'COMPLETED', 40_000);
  await expectPaidOnce(want);
  await owner.page.reload();
  await expect(
    owner.page.getByText(owner.like('approvals', 'onPayment.givenFor')),
    'the payout says for whom it was approved',
  ).toBeVisible();

  await endOwn(deputy);
  await deputy.page.goto('/approvals');
  await expect(
    deputy.page.getByRole('heading', { name: deputy.say('common', 'forbidden.title') }),
  ).toBeVisible();
});

/** Presses the button, and returns its open dialog. */
async function openDialog({ page }: Desk, button: string | RegExp) {
  const dialog = page.getByRole('dialog');
  await pressUntil(page.getByRole('main').getByRole('button', { name: button }), dialog);
  return dialog;
}

/** From today for two days; a period that ends before it begins is refused and stays typed. */
async function nameDeputy(desk: Desk): Promise<void> {
  const { page, say } = desk;
  await page.goto('/people');
  const dialog = await openDialog(desk, say('people', 'deputies.open'));
  const last = dialog.getByLabel(say('people', 'deputies.lastDay'), { exact: true });
  const confirm = dialog.getByRole('button', { name: say('people', 'deputies.confirm') });
  await expect(dialog.getByLabel(say('people', 'deputies.for')).getByRole('option')).toHaveCount(1);
  await dialog
    .getByLabel(say('people', 'deputies.deputy'), { exact: true })
    .selectOption({ label: await nameOf('ayse') });
  await dialog.getByLabel(say('people', 'deputies.reason')).fill(REASON);
  for (const wrong of ['', '01.01.2026']) {
    await last.fill(wrong);
    await confirm.click();
    await expect(dialog.getByRole('alert')).toHaveText(
      say('refusals', 'deputy_period', { days: 90 }),
    );
  }
  await expect(dialog.getByLabel(say('people', 'deputies.reason'))).toHaveValue(REASON);
  await last.fill(await dayAfterTomorrow());
  await confirm.click();
  await expect(dialog).toBeHidden();
}

async function confirmDeputy(desk: Desk): Promise<void> {
  const { page, say, like } = desk;
  await page.goto('/people');
  const dialog = await openDialog(desk, like('people', 'waiting.confirmLabel'));
  await expect(dialog).toContainText(REASON);
  await dialog.getByRole('button', { name: say('people', 'waiting.confirm'), exact: true }).click();
  await expect(page.getByText(say('people', 'results.confirmed'))).toBeVisible();
}

async function endOwn(desk: Desk): Promise<void> {
  const { page, say, like } = desk;
  await page.goto('/settings');
  const dialog = await openDialog(desk, like('people', 'deputies.endLabel'));
  await dialog.getByRole('button', { name: say('people', 'deputies.end'), exact: true }).click();
  await expect(
    page.getByRole('heading', { name: say('people', 'deputies.ownTitle'), exact: true }),
  ).toBeHidden();
}

async function nameOf(person: 'ayse'): Promise<string> {
  const [row] = await rows<{ name: string }>('SELECT name FROM people WHERE email = $1', [
    emailOf(person),
  ]);
  return row!.name;
}

async function dayAfterTomorrow(): Promise<string> {
  const [row] = await rows<{ day: string }>(
    `SELECT to_char((now() AT TIME ZONE 'Europe/Istanbul')::date + 2, 'DD.MM.YYYY') AS day`,
  );
  return row!.day;
}

async function unguarded(table: string, statement: string): Promise<void> {
  await rows(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await rows(statement);
  await rows(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
}

import { agree, forgetPolicies } from './agreement.ts';
import { openDraft, pasteRows } from './batch-rows.ts';
import { newIban, newTaxNumber } from './payee.ts';
import { sandbox } from './sandbox.ts';
import { expect, PHONE, test, type Desk } from './story.ts';

/** A file of payouts that another person approves as a whole, or sends back without a row. */

test.afterEach(forgetPolicies);

const NAMES = ['Ilgaz', 'Palandöken', 'Kaçkar'];
/** Together above the rule's ₺44.120,00, each of them below it. */
const AMOUNTS = ['20.120,50', '18.340,25', '9.077,75'];

type Line = { name: string; iban: string };

/** The maker pastes three rows and submits them for approval. */
async function submitted(maker: Desk): Promise<{ lines: Line[]; address: string }> {
  const { page, say, like } = maker;
  const lines = NAMES.map((name) => {
    const iban = newIban();
    return { name: `${name} ${iban.slice(-6)}`, iban };
  });
  await pasteRows(
    maker,
    lines.map(({ name, iban }, at) => [name, iban, newTaxNumber(), AMOUNTS[at]!, `Kasım ${at}`]),
  );
  await page.getByRole('button', { name: like('batch-run', 'send.submit') }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(like('foreseen', 'one')), 'who approves it').toBeVisible();
  await dialog.getByRole('button', { name: say('batch-run', 'send.submitConfirm') }).click();
  const waits = page.getByText(say('batch-run', 'phase.waiting'), { exact: true });
  await expect(waits.first()).toBeVisible();
  return { lines, address: new URL(page.url()).pathname };
}

const paid = async (lines: readonly Line[]): Promise<number[]> =>
  Promise.all(lines.map(async ({ iban }) => (await sandbox.sendsTo(iban)).length));

test('a file whose sum needs an approval leaves once another person has approved it', async ({
  sitDown,
}) => {
  test.setTimeout(180_000);
  const owner = await sitDown('selin', PHONE);
  const approver = await sitDown('mehmet', PHONE);
  const clerk = await sitDown('ayse', PHONE);
  await agree(owner, approver);
  const { lines, address } = await submitted(clerk);
  expect(await paid(lines), 'nothing leaves before').toEqual([0, 0, 0]);

  const { page, say, like } = approver;
  await page.goto('/approvals');
  await page.getByRole('main').locator(`a[href="${address}"]`).click();
  await expect(page).toHaveURL(address);
  const main = page.getByRole('main');
  await main.getByRole('link', { name: like('batch-run', 'approval.flags.first') }).click();
  await expect(page).toHaveURL(/flag=first/);
  for (const { name } of lines) await expect(main.getByText(name)).toBeVisible();
  await expect(main.getByText('Kasım 0', { exact: true }), 'what a row is for').toBeVisible();
  await main.getByRole('button', { name: like('batch-run', 'approval.approve') }).click();
  await expect(main.getByText(say('batch-run', 'phase.waiting'), { exact: true })).toHaveCount(0);
  const done = clerk.say('states', 'COMPLETED');
  for (const { name } of lines)
    await expect(
      clerk.page.getByRole('row').filter({ hasText: name }),
      'the maker sees it without a reload',
    ).toContainText(done, { timeout: 60_000 });
  expect(await paid(lines)).toEqual([1, 1, 1]);
});

test('a file that is sent back without a row becomes a new draft, and nothing has left', async ({
  sitDown,
}) => {
  test.setTimeout(180_000);
  const owner = await sitDown('selin');
  const approver = await sitDown('mehmet');
  const clerk = await sitDown('ayse');
  await agree(owner, approver);
  const { lines, address } = await submitted(clerk);
  await openDraft(clerk, [['Bekleyen Ltd.', newIban(), newTaxNumber(), '1,00', 'Kasım']]);
  await expect(
    clerk.page.getByText(clerk.like('batches', 'summary.pending')),
    'the balance afterwards counts what waits for approval',
  ).toBeVisible();
  await clerk.page.goto(address);
  const { page, say } = approver;
  await page.goto(address);
  const row = page.getByRole('row').filter({ hasText: lines[1]!.name });
  await row.getByRole('checkbox').check();
  await page.getByLabel(say('approvals', 'decision.reason')).fill('Bu hesap bizim değil');
  await page.getByRole('button', { name: say('approvals', 'decision.sendBack') }).click();
  const ended = page.getByText(say('batch-run', 'phase.sent_back'), { exact: true });
  await expect(ended.first()).toBeVisible();

  const main = clerk.page.getByRole('main');
  await expect(main.getByText(/Bu hesap bizim değil/), 'without a reload').toBeVisible();
  await main.getByRole('button', { name: clerk.say('batch-run', 'retry.open') }).click();
  await clerk.page
    .getByRole('dialog')
    .getByRole('button', { name: clerk.say('batch-run', 'retry.confirm') })
    .click();
  await expect(main).toContainText(clerk.say('batches', 'list.states.DRAFT'));
  await expect(
    main.getByText(clerk.like('batch-run', 'send.submit')).or(main.getByText('₺29.198,25')).first(),
    'the sum is that of the two rows that stay',
  ).toBeVisible();
  expect(await paid(lines)).toEqual([0, 0, 0]);
});

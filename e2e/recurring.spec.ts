import { randomUUID } from 'node:crypto';
import { rows } from './database.ts';
import { Gateway } from './independent/gateway.ts';
import { expectFollows, showChanges } from './live-list.ts';
import { sandbox } from './sandbox.ts';
import { expect, pressUntil, test, type Desk } from './story.ts';
import { SANDBOX_URL } from './surroundings.ts';

/**
 * A subscription that the merchant's web shop sold: the product finds its plan by the record of the
 * sale, and charges it once for each press.
 */

const CARD = {
  number: '4508034508034509',
  holder: 'Elif Şahin',
  month: '12',
  year: '2031',
  cvv: '000',
};

async function subscription(total: number): Promise<string> {
  const { card } = (await (await fetch(`${SANDBOX_URL}/sandbox/credentials`)).json()) as {
    card: { app_id: string; app_secret: string; merchant_key: string };
  };
  const gateway = new Gateway(`${SANDBOX_URL}/card`, {
    appId: card.app_id,
    appSecret: card.app_secret,
    merchantKey: card.merchant_key,
  });
  await gateway.signIn();
  const invoice = `ABONE-${randomUUID().slice(0, 8)}`;
  await gateway.pay2D(
    { invoice, total, saleHook: 'sale_hook', monthly: { count: 6, hook: 'recurring_hook' } },
    CARD,
  );
  return String((await gateway.check(invoice))['recurring_plan_code']);
}

/** Opens the plan's page, as soon as the worker has read the plan's record. */
async function openPlan({ page, say }: Desk, planCode: string): Promise<void> {
  await expect(async () => {
    await page.goto(`/cards/recurring?q=${planCode}`);
    await expect(page.getByRole('row').filter({ hasText: planCode })).toContainText(
      say('recurring', 'states.active'),
      { timeout: 1_000 },
    );
  }).toPass({ timeout: 60_000 });
  await page.getByRole('link', { name: planCode, exact: true }).click();
  await expect(page.getByText(say('recurring', 'sentences.active'))).toBeVisible();
}

const chargesOf = async (planCode: string): Promise<number> =>
  (await sandbox.requests('process')).filter((one) => one.body.includes(planCode)).length;

test('a plan charge is taken once though its answer is lost, and the page claims nothing unknown', async ({
  sitDown,
}) => {
  const planCode = await subscription(149.9);
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  await openPlan(desk, planCode);
  expect(await page.content(), 'no more of the card than four digits').not.toMatch(/450803/);
  await sandbox.fault({ operation: 'recurring/plan/process', kind: 'lost_after' });
  const dialog = page.getByRole('dialog', { name: say('recurring', 'charge.title') });
  await pressUntil(
    page.getByRole('button', { name: say('recurring', 'charge.open', { amount: '₺149,90' }) }),
    dialog,
  );
  await expect(dialog).toContainText('•••• 4509');
  await dialog
    .getByRole('button', { name: say('recurring', 'charge.confirm', { amount: '₺149,90' }) })
    .click();
  await expect(
    page.getByText(say('recurring', 'log.taken', { number: 2, amount: '₺149,90' })),
  ).toBeVisible({ timeout: 30_000 });
  expect(await chargesOf(planCode), 'requests that took money').toBe(1);
  const [row] = await rows<{ code: string | null; reads: number }>(
    `SELECT c.code, c.reads FROM plan_charges c JOIN recurring_plans p ON p.id = c.plan_id
      WHERE p.plan_code = $1`,
    [planCode],
  );
  expect(row, 'the answer was lost, and the record was read').toMatchObject({
    code: null,
    reads: 1,
  });
});

test('an unknown charge locks its plan and says so; a paused plan shows no charge on the page', async ({
  sitDown,
}) => {
  const planCode = await subscription(88.4);
  const desk = await sitDown('mehmet', { language: 'en', narrow: true });
  const { page, say, like } = desk;
  await openPlan(desk, planCode);
  await sandbox.fault({ operation: 'recurring/plan/process', kind: 'lost_before' });
  const dialog = page.getByRole('dialog', { name: say('recurring', 'charge.title') });
  const charge = page.getByRole('button', {
    name: say('recurring', 'charge.open', { amount: '₺88.40' }),
  });
  await pressUntil(charge, dialog);
  await dialog
    .getByRole('button', { name: say('recurring', 'charge.confirm', { amount: '₺88.40' }) })
    .click();
  await expect(
    page.getByText(say('recurring', 'open.unknown.title', { amount: '₺88.40' })),
  ).toBeVisible({ timeout: 30_000 });
  await expect(charge).toHaveCount(0);
  await page.getByRole('button', { name: say('recurring', 'pause.open'), exact: true }).click();
  await page
    .getByRole('dialog', { name: say('recurring', 'pause.title') })
    .getByRole('button', { name: say('recurring', 'pause.confirm') })
    .click();
  await expect(page.getByText(like('recurring', 'changed.done')).first()).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(say('recurring', 'sentences.inactive'))).toBeVisible({
      timeout: 1_000,
    });
  }).toPass({ timeout: 60_000 });
  expect(await chargesOf(planCode), 'requests that may have taken money').toBe(1);
});

test("a pause shows on the plan's page by itself; a colleague's resume is announced and waits", async ({
  sitDown,
}) => {
  const planCode = await subscription(61.3);
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  await openPlan(desk, planCode);
  // A webhook of the sale may have made the worker read the plan's record again.
  await showChanges(desk);
  await switchPlan(desk, 'pause');
  const paused = page.getByText(say('recurring', 'sentences.inactive'));
  await expect(paused).toBeVisible();
  await expect(
    page.getByRole('button', { name: say('recurring', 'resume.open'), exact: true }),
  ).toBeVisible();
  await expect(
    page.getByRole('button', { name: say('recurring', 'charge.open', { amount: '₺61,30' }) }),
  ).toHaveCount(0);
  await expectLive(desk);

  const colleague = await sitDown('mehmet');
  await colleague.page.goto(page.url());
  await switchPlan(colleague, 'resume');
  await expect(
    colleague.page.getByText(colleague.say('recurring', 'sentences.active')),
  ).toBeVisible();
  const show = page.getByRole('button', { name: desk.like('live', 'changes') });
  await expect(show).toBeVisible();
  await expect(paused).toBeVisible();
  await show.click();
  await expect(page.getByText(say('recurring', 'sentences.active'))).toBeVisible();
});

test('a code that the gateway does not know is reported, and who has looked into it', async ({
  sitDown,
}) => {
  const desk = await sitDown('mehmet');
  const { page, say } = desk;
  const planCode = `NOBODY-${randomUUID().slice(0, 8)}`;
  await page.goto('/cards/recurring');
  const codes = page.getByLabel(say('recurring', 'add.label'), { exact: true });
  await expect(async () => {
    if (!(await codes.isVisible()))
      await page.getByText(say('recurring', 'add.title'), { exact: true }).click();
    await expect(codes).toBeVisible({ timeout: 500 });
  }).toPass();
  await codes.fill(planCode);
  await page.getByRole('button', { name: say('recurring', 'add.button'), exact: true }).click();
  await expect(page.getByText(/^1 plan eklendi/)).toBeVisible();
  await expect(async () => {
    await page.goto(`/cards/recurring?q=${planCode}`);
    await expect(page.getByRole('row').filter({ hasText: planCode })).toContainText(
      say('recurring', 'problems.not_found'),
      { timeout: 1_000 },
    );
  }).toPass({ timeout: 60_000 });
  await page.getByRole('link', { name: planCode, exact: true }).click();
  await expectFollows(desk);
  const reason = `Yanlış yazılmış ${planCode}`;
  await page.getByLabel(say('recurring', 'seen.label'), { exact: true }).fill(reason);
  await page.getByRole('button', { name: say('recurring', 'seen.button'), exact: true }).click();
  await expect(page.getByText(`“${reason}”`)).toBeVisible();
  await expect(page.getByLabel(say('recurring', 'seen.label'), { exact: true })).toHaveCount(0);
});

/** Requires that the page has the live stream, and that no change is announced. */
async function expectLive({ page, say }: Desk): Promise<void> {
  await expect(page.getByText(say('live', 'on'), { exact: true })).toBeVisible();
}

async function switchPlan({ page, say }: Desk, way: 'pause' | 'resume'): Promise<void> {
  const dialog = page.getByRole('dialog', { name: say('recurring', `${way}.title`) });
  await pressUntil(
    page.getByRole('button', { name: say('recurring', `${way}.open`), exact: true }),
    dialog,
  );
  await dialog.getByRole('button', { name: say('recurring', `${way}.confirm`) }).click();
}

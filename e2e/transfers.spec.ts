import { expect, test } from './story.ts';
import { markPage } from './payout.ts';
import { sandbox } from './sandbox.ts';
import {
  executedOnce,
  fillTransfer,
  OPERATIONS,
  sendTransfer,
  wantedTransfer,
  type Kind,
} from './transfer.ts';
import type { Desk } from './story.ts';

/** The provider's query by which transfers are checked; there is no other. */
const LEDGER = 'SummaryRecordByFilter';

async function expectWord({ page, say }: Desk, state: string, timeout = 15_000): Promise<void> {
  const head = page.getByRole('article').getByRole('heading', { level: 1 }).locator('xpath=..');
  await expect(head.getByText(say('states', state), { exact: true })).toBeVisible({ timeout });
}

for (const [kind, language] of [
  ['transfer_person', 'tr'],
  ['transfer_business', 'en'],
  ['transfer_own', 'tr'],
] as const satisfies [Kind, 'tr' | 'en'][]) {
  test(`a transfer whose answer is lost is made once and ended by the ledger (${kind}, ${language})`, async ({
    sitDown,
  }) => {
    const desk = await sitDown('ayse', { language });
    const { page, say } = desk;
    await sandbox.fault({ operation: OPERATIONS[kind], kind: 'lost_after' });
    // While this fault lasts the outcome stays unknown, however often the worker queries the
    // ledger.
    await sandbox.fault({ operation: LEDGER, kind: 'status', status: 503, times: 1_000 });
    const id = await sendTransfer(desk, await wantedTransfer(kind));
    const notReloaded = await markPage(desk);
    await expectWord(desk, 'UNKNOWN');
    const article = page.getByRole('article');
    await expect(
      article.getByRole('heading', { name: say('transfer', 'sentences.unknown.title') }),
    ).toBeVisible();
    await expect(article.getByText(say('transfer', 'sentences.unknown.text'))).toBeVisible();
    for (const path of ['actions.payAgain', 'actions.payAgainReturned'])
      await expect(
        article.getByRole('link', { name: say('transfer', path), exact: true }),
      ).toHaveCount(0);
    await expect(
      article.getByRole('button', { name: say('payout', 'actions.cancel'), exact: true }),
    ).toHaveCount(0);
    await sandbox.calm();
    await expectWord(desk, 'COMPLETED', 40_000);
    await expect(article.getByText(say('transfer', 'timeline.nodes.completed'))).toBeVisible();
    await notReloaded();
    await executedOnce(id, kind);
    await expect(article.getByRole('link', { name: say('payout', 'actions.receipt') })).toBeVisible(
      { timeout: 30_000 },
    );
  });
}

test('an accepted transfer is not called finished before the ledger shows it, and stands in its own list', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  // The read after eight seconds does not find it, and the pending state lasts its whole time.
  await sandbox.questions({ ledger_lag_min_ms: 12_000, ledger_lag_max_ms: 12_000 });
  const want = await wantedTransfer('transfer_business');
  const id = await sendTransfer(desk, want);
  await expectWord(desk, 'LEDGER_PENDING');
  await expect(
    page.getByRole('article').getByText(say('transfer', 'sentences.pending.title')),
  ).toBeVisible();
  await expect(
    page.getByRole('article').getByText(say('transfer', 'sources.explain')),
  ).toBeVisible();
  await expectWord(desk, 'COMPLETED', 40_000);
  await executedOnce(id, want.kind);
  await page.goto(`/transfers?q=${want.toWallet}`);
  await expect(page.locator(`a[href="/transfers/${id}"]`)).toBeVisible();
  // A link with the movement's id alone redirects to the page of its kind.
  await page.goto(`/payouts/${id}`);
  await expect(page).toHaveURL(new RegExp(`/transfers/${id}$`));
});

test('who is found is compared with who was meant: fits, another name, no wallet, could not check', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say, like } = desk;
  const want = await wantedTransfer('transfer_person');
  await fillTransfer(desk, want);
  await expect(
    page.getByText(say('new-transfer', 'person.outcomes.fits.title', { masked: 'El** Şa***' })),
  ).toBeVisible();
  const name = page.locator('input[name="name"]');
  await name.fill('Ahmet Kaya');
  await expect(
    page.getByText(say('new-transfer', 'person.outcomes.differs.title', { masked: 'El** Şa***' })),
  ).toBeVisible();
  await expect(
    page.getByRole('checkbox', { name: like('transfer-errors', 'findings.person_differs') }),
  ).toBeVisible();
  const phone = page.locator('input[name="phone"]');
  await phone.fill('533 999 99 99');
  await expect(
    page.getByText(say('new-transfer', 'person.outcomes.nobody.title'), { exact: true }),
  ).toBeVisible();
  await expect(
    page
      .getByText(say('transfer-errors', 'findings.person_nobody'))
      .filter({ visible: true })
      .first(),
  ).toBeVisible();
  await sandbox.fault({
    operation: 'CheckPersonalWallet',
    kind: 'status',
    status: 503,
    times: 1_000,
  });
  await phone.fill('533 000 02 02');
  await expect(
    page.getByText(say('new-transfer', 'person.outcomes.unchecked.title'), { exact: true }),
  ).toBeVisible();
  await page.getByRole('button', { name: say('new-payout', 'review.go') }).click();
  // The press is answered: the summary says what is missing.
  await expect(page.getByRole('complementary').getByRole('status')).toHaveText(/\S/);
  await expect(page.getByRole('button', { name: like('new-payout', 'review.send') })).toHaveCount(
    0,
  );
});

for (const [code, language] of [
  ['330', 'tr'],
  ['480', 'en'],
] as const) {
  test(`a refusal (${code}) says first that nothing was transferred, then why, in ${language}`, async ({
    sitDown,
  }) => {
    const desk = await sitDown('ayse', { language });
    const { page, say } = desk;
    await sendTransfer(
      desk,
      await wantedTransfer('transfer_business', {
        toWallet: `9999000${code}`,
        name: `Reddeden ${code}`,
      }),
    );
    await expectWord(desk, 'REJECTED');
    const article = page.getByRole('article');
    await expect(
      article.getByRole('heading', { name: say('transfer', 'sentences.rejected.title') }),
    ).toBeVisible();
    await expect(article.getByText(say('transfer', `reasons.${code}`))).toBeVisible();
    await expect(
      article.getByRole('link', { name: say('transfer', 'actions.payAgain'), exact: true }),
    ).toBeVisible();
  });
}

import { expect, test, type Desk } from './story.ts';
import { intentsTo } from './database.ts';
import {
  expectPaidOnce,
  expectState,
  fillPayout,
  formFields,
  markPage,
  send,
  sendButton,
  wanted,
} from './payout.ts';
import { processes } from './processes.ts';
import { sandbox } from './sandbox.ts';
import { QUIET_SECONDS } from './surroundings.ts';

const READ = 'GetRequestWithdrawByExtId';
const SEND = 'SendMoneyToBankAccount';

/**
 * Requires the text of an unknown outcome: what is known, in words, and no button that could send
 * the money again.
 */
async function expectUnknownBand({ page, language, say }: Desk): Promise<void> {
  const article = page.getByRole('article');
  const sentence =
    language === 'tr'
      ? 'Bu ödemenin çıkıp çıkmadığını henüz bilmiyoruz.'
      : "We don't know yet whether this payout left.";
  const advice =
    language === 'tr'
      ? 'Yeniden göndermeyin; aynı alıcıya aynı tutarı göndermeyi kilitledik.'
      : "Please don't send it again; we've locked this recipient and amount.";
  await expect(article.getByRole('heading', { name: sentence })).toBeVisible();
  await expect(article.getByText(advice)).toBeVisible();
  for (const path of ['payAgain', 'payAgainReturned', 'copy', 'cancel']) {
    await expect(
      article.getByRole('link', { name: say('payout', `actions.${path}`), exact: true }),
    ).toHaveCount(0);
    await expect(
      article.getByRole('button', { name: say('payout', `actions.${path}`), exact: true }),
    ).toHaveCount(0);
  }
  await expect(article.getByRole('button', { name: say('payout', 'actions.ask') })).toBeVisible();
}

for (const language of ['tr', 'en'] as const) {
  test(`a payout whose answer is lost is sent once, stays unknown and ends by itself (${language})`, async ({
    sitDown,
  }) => {
    const desk = await sitDown('ayse', { language });
    const { say } = desk;
    const want = wanted();
    await sandbox.noticeMode({ drop: true });
    await sandbox.fault({ operation: SEND, kind: 'lost_after' });
    // While this fault lasts the outcome stays unknown, however often the worker queries the
    // provider.
    await sandbox.fault({ operation: READ, kind: 'status', status: 503, times: 1_000 });
    const id = await send(desk, want);
    const notReloaded = await markPage(desk);
    await expectState(desk, 'UNKNOWN');
    await expectUnknownBand(desk);

    const other = await sitDown('mehmet', { language });
    await other.page.goto('/');
    const bucket = other.page.getByRole('region', { name: say('home', 'unknown.title') });
    await expect(bucket.getByRole('link', { name: want.payee.name })).toBeVisible();
    await expect(
      other.page.getByRole('main').getByRole('heading', { level: 2 }).first(),
    ).toHaveText(say('home', 'unknown.title'));

    await sandbox.calm();
    await expectState(desk, 'COMPLETED', 40_000);
    await notReloaded();
    await expectPaidOnce(want);
    expect(await sandbox.sendsTo(want.payee.iban)).toHaveLength(1);
    expect(await intentsTo(want.payee.iban)).toMatchObject([{ id, state: 'COMPLETED', sends: 1 }]);
  });
}

test('a payout whose request was lost is resent once with its reference, and cannot be paid twice', async ({
  sitDown,
}) => {
  // The one-minute limit of an IBAN (326) applies to the resend, too, so that this test takes long.
  test.setTimeout(150_000);
  const desk = await sitDown('ayse');
  const { page } = desk;
  const want = wanted();
  await sandbox.fault({ operation: SEND, kind: 'lost_before' });
  const id = await send(desk, want);
  const notReloaded = await markPage(desk);
  await expectState(desk, 'UNKNOWN');
  await expectUnknownBand(desk);
  await expect(
    page
      .getByRole('article')
      .getByText(/\d+ kez soruldu: kayıt bulunamadı/)
      .first(),
  ).toBeVisible();
  expect(await sandbox.paidTo(want.payee.iban)).toEqual([]);
  expect(await sandbox.sendsTo(want.payee.iban)).toHaveLength(1);
  const sentAt = Date.now();

  const other = await sitDown('mehmet');
  await fillPayout(other, want);
  await expect(
    other.page
      .getByText(other.like('payout-errors', 'findings.unknown_same_amount'))
      .filter({ visible: true })
      .first(),
  ).toBeVisible();
  await formFields(other).goOn.click();
  await expect(
    other.page.getByRole('status').filter({ hasText: other.say('new-payout', 'problems.blocked') }),
  ).toBeVisible();
  await expect(sendButton(other, want)).toHaveCount(0);
  // Another amount to the same recipient is allowed, but only when the person confirms that it is
  // another payment.
  await formFields(other).amount.fill('77,00');
  await expect(
    other.page.getByRole('checkbox', {
      name: other.like('payout-errors', 'findings.unknown_other_amount'),
    }),
  ).not.toBeChecked();
  await formFields(other).goOn.click();
  await expect(sendButton(other, { ...want, amountMinor: 7_700 })).toHaveCount(0);

  await expectState(desk, 'COMPLETED', 100_000);
  expect(Date.now() - sentAt).toBeGreaterThan(QUIET_SECONDS * 1_000);
  await notReloaded();
  await expectPaidOnce(want);
  const sends = await sandbox.sendsTo(want.payee.iban);
  const intents = await intentsTo(want.payee.iban);
  expect(intents).toMatchObject([{ id, state: 'COMPLETED', sends: 2 }]);
  expect(sends.map(({ extId }) => extId)).toEqual([intents[0]!.ext_id, intents[0]!.ext_id]);
  await expect(
    page.getByRole('article').getByText(desk.say('payout', 'timeline.nodes.sending_again')),
  ).toBeVisible();
});

for (const [what, fault] of [
  ['an answer that is cut in half', { kind: 'truncated' }],
  ['a web page instead of an answer', { kind: 'html', work: true }],
  ['an error of the provider’s server', { kind: 'status', status: 500, work: true }],
] as const) {
  test(`${what} proves nothing: the page says unknown, and one payment is made in the end`, async ({
    sitDown,
  }) => {
    const desk = await sitDown('ayse');
    const want = wanted();
    await sandbox.noticeMode({ drop: true });
    await sandbox.fault({ operation: SEND, ...fault });
    await sandbox.fault({ operation: READ, kind: 'status', status: 503, times: 1_000 });
    await send(desk, want);
    await expectState(desk, 'UNKNOWN');
    await expectUnknownBand(desk);
    await sandbox.calm();
    await expectState(desk, 'COMPLETED', 40_000);
    await expectPaidOnce(want);
    expect(await sandbox.sendsTo(want.payee.iban)).toHaveLength(1);
  });
}

test('a payout for an unreachable provider is called not sent, and leaves when the provider is back', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page } = desk;
  const want = wanted();
  await processes.stop('worker');
  try {
    await send(desk, want);
    await expectState(desk, 'APPROVED');
    await expect(page.getByRole('heading', { name: 'Sırada. Henüz gönderilmedi.' })).toBeVisible();
    await processes.stop('sandbox');
  } finally {
    await processes.start('worker');
  }
  try {
    await expect(
      page.getByRole('heading', { name: 'Henüz gönderilmedi: sağlayıcıya ulaşılamıyor.' }),
    ).toBeVisible({ timeout: 30_000 });
    await expect(
      page
        .getByRole('article')
        .getByText(/^Para çıkmadı\./)
        .first(),
    ).toBeVisible();
  } finally {
    await processes.start('sandbox');
  }
  await expectState(desk, 'COMPLETED', 60_000);
  await expectPaidOnce(want);
  expect(await sandbox.sendsTo(want.payee.iban)).toHaveLength(1);
});

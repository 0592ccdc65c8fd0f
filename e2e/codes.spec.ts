import { randomUUID } from 'node:crypto';
import { expect, test } from './story.ts';
import { readBuild } from './build.ts';
import { callAction, cookieOf } from './call-action.ts';
import { rows } from './database.ts';
import { newPayee } from './payee.ts';
import { MAIN_WALLET } from './payout.ts';
import { sandbox } from './sandbox.ts';
import { BASE_URL } from './surroundings.ts';
import { word, type Language } from './words.ts';

/**
 * What the page shows for each code of the contract's error table, in both languages: first what is
 * known about the money.
 */

const LANGUAGES = ['tr', 'en'] as const;
const OWN = { origin: BASE_URL, 'sec-fetch-site': 'same-origin' };
const SEND = 'SendMoneyToBankAccount';
const CREATE = 'CreateWalletForBusinessAccount';

/** Expected state of a movement after the response, and the expected texts. */
type Code = { state: string; title: string; node?: string | undefined };
const REFUSED = { state: 'REJECTED', title: 'rejected' };
const UNKNOWN = { state: 'UNKNOWN', title: 'unknown' };
const PAYOUT_CODES: Record<string, Code> = {
  ...Object.fromEntries(
    ['300', '303', '306', '310', '311', '315', '330', '334', '336', '480', '503', '999'].map(
      (code) => [code, REFUSED],
    ),
  ),
  326: { state: 'APPROVED', title: 'queued_iban' },
  1: { ...UNKNOWN, node: 'duplicate' },
  301: { ...UNKNOWN, node: 'duplicate' },
  ...Object.fromEntries(
    ['0', '2', '3', '4'].map((code) => [code, { ...UNKNOWN, node: 'record_exists' }]),
  ),
  // The meaning of these codes for a payout is unknown.
  ...Object.fromEntries(['312', '500', '7777'].map((code) => [code, UNKNOWN])),
};

/**
 * The visible text of a server-rendered page, without the messages that the page carries for its
 * client components.
 */
async function read(
  path: string,
  language: Language,
  cookie: string,
  from: '<article' | '<main',
): Promise<string> {
  const html = await (
    await fetch(`${BASE_URL}${path}`, { headers: { cookie: `${cookie}; locale=${language}` } })
  ).text();
  const part = html.slice(html.indexOf(from), html.indexOf(from.replace('<', '</')));
  return part
    .replace(/<script[\s\S]*?<\/script>/g, ' ')
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
}

async function expectSentOnce(id: string, state: string, code: string): Promise<void> {
  await expect
    .poll(
      async () =>
        (
          await rows<{ state: string; sends: number }>(
            'SELECT state, sends FROM movements WHERE id = $1',
            [id],
          )
        )[0],
      { message: `after ${code}`, intervals: [50, 100], timeout: 40_000 },
    )
    .toEqual({ state, sends: 1 });
}

/** Requires the title and the reason of a refusal, and that no other outcome is called failed. */
function expectExplained(
  text: string,
  textAt: (path: string) => string,
  {
    code,
    language,
    title,
    node,
  }: { code: string; language: Language } & Pick<Code, 'title' | 'node'>,
): void {
  const where = `${code} in ${language}`;
  expect(text, where).toContain(textAt(`sentences.${title}.title`));
  if (title === 'rejected') expect(text, where).toContain(textAt(`reasons.${code}`));
  else
    for (const failed of ['rejected', 'failed'])
      expect(text, where).not.toContain(textAt(`sentences.${failed}.title`));
  if (node !== undefined) expect(text, where).toContain(textAt(`timeline.nodes.${node}`));
}

/** Keeps the worker from sending this movement again, which would meet the fault of the next code. */
async function leaveAlone(id: string): Promise<void> {
  await rows(`UPDATE movements SET next_at = NULL WHERE id = $1 AND state = 'UNKNOWN'`, [id]);
}

/**
 * Ends the movements with unknown outcomes: otherwise they would be the first alerts on the home
 * page of every later test, and two people could close them only after a day.
 */
test.afterAll(async () => {
  await rows(`DO $$ BEGIN
    ALTER TABLE movements DISABLE TRIGGER USER;
    UPDATE movements SET state = 'FAILED', ended_at = clock_timestamp(), alert = NULL,
      next_at = NULL, lease_until = NULL, lease_token = NULL WHERE state = 'UNKNOWN'
      AND description LIKE 'Kod %';
    ALTER TABLE movements ENABLE TRIGGER USER; END $$`);
});

test('every payout code is explained in both languages, and an unclear one is never called failed', async ({
  sitDown,
}) => {
  test.setTimeout(300_000);
  const cookie = await cookieOf(await sitDown('ayse'));
  const { actions } = await readBuild();
  for (const [code, { state, title, node }] of Object.entries(PAYOUT_CODES)) {
    await sandbox.fault({ operation: SEND, kind: 'code', code });
    const [id, { iban, name, taxNumber }] = [randomUUID(), newPayee()];
    await callAction(
      actions.sendPayout!,
      {
        form: {
          id,
          locale: 'tr',
          wallet: MAIN_WALLET.number,
          iban,
          name,
          taxNumber,
          amount: '1,23',
          paymentType: '06',
          description: `Kod ${code}`,
        },
        hasState: false,
      },
      { ...OWN, cookie },
    );
    await expectSentOnce(id, state, code);
    for (const language of LANGUAGES) {
      const textAt = (path: string): string => word(language, 'payout', path);
      const text = await read(`/payouts/${id}`, language, cookie, '<article');
      expectExplained(text, textAt, { code, language, title, node });
      if (state === 'UNKNOWN')
        expect(text, `${code} in ${language}`).toContain(textAt('sentences.unknown.text'));
    }
    await leaveAlone(id);
  }
});

/**
 * Codes with which the provider refuses a transfer. 306, 326 and 503 come from banks and have no
 * meaning for a transfer.
 */
const TRANSFER_CODES: Record<string, Code> = {
  ...Object.fromEntries(
    [
      '300',
      '303',
      '304',
      '307',
      '310',
      '311',
      '313',
      '315',
      '316',
      '330',
      '334',
      '336',
      '480',
      '999',
    ].map((code) => [code, REFUSED]),
  ),
  301: { ...UNKNOWN, node: 'duplicate' },
  ...Object.fromEntries(
    ['0', '2', '3', '4', '322'].map((code) => [code, { ...UNKNOWN, node: 'record_exists' }]),
  ),
  ...Object.fromEntries(['306', '326', '500', '503', '7777'].map((code) => [code, UNKNOWN])),
};

test('every transfer code is explained in both languages, and an unclear one is never called failed', async ({
  sitDown,
}) => {
  test.setTimeout(300_000);
  const cookie = await cookieOf(await sitDown('ayse'));
  const { actions } = await readBuild();
  for (const [code, { state, title, node }] of Object.entries(TRANSFER_CODES)) {
    await sandbox.fault({ operation: 'BusinessToBusinessTransfer', kind: 'code', code });
    // Each transfer goes to another wallet, because an unknown outcome locks its wallet.
    const [id, toWallet] = [randomUUID(), `44${String(Date.now()).slice(-8)}`];
    await callAction(
      actions.sendTransfer!,
      {
        form: {
          id,
          locale: 'tr',
          kind: 'transfer_business',
          wallet: MAIN_WALLET.number,
          toWallet,
          name: `Kod ${code}`,
          amount: '1,25',
          paymentType: '06',
          description: `Kod ${code}`,
        },
        hasState: false,
      },
      { ...OWN, cookie },
    );
    await expectSentOnce(id, state, code);
    for (const language of LANGUAGES) {
      const textAt = (path: string): string => {
        try {
          return word(language, 'transfer', path);
        } catch {
          return word(language, 'payout', path);
        }
      };
      const text = await read(`/transfers/${id}`, language, cookie, '<article');
      expectExplained(text, textAt, { code, language, title, node });
    }
    await leaveAlone(id);
  }
});

test('a payout that is paid while the ledger answers 312 is told as paid, and that its line is still to come', async ({
  sitDown,
}) => {
  const cookie = await cookieOf(await sitDown('ayse'));
  const { actions } = await readBuild();
  await sandbox.fault({
    operation: 'SummaryRecordByFilter',
    kind: 'code',
    code: '312',
    times: 10_000,
  });
  const [id, { iban, name, taxNumber }] = [randomUUID(), newPayee()];
  await callAction(
    actions.sendPayout!,
    {
      form: {
        id,
        locale: 'tr',
        wallet: MAIN_WALLET.number,
        iban,
        name,
        taxNumber,
        amount: '1,24',
        paymentType: '06',
        description: 'Kod 312',
      },
      hasState: false,
    },
    { ...OWN, cookie },
  );
  await expect
    .poll(
      async () =>
        (await rows<{ state: string }>('SELECT state FROM movements WHERE id = $1', [id]))[0]
          ?.state,
      { timeout: 20_000 },
    )
    .toBe('COMPLETED');
  for (const language of LANGUAGES) {
    expect(await read(`/payouts/${id}`, language, cookie, '<article')).toContain(
      word(language, 'payout', 'sentences.completed_ledger.text'),
    );
  }
});

test('every reason a new wallet is refused for is told in words, in both languages', async ({
  sitDown,
}) => {
  const cookie = await cookieOf(await sitDown('selin'));
  const { actions } = await readBuild();
  const answers: [code: string, message: string, words: string][] = [
    ['999', 'name', 'validation'],
    ['500', 'WrongGroupCode', 'group_code'],
    ['500', 'AccountNotActive', 'account_not_active'],
    ['500', 'TenantCurrencyCodeNotFound', 'currency'],
    ['500', 'KycLimitNotFound', 'kyc_limit'],
    ['500', 'Something', 'other'],
  ];
  for (const [code, message, words] of answers) {
    await sandbox.fault({ operation: CREATE, kind: 'code', code, message });
    const id = randomUUID();
    await callAction(
      actions.openWallet!,
      { form: { id, name: `Kod ${code} ${id.slice(0, 6)}`, currency: 'EUR' }, hasState: false },
      { ...OWN, cookie },
    );
    for (const language of LANGUAGES) {
      const text = await read(`/wallets/new?id=${id}`, language, cookie, '<main');
      expect(text, message).toContain(word(language, 'new-wallet', 'refused.title'));
      expect(text, message).toContain(
        word(language, 'new-wallet', `refused.${words}`, { currency: 'EUR' }),
      );
    }
  }
});

for (const language of LANGUAGES) {
  test(`a wallet the provider does not know (300) is told as not there (${language})`, async ({
    sitDown,
  }) => {
    const { page, say } = await sitDown('ayse', { language });
    await sandbox.fault({ operation: 'Wallet/Info', kind: 'code', code: '300' });
    await page.goto(`/wallets/${language === 'tr' ? '4419999901' : '4419999902'}`);
    await expect(page.getByRole('heading', { name: say('shell', 'notFound.title') })).toBeVisible();
  });
}

import { existsSync, readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { unzip } from '../lib/exports/testing/unzip.ts';
import { Gateway } from './independent/gateway.ts';
import { rows } from './database.ts';
import { bytesOf, filesBelow } from './files.ts';
import { send, wanted } from './payout.ts';
import { sandbox } from './sandbox.ts';
import { BASE_URL, DATA_DIR, SANDBOX_URL } from './surroundings.ts';
import { expect, test, type Desk } from './story.ts';

/** Checkouts in a real browser, through the gateway's own bank page. */

// Traces, screenshots and videos would contain the typed card numbers, so these tests record none.
test.use({ trace: 'off', screenshot: 'off', video: 'off' });
test.describe.configure({ mode: 'serial' });

/** Card numbers used in this file only: one found anywhere else was leaked by the product. */
const CANARIES = ['4929135724680917', '5312048976135203', '4762903518462275'] as const;
const CODE = '957';
const DECLINED_AFTER_3D = '4000000000000333';

/** Fills the form and stores the payment; resolves with its id. The card has not been typed yet. */
async function prepare({ page, say }: Desk, way: string, price = '125,50'): Promise<string> {
  await page.goto('/cards/payments/new');
  const main = page.getByRole('main');
  await main.locator(`#charge-${way}`).check();
  await main.getByLabel(say('charges', 'items.name'), { exact: true }).fill('Kumaş');
  await main.getByLabel(say('charges', 'items.price'), { exact: true }).fill(price);
  await main.getByLabel(say('charges', 'customer.name'), { exact: true }).fill('Elif');
  await main.getByLabel(say('charges', 'customer.surname'), { exact: true }).fill('Şahin');
  await main.getByLabel(say('charges', 'customer.description'), { exact: true }).fill('Kumaş 3 m');
  return idIn(page.url());
}

async function goOn({ page }: Desk): Promise<void> {
  await page.locator('main form button[type=submit]').click();
  await page.waitForURL(/\/take$/);
}

/** Types the card and submits it. */
async function typeCard({ page, say }: Desk, number: string): Promise<void> {
  await page.getByLabel(say('charges', 'take.holder'), { exact: true }).fill('Elif Şahin');
  await page.getByLabel(say('charges', 'take.number'), { exact: true }).fill(number);
  await page.getByLabel(say('charges', 'take.month'), { exact: true }).selectOption('12');
  await page.getByLabel(say('charges', 'take.year'), { exact: true }).selectOption({ index: 5 });
  const code = page.getByLabel(say('charges', 'take.cvv'), { exact: true });
  await expect(code, 'no browser offers to keep it').toHaveAttribute('autocomplete', 'off');
  await code.fill(CODE);
  await page.locator('main form button[type=submit]').click();
}

async function toTheBank(desk: Desk, number: string): Promise<string> {
  const id = await prepare(desk, 'three_d');
  await goOn(desk);
  await typeCard(desk, number);
  await desk.page.locator('input[name=sms_code]').waitFor();
  return id;
}

async function answerBank({ page }: Desk, what: 'code' | 'wrong' | 'give_up'): Promise<void> {
  if (what === 'give_up') return page.locator('button[value=give_up]').click();
  const messages = (await (await fetch(`${SANDBOX_URL}/sandbox/messages`)).json()) as {
    code: string;
    text: string;
  }[];
  const code = messages.find(
    (one) => one.text.includes('kart ödemenizin') || one.text.includes('your card payment'),
  )!.code;
  await page.locator('input[name=sms_code]').fill(what === 'code' ? code : '------');
  await page.locator('button[value=confirm]').click();
}

async function expectState({ page, say }: Desk, id: string, state: string): Promise<void> {
  await page.waitForURL(`${BASE_URL}/cards/payments/${id}`);
  await expect(page.getByText(say('cards', `sentences.${state}`))).toBeVisible({ timeout: 20_000 });
}

const idIn = (url: string): string => /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(url)![0];
const invoiceOf = async (id: string): Promise<string> =>
  (
    await rows<{ invoice_id: string }>('SELECT invoice_id FROM card_payments WHERE id = $1', [id])
  )[0]!.invoice_id;

test('installments that are shown are what is stored, and another price has to be asked anew', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const id = await prepare(desk, 'three_d');
  const main = page.getByRole('main');
  const installments = main.getByLabel(say('charges', 'payment.installments'), { exact: true });
  const offered = main.getByRole('combobox', { name: say('charges', 'payment.installments') });
  await installments.fill('35');
  await main.getByRole('button', { name: say('charges', 'payment.ask') }).click();
  await expect(offered).toBeVisible();
  const shown = await offered.inputValue();
  expect(shown).not.toBe('35');
  await main.getByLabel(say('charges', 'items.price'), { exact: true }).fill('130');
  await expect(offered).toHaveCount(0);
  await expect(installments).toHaveValue(shown);
  await goOn(desk);
  const [stored] = await rows<{ installments: string }>(
    `SELECT content ->> 'installments' AS installments FROM card_payments WHERE id = $1`,
    [id],
  );
  expect(stored?.installments).toBe(shown);
});

test('a card goes from the browser to the gateway only, and its record alone completes the payment', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const toUs: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(BASE_URL))
      toUs.push(`${request.url()} ${request.postData() ?? ''}`);
  });
  const id = await prepare(desk, 'three_d');
  const quantity = page.getByLabel(say('charges', 'items.quantity'), { exact: true });
  await quantity.fill('0');
  await page.locator('main form button[type=submit]').click();
  await expect(
    page.getByText(say('charges', 'errors.quantity', { min: 1, max: 9999 })),
  ).toBeVisible();
  await expect(
    page.getByLabel(say('charges', 'customer.description'), { exact: true }),
  ).toHaveValue('Kumaş 3 m');
  await quantity.fill('1');
  const [policy] = await Promise.all([
    page
      .waitForResponse((response) => response.url().endsWith('/take'))
      .then((response) => response.headers()['content-security-policy'] ?? ''),
    goOn(desk),
  ]);
  expect(/form-action [^;]+/.exec(policy)![0]).toBe(`form-action 'self' ${SANDBOX_URL}`);
  await typeCard(desk, CANARIES[0]);
  await page.locator('input[name=sms_code]').waitFor();
  await answerBank(desk, 'code');
  await expectState(desk, id, 'completed');
  expect(toUs.length).toBeGreaterThan(5);
  expect(
    toUs.filter((one) => one.includes(CANARIES[0]) || /cc_no|cvv/.test(one)),
    'of the card we were sent',
  ).toEqual([]);
  await expect(page.getByText(say('cards', 'timeline.hashes.agrees'))).toBeVisible();
  await page.goto(`/cards/payments/${id}/take`);
  await expectState(desk, id, 'completed');
  await page.goto(`/cards/payments?source=made_here&q=${await invoiceOf(id)}`);
  await expect(page.getByRole('row').filter({ hasText: '•••• 0917' })).toContainText('₺125,50');
});

test('a wrong code three times, giving up, a card declined at the bank: each ends as not paid', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse', { language: 'en' });
  for (const ending of ['wrong', 'give_up', 'declined'] as const) {
    const id = await toTheBank(desk, ending === 'declined' ? DECLINED_AFTER_3D : CANARIES[1]);
    if (ending === 'declined') await answerBank(desk, 'code');
    else if (ending === 'give_up') await answerBank(desk, 'give_up');
    else
      for (const left of [2, 1, 0]) {
        await answerBank(desk, 'wrong');
        // The next code is typed into the bank's next page.
        if (left > 0) await expect(desk.page.getByRole('alert')).toContainText(String(left));
      }
    await expectState(desk, id, 'failed');
  }
});

test('a tab closed at the bank leaves a payment nobody may charge again; a forged return pays nothing', async ({
  sitDown,
  openDesk,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const id = await toTheBank(desk, CANARIES[1]);
  const invoice = await invoiceOf(id);
  // A stranger without a session claims that the payment was paid. The endpoint redirects to a page
  // that requires a session.
  const stranger = await openDesk();
  await stranger.page.goto(
    '/api/cards/return?svc_status=1&payment_status=1&status_code=100&order_no=X1' +
      `&invoice_id=${invoice}&hash_key=0123456789abcdef:abcd:AAAA`,
  );
  await expect(stranger.page).toHaveURL(/\/login/);
  await page.goto(`/cards/payments/${id}`);
  await expect(page.getByText(say('charges', 'made.unclear'))).toBeVisible();
  await expect(page.getByText(say('cards', 'timeline.hashes.disagrees'))).toBeVisible();
  await page.getByRole('button', { name: say('cards', 'ask') }).click();
  await expect(page.getByText(say('cards', 'sentences.pending'))).toBeVisible({ timeout: 20_000 });
  // Another payment's invoice in the return leads to that payment and changes nothing there.
  const other = await prepare(desk, 'three_d', '10,00');
  await goOn(desk);
  await page.goto(
    `/api/cards/return?svc_status=1&payment_status=1&status_code=100&order_no=X1&invoice_id=${await invoiceOf(other)}`,
  );
  await page.waitForURL(`${BASE_URL}/cards/payments/${other}`);
  await expect(page.getByText(say('charges', 'made.unclear'))).toBeVisible();
  expect(
    await rows('SELECT state FROM card_payments WHERE id = ANY($1) AND state IN ($2, $3)', [
      [id, other],
      'completed',
      'captured',
    ]),
  ).toEqual([]);
  await sandbox.passTime('10m');
  await page.goto(`/cards/payments/${id}`);
  const failed = page.getByText(say('cards', 'sentences.failed'));
  await expect(async () => {
    if (!(await failed.isVisible()))
      await page.getByRole('button', { name: say('cards', 'ask') }).click({ timeout: 2_000 });
    await expect(failed).toBeVisible({ timeout: 6_000 });
  }).toPass({ timeout: 60_000 });
});

test('a card typed for this server is sent once; without an answer it is unknown until its record', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const id = await prepare(desk, 'non_secure');
  await goOn(desk);
  // The gateway's record stays unreadable, too, so that the page shows the state before any record.
  await sandbox.fault({ operation: 'checkstatus', kind: 'status', status: 503, times: 1_000 });
  await sandbox.fault({ operation: 'paySmart2D', kind: 'lost_after' });
  await typeCard(desk, CANARIES[2]);
  await page.waitForURL(`${BASE_URL}/cards/payments/${id}`);
  await expect(page.getByText(say('charges', 'made.unclear'))).toBeVisible();
  await page.goto(`/cards/payments/${id}/take`);
  await page.waitForURL(`${BASE_URL}/cards/payments/${id}`);
  await sandbox.calm();
  await page.getByRole('button', { name: say('cards', 'ask') }).click();
  await expectState(desk, id, 'completed');
  const invoice = await invoiceOf(id);
  expect(
    (await sandbox.requests('paySmart2D')).filter((one) => one.body.includes(invoice)),
  ).toHaveLength(1);
});

test('a saved card is chosen by its customer and pays through the bank’s page; a link needs no card', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const { card } = (await (await fetch(`${SANDBOX_URL}/sandbox/credentials`)).json()) as {
    card: { app_id: string; app_secret: string; merchant_key: string };
  };
  const gateway = new Gateway(`${SANDBOX_URL}/card`, {
    appId: card.app_id,
    appSecret: card.app_secret,
    merchantKey: card.merchant_key,
  });
  await gateway.signIn();
  const number = Date.now() % 1_000_000_000;
  await gateway.saveCard(
    { number, name: 'Elif Şahin', email: 'elif@shop.test', phone: '905320000000' },
    { number: '5406675406675403', holder: 'Elif Şahin', month: '12', year: '2031', cvv: '000' },
  );
  const id = await prepare(desk, 'saved_three_d');
  await page.getByLabel(say('charges', 'saved.customer'), { exact: true }).fill(String(number));
  await page.getByRole('button', { name: say('charges', 'saved.find') }).click();
  await expect(page.getByLabel(say('charges', 'saved.choose'), { exact: true })).toContainText(
    '•••• 5403',
  );
  await page.getByLabel(say('charges', 'customer.email'), { exact: true }).fill('elif@shop.test');
  await page.getByLabel(say('charges', 'customer.phone'), { exact: true }).fill('905320000000');
  await goOn(desk);
  await page.locator('main form button[type=submit]').click();
  await page.locator('input[name=sms_code]').waitFor();
  await answerBank(desk, 'code');
  await expectState(desk, id, 'completed');

  const link = await prepare(desk, 'link');
  await page.locator('main form button[type=submit]').click();
  await page.waitForURL(`${BASE_URL}/cards/payments/${link}`);
  await expect(page.getByText(`${SANDBOX_URL}/card/pay?id=`)).toBeVisible();
  // The gateway's record has "0000" as the card of an order that nobody has paid.
  await expect
    .poll(() => rows<{ card: string }>('SELECT card FROM card_payments WHERE id = $1', [link]), {
      timeout: 30_000,
    })
    .toEqual([{ card: '0000' }]);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(
    say('cards', 'states.unpaid'),
  );
  await expect(page.getByText(say('cards', 'sentences.unpaid'))).toBeVisible();
  await expect(page.getByText('••••')).toHaveCount(0);
  await page.goto('/cards/links');
  await expect(
    page.getByRole('row').filter({ has: page.locator(`a[href="/cards/payments/${link}"]`) }),
  ).toContainText(say('cards', 'states.unpaid'));
});

/** The folders of the gateway and of the database, in which card numbers may be stored. */
const PROVIDERS_OWN = /^(?:sandbox|postgres)/;

/**
 * Everything that the product exports as files: the whole audit log with personal values, and the
 * list of payouts.
 */
async function exportsOf(desk: Desk): Promise<string[]> {
  const { page, say } = desk;
  await page.goto('/audit');
  await page.getByLabel(say('audit', 'export.personal')).check();
  const trail = await taken(
    page,
    page.getByRole('button', { name: say('audit', 'export.ndjson') }),
  );
  // The list offers an export only when it has rows.
  await send(desk, wanted());
  await page.goto('/payouts');
  await expect(async () => {
    await page.keyboard.press('e');
    await expect(
      page.getByRole('heading', { level: 1, name: say('exports', 'new.title') }),
    ).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await page.getByRole('radio', { name: say('exports', 'profiles.csv.name') }).check();
  await page.getByRole('button', { name: say('exports', 'new.submit') }).click();
  const line = page
    .getByRole('table', { name: say('exports', 'caption') })
    .getByRole('row')
    .nth(1);
  await expect(line).toContainText(say('exports', 'states.READY'), { timeout: 30_000 });
  const list = await taken(page, line.getByRole('link', { name: /^İndir/ }));
  return [trail.toString(), ...[...unzip(list).values()].map((file) => file.toString())];
}

async function taken(page: Page, button: Locator): Promise<Buffer> {
  const taking = page.waitForEvent('download');
  await button.click();
  return readFileSync(await (await taking).path());
}

test('no typed card number or security code is in the database, an export, a log, a file or the build', async ({
  sitDown,
}) => {
  const exports = await exportsOf(await sitDown('selin'));
  expect(exports[0], 'the trail tells of the payments').toContain('card.charge_made');
  for (const [index, text] of exports.entries()) expect(leaks(text), `export ${index}`).toEqual([]);
  // Proves that the search can find something: the database has the last four digits of the first
  // card number, and the gateway has the full number.
  const [four] = await rows<{ count: number }>(
    `SELECT count(*)::int AS count FROM card_payments WHERE card = $1`,
    [CANARIES[0].slice(-4)],
  );
  expect(four!.count).toBeGreaterThan(0);
  const tables = await rows<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  for (const { name } of tables) {
    const [held] = await rows<{ text: string | null }>(
      `SELECT string_agg(t::text, E'\n') AS text FROM ${name} t`,
    );
    expect(leaks(held!.text ?? ''), name).toEqual([]);
  }
  const folders = [DATA_DIR, '.builds', '.next', 'test-results'].filter((folder) =>
    existsSync(folder),
  );
  const files = folders
    .flatMap((folder) => filesBelow(folder).map((path) => ({ folder, path })))
    .filter(
      ({ folder, path }) =>
        !PROVIDERS_OWN.test(path.slice(folder.length + 1)) &&
        !path.includes('/cache/') &&
        // Pictures of stories that run beside this one come and go.
        !path.includes('/.playwright-artifacts-'),
    );
  expect(
    files.some(({ path }) => /logs\/web.*\.log$/.test(path)),
    'the logs of the web are among them',
  ).toBe(true);
  for (const { path } of files) expect(leaks(bytesOf(path)), path).toEqual([]);
});

/**
 * Finds a card number in full, in groups or as bytes, and the security code wherever its field name
 * precedes it.
 */
function leaks(text: string): string[] {
  const numbers = CANARIES.filter((number) =>
    [
      number,
      number.replace(/(.{4})(?=.)/g, '$1 '),
      number.replace(/(.{4})(?=.)/g, '$1-'),
      Buffer.from(number).toString('hex'),
      Buffer.from(number).toString('base64').slice(0, 20),
    ].some((one) => text.includes(one)),
  );
  const code = new RegExp(`(?:cvv|cvc|csc|security.?code|"code")\\W{1,6}${CODE}\\b`, 'i').exec(
    text,
  );
  return [...numbers, ...(code ? [code[0]] : [])];
}

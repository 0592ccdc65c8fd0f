import { intentsTo } from './database.ts';
import { fillPayout, formFields, MAIN_WALLET, send, showWallets, wanted } from './payout.ts';
import { sandbox } from './sandbox.ts';
import { expect, test, type Desk } from './story.ts';

/** Balances that are known are drawn with their time, before the provider answers about new ones. */

/** Nothing leaves this wallet, so that its balance is what a story has made of it. */
const QUIET_WALLET = '4410270005';
const LIST = 'Wallet/ListByFilter';
/** Shorter than the patience of a page, and long enough to see what is drawn before. */
const SLOW_MS = 3_000;
/** Of the layout of every page. */
const SHIFT_MAX = 0.002;

const row = ({ page }: Desk) => page.getByRole('row').filter({ hasText: QUIET_WALLET });
const asking = ({ page, say }: Desk) => page.getByText(say('wallets', 'asking')).first();

/** The pattern of a line with the time of today. */
function asOf({ say }: Desk): RegExp {
  const [before, after] = say('wallets', 'asOf', { time: '|' }).split('|');
  return new RegExp(`${before}\\d{2}:\\d{2}${after}`);
}

/**
 * Opens a page while nobody has an answer of the last seconds that it could share. Gives the
 * page's own time (ms) at which its known balances were there.
 */
async function openWhileAsking(desk: Desk, path: string, line = asking(desk)): Promise<number> {
  await expect(async () => {
    // The page is whole only when the provider has answered.
    await desk.page.goto(path, { waitUntil: 'commit' });
    await expect(line).toBeVisible({ timeout: 1_500 });
  }).toPass({ timeout: 40_000 });
  return desk.page.evaluate(() => performance.now());
}

/**
 * The page's contents have not moved by themselves since `from`, a time of the page in
 * milliseconds; the message of a failure says what did.
 */
async function expectStill({ page }: Desk, from: number): Promise<void> {
  const { sum, moved } = await page.evaluate(
    (since) =>
      new Promise<{ sum: number; moved: string[] }>((resolve) => {
        let sum = 0;
        const moved: string[] = [];
        type Shift = PerformanceEntry & {
          hadRecentInput: boolean;
          value: number;
          sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
        };
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as Shift[]) {
            if (entry.hadRecentInput || entry.startTime < since) continue;
            sum += entry.value;
            for (const { node, previousRect, currentRect } of entry.sources)
              moved.push(
                `${node?.nodeName} "${node?.textContent?.slice(0, 60)}" ` +
                  `${JSON.stringify(previousRect)} -> ${JSON.stringify(currentRect)}`,
              );
          }
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve({ sum, moved })));
      }),
    from,
  );
  expect(sum, moved.join('\n')).toBeLessThanOrEqual(SHIFT_MAX);
}

for (const language of ['tr', 'en'] as const)
  test(`in ${language}, known balances stand with their time while the provider is slow, then change in place`, async ({
    sitDown,
  }) => {
    const desk = await sitDown('ayse', { language });
    const { page, say } = desk;
    // An answer of the last seconds, which pages share, is drawn without asking anew; and one that
    // comes late is the balance that is known next. So each try makes a change of its own.
    let from = 0;
    await expect(async () => {
      await sandbox.dropFaults(LIST);
      await page.goto('/wallets');
      await expect(asking(desk)).toHaveCount(0);
      const known = await row(desk).getByRole('cell').nth(2).innerText();
      await sandbox.topUp(QUIET_WALLET, { amount: '7531.00' });
      await sandbox.fault({ operation: LIST, kind: 'delay', ms: SLOW_MS, times: 1_000 });
      from = await openWhileAsking(desk, '/wallets');
      await expect(row(desk)).toContainText(known, { timeout: 1_000 });
      await expect(page.getByRole('status').filter({ hasText: asOf(desk) })).toBeVisible();
      await expect(row(desk)).not.toContainText(known, { timeout: 2 * SLOW_MS });
    }).toPass();
    await expect(asking(desk)).toHaveCount(0);
    await expect(page.getByRole('status').filter({ hasText: asOf(desk) })).toBeVisible();
    await expectStill(desk, from);

    const present = await row(desk).getByRole('cell').nth(2).innerText();
    await openWhileAsking(desk, '/');
    const wallets = page.getByRole('region', { name: say('home', 'wallets.title') });
    await expect(wallets).toContainText(present);
    await expect(wallets).toContainText(asOf(desk));
    const figures = page.getByRole('region', { name: say('home', 'figures.title') });
    await expect(figures).toContainText(asOf(desk));
    await expect(asking(desk)).toHaveCount(0);
  });

test('without an answer the known balances stay with their time, and the page says so', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say, like } = desk;
  await page.goto('/wallets');
  await expect(asking(desk)).toHaveCount(0);
  const known = await row(desk).getByRole('cell').nth(2).innerText();
  await sandbox.fault({ operation: LIST, kind: 'status', status: 503, times: 1_000 });
  const silence = page.getByText(like('wallets', 'stale.text'));
  await expect(async () => {
    await page.goto('/wallets');
    await expect(silence).toBeVisible({ timeout: 1_500 });
  }).toPass();
  await expect(row(desk)).toContainText(known);
  await sandbox.dropFaults(LIST);
  await page.getByRole('button', { name: say('wallets', 'stale.retry') }).click();
  await expect(silence).toHaveCount(0);
  await expect(row(desk)).toContainText(known);
});

test('a form shows known balances at once, and nothing is reviewed before the provider has answered', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  await page.goto('/wallets');
  await expect(asking(desk)).toHaveCount(0);
  await sandbox.fault({ operation: LIST, kind: 'delay', ms: SLOW_MS, times: 1_000 });
  const form = page.getByRole('main');
  const line = form.getByText(say('new-payout', 'wallet.asking'));
  const silent = form.getByText(say('new-payout', 'wallet.staleTitle'));
  let from = 0;
  await expect(async () => {
    from = await openWhileAsking(desk, '/payouts/new', line);
    await expect(formFields(desk).wallet(MAIN_WALLET.name)).toBeVisible();
    await expect(silent).toHaveCount(0);
    await expect(line).toHaveCount(0);
    // An answer that is later than the page's patience makes it say so.
    await expect(silent).toHaveCount(0, { timeout: 1 });
  }).toPass();
  await expectStill(desk, from);
  await sandbox.dropFaults(LIST);
  await fillPayout(desk, wanted());
  await expect(formFields(desk).goOn).toBeEnabled();
});

/** Opens the form with the main wallet chosen, which is then shown in full. */
async function openWithWallet(desk: Desk): Promise<void> {
  await desk.page.goto('/payouts/new');
  await showWallets(desk);
  await formFields(desk).wallet(MAIN_WALLET.name).check();
}

for (const narrow of [false, true])
  test(`an amount that a payout has blocked does not move the form${narrow ? ' on a phone' : ''}`, async ({
    sitDown,
  }) => {
    const desk = await sitDown('ayse', { narrow });
    const { page } = desk;
    const wallet = page.locator('label').filter({ hasText: MAIN_WALLET.name });
    // The other way of this story may just have ended: its blocked amount is known for some seconds.
    await expect(async () => {
      await openWithWallet(desk);
      await expect(wallet).not.toContainText(/bloke ₺[1-9]/, { timeout: 1_500 });
    }).toPass();
    const before = await wallet.boundingBox();
    await sandbox.bankMode('manual');
    const want = wanted({ amountMinor: 1_234_500 });
    await send(desk, want);
    await expect(async () => {
      await openWithWallet(desk);
      expect(await wallet.innerText()).toMatch(/bloke ₺[1-9]/);
    }).toPass();
    expect((await wallet.boundingBox())?.height).toBe(before?.height);
    await sandbox.bankDoes(want.payee.iban, 'complete');
    await expect
      .poll(async () => (await intentsTo(want.payee.iban))[0]?.state, { timeout: 30_000 })
      .toBe('COMPLETED');
  });

test('a form that opens right after a block was lifted lets the wallet pay', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page } = desk;
  const wallet = formFields(desk).wallet(MAIN_WALLET.name);
  await sandbox.wallet(MAIN_WALLET.number, 2);
  await expect(async () => {
    await page.goto('/payouts/new');
    await expect(wallet).toBeDisabled({ timeout: 1_500 });
  }).toPass();
  await sandbox.wallet(MAIN_WALLET.number, 1);
  await page.goto('/payouts/new');
  await expect(wallet).toBeEnabled();
});

test('a form that opened without an answer gets the balances by itself when the provider answers again', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  await sandbox.wallet(MAIN_WALLET.number, 2);
  const wallet = formFields(desk).wallet(MAIN_WALLET.name);
  await expect(async () => {
    await page.goto('/payouts/new');
    await expect(wallet).toBeDisabled({ timeout: 1_500 });
  }).toPass();
  await sandbox.wallet(MAIN_WALLET.number, 1);
  await sandbox.fault({ operation: LIST, kind: 'status', status: 503, times: 1_000 });
  const silence = page.getByText(say('new-payout', 'wallet.staleTitle'));
  await expect(async () => {
    await page.goto('/payouts/new');
    await expect(silence).toBeVisible({ timeout: 1_500 });
  }).toPass();
  await expect(wallet).toBeDisabled();
  await sandbox.dropFaults(LIST);
  await expect(wallet).toBeEnabled({ timeout: 20_000 });
  await expect(silence).toHaveCount(0);
});

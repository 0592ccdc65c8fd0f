import { rows } from './database.ts';
import { sandbox } from './sandbox.ts';
import { expect, test, type Desk } from './story.ts';

/** A wallet is requested once, and the page reports exactly what the provider answered. */

const CREATE = 'CreateWalletForBusinessAccount';
const asked = async () => (await sandbox.requests(CREATE)).length;
const nameOf = (what: string) => `${what} ${Date.now() % 10_000_000}`;

async function openForm({ page, say }: Desk) {
  await page.goto('/wallets');
  await page
    .getByRole('link', { name: say('new-wallet', 'link') })
    .first()
    .click();
  await expect(page).toHaveURL(/\/wallets\/new\?id=/);
  return fields({ page, say });
}

function fields({ page, say }: Pick<Desk, 'page' | 'say'>) {
  const form = page.getByRole('form', { name: say('new-wallet', 'title') });
  return {
    name: form.getByLabel(say('new-wallet', 'name')),
    currency: form.getByLabel(say('new-wallet', 'currency')),
    fast: form.getByRole('checkbox'),
    open: form.getByRole('button', { name: say('new-wallet', 'submit') }),
    form,
  };
}

test('an owner who double-clicks opens one wallet with one request, and a taken name is not requested', async ({
  sitDown,
}) => {
  const desk = await sitDown('selin');
  const { page, say } = desk;
  const before = await asked();
  const name = nameOf('Kampanya');
  const form = await openForm(desk);
  await form.open.click();
  await expect(form.form.getByText(say('new-wallet', 'errors.name_required'))).toBeVisible();
  await form.name.fill(name);
  await form.currency.selectOption('EUR');
  await form.open.dblclick();
  await expect(page).toHaveURL(/\/wallets\/\d{10}\?opened/);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.getByText(say('wallets', 'iban'))).toBeVisible();
  expect(await asked()).toBe(before + 1);
  await page.goBack();
  await expect(page).not.toHaveURL(/\/wallets\/new/);

  const again = await openForm(desk);
  await again.name.fill(name.toUpperCase());
  await again.currency.selectOption('EUR');
  await again.fast.uncheck();
  await again.open.click();
  await expect(again.form.getByText(say('new-wallet', 'errors.name_taken'))).toBeVisible();
  await expect(again.name).toHaveValue(name.toUpperCase());
  await expect(again.currency).toHaveValue('EUR');
  await expect(again.fast).not.toBeChecked();
  expect(await asked()).toBe(before + 1);
});

test('refused, not sent and unclear have their own words; a lost answer forbids a retry before a look', async ({
  sitDown,
}) => {
  const desk = await sitDown('selin', { language: 'en' });
  const { page, say } = desk;
  const form = await openForm(desk);
  const name = nameOf('Depot');
  await form.name.fill(name);
  await form.currency.selectOption('GBP');
  await form.open.click();
  await expect(
    page.getByText(say('new-wallet', 'refused.kyc_limit', { currency: 'GBP' })),
  ).toBeVisible();
  await expect(form.name).toHaveValue(name);
  await expect(form.currency).toHaveValue('GBP');

  await form.currency.selectOption('CHF');
  await form.open.click();
  await expect(
    page.getByText(say('new-wallet', 'refused.currency', { currency: 'CHF' })),
  ).toBeVisible();

  await sandbox.account(2);
  await form.currency.selectOption('EUR');
  await form.open.click();
  await expect(page.getByText(say('new-wallet', 'refused.account_not_active'))).toBeVisible();
  const beside = await desk.context.newPage();
  await expect(async () => {
    await beside.goto('/wallets/account');
    await expect(beside.getByText(say('account', 'stopped.blocked'))).toBeVisible({
      timeout: 1_000,
    });
  }).toPass();
  await beside.close();
  await sandbox.account(1);

  await sandbox.fault({ operation: CREATE, kind: 'code', code: '999' });
  await form.currency.selectOption('TRY');
  await form.open.click();
  await expect(page.getByText(say('new-wallet', 'refused.validation'))).toBeVisible();

  await sandbox.fault({ operation: CREATE, kind: 'status', status: 401 });
  await form.open.click();
  await expect(page.getByText(say('new-wallet', 'notSent.text'))).toBeVisible();

  // The response is lost after the execution: the wallet list has the wallet, so that the outcome
  // is known.
  await sandbox.fault({ operation: CREATE, kind: 'lost_after' });
  await form.open.click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

  // The request is lost before the execution: the outcome is unknown.
  await sandbox.fault({ operation: CREATE, kind: 'lost_before' });
  const lost = nameOf('Lost');
  const second = await openForm(desk);
  await second.name.fill(lost);
  await second.open.click();
  await expect(page.getByText(say('new-wallet', 'unclear.title'))).toBeVisible();
  const before = await asked();
  const other = await openForm(desk);
  await expect(page.getByText(say('new-wallet', 'open.title'))).toBeVisible();
  await other.name.fill(nameOf('Other'));
  await other.open.click();
  await expect(other.form.getByRole('status')).toHaveText(say('refusals', 'wallet_request_open'));
  expect(await asked()).toBe(before);
  await page.getByRole('link', { name: say('new-wallet', 'open.link') }).click();
  await page.getByRole('button', { name: say('new-wallet', 'unclear.look') }).click();
  await expect(page.getByText(say('new-wallet', 'unclear.notListed'))).toBeVisible();
  await page.getByRole('button', { name: say('new-wallet', 'unclear.giveUp') }).click();
  await expect(page.getByText(/can't be settled yet/)).toBeVisible();
  await rows(
    `UPDATE wallet_requests SET asked_at = asked_at - interval '3 minutes' WHERE name = $1`,
    [lost],
  );
  await page.getByRole('button', { name: say('new-wallet', 'unclear.giveUp') }).click();
  await expect(page.getByText(say('new-wallet', 'notMade.title', { name: lost }))).toBeVisible();
  const last = fields(desk);
  await expect(last.name).toHaveValue(lost);
  await last.open.click();
  await expect(page.getByRole('heading', { level: 1, name: lost })).toBeVisible();
});

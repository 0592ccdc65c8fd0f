import { rows } from './database.ts';
import { sandbox } from './sandbox.ts';
import { expect, pressUntil, test } from './story.ts';

/** The gateway stores customers' cards. A person sees four digits of a card and never its token. */

const NUMBER = '5406675406675403';
const newCustomer = (): string => String(Date.now()).slice(-9).replace(/^0/, '1');

test('a card is saved, found by its customer, changed and deleted; its number is stored nowhere', async ({
  sitDown,
}) => {
  const customer = newCustomer();
  const { page, say, like } = await sitDown('ayse');
  await page.goto('/cards/saved');
  const form = page.getByRole('form', { name: say('saved-cards', 'register.title') });
  await expect(async () => {
    if (!(await form.isVisible()))
      await page.getByText(say('saved-cards', 'register.title'), { exact: true }).click();
    await expect(form).toBeVisible({ timeout: 500 });
  }).toPass();
  const field = (name: string) => form.getByLabel(say('saved-cards', name), { exact: true });
  await field('customer').fill(customer);
  await field('register.name').fill('Elif Şahin');
  await field('register.number').fill(NUMBER);
  await field('register.holder').fill('ELİF ŞAHİN');
  await field('register.month').fill('13');
  await field('register.year').fill('2031');
  await form.getByRole('button', { name: say('saved-cards', 'register.submit') }).click();
  await expect(form.getByText(say('saved-cards', 'errors.month'))).toBeVisible();
  await expect(field('register.number')).toHaveValue(NUMBER);
  await field('register.month').fill('12');
  // The response is lost although the card is saved: the page must not claim either outcome.
  await sandbox.fault({ operation: 'saveCard', kind: 'lost_after' });
  await form.getByRole('button', { name: say('saved-cards', 'register.submit') }).click();
  await expect(form.getByText(like('saved-cards', 'answers.save.unclear'))).toBeVisible({
    timeout: 45_000,
  });
  await expect(field('register.number')).toHaveValue(NUMBER);
  await form.getByRole('button', { name: say('saved-cards', 'register.submit') }).click();
  await expect(form.getByText(like('saved-cards', 'answers.save.done'))).toBeVisible();
  await expect(field('register.number')).toHaveValue('');

  await page.goto('/cards/saved');
  await page.getByRole('link', { name: customer, exact: true }).click();
  const card = page
    .getByRole('table', { name: say('saved-cards', 'caption', { customer }) })
    .getByRole('row')
    .filter({ hasText: '•••• 5403' });
  await expect(card).toHaveCount(1);
  expect(await page.content(), 'four digits, and no token').not.toMatch(/540667|[A-Z0-9]{48}/);
  await pressUntil(
    card.getByRole('button', { name: say('saved-cards', 'delete.label', { card: '5403' }) }),
    page.getByRole('dialog'),
  );
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('saved-cards', 'delete.confirm', { card: '5403' }) })
    .click();
  await expect(page.getByText(like('saved-cards', 'answers.delete.done'))).toBeVisible();
  await expect(card).toHaveCount(0);
  await expect(page.getByText(say('saved-cards', 'none.title'))).toBeVisible();
  const [kept] = await rows<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM audit_entries e WHERE e::text LIKE '%' || $1 || '%')
      OR EXISTS (SELECT FROM card_customers c WHERE c::text LIKE '%' || $1 || '%') AS found`,
    [NUMBER.slice(0, 12)],
  );
  expect(kept!.found).toBe(false);
});

test('a typed card number stays in the browser, and a silent gateway is not shown as an empty list', async ({
  sitDown,
}) => {
  const { page, say } = await sitDown('deniz', { language: 'en', narrow: true });
  await page.goto('/cards/saved');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const customer = page.getByRole('search').getByLabel(say('saved-cards', 'customer'));
  await expect(async () => {
    await customer.fill('4508034508034509');
    await page.getByRole('button', { name: say('saved-cards', 'show') }).click();
    await expect(page.getByText(say('saved-cards', 'customerCard'))).toBeVisible({
      timeout: 1_000,
    });
  }).toPass();
  expect(asked.join()).not.toContain('4508034508034509');
  await expect(
    page.getByRole('form', { name: say('saved-cards', 'register.title') }),
    'who may only look saves nothing',
  ).toHaveCount(0);
  await sandbox.fault({ operation: 'getCardTokens', kind: 'status', status: 503, times: 50 });
  await customer.fill('4711');
  await page.getByRole('button', { name: say('saved-cards', 'show') }).click();
  await expect(page.getByText(say('saved-cards', 'unread.title'))).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText(say('saved-cards', 'none.title'))).toHaveCount(0);
});

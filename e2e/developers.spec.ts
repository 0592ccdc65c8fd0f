import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Program, Receiver } from './independent/api-program.ts';
import type { Answer, Document } from './independent/api-program.ts';
import { intentsTo, rows } from './database.ts';
import { newPayee } from './payee.ts';
import { COMMERCIAL, MAIN_WALLET } from './payout.ts';
import { sandbox } from './sandbox.ts';
import { emailOf } from './sign-in.ts';
import { expect, pressUntil, test, type Desk } from './story.ts';
import { BASE_URL } from './surroundings.ts';

const REASON = 'Deneme: muhasebe';
const receiver = new Receiver();
let url: string;

test.beforeAll(async () => {
  url = await receiver.open();
});
test.afterAll(() => receiver.close());
test.afterEach(async () => {
  await rows('DELETE FROM api_endpoints');
  await rows(`UPDATE api_keys SET revoked_at = now(), revoked_by = person_id
    WHERE revoked_at IS NULL`);
  await rows(`UPDATE second_person_requests SET closed_at = now()
    WHERE subject_kind = 'api_key' AND closed_at IS NULL`);
});

for (const { title, look } of [
  { title: 'in Turkish', look: { language: 'tr' } },
  { title: 'in English, dark, on a phone', look: { language: 'en', dark: true, narrow: true } },
] as const) {
  test(`a program pays once with a key of two people, and is told of it, ${title}`, async ({
    sitDown,
  }) => {
    test.setTimeout(180_000);
    receiver.told.length = 0;
    const owner = await sitDown('selin', look);
    const second = await sitDown('mehmet', look);
    await expectEmpty(owner);

    const secret = await makeKey(owner);
    const document = await Program.read(BASE_URL);
    const program = new Program(document, secret);
    const body = payout();
    const refused = await program.call('createPayout', { body, idempotencyKey: randomUUID() });
    expect([refused.status, refused.body['code']]).toEqual([401, 'key_waiting']);
    await confirmKey(second);
    receiver.secret = await setEndpoint(owner);

    const id = await payOnce(program, body);
    await expectTold(id, 'completed');
    const paid = await program.call('getPayout', { id });
    expectValid(document, paid, 'Payout');
    expect(paid.body).toMatchObject({ id, status: 'completed', amount: body.amount });
    expect(await sandbox.paidTwice()).toEqual([]);

    await expectRefusals(document, secret, { id, body });
    await sendAgain(owner, id);
    await expectRequests(owner);
    await revokeKey(owner);
    const over = await program.call('getPayout', { id });
    expectValid(document, over, 'Problem');
    expect([over.status, over.body['code']]).toEqual([401, 'key_revoked']);
  });
}

test('a batch of a program runs to its end, and the program is told of it', async ({ sitDown }) => {
  test.setTimeout(150_000);
  receiver.told.length = 0;
  const owner = await sitDown('selin');
  const second = await sitDown('mehmet');
  const document = await Program.read(BASE_URL);
  const program = new Program(document, await makeKey(owner));
  await confirmKey(second);
  receiver.secret = await setEndpoint(owner);
  const { wallet, currency, ...first } = payout();
  const { wallet: _wallet, currency: _currency, ...next } = payout();
  const body = { wallet, currency, name: 'API', rows: [first, next] };
  const made = await program.call('createBatch', { body, idempotencyKey: randomUUID() });
  expectValid(document, made, 'Batch');
  expect(made.status).toBe(201);
  const id = String(made.body['id']);
  await expectTold(id, 'done');
  await expect(async () => {
    const now = await program.call('getBatch', { id });
    expectValid(document, now, 'Batch');
    expect(now.body['rows']).toMatchObject({ completed: { count: 2 } });
  }).toPass({ timeout: 60_000 });
});

test('cookies of a signed-in person open no address of the API', async ({ sitDown }) => {
  const { page } = await sitDown('selin');
  for (const [method, path] of [
    ['POST', '/api/v1/payouts'],
    ['GET', `/api/v1/payouts/${randomUUID()}`],
    ['POST', '/api/v1/batches'],
  ] as const) {
    const answer = await page.request.fetch(path, { method });
    expect([path, answer.status()]).toEqual([path, 401]);
    expect(answer.headers()['content-type']).toBe('application/problem+json');
  }
});

/** A payment to somebody new, of an amount that the sandbox completes. */
function payout() {
  const { name, iban, taxNumber } = newPayee();
  return {
    wallet: MAIN_WALLET.number,
    currency: 'TRY',
    iban,
    name,
    tax_number: taxNumber,
    amount: `${100 + Math.floor(Math.random() * 800)}.00`,
    payment_type: COMMERCIAL,
    description: 'Fatura 4711',
  };
}

/** The answer is lost, the request is repeated with the same key, and again: one payout. */
async function payOnce(program: Program, body: ReturnType<typeof payout>): Promise<string> {
  const idempotencyKey = randomUUID();
  await program.callAndHangUp('createPayout', { body, idempotencyKey });
  const first = await program.call('createPayout', { body, idempotencyKey });
  expectValid(program.document, first, 'Payout');
  const again = await program.call('createPayout', { body, idempotencyKey });
  expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([
    ...[201, 201],
    'true',
  ]);
  expect(again.body).toEqual(first.body);
  const other = { ...body, amount: '1.00' };
  const changed = await program.call('createPayout', { body: other, idempotencyKey });
  expectValid(program.document, changed, 'Problem');
  expect([changed.status, changed.body['code']]).toEqual([422, 'idempotency_reused']);
  expect(await intentsTo(body.iban)).toHaveLength(1);
  return String(first.body['id']);
}

/** A key of another right alone, and a body that the document forbids. */
async function expectRefusals(
  document: Document,
  secret: string,
  { id, body }: { id: string; body: object },
): Promise<void> {
  const narrow = new Program(document, await narrowKey(['batches.read']));
  const answers: [Answer, number, string][] = [
    [await narrow.call('getPayout', { id }), 403, 'key_right'],
    [
      await narrow.call('createPayout', { body, idempotencyKey: randomUUID() }),
      ...([403, 'key_right'] as const),
    ],
    [
      await new Program(document, secret).call('createPayout', {
        ...{ body: { ...body, amount: 12.5 }, idempotencyKey: randomUUID() },
      }),
      ...([422, 'body_invalid'] as const),
    ],
    [await new Program(document, 'pd_x').call('getPayout', { id }), 401, 'key_unknown'],
  ];
  for (const [answer, status, code] of answers) {
    expectValid(document, answer, 'Problem');
    expect([answer.status, answer.body['code']]).toEqual([status, code]);
  }
  const ajv = validator(document);
  expect(ajv.validate('#PayoutRequest', body)).toBe(true);
  expect(ajv.validate('#PayoutRequest', { ...body, amount: 12.5 })).toBe(false);
}

/** Judged by a validator that shares nothing with the schemas of the product. */
function expectValid(document: Document, answer: Answer, schema: string): void {
  expect(answer.schema, `the schema that the document names for ${answer.status}`).toBe(schema);
  const ajv = validator(document);
  ajv.validate(`#${schema}`, answer.body);
  expect(ajv.errors, JSON.stringify(answer.body)).toBeNull();
}

function validator({ components }: Document): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    formats: {
      uuid: /^[0-9a-f-]{36}$/,
      'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/,
    },
  });
  for (const [name, schema] of Object.entries(components.schemas))
    ajv.addSchema(schema, `#${name}`);
  return ajv;
}

async function expectTold(id: string, status: string): Promise<void> {
  const statuses = () =>
    receiver.told
      .map(({ message }) => message['data'] as { id: string; status: string })
      .filter((data) => data.id === id)
      .map((data) => data.status);
  await expect.poll(statuses, { timeout: 60_000 }).toContain(status);
  expect(receiver.told.every(({ isSigned }) => isSigned)).toBe(true);
}

/** A key that works, without its two people: what they do is told by the story itself. */
async function narrowKey(rights: string[]): Promise<string> {
  const secret = `pd_${randomBytes(32).toString('base64url')}`;
  await rows('ALTER TABLE api_keys DISABLE TRIGGER USER');
  await rows(
    `INSERT INTO api_keys (merchant_id, person_id, name, prefix, hash, rights, reason, confirmed_at)
      SELECT merchant_id, id, 'narrow', $2, $3, $4, 'test', now() FROM people WHERE email = $1`,
    [
      emailOf('selin'),
      secret.slice(0, 9),
      createHash('sha256').update(secret).digest(),
      JSON.stringify(rights),
    ],
  );
  await rows('ALTER TABLE api_keys ENABLE TRIGGER USER');
  return secret;
}

/** Presses the button, and returns its open dialog. */
async function openDialog({ page }: Desk, button: string | RegExp) {
  const dialog = page.getByRole('dialog');
  await pressUntil(page.getByRole('main').getByRole('button', { name: button }).first(), dialog);
  return dialog;
}

async function expectEmpty({ page, say }: Desk): Promise<void> {
  await page.goto('/developers/webhooks');
  await expect(page.getByText(say('developers', 'webhooks.none'))).toBeVisible();
  await page.goto('/developers/reference');
  await expect(page.getByText('POST /api/v1/payouts')).toBeVisible();
}

/** What was typed stays when the key is refused; its secret is shown once. */
async function makeKey(desk: Desk): Promise<string> {
  const { page, say } = desk;
  await page.goto('/developers');
  const dialog = await openDialog(desk, say('developers', 'make.open'));
  const name = dialog.getByLabel(say('developers', 'make.name'), { exact: true });
  const make = dialog.getByRole('button', { name: say('developers', 'make.confirm') });
  await name.fill('Muhasebe');
  await dialog.getByLabel(say('developers', 'make.reason')).fill(REASON);
  await make.click();
  await expect(dialog.getByRole('alert')).toHaveText(say('refusals', 'key_rights_none'));
  await expect(name).toHaveValue('Muhasebe');
  for (const right of ['payouts.prepare', 'payouts.read', 'batches.prepare', 'batches.read'])
    await dialog.getByLabel(say('developers', `rights.${right}`), { exact: true }).check();
  await make.click();
  const secret = await dialog.locator('code').innerText();
  expect(secret).toMatch(/^pd_[\w-]{43}$/);
  await dialog.getByRole('button', { name: say('developers', 'make.close') }).click();
  await expect(page.getByText(say('developers', 'keys.states.waiting'))).toBeVisible();
  await page.reload();
  await expect(page.getByText('Muhasebe').first()).toBeVisible();
  expect(await page.content()).not.toContain(secret);
  return secret;
}

async function confirmKey(desk: Desk): Promise<void> {
  const { page, say, like } = desk;
  await page.goto('/waiting');
  await page.getByRole('link', { name: like('waiting', 'things.api_key') }).click();
  const dialog = await openDialog(desk, like('developers', 'keys.confirmLabel'));
  await expect(dialog).toContainText(REASON);
  await dialog
    .getByRole('button', { name: say('developers', 'keys.confirm'), exact: true })
    .click();
  await expect(page.getByText(say('developers', 'keys.results.confirmed'))).toBeVisible();
}

async function setEndpoint(desk: Desk): Promise<string> {
  const { page, say } = desk;
  await page.goto('/developers/webhooks');
  const dialog = await openDialog(desk, say('developers', 'webhooks.set'));
  const field = dialog.getByLabel(say('developers', 'webhooks.url'), { exact: true });
  await field.fill('http://example.com/');
  const save = dialog.getByRole('button', { name: say('developers', 'webhooks.save') });
  await save.click();
  await expect(dialog.getByRole('alert')).toHaveText(say('refusals', 'endpoint_address'));
  await field.fill(url);
  await save.click();
  const secret = await dialog.locator('code').innerText();
  await dialog.getByRole('button', { name: say('developers', 'webhooks.close') }).click();
  await expect(page.getByText(url)).toBeVisible();
  return secret;
}

async function sendAgain({ page, say, like }: Desk, id: string): Promise<void> {
  await page.goto('/developers/webhooks');
  await expect(
    page.getByText(say('developers', 'webhooks.states.delivered')).first(),
  ).toBeVisible();
  const [latest] = receiver.told
    .filter(({ message }) => JSON.stringify(message).includes(id))
    .slice(-1);
  const times = () => receiver.told.filter((told) => told.id === latest!.id).length;
  expect(times()).toBe(1);
  await page
    .getByRole('button', { name: like('developers', 'webhooks.againLabel') })
    .first()
    .click();
  await expect(page.getByText(say('developers', 'webhooks.sentAgain'))).toBeVisible();
  await expect.poll(times, { timeout: 30_000 }).toBe(2);
}

async function expectRequests({ page, say }: Desk): Promise<void> {
  await page.goto('/developers/requests');
  const table = page.getByRole('table', { name: say('developers', 'requests.caption') });
  await expect(table).toContainText('idempotency_reused');
  // The whole cell: an Idempotency-Key may have these digits in it.
  const stored = table.locator('td').filter({ hasText: /^201$/ });
  await expect(stored.first()).toBeVisible();
  await page.goto('/developers/requests?show=failed');
  await expect(table).toContainText('key_right');
  await expect(stored).toHaveCount(0);
}

async function revokeKey(desk: Desk): Promise<void> {
  const { page, say } = desk;
  await page.goto('/developers');
  const dialog = await openDialog(
    desk,
    say('developers', 'keys.revokeLabel', { name: 'Muhasebe' }),
  );
  await dialog.getByRole('button', { name: say('developers', 'keys.revoke'), exact: true }).click();
  await expect(page.getByText(say('developers', 'keys.results.revoked'))).toBeVisible();
}

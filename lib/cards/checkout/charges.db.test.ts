import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beginPorts } from '#lib/movements/testing/fake-provider.ts';
import type { BeginPorts } from '#lib/movements/begin.ts';
import { answerBank, submit } from '#lib/providers/card/bank-page-fixture.ts';
import { TypedCard } from '#lib/providers/card/typed-card.ts';
import { startSandbox } from '#lib/providers/sandbox-fixture.ts';
import type { Sandbox } from '#lib/providers/sandbox-fixture.ts';
import type { SendJournalEntry } from '#lib/begin-check/send-journal.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as HearReturn from './take-return.ts';
import type * as Link from './link.ts';
import type * as ListLinks from './list-links.ts';
import type * as Make from './make.ts';
import type { Charge } from './make.ts';
import type * as Send from './send.ts';
import type * as Take from './take.ts';

/**
 * Checkouts against the gateway sandbox: what is known of each checkout before, during and after
 * its request.
 */

let sandbox: Sandbox;
let merchant: TestMerchant;
let web: Process & {
  make: typeof Make;
  take: typeof Take;
  send: typeof Send;
  returns: typeof HearReturn;
  link: typeof Link;
  listLinks: typeof ListLinks;
};
let worker: Process;

beforeAll(async () => {
  sandbox = await startSandbox();
  merchant = await testMerchant();
  // The gateway authenticates the merchant by a key of its own; the merchant in our database was
  // chosen above.
  Object.assign(process.env, sandbox.environment, { CARD_ENTRY: 'all' });
  process.env.CARD_MERCHANT_KEY = sandbox.cardCredentials.merchant_key;
  const open = await openProcess('dashboard_web');
  web = {
    ...open,
    make: await import('./make.ts'),
    take: await import('./take.ts'),
    send: await import('./send.ts'),
    returns: await import('./take-return.ts'),
    link: await import('./link.ts'),
    listLinks: await import('./list-links.ts'),
  };
  worker = await openProcess('dashboard_worker');
}, 60_000);
afterAll(async () => {
  await Promise.all([web, worker].map((side) => side.db.disconnect()));
  await Promise.all([merchant.close(), sandbox.stop()]);
});

const clerk = () => merchant.person('clerk');
const charge = (part: Partial<Charge> = {}, content: Partial<Charge['content']> = {}): Charge => ({
  id: randomUUID(),
  way: 'three_d',
  amountMinor: 12_340n,
  content: {
    currency: 'TRY',
    description: 'Sipariş',
    items: [{ name: 'Çanta', description: '', priceMinor: '6170', quantity: 2 }],
    buyer: { name: 'Işık', surname: 'Öğüt' },
    bill: { email: 'isik@shop.test', phone: '905320000000' },
    installments: 1,
    ...content,
  },
  ...part,
});
const made = async (
  part: Partial<Charge> = {},
  content: Partial<Charge['content']> = {},
): Promise<Charge> => {
  const one = charge(part, content);
  await web.make.makeCharge(clerk(), one);
  return one;
};
type Row = {
  invoice_id: string;
  state: string | null;
  problem: string | null;
  sent_at: Date | null;
  answer: string | null;
  link: string | null;
  amount_minor: string;
  card: string | null;
  held_since: Date | null;
};
const rowOf = async (id: string): Promise<Row> =>
  (await merchant.owner.query<Row>('SELECT * FROM card_payments WHERE id = $1', [id])).rows[0]!;
const observationsOf = async (id: string) =>
  (
    await merchant.owner.query<{
      source: string;
      kind: string;
      detail: Record<string, string | null>;
    }>('SELECT source, kind, detail FROM card_observations WHERE payment_id = $1 ORDER BY id', [id])
  ).rows;
const card = (number = '4508034508034509') =>
  new TypedCard({
    holder: 'Işık Öğüt',
    number,
    expiryMonth: '12',
    expiryYear: '2031',
    securityCode: '000',
  });
const ordersOf = async (invoice: string) =>
  (await sandbox.control<{ body: string }[]>('GET', 'requests?operation=paySmart2D')).filter(
    (request) => request.body.includes(invoice),
  ).length;

async function pollNow(id: string): Promise<Row> {
  await merchant.owner.query('UPDATE card_payments SET next_at = now() WHERE id = $1', [id]);
  while (await worker.verifyCards.verifyOneDuePayment(merchant.merchantId, sandbox.card));
  return rowOf(id);
}

/** Goes the way of a browser from the form to our return address. */
async function pay(
  id: string,
  step: 'confirm' | 'give_up' = 'confirm',
  code?: string,
  number?: string,
): Promise<URLSearchParams> {
  const taking = await web.take.readTaking(clerk(), id);
  if (typeof taking === 'string' || taking.form === null) throw new Error(String(taking));
  let arrival = await submit(taking.form, number === undefined ? {} : { number });
  for (let tries = 0; !('back' in arrival) && tries < 3; tries += 1)
    arrival = await answerBank(sandbox, arrival, step, code);
  if (!('back' in arrival)) throw new Error('still at the bank');
  expect(arrival.back.pathname).toBe('/api/cards/return');
  return arrival.fields;
}

it('a payment is registered with its invoice number, amount and audit row before anything leaves', async () => {
  const one = await made();
  const row = await rowOf(one.id);
  expect(row).toMatchObject({ state: null, amount_minor: '12340', sent_at: null });
  expect(row.invoice_id).toMatch(/^K\d{8}-[2-9A-Z]{12}$/);
  expect(await observationsOf(one.id)).toMatchObject([{ source: 'person', kind: 'made' }]);
  const { rows } = await merchant.owner.query(
    `SELECT action FROM audit_entries WHERE merchant_id = $1 AND subject = $2`,
    [merchant.merchantId, `card:${one.id}`],
  );
  expect(rows).toEqual([{ action: 'card.charge_made' }]);
  expect(await pollNow(one.id)).toMatchObject({ state: null, problem: 'not_found' });
  const { attention } = await web.cards.listCardPayments(clerk(), {
    filter: {
      view: 'attention',
      part: null,
      source: 'made_here',
      from: null,
      to: null,
      text: row.invoice_id,
    },
    place: null,
  });
  expect(attention, 'a form that nobody used is nothing to look at').toBe(0);
});

it('the same form eight times at once is one payment; with another content it is refused', async () => {
  const one = charge();
  const results = await Promise.all(
    Array.from({ length: 8 }, () => web.make.makeCharge(clerk(), one)),
  );
  expect(results.filter((result) => result.isNew)).toHaveLength(1);
  await expect(web.make.makeCharge(clerk(), { ...one, amountMinor: 99n })).rejects.toMatchObject({
    code: 'same_id_other_content',
  });
  await expect(web.make.makeCharge(merchant.person('support'), charge())).rejects.toMatchObject({
    code: 'not_allowed',
  });
});

it('a card verified at the bank is charged only by the gateway’s record; the return is only a hint', async () => {
  const one = await made();
  const fields = await pay(one.id);
  expect(await web.returns.takeReturn(merchant.merchantId, fields)).toEqual({
    id: one.id,
    kind: 'three_d',
  });
  expect(await rowOf(one.id)).toMatchObject({ state: null });
  expect(await observationsOf(one.id)).toMatchObject([
    { kind: 'made' },
    { source: 'return', kind: 'succeeded', detail: { hash: 'agrees' } },
  ]);
  expect(await pollNow(one.id)).toMatchObject({ state: 'completed', card: '4509', problem: null });
  expect(await web.take.readTaking(clerk(), one.id), 'an invoice number is used up').toBe('closed');
});

it('three wrong codes, giving up, a declined card: each ends as not paid, by the record', async () => {
  for (const [step, code, number] of [
    ['confirm', '------', undefined],
    ['give_up', undefined, undefined],
    ['confirm', undefined, '4000000000000333'],
  ] as const) {
    const one = await made();
    await web.returns.takeReturn(merchant.merchantId, await pay(one.id, step, code, number));
    expect((await observationsOf(one.id)).at(-1)).toMatchObject({
      source: 'return',
      kind: 'failed',
      detail: { hash: 'none' },
    });
    expect(await pollNow(one.id)).toMatchObject({ state: 'failed' });
  }
});

it('a forged return only moves the next look: another status, another’s invoice, a stranger’s hash', async () => {
  const one = await made();
  const fields = await pay(one.id, 'give_up');
  const forged = new URLSearchParams(fields);
  for (const [name, value] of [
    ['svc_status', '1'],
    ['payment_status', '1'],
    ['status_code', '100'],
    ['hash_key', 'aaaa:bb:cccc'],
  ] as const)
    forged.set(name, value);
  await web.returns.takeReturn(merchant.merchantId, forged);
  expect((await observationsOf(one.id)).at(-1)).toMatchObject({
    kind: 'succeeded',
    detail: { hash: 'disagrees' },
  });
  expect(await pollNow(one.id)).toMatchObject({ state: 'failed' });
  const other = await made();
  forged.set('invoice_id', (await rowOf(other.id)).invoice_id);
  await web.returns.takeReturn(merchant.merchantId, forged);
  expect(await pollNow(other.id)).toMatchObject({ state: null, problem: 'not_found' });
  forged.set('invoice_id', 'NOBODY');
  expect(await web.returns.takeReturn(merchant.merchantId, forged)).toBeNull();
});

it('a tab closed at the bank stays unknown until the record says that its time ran out', async () => {
  const one = await made();
  const taking = await web.take.readTaking(clerk(), one.id);
  if (typeof taking === 'string') throw new Error(taking);
  await submit(taking.form!);
  expect(await pollNow(one.id)).toMatchObject({ state: 'pending' });
  await sandbox.control('POST', 'clock', { advance: '10m' });
  expect(await pollNow(one.id)).toMatchObject({ state: 'failed' });
});

it('a hold made here is as old as its row at most, and is held by the record', async () => {
  const one = await made({}, { hold: true });
  await pay(one.id);
  const row = await pollNow(one.id);
  expect(row.state).toBe('held');
  expect(Date.now() - row.held_since!.getTime()).toBeLessThan(120_000);
});

it('a typed card is sent once per payment, its sending is recorded first, and no card data is kept', async () => {
  const one = await made({ way: 'non_secure' });
  await Promise.all(
    Array.from({ length: 6 }, () => web.send.chargeTypedCard(clerk(), one.id, card())),
  );
  const { invoice_id: invoice } = await rowOf(one.id);
  expect(await ordersOf(invoice)).toBe(1);
  expect(await pollNow(one.id)).toMatchObject({
    state: 'completed',
    answer: 'approved',
    card: '4509',
  });
  expect(
    (await observationsOf(one.id)).map((observed) => `${observed.source} ${observed.kind}`),
  ).toEqual(['person made', 'person sending', 'answer approved', 'record found']);
  await web.send.chargeTypedCard(clerk(), one.id, card());
  expect(await ordersOf(invoice)).toBe(1);
});

it('a typed card whose answer is lost is unknown, never sent again, and ends by the record', async () => {
  for (const charged of [true, false]) {
    const one = await made({ way: 'non_secure' });
    await sandbox.fault('paySmart2D', charged ? 'lost_after' : 'lost_before');
    await web.send.chargeTypedCard(clerk(), one.id, card());
    expect(await rowOf(one.id)).toMatchObject({ state: null, answer: 'unclear' });
    await web.send.chargeTypedCard(clerk(), one.id, card());
    const { invoice_id: invoice } = await rowOf(one.id);
    expect(await ordersOf(invoice)).toBe(1);
    expect(await pollNow(one.id)).toMatchObject(
      charged ? { state: 'completed' } : { state: null, problem: 'not_found' },
    );
  }
});

it('a payment whose record has another amount asks for attention, and ends by the right record', async () => {
  const one = await made({ way: 'non_secure' });
  await web.send.chargeTypedCard(clerk(), one.id, card());
  await merchant.owner.query(
    `UPDATE card_payments SET next_at = CASE WHEN id = $1 THEN now() END WHERE merchant_id = $2`,
    [one.id, merchant.merchantId],
  );
  await worker.verifyCards.verifyOneDuePayment(merchant.merchantId, {
    readRecord: async () => ({ kind: 'no_answer', why: 'mismatch', raw: null }),
  });
  const { rows } = await merchant.owner.query(
    'SELECT state, problem, next_at > clock_timestamp() AS due_later FROM card_payments WHERE id = $1',
    [one.id],
  );
  expect(rows).toEqual([{ state: null, problem: 'mismatch', due_later: true }]);
  const { invoice_id: invoiceId } = await rowOf(one.id);
  const flagged = await web.cards.listCardPayments(clerk(), {
    filter: {
      view: 'attention',
      part: null,
      source: 'made_here',
      from: null,
      to: null,
      text: invoiceId,
    },
    place: null,
  });
  expect(flagged.rows).toMatchObject([{ invoiceId }]);
  expect(await pollNow(one.id)).toMatchObject({ state: 'completed', problem: null });
});

it('a refusal ends a payment only together with a record that knows no order', async () => {
  const one = await made({ way: 'non_secure' });
  await sandbox.control('POST', 'card/settings', { pos: false });
  await web.send.chargeTypedCard(clerk(), one.id, card());
  await sandbox.control('POST', 'card/settings', { pos: true });
  expect(await rowOf(one.id)).toMatchObject({ state: null, answer: 'refused' });
  expect(await pollNow(one.id)).toMatchObject({ state: 'failed', problem: null });
});

it('a refusal is looked at again, because a copy of its request may be on its way', async () => {
  const one = await made({ way: 'non_secure' });
  await sandbox.control('POST', 'card/settings', { pos: false });
  await web.send.chargeTypedCard(clerk(), one.id, card());
  await sandbox.control('POST', 'card/settings', { pos: true });
  expect(await pollNow(one.id)).toMatchObject({ state: 'failed', problem: null });
  const { rows } = await merchant.owner.query<{ seconds: string | null }>(
    `SELECT extract(epoch FROM next_at - sent_at) AS seconds FROM card_payments WHERE id = $1`,
    [one.id],
  );
  const seconds = Math.round(Number(rows[0]!.seconds));
  expect([10, 210], 'the next look, in seconds after the request').toContain(seconds);
  expect(await pollNow(one.id), 'asked again: still no order').toMatchObject({
    state: 'failed',
    problem: null,
  });
});

it('what was sent once can be neither unsent nor sent again, by no statement of the web', async () => {
  const one = await made({ way: 'non_secure' });
  await web.send.chargeTypedCard(clerk(), one.id, card());
  await expect(
    merchant.owner.query('UPDATE card_payments SET sent_at = NULL WHERE id = $1', [one.id]),
  ).rejects.toThrow('sent once');
  await expect(
    merchant.owner.query(`UPDATE card_payments SET answer = 'refused' WHERE id = $1`, [one.id]),
  ).rejects.toThrow('answered once');
});

it('a saved card pays with and without the bank’s page, and a deleted card charges nothing', async () => {
  const saved = await sandbox.card.saveCard(
    { number: '70021', name: 'Işık Öğüt', email: 'isik@shop.test', phone: '905320000000' },
    card('5406675406675403'),
  );
  if (saved.kind !== 'done') throw new Error(saved.kind);
  const [{ id: recordId }] = (
    (await sandbox.card.listSavedCards('70021')) as { value: { id: string }[] }
  ).value as [{ id: string }];
  const savedCard = { customerNumber: '70021', recordId };
  const [one, two, three] = [
    await made({ way: 'saved_three_d' }, { savedCard }),
    await made({ way: 'saved_non_secure' }, { savedCard, cardProgram: 'MAXIMUM' }),
    await made({ way: 'saved_non_secure' }, { savedCard, cardProgram: 'MAXIMUM' }),
  ];
  await pay(one.id);
  await web.send.chargeSavedCard(clerk(), two.id);
  for (const { id } of [one, two])
    expect(await pollNow(id)).toMatchObject({ state: 'completed', card: '5403' });
  const { rows } = await merchant.owner.query(
    `SELECT (SELECT string_agg(p::text, '') FROM card_payments p) || (SELECT string_agg(t::text, '')
      FROM card_observations t) || (SELECT string_agg(a::text, '') FROM audit_entries a) AS all`,
  );
  expect((rows[0] as { all: string }).all).not.toContain(saved.value);
  await sandbox.card.deleteCard({ customerNumber: '70021', token: saved.value });
  await expect(web.send.chargeSavedCard(clerk(), three.id)).rejects.toMatchObject({
    code: 'saved_card_gone',
  });
  expect(await rowOf(three.id)).toMatchObject({ sent_at: null });
});

it('a verified card is charged or cancelled by one click, when the gateway’s hash and record agree', async () => {
  for (const what of ['complete', 'cancel'] as const) {
    const one = await made({}, { verifyFirst: true });
    const fields = await pay(one.id);
    const forged = new URLSearchParams(fields);
    forged.delete('hash_key');
    await web.returns.takeReturn(merchant.merchantId, forged);
    await pollNow(one.id);
    await web.send.completeCharge(clerk(), one.id, what);
    expect(await rowOf(one.id), 'a return without the gateway’s hash').toMatchObject({
      state: 'pending',
      sent_at: null,
    });
    await web.returns.takeReturn(merchant.merchantId, fields);
    expect((await observationsOf(one.id)).at(-1)).toMatchObject({
      source: 'return',
      kind: 'verified',
      detail: { hash: 'agrees' },
    });
    await Promise.all([1, 2, 3].map(() => web.send.completeCharge(clerk(), one.id, what)));
    await web.send.completeCharge(clerk(), one.id, 'complete');
    expect(await rowOf(one.id)).toMatchObject({
      answer: what === 'complete' ? 'approved' : 'called_off',
    });
    const row = await pollNow(one.id);
    expect(row.state).toMatch(what === 'complete' ? /^completed$/ : /^(?:cancelled|failed)$/);
  }
});

it('the send journal separates the first card request from its completion, with order and amount', async () => {
  const lines: SendJournalEntry[] = [];
  const ports = {
    ...beginPorts(),
    journal: { append: async (line: SendJournalEntry) => lines.push(line) > 0 },
  };
  const [typed, verified] = [
    await made({ way: 'non_secure' }),
    await made({}, { verifyFirst: true }),
  ];
  await web.send.chargeTypedCard(clerk(), typed.id, card(), ports);
  await web.returns.takeReturn(merchant.merchantId, await pay(verified.id));
  await pollNow(verified.id);
  await web.send.completeCharge(clerk(), verified.id, 'complete', ports);
  const orders = [(await rowOf(typed.id)).invoice_id, (await rowOf(verified.id)).invoice_id];
  expect(lines).toMatchObject([
    {
      kind: 'card_charge',
      reference: orders[0],
      about: orders[0],
      amountMinor: 12_340n,
      currency: 'TRY',
    },
    {
      kind: 'card_completion',
      reference: orders[1],
      about: orders[1],
      amountMinor: 12_340n,
      currency: 'TRY',
    },
  ]);
});

it('a link is made once, asked for again after no answer, and paid by the record', async () => {
  const one = await made({ way: 'link' });
  await sandbox.fault('purchase/link', 'lost_before');
  await web.link.askForLink(clerk(), one.id);
  expect(await rowOf(one.id)).toMatchObject({ link: null });
  await web.link.askForLink(clerk(), one.id);
  expect((await rowOf(one.id)).link).toMatch(/^http/);
  expect(await pollNow(one.id)).toMatchObject({ state: 'pending' });
  await expect(web.link.askForLink(clerk(), one.id)).rejects.toMatchObject({ code: 'link_closed' });
});

it('a link is listed for sending only while it is known that nobody has paid with it', async () => {
  const one = await made({ way: 'link' });
  await web.link.askForLink(clerk(), one.id);
  const { link } = await rowOf(one.id);
  const toSend = async () =>
    (await web.listLinks.listMadeLinks(clerk())).links.find(({ id }) => id === one.id)?.toSend;
  expect(await toSend()).toBe(link);
  for (const [state, problem] of [
    ['pending', 'no_answer'],
    ['pending', 'mismatch'],
    ['completed', null],
    ['failed', null],
  ]) {
    await merchant.owner.query('UPDATE card_payments SET state = $2, problem = $3 WHERE id = $1', [
      one.id,
      state,
      problem,
    ]);
    expect(await toSend(), `${state} ${problem}`).toBeNull();
  }
});

it.each([
  ['a person', 'person', 'card_charge'],
  ['a person', 'person', 'all'],
  ['a recovery', 'recovery', 'all'],
  ['another environment', 'environment', 'all'],
  ['a broken audit log', 'audit', 'all'],
])(
  'while %s (%s) stops %s no card is charged, and the same form works when it goes on',
  async (_who, cause, kind) => {
    const one = await made({ way: 'non_secure' });
    await merchant.owner.query(
      `INSERT INTO send_switches (merchant_id, kind, cause, off, reason) VALUES ($1, $3, $2, true, 'Test')`,
      [merchant.merchantId, cause, kind],
    );
    await expect(web.send.chargeTypedCard(clerk(), one.id, card())).rejects.toMatchObject({
      code: 'card_charge_stopped',
    });
    expect(await rowOf(one.id)).toMatchObject({ sent_at: null, answer: null });
    await merchant.owner.query(
      `ALTER TABLE send_switches DISABLE TRIGGER USER; DELETE
        FROM send_switches; ALTER TABLE send_switches ENABLE TRIGGER USER`,
    );
    await web.send.chargeTypedCard(clerk(), one.id, card());
    expect([
      (await rowOf(one.id)).answer,
      await ordersOf((await rowOf(one.id)).invoice_id),
    ]).toEqual(['approved', 1]);
  },
);

it.each<[string, Partial<BeginPorts>]>([
  [
    'lacks what this process has seen of it',
    { mark: () => ({ seq: '99999999', hash: '00', database: { timeline: 1 } }) },
  ],
  [
    'is about another card gateway',
    {
      identity: () => ({ environment: 'sandbox', sender: null, gateway: 'https://other.example' }),
    },
  ],
  ['cannot be written down beside it', { checkpointWritten: async () => false }],
])(
  'with a database that %s no card is charged, and the payment stays open',
  async (_what, given) => {
    const one = await made({ way: 'non_secure' });
    await expect(
      web.send.chargeTypedCard(clerk(), one.id, card(), { ...beginPorts(), ...given }),
    ).rejects.toMatchObject({ code: 'card_charge_unconfirmed' });
    expect([
      (await rowOf(one.id)).sent_at,
      await ordersOf((await rowOf(one.id)).invoice_id),
    ]).toEqual([null, 0]);
  },
);

it('a stop between the claim and the first byte keeps the charge back and records it as not sent', async () => {
  const one = await made({ way: 'non_secure' });
  let turn = 0;
  const checkpointWritten = async (): Promise<boolean> => {
    turn += 1;
    if (turn === 2)
      await merchant.owner.query(
        `INSERT INTO send_switches (merchant_id, kind, cause, off, reason)
          VALUES ($1, 'all', 'person', true, 'Test')`,
        [merchant.merchantId],
      );
    return true;
  };
  await web.send.chargeTypedCard(clerk(), one.id, card(), { ...beginPorts(), checkpointWritten });
  await merchant.owner.query(
    `ALTER TABLE send_switches DISABLE TRIGGER USER; DELETE
      FROM send_switches; ALTER TABLE send_switches ENABLE TRIGGER USER`,
  );
  expect([(await rowOf(one.id)).answer, await ordersOf((await rowOf(one.id)).invoice_id)]).toEqual([
    'not_sent',
    0,
  ]);
  expect((await observationsOf(one.id)).at(-1)).toMatchObject({
    source: 'answer',
    kind: 'not_sent',
    detail: { why: 'stopped' },
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { madePayment } from '../operations/testing/payments.ts';
import { bucketEnds, CAPTURE_LIFE_MS } from './authorization.ts';
import { parseDecimal, toDecimal } from '#lib/values/money.ts';
import type { AuthorizationBucket } from './authorization.ts';
import { CARD_PARTS, CARD_VIEWS, readCardQuery } from './filter.ts';
import { PAYMENT_STATES } from './payment.ts';
import { sumsOf } from './totals.ts';
import { makeHashKey } from '#lib/providers/card/hash-key.ts';
import type { RecordOutcome } from '#lib/providers/card/types.ts';
import { openProduct, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';

/**
 * The records of card payments: webhooks and pasted numbers add them, and no webhook is believed.
 */

const DAY_MS = 24 * 60 * 60_000;

let merchant: TestMerchant;
let web: Process;
let worker: Process;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ merchant, web, worker, close } = await openProduct());
});
afterAll(() => close());

/** An order number without digits: twelve digits with a valid card check digit would be refused. */
const invoice = (): string =>
  `F-${randomUUID().replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)}`;
const sale = (id: string, secret = 'test'): string =>
  new URLSearchParams({
    invoice_id: id,
    order_id: `VP-${id}`,
    svc_status: '1',
    payment_status: '1',
    hash_key: makeHashKey(secret, ['1', '100.00', id, `VP-${id}`, 'TRY']),
  }).toString();
const receive = (body: string) => web.receive.receiveWebhook(merchant.merchantId, 'card', body);
const rowOf = async (id: string) =>
  (
    await merchant.owner.query(
      'SELECT * FROM card_payments WHERE merchant_id = $1 AND invoice_id = $2',
      [merchant.merchantId, id],
    )
  ).rows[0] as Record<string, unknown> | undefined;
const observationsOf = async (id: string) =>
  (
    await merchant.owner.query(
      `SELECT t.source, t.kind FROM card_observations t JOIN card_payments p ON p.id = t.payment_id
        WHERE p.invoice_id = $1 ORDER BY t.id`,
      [id],
    )
  ).rows;

type Found = Extract<RecordOutcome, { kind: 'found' }>;
const record = (id: string, part: Partial<Found> = {}): Found => ({
  kind: 'found',
  raw: '{"made":"up"}',
  state: 'held',
  invoiceId: id,
  orderId: `VP-${id}`,
  transactionId: null,
  amountMinor: 10_000n,
  chargedMinor: null,
  refundedMinor: null,
  refunds: [],
  card: '540667****1234',
  reason: null,
  settlesOn: null,
  installments: null,
  commissionMinor: null,
  buyerCommissionMinor: null,
  recurring: null,
  ...part,
});

/**
 * Lets the worker query every due payment. The gateway has the records of `answers` and no others.
 * Returns the queried order numbers.
 */
async function pollDue(answers: Record<string, RecordOutcome> = {}): Promise<string[]> {
  const asked: string[] = [];
  const readRecord = async ({ invoiceId }: { invoiceId: string }): Promise<RecordOutcome> => {
    asked.push(invoiceId);
    return answers[invoiceId] ?? { kind: 'not_found', raw: null };
  };
  while (await worker.verifyCards.verifyOneDuePayment(merchant.merchantId, { readRecord }))
    if (asked.length > 50) throw new Error('asked for ever');
  return asked;
}

it('a sale notice adds the order and says nothing of it; the gateway’s record does', async () => {
  const id = invoice();
  await receive(sale(id));
  expect(await rowOf(id)).toMatchObject({ state: null, amount_minor: null, source: 'notice' });
  expect(await pollDue({ [id]: record(id) })).toContain(id);
  expect(await rowOf(id)).toMatchObject({
    state: 'held',
    amount_minor: '10000',
    card: '1234',
    problem: null,
  });
  expect(await observationsOf(id)).toEqual([
    { source: 'notice', kind: 'sale' },
    { source: 'record', kind: 'found' },
  ]);
});

it('the same notice eight times at once is one payment, asked about once', async () => {
  const id = invoice();
  const body = sale(id);
  await Promise.all(Array.from({ length: 8 }, () => receive(body)));
  expect((await observationsOf(id)).length).toBe(1);
  expect((await pollDue({ [id]: record(id) })).filter((one) => one === id)).toEqual([id]);
});

it('an order that is reported a week after it was made is asked about until its record is there', async () => {
  const id = invoice();
  await receive(sale(id));
  const dueAfter = async (reportedDaysAgo: number) => {
    await merchant.owner.query(
      `UPDATE card_payments SET first_seen_at = now() - interval '8 days', next_at = now(), tries = 0,
        last_hint_at = now() - make_interval(days => $2) WHERE invoice_id = $1`,
      [id, reportedDaysAgo],
    );
    expect(await pollDue()).toContain(id);
    return (await rowOf(id))!['next_at'];
  };
  expect(await dueAfter(0)).toBeInstanceOf(Date);
  expect(await dueAfter(8), 'nothing was sent or reported for a week').toBeNull();
});

it('a charge that was sent is asked about for as long as its outcome is unknown', async () => {
  const columns = { first_seen_at: new Date(Date.now() - 8 * DAY_MS), next_at: new Date() };
  const id = await madePayment(merchant, 8 * 24 * 60, { ...columns, invoice_id: invoice() });
  await pollDue();
  const { rows } = await merchant.owner.query('SELECT next_at FROM card_payments WHERE id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ next_at: expect.any(Date) }]);
});

it('a forged notice adds nothing and asks nothing', async () => {
  const id = invoice();
  await receive(sale(id, 'another secret'));
  expect(await rowOf(id)).toBeUndefined();
  expect(await pollDue()).not.toContain(id);
});

it('a hold that is taken elsewhere leaves the queue when the gateway says so', async () => {
  const id = invoice();
  await receive(sale(id));
  await pollDue({ [id]: record(id) });
  const queued = async () =>
    (
      await web.cardHolds.authorizationQueue(merchant.person('clerk'), { bucket: null, day: null })
    ).holds.map((hold) => hold.invoiceId);
  expect(await queued()).toContain(id);
  await receive(`${sale(id)}&again=1`);
  await merchant.owner.query('UPDATE card_payments SET next_at = now() WHERE invoice_id = $1', [
    id,
  ]);
  await pollDue({ [id]: record(id, { state: 'captured', chargedMinor: 9_000n }) });
  expect(await queued()).not.toContain(id);
  expect(await rowOf(id)).toMatchObject({ state: 'captured', charged_minor: '9000' });
});

it('of a partial capture only the captured part is shown and summed, without the buyer’s commission', async () => {
  const id = invoice();
  const { filter } = readCardQuery({ q: id });
  await receive(sale(id));
  await pollDue({ [id]: record(id, { chargedMinor: 10_250n, buyerCommissionMinor: 250n }) });
  // The second read subtracts the commission no second time.
  for (const reading of [1, 2]) {
    await merchant.owner.query('UPDATE card_payments SET next_at = now() WHERE invoice_id = $1', [
      id,
    ]);
    const part = { chargedMinor: 4_250n, buyerCommissionMinor: 250n };
    await pollDue({ [id]: record(id, { state: 'captured', ...part }) });
    const page = await web.cards.listCardPayments(merchant.person('clerk'), {
      filter,
      place: null,
    });
    expect(page.rows, `reading ${reading}`).toMatchObject([
      { invoiceId: id, amount: '100.00', taken: '40.00' },
    ]);
    expect(page.totals).toMatchObject([{ part: 'taken', sum: '40.00' }]);
  }
});

it('an authorization over 20 days old is lapsed with its money, whatever its record says', async () => {
  const id = invoice();
  await receive(sale(id));
  await pollDue({ [id]: record(id, { amountMinor: 77_700n }) });
  await merchant.owner.query(
    `UPDATE card_payments SET held_since = now() - interval '480 hours' - interval '1 second'
      WHERE invoice_id = $1`,
    [id],
  );
  const queue = await web.cardHolds.authorizationQueue(merchant.person('clerk'), {
    bucket: 'lapsed',
    day: null,
  });
  expect(queue.holds).toMatchObject([{ invoiceId: id, bucket: 'lapsed' }]);
  expect(queue.buckets.find((one) => one.bucket === 'lapsed')).toEqual({
    bucket: 'lapsed',
    count: 1,
    sums: [{ currency: 'TRY', sum: '777.00' }],
  });
  // The page and the database put the same authorization into the same bucket.
  const whole = await web.cardHolds.authorizationQueue(merchant.person('clerk'), {
    bucket: null,
    day: null,
  });
  for (const one of whole.buckets)
    expect(whole.holds.filter((hold) => hold.bucket === one.bucket).length).toBe(one.count);
  const from = (source: string) => whole.holds.filter((hold) => hold.source === source).length;
  expect(whole.coverage).toEqual({
    known: whole.holds.length,
    fromNotices: from('notice'),
    byHand: from('person'),
    madeHere: from('made_here'),
  });
  expect(whole.coverage.fromNotices).toBeGreaterThan(0);
  expect(whole.holds.at(-1)!.bucket).toBe('lapsed');
});

it('an authorization whose last moment is a midnight is due before it, in the list as in its tab', async () => {
  const id = invoice();
  await receive(sale(id));
  await pollDue({ [id]: record(id) });
  const ends = Object.entries(bucketEnds(Date.now(), 'Europe/Istanbul'));
  for (const [bucket, end] of ends) {
    await merchant.owner.query('UPDATE card_payments SET held_since = $2 WHERE invoice_id = $1', [
      id,
      new Date(end - CAPTURE_LIFE_MS),
    ]);
    const queue = await web.cardHolds.authorizationQueue(merchant.person('clerk'), {
      bucket: bucket as AuthorizationBucket,
      day: null,
    });
    expect(queue.holds.find((hold) => hold.invoiceId === id)?.bucket).toBe(bucket);
    // The midnight that ends a bucket belongs to the bucket's last day, also in the calendar.
    const last = queue.days[{ today: 0, days3: 3, days7: 7 }[bucket as 'today']]!;
    const ofDay = await web.cardHolds.authorizationQueue(merchant.person('clerk'), {
      bucket: null,
      day: last.day,
    });
    expect(ofDay.holds.map((hold) => hold.invoiceId)).toContain(id);
    expect(ofDay.holds, 'as many rows as the calendar counts').toHaveLength(last.count);
  }
  expect(ends).toHaveLength(3);
});

it('pasted numbers are added once with their authorization day; a card number is refused', async () => {
  const ids = [invoice(), invoice()];
  const add = (text: string, heldOn = '') =>
    web.addCards.addCardPayments(merchant.person('clerk'), { text, heldOn });
  expect(await add(ids.join('\n'), '2026-03-06')).toEqual({ added: 2, known: 0 });
  expect(await add(ids.join(', '))).toEqual({ added: 0, known: 2 });
  expect(await pollDue({ [ids[0]!]: record(ids[0]!) })).toEqual(expect.arrayContaining(ids));
  const first = await rowOf(ids[0]!);
  expect(first).toMatchObject({ source: 'person', state: 'held' });
  // In Istanbul 6 March begins while it is still 5 March in UTC.
  expect((first!['held_since'] as Date).toISOString()).toBe('2026-03-05T21:00:00.000Z');
  expect(await rowOf(ids[1]!)).toMatchObject({ state: null, problem: 'not_found' });
  await expect(add('4508 0345 0803 4509')).rejects.toMatchObject({ code: 'card_number_typed' });
  await expect(add('F-1', '2999-01-01')).rejects.toMatchObject({ code: 'held_on_unreadable' });
  await expect(
    web.addCards.addCardPayments(merchant.person('support'), { text: 'F-1', heldOn: '' }),
  ).rejects.toMatchObject({ code: 'not_allowed' });
});

it('a hold whose day nobody named is of unknown age, and in no bucket that says when it ends', async () => {
  const id = invoice();
  await web.addCards.addCardPayments(merchant.person('clerk'), { text: id, heldOn: '' });
  await pollDue({ [id]: record(id) });
  expect(await rowOf(id)).toMatchObject({ state: 'held', held_since: null });
  expect(
    (
      await web.cardHolds.authorizationQueue(merchant.person('clerk'), {
        bucket: 'age_unknown',
        day: null,
      })
    ).holds,
  ).toMatchObject([{ invoiceId: id, lapsesAt: null }]);
});

it('a record with NUL and half a surrogate pair in its texts is stored, as the others are', async () => {
  const id = invoice();
  await receive(sale(id));
  const refund = { refundId: 'R-1', amountMinor: 100n, at: '2026\u0000', status: 'İade \ud83d' };
  await pollDue({
    [id]: record(id, {
      state: 'partly_refunded',
      refundedMinor: 100n,
      refunds: [refund],
      settlesOn: '2026-03-09\u0000',
    }),
  });
  expect(await rowOf(id)).toMatchObject({
    state: 'partly_refunded',
    settles_on: '2026-03-09',
    refunds: [{ refundId: 'R-1', amountMinor: '100', at: '2026', status: 'İade \ufffd' }],
  });
});

it('a look that is asked for while one is under way comes after it: its response may be older', async () => {
  const id = invoice();
  await receive(sale(id));
  const due = async () => (await rowOf(id))!['next_at'] as Date;
  await worker.verifyCards.verifyOneDuePayment(merchant.merchantId, {
    readRecord: async ({ invoiceId }) => {
      await merchant.owner.query('UPDATE card_payments SET next_at = now() WHERE invoice_id = $1', [
        id,
      ]);
      return record(invoiceId);
    },
  });
  expect((await due()).getTime()).toBeLessThanOrEqual(Date.now());
  await pollDue({ [id]: record(id) });
  expect((await due()).getTime()).toBeGreaterThan(Date.now());
});

it('a record of another amount is not taken over: what was known stays, and a person is told', async () => {
  const id = invoice();
  await receive(sale(id));
  await pollDue({ [id]: record(id) });
  const expected: (bigint | null)[] = [];
  await merchant.owner.query(
    `UPDATE card_payments SET next_at = CASE WHEN invoice_id = $1 THEN now() END
      WHERE merchant_id = $2`,
    [id, merchant.merchantId],
  );
  await worker.verifyCards.verifyOneDuePayment(merchant.merchantId, {
    readRecord: async (asked) => {
      expected.push(asked.amountMinor);
      return { kind: 'no_answer', why: 'mismatch', raw: '{}' };
    },
  });
  expect(expected).toEqual([10_000n]);
  expect(await rowOf(id)).toMatchObject({
    amount_minor: '10000',
    state: 'held',
    problem: 'mismatch',
  });
});

it('the register counts what it knows and whence, and is walked page by page without a row twice', async () => {
  const many = Array.from({ length: 60 }, invoice);
  await web.addCards.addCardPayments(merchant.person('clerk'), {
    text: many.join('\n'),
    heldOn: '',
  });
  const seen: string[] = [];
  let place = null as Awaited<ReturnType<Process['cards']['listCardPayments']>>['older'];
  do {
    const page = await web.cards.listCardPayments(merchant.person('auditor'), {
      filter: readCardQuery({}).filter,
      place,
    });
    seen.push(...page.rows.map((row) => row.invoiceId));
    expect(page.coverage).toMatchObject({
      known: page.coverage.fromNotices + page.coverage.byHand + page.coverage.madeHere,
    });
    place = page.older;
  } while (place !== null);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining(many));
  const found = await web.cards.listCardPayments(merchant.person('auditor'), {
    filter: readCardQuery({ q: many[7]! }).filter,
    place: null,
  });
  expect(found.rows.map((row) => row.invoiceId)).toEqual([many[7]]);
});

it('adds each kind of outcome apart: every sum is that of its own rows, and no unknown amount is a zero', async () => {
  const { listCardPayments } = await import('./list.ts');
  const other = await testMerchant();
  try {
    for (const [n, state] of [...PAYMENT_STATES, ...PAYMENT_STATES, null, null].entries())
      await other.owner.query(
        `INSERT INTO card_payments (merchant_id, invoice_id, source, state, amount_minor)
          VALUES ($1, $2, 'notice', $3, $4)`,
        [other.merchantId, invoice(), state, state === null ? null : 2 ** n],
      );
    const page = (params: Record<string, string>) =>
      listCardPayments(other.person('clerk'), readCardQuery(params));
    const { rows, totals } = await page({});
    const shown: string[] = [];
    // A link that nobody used has a state too; the next test has its part.
    for (const part of CARD_PARTS.filter((one) => one !== 'unused_link')) {
      const own = await page({ part });
      expect(own.totals).toEqual(totals.filter((total) => total.part === part));
      const known = own.rows.flatMap(({ amount }) => amount ?? []);
      expect(own.totals).toMatchObject([
        { count: own.rows.length, unknown: own.rows.length - known.length },
      ]);
      expect(Number(own.totals[0]!.sum)).toBeCloseTo(
        known.reduce((sum, amount) => sum + Number(amount), 0),
      );
      shown.push(...own.rows.map(({ id }) => id));
    }
    expect(shown.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
    const { viewSales } = await import('./sales.ts');
    const { filter } = readCardQuery({});
    const sales = await viewSales(other.person('clerk'), filter, new Date().toISOString());
    const parts = ['taken', 'partly_refunded', 'refunded', 'charged_back'];
    const sold = totals.filter(({ part }) => parts.includes(part));
    const of = (part: string): number => totals.find((one) => one.part === part)?.count ?? 0;
    expect(sales.days).toHaveLength(30);
    expect(sales, 'the drawing equals the parts of the list').toMatchObject({
      sold: {
        count: sold.reduce((all, { count }) => all + count, 0),
        sum: sold.reduce((all, { sum }) => all + parseDecimal(sum!), 0n),
      },
      attempts: {
        sold: sold.reduce((all, { count }) => all + count, 0),
        failed: of('failed'),
        unused_link: 0,
        undecided: of('perhaps_taken') + of('awaited'),
      },
    });
    expect(sales.days.reduce((all, day) => all + day.sold, 0n)).toBe(sales.sold.sum);
    const group = await page({ part: 'sold' });
    for (const of of [totals, group.totals])
      expect(
        sumsOf(of, 'sold'),
        'the sales of the home page and of the list that they open',
      ).toEqual([{ currency: 'TRY', unknown: 0, sum: toDecimal(sales.sold.sum) }]);
    expect(group.rows).toHaveLength(sales.sold.count);
    await other.owner.query(
      `UPDATE card_payments SET state = NULL, amount_minor = NULL WHERE merchant_id = $1`,
      [other.merchantId],
    );
    expect((await page({})).totals).toMatchObject([{ part: 'awaited', sum: null }]);
  } finally {
    await other.close();
  }
});

it('counts no link that nobody tried to pay as a failed attempt, and each count is that of its list', async () => {
  const { listCardPayments } = await import('./list.ts');
  const { viewSales } = await import('./sales.ts');
  const other = await testMerchant();
  const LINK = 'https://pay.example/1';
  const actor = other.person('clerk');
  try {
    for (const [kind, link, state, card, problem = null] of [
      // Nobody tried: open, not read yet, lapsed with and without the zeros, cancelled.
      ['link', LINK, 'pending', '0000'],
      ['link', LINK, null, null, 'not_found'],
      ['link', LINK, 'failed', '0000'],
      ['link', LINK, 'failed', null],
      ['link', LINK, 'cancelled', '0000'],
      // Tried: declined, at the bank's page, paid; a link whose making was not answered.
      ['link', LINK, 'failed', '0416'],
      ['link', LINK, 'pending', '4509'],
      ['link', LINK, 'completed', '4509'],
      ['link', null, null, null],
      // Perhaps tried: no answer about it since, or only a record with another amount.
      ['link', LINK, 'pending', '0000', 'no_answer'],
      ['link', LINK, null, null, 'mismatch'],
      // Ended, but its record cannot be believed: it counts by its own state.
      ['link', LINK, 'failed', '0000', 'contradiction'],
      ['link', LINK, 'failed', '0000', 'mismatch'],
      ['link', LINK, 'failed', '0000', 'no_answer'],
      // No links: a declined card that ends in zeros, a voided authorization, a sale in dollars.
      ['three_d', null, 'failed', '0000'],
      ['three_d', null, 'cancelled', '4509'],
      ['three_d', null, 'completed', '4510'],
    ] as [string, string | null, string | null, string | null, string?][])
      await other.owner.query(
        `INSERT INTO card_payments
          (merchant_id, invoice_id, source, added_by, kind, content, content_hash, link, state, card,
            amount_minor, currency, problem)
          VALUES ($1, $2, 'made_here', $3, $4, '{}', 'x', $5, $6, $7, 100, $8, $9)`,
        [
          ...[other.merchantId, invoice(), actor.personId, kind, link, state, card],
          ...[card === '4510' ? 'USD' : 'TRY', problem],
        ],
      );
    const { filter } = readCardQuery({});
    const now = new Date().toISOString();
    const { attempts, sold } = await viewSales(actor, filter, now);
    expect(attempts).toEqual({ sold: 2, failed: 5, unused_link: 5, undecided: 4 });
    expect(sold, 'in lira').toEqual({ count: 1, sum: 100n });
    for (const [part, count] of Object.entries(attempts)) {
      const own = await listCardPayments(actor, readCardQuery({ part }));
      expect([part, own.rows.length]).toEqual([part, count]);
    }
    // Whatever part or tab the list shows: else a success rate would be of that part alone.
    const whole = await viewSales(actor, filter, now);
    for (const shown of [
      ...CARD_PARTS.map((part) => ({ part })),
      ...CARD_VIEWS.map((view) => ({ view })),
    ])
      expect([shown, await viewSales(actor, readCardQuery(shown).filter, now)]).toEqual([
        shown,
        whole,
      ]);
    const unused = await listCardPayments(actor, readCardQuery({ part: 'unused_link' }));
    expect(unused.rows.map(({ card }) => card)).toEqual([null, null, null, null, null]);
    const failed = await listCardPayments(actor, readCardQuery({ part: 'failed' }));
    expect(failed.rows.map(({ link }) => link)).toEqual([null, null, null, null, null]);
    const awaited = await listCardPayments(actor, readCardQuery({ part: 'awaited' }));
    expect(awaited.rows.map((row) => [row.state, row.link, row.card]).toSorted()).toEqual([
      [null, null, null],
      [null, null, null],
      ['pending', null, null],
      ['pending', null, '4509'],
    ]);
  } finally {
    await other.close();
  }
});

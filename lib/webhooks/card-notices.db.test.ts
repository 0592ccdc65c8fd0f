import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeHashKey } from '#lib/providers/card/hash-key.ts';
import { rowOf, storedMovement } from '#lib/movements/testing/stored.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { readWebhookQuery } from './filter.ts';
import type * as List from './list.ts';

/**
 * Every kind of webhook of the gateway, end to end: it is stored once, its hash is verified, and it
 * only makes the payment's record due for a query.
 */

const SECRET = 'test';

let merchant: TestMerchant;
let web: Process;
let list: typeof List;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ merchant, web, close } = await openProduct(0));
  list = await import('./list.ts');
});
afterAll(() => close());

type Named = { invoice: string; order: string };
const named = (): Named => ({
  invoice: `F-${randomUUID()}`.toUpperCase(),
  order: `VP${Date.now()}`,
});
const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();

/**
 * Webhook bodies as the gateway writes them (provider-facts 2.15), with a hash made with the given
 * secret.
 */
const BODIES = {
  sale: ({ invoice, order }: Named, secret: string) =>
    form({
      svc_status: '1',
      payment_status: '1',
      order_no: order,
      invoice_id: invoice,
      status: 'Completed',
      hash_key: makeHashKey(secret, ['1', '100.00', invoice, order, 'TRY']),
    }),
  refund: ({ invoice, order }: Named, secret: string) =>
    form({
      invoice_id: invoice,
      order_id: order,
      amount: '10.00',
      status: 'Completed',
      hash_key: makeHashKey(secret, ['Completed', '10.00', invoice, order]),
    }),
  chargeback: ({ invoice, order }: Named, secret: string) =>
    JSON.stringify({
      action: 'chargeback',
      previous_trx_status: 'Completed',
      current_trx_status: 'Chargebacked',
      invoice_id: invoice,
      order_id: order,
      amount: 100,
      currency: 'TRY',
      hash_key: makeHashKey(secret, ['Chargebacked', '100.00', invoice, order]),
    }),
} as const;
const KINDS = Object.keys(BODIES) as (keyof typeof BODIES)[];

const receive = (body: string) => web.receive.receiveWebhook(merchant.merchantId, 'card', body);
const noticeOf = async (id: string) =>
  (await list.listWebhooks(merchant.person('owner'), readWebhookQuery({ q: id }))).rows;
const newest = async () =>
  (await list.listWebhooks(merchant.person('owner'), readWebhookQuery({}))).rows[0]!;
const payment = async (id: string) =>
  (
    await merchant.owner.query<{
      id: string;
      state: string | null;
      next_at: Date | null;
      refunded_minor: string | null;
    }>(
      `SELECT id, state, next_at, refunded_minor FROM card_payments WHERE merchant_id = $1
        AND invoice_id = $2`,
      [merchant.merchantId, id],
    )
  ).rows[0];
const evidenceOf = async (id: string) =>
  (
    await merchant.owner.query<{ kind: string }>(
      `SELECT t.kind FROM card_observations t JOIN card_payments p ON p.id = t.payment_id
        WHERE p.invoice_id = $1 ORDER BY t.id`,
      [id],
    )
  ).rows.map((row) => row.kind);
/** Creates a completed payment whose next poll is not due soon. */
async function known({ invoice }: Named): Promise<void> {
  await merchant.owner.query(
    `INSERT INTO card_payments (merchant_id, invoice_id, source, state, amount_minor, next_at)
      VALUES ($1, $2, 'notice', 'completed', 10000, now() + interval '1 day')`,
    [merchant.merchantId, invoice],
  );
}

it.each(KINDS)(
  'a %s notice pulls a read of the payment to now, and changes nothing of it',
  async (kind) => {
    const one = named();
    await known(one);
    await receive(BODIES[kind](one, SECRET));
    const row = (await payment(one.invoice))!;
    expect(row.next_at!.getTime()).toBeLessThanOrEqual(Date.now());
    expect(row).toMatchObject({ state: 'completed', refunded_minor: null });
    expect(await evidenceOf(one.invoice)).toEqual([kind]);
    expect(await noticeOf(one.invoice)).toMatchObject([
      { effect: 'asked_provider', cardPayment: { id: row.id } },
    ]);
    const shown = await list.viewWebhook(
      merchant.person('owner'),
      (await noticeOf(one.invoice))[0]!.id,
    );
    expect(shown).toMatchObject({
      says: null,
      saysOfCard: { topic: kind, orderId: one.order, proof: 'hash' },
    });
  },
);

it.each(KINDS)(
  'a %s notice with a forged hash is kept and shown as not believed, and leads to nothing',
  async (kind) => {
    const one = named();
    await known(one);
    const before = await payment(one.invoice);
    for (const body of [
      BODIES[kind](one, 'another'),
      BODIES[kind](one, SECRET).replaceAll(one.invoice, `${one.invoice}X`),
      BODIES[kind](one, SECRET).replace(/hash_key(=|":")[^&"]*/, 'hash_key$1x'),
    ]) {
      await receive(body);
      const row = await newest();
      expect(row, body.slice(0, 40)).toMatchObject({
        channel: 'card',
        effect: 'not_understood',
        hint: null,
        extId: null,
        cardPayment: null,
      });
      expect(await list.viewWebhook(merchant.person('owner'), row.id)).toMatchObject({
        body,
        saysOfCard: null,
      });
    }
    expect(await payment(one.invoice)).toEqual(before);
    expect([await payment(`${one.invoice}X`), await evidenceOf(one.invoice)]).toEqual([
      undefined,
      [],
    ]);
  },
);

it.each(KINDS)(
  'the same %s notice again and again is kept once and counted, and asks once',
  async (kind) => {
    const one = named();
    await known(one);
    const body = BODIES[kind](one, SECRET);
    await Promise.all(Array.from({ length: 6 }, () => receive(body)));
    expect(await noticeOf(one.invoice)).toMatchObject([{ seen: 6 }]);
    expect(await evidenceOf(one.invoice)).toEqual([kind]);
  },
);

it('a notice within the guard of another one is asked about at the end of the guard, not the next day', async () => {
  const one = named();
  await known(one);
  await receive(BODIES.sale(one, SECRET));
  // The worker has read the record and planned the payment's next poll, a day later.
  await merchant.owner.query(
    `UPDATE card_payments SET next_at = now() + interval '1 day' WHERE invoice_id = $1`,
    [one.invoice],
  );
  await receive(BODIES.chargeback(one, SECRET));
  const { next_at: nextAt } = (await payment(one.invoice))!;
  expect(nextAt!.getTime()).toBeGreaterThan(Date.now());
  expect(nextAt!.getTime()).toBeLessThanOrEqual(Date.now() + 10_000);
});

it.each(KINDS)(
  'a %s notice is replayed under its own number: it asks again, and no state comes of it',
  async (kind) => {
    const one = named();
    await known(one);
    await receive(BODIES[kind](one, SECRET));
    await merchant.owner.query(
      `UPDATE card_payments SET next_at = now() + interval '1 day', last_hint_at = NULL WHERE invoice_id = $1`,
      [one.invoice],
    );
    const [notice] = await noticeOf(one.invoice);
    for (const role of ['clerk', 'approver', 'support', 'auditor'] as const)
      await expect(
        web.receive.replayWebhook(merchant.person(role), notice!.id),
      ).rejects.toMatchObject({ code: 'not_allowed' });
    await web.receive.replayWebhook(merchant.person('owner'), notice!.id);
    const row = (await payment(one.invoice))!;
    expect(row.next_at!.getTime()).toBeLessThanOrEqual(Date.now());
    expect(row.state).toBe('completed');
    expect(await evidenceOf(one.invoice)).toEqual([kind, kind]);
    expect(await noticeOf(one.invoice)).toMatchObject([{ id: notice!.id, seen: 1 }]);
  },
);

it.each(KINDS)(
  'a %s notice about an order that nobody knew adds it to the register, to be asked about',
  async (kind) => {
    const one = named();
    await receive(BODIES[kind](one, SECRET));
    expect(await payment(one.invoice)).toMatchObject({ state: null, refunded_minor: null });
  },
);

it('a notice of a cashout that came back is kept, names its row, and touches no card payment', async () => {
  const uniqueId = `C-${randomUUID()}`;
  const reverse = (secret: string) =>
    form({
      unique_id: uniqueId,
      iban: 'TR330006100519786457841326',
      amount: '10.00',
      currency: 'TRY',
      status: 'Reversed',
      hash_key: makeHashKey(secret, ['Reversed', '10.00', uniqueId, 'TR330006100519786457841326']),
    });
  await receive(reverse('another'));
  expect(await newest()).toMatchObject({ effect: 'not_understood', extId: null });
  await receive(reverse(SECRET));
  const row = await newest();
  expect(row).toMatchObject({ hint: 'came_back', extId: uniqueId, cardPayment: null });
  expect(await list.viewWebhook(merchant.person('owner'), row.id)).toMatchObject({
    saysOfCard: { topic: 'cashout_reverse', uniqueId, proof: 'hash' },
  });
  expect(await payment(uniqueId)).toBeUndefined();
});

it('a notice of a cashout that names a payout of the wallet announces no return of it', async () => {
  const id = await storedMovement(merchant, 'COMPLETED');
  const before = await rowOf(merchant, id);
  const uniqueId = String(before.ext_id);
  await receive(
    form({
      unique_id: uniqueId,
      iban: 'TR330006100519786457841326',
      amount: '10.00',
      currency: 'TRY',
      status: 'Reversed',
      hash_key: makeHashKey(SECRET, ['Reversed', '10.00', uniqueId, 'TR330006100519786457841326']),
    }),
  );
  expect(await newest()).toMatchObject({ hint: 'came_back', effect: 'other_topic' });
  expect(await rowOf(merchant, id)).toEqual(before);
});

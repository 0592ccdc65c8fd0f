import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { rowOf, setColumns, storedMovement } from '#lib/movements/testing/stored.ts';

let merchant: TestMerchant;
let web: Process;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

/** Creates a payout that waits for the bank and is not polled soon, and a webhook about it. */
async function pendingPayout(): Promise<{ id: string; body: string }> {
  const id = await storedMovement(merchant, 'PENDING');
  await setColumns(merchant, id, { next_at: new Date(Date.now() + 86_400_000) });
  return {
    id,
    body: JSON.stringify({
      ext_transaction_id: (await rowOf(merchant, id)).ext_id,
      after_process_status: 1,
      id,
    }),
  };
}

const receive = (body: string) => web.receive.receiveWebhook(merchant.merchantId, 'wallet', body);
const evidenceOf = async (id: string) =>
  (
    await merchant.owner.query<{ kind: string }>(
      'SELECT kind FROM evidence WHERE movement_id = $1',
      [id],
    )
  ).rows.map((row) => row.kind);
const noticesOf = async (id: string) =>
  (await merchant.owner.query('SELECT effect, seen FROM notices WHERE movement_id = $1', [id]))
    .rows;

it('the same webhook eight times at once is kept once, as one evidence, and causes a look now', async () => {
  const { id, body } = await pendingPayout();
  await Promise.all(Array.from({ length: 8 }, () => receive(body)));
  expect(await evidenceOf(id)).toEqual(['notice']);
  expect(await noticesOf(id)).toEqual([{ effect: 'asked_provider', seen: 8 }]);
  const row = await rowOf(merchant, id);
  expect((row.next_at as Date).getTime()).toBeLessThanOrEqual(Date.now());
  expect(row.last_hint_at).toEqual(row.next_at);
});

it('a webhook kept by a process that ended before handling it is handled when it is sent again', async () => {
  const { id, body } = await pendingPayout();
  await receive(body);
  // A crash leaves this state: the webhook is stored, but not handled.
  await merchant.owner.query(
    'UPDATE notices SET handled_at = NULL, movement_id = NULL WHERE movement_id = $1',
    [id],
  );
  await receive(body);
  expect(await evidenceOf(id)).toEqual(['notice', 'notice']);
  expect(await noticesOf(id)).toEqual([{ effect: 'asked_provider', seen: 2 }]);
});

it('a webhook kept by a process that ended before handling it is handled without being sent again', async () => {
  const { id, body } = await pendingPayout();
  await receive(body);
  await merchant.owner.query(
    `UPDATE notices SET handled_at = NULL, movement_id = NULL, effect = NULL WHERE movement_id = $1`,
    [id],
  );
  await web.receive.handleLeft(merchant.merchantId);
  expect(await evidenceOf(id)).toEqual(['notice', 'notice']);
  expect(await noticesOf(id)).toEqual([{ effect: 'asked_provider', seen: 1 }]);
});

/** While `work` runs, nobody else can change this movement. */
async function withHeld(id: string, work: () => Promise<void>): Promise<void> {
  const lock = await merchant.owner.connect();
  try {
    await lock.query('BEGIN');
    await lock.query('SELECT FROM movements WHERE id = $1 FOR UPDATE', [id]);
    await work();
  } finally {
    await lock.query('ROLLBACK');
    lock.release();
  }
}

it('a burst is answered before all of it is handled, and is handled afterwards', async () => {
  const { id, body } = await pendingPayout();
  const bodies = Array.from({ length: 14 }, (_, n) => body.replace('{', `{"serial":${n},`));
  let answered = 0;
  let burst: Promise<unknown>[] = [];
  await withHeld(id, async () => {
    // What waits too long for the payout's lock is refused, but stored.
    burst = bodies.map((one) =>
      receive(one).then(
        () => (answered += 1),
        () => undefined,
      ),
    );
    // Two are being handled, eight are in line.
    await expect.poll(() => answered).toBe(4);
    expect(await noticesOf(id)).toEqual([]);
  });
  await Promise.all(burst);
  await web.receive.handleLeft(merchant.merchantId);
  expect(await noticesOf(id)).toHaveLength(14);
  expect(await evidenceOf(id)).toEqual(bodies.map(() => 'notice'));
});

it('a webhook that cannot be handled now keeps no other one back, and is handled later', async () => {
  const [held, other] = [await pendingPayout(), await pendingPayout()];
  for (const { id, body } of [held, other]) {
    await receive(body);
    await merchant.owner.query(
      `UPDATE notices SET handled_at = NULL, movement_id = NULL WHERE movement_id = $1`,
      [id],
    );
  }
  await withHeld(held.id, () => web.receive.handleLeft(merchant.merchantId));
  expect([await noticesOf(held.id), await noticesOf(other.id)]).toEqual([
    [],
    [{ effect: 'asked_provider', seen: 1 }],
  ]);
  await web.receive.handleLeft(merchant.merchantId);
  expect(await noticesOf(held.id)).toEqual([{ effect: 'asked_provider', seen: 1 }]);
});

it('a second notice within the guard waits for its end, and does not push a look that is due away', async () => {
  const { id, body } = await pendingPayout();
  await receive(body);
  const first = await rowOf(merchant, id);
  await receive(body.replace('"after_process_status":1', '"after_process_status":2'));
  const second = await rowOf(merchant, id);
  expect(second.next_at).toEqual(first.next_at);
  expect((second.last_hint_at as Date).getTime()).toBeGreaterThan(
    (first.last_hint_at as Date).getTime(),
  );
});

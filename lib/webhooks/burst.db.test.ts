import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { readyMovements } from '#lib/movements/testing/stored.ts';

/**
 * Anybody who knows the endpoint's address can send as many webhooks as they like: these only fill
 * the webhook table.
 */

/** The number of webhooks, many times the limit of a window; more would take longer and show the same. */
const NOTICES = 1_000;
const PAYOUTS = 400;
const PULLS_MAX = 50;
const PULLS_WINDOW_MS = 5_000;
const AT_ONCE = 16;

let merchant: TestMerchant;
let web: Process;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

it('thousands of simultaneous webhooks are all kept once, change no payout, and pull limited reads', async () => {
  const far = new Date(Date.now() + 86_400_000);
  const ids = await readyMovements(merchant, PAYOUTS);
  for (const [state, sends] of [
    ['SUBMITTING', 1],
    ['PENDING', 0],
  ] as const)
    await merchant.owner.query(
      `UPDATE movements SET state = $2, state_since = clock_timestamp(), sends = sends + $3,
        last_send_at = clock_timestamp(), next_at = $4 WHERE id = ANY($1)`,
      [ids, state, sends, far],
    );
  const extIds = (
    await merchant.owner.query<{ ext_id: string }>(
      'SELECT ext_id FROM movements WHERE merchant_id = $1',
      [merchant.merchantId],
    )
  ).rows.map((row) => row.ext_id);
  const digest = async () =>
    (
      await merchant.owner.query(
        `SELECT
          md5(string_agg(concat_ws(',', id, state, returned, amount_minor, iban, sends, alert),
          '|' ORDER BY id)) AS d FROM movements WHERE merchant_id = $1`,
        [merchant.merchantId],
      )
    ).rows[0].d;
  const before = await digest();
  const bodies = Array.from({ length: NOTICES }, (_, n) =>
    JSON.stringify({
      ext_transaction_id: n % 10 === 9 ? `P-${randomUUID()}` : extIds[n % PAYOUTS],
      before_process_status: 1,
      after_process_status: [1, 2, 3, 4][n % 4],
      amount: n,
      serial: n,
    }),
  );
  const begun = new Date();
  const left = [...bodies, ...bodies.slice(0, 200)];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let body = left.pop(); body !== undefined; body = left.pop())
        await web.receive.receiveWebhook(merchant.merchantId, 'wallet', body);
    }),
  );
  await web.receive.handleLeft(merchant.merchantId);

  const {
    rows: [kept],
  } = await merchant.owner.query(
    `SELECT count(*)::int AS notices, sum(seen)::int AS seen,
      count(*) FILTER (WHERE handled_at IS NULL OR effect IS NULL)::int AS unhandled,
      count(*) FILTER (WHERE effect = 'no_such_payout')::int AS strange FROM notices
      WHERE merchant_id = $1`,
    [merchant.merchantId],
  );
  expect(kept).toEqual({
    notices: NOTICES,
    seen: NOTICES + 200,
    unhandled: 0,
    strange: NOTICES / 10,
  });
  expect(await digest()).toBe(before);
  const windows = Math.ceil((Date.now() - begun.getTime()) / PULLS_WINDOW_MS) + 1;
  const {
    rows: [asked],
  } = await merchant.owner.query(
    `SELECT count(*)::int AS pulls FROM notices WHERE merchant_id = $1 AND effect = 'asked_provider'`,
    [merchant.merchantId],
  );
  expect(asked.pulls).toBeGreaterThanOrEqual(PULLS_MAX);
  expect(asked.pulls).toBeLessThanOrEqual(PULLS_MAX * windows);
  const {
    rows: [pulled],
  } = await merchant.owner.query(
    'SELECT count(*)::int AS n FROM movements WHERE merchant_id = $1 AND next_at < $2',
    [merchant.merchantId, far],
  );
  expect(pulled.n).toBeLessThanOrEqual(PULLS_MAX * windows);
}, 180_000);

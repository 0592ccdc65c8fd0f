import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it, vi } from 'vitest';
import type pg from 'pg';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as closing from './close-charge.ts';
import type { KnownCharge } from './plan.ts';
import type * as starting from './start-charge.ts';

/**
 * One person closes a charge of a plan while another requests the next one: the lock on the plan's
 * row makes one of them wait for the other.
 */

const BEFORE = [
  { number: 1, status: 'completed' },
  { number: 2, status: 'pending' },
].map(({ number, status }): KnownCharge => ({
  id: null,
  orderId: `VP${number}`,
  number,
  amountMinor: '12340',
  status: status as KnownCharge['status'],
  at: null,
  attempts: 1,
  remarks: null,
}));

let merchant: TestMerchant;
let side: Process;
let web: typeof closing & typeof starting;

beforeAll(async () => {
  merchant = await testMerchant();
  vi.resetModules();
  side = await openProcess('dashboard_web');
  web = { ...(await import('./close-charge.ts')), ...(await import('./start-charge.ts')) };
  return async () => {
    await side.db.disconnect();
    await merchant.close();
  };
});

/**
 * Creates a charge with number 2 that was sent 25 hours ago, whose outcome is unclear, and that no
 * record lists.
 */
async function unlisted(): Promise<{ id: string; planId: string }> {
  const [id, planId] = [randomUUID(), randomUUID()];
  const { owner, merchantId } = merchant;
  await owner.query(
    `INSERT INTO recurring_plans (id, merchant_id, plan_code, source, status, currency,
      recurring_minor, payments, charges, verified_at)
      VALUES ($1, $2, $3, 'payment', 'active', 'TRY', 12340, 5, $4, now())`,
    [planId, merchantId, planId.slice(0, 12), JSON.stringify(BEFORE)],
  );
  await owner.query(
    `INSERT INTO plan_charges (id, merchant_id, plan_id, person_id, number, amount_minor, currency)
      VALUES ($1, $2, $3, $4, 2, 12340, 'TRY')`,
    [id, merchantId, planId, merchant.person('clerk').personId],
  );
  await owner.query(
    `UPDATE plan_charges SET state = 'SENDING', sent_at = now() - interval '25 hours',
      charges_before = $2 WHERE id = $1`,
    [id, JSON.stringify(BEFORE)],
  );
  await owner.query(`UPDATE plan_charges SET state = 'UNKNOWN', reads = 3 WHERE id = $1`, [id]);
  return { id, planId };
}
const say = (id: string, role: 'approver' | 'owner', claim: 'done' | 'not_done' = 'done') =>
  web.closePlanCharge(
    merchant.person(role),
    { id, claim, reason: 'bize yazdılar', reference: 'TCK-12' },
    300,
  );
const press = (planId: string) =>
  web.startPlanCharge(merchant.person('clerk'), {
    id: randomUUID(),
    planId,
    number: 2,
    amountMinor: 12_340n,
    taken: 1,
  });
const resultOf = (done: Promise<unknown>): Promise<unknown> =>
  done.then(
    (value) => value ?? 'stored',
    (error: { code?: string }) => error.code,
  );

/** Locks the plan's row, runs `meanwhile`, and releases the lock. */
async function whileLocked(
  planId: string,
  meanwhile: (client: pg.PoolClient, waiting: (count: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  const client = await merchant.owner.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM recurring_plans WHERE id = $1 FOR UPDATE', [planId]);
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const blocked = `SELECT count(*)::int AS n FROM pg_stat_activity a
    WHERE a.wait_event_type = 'Lock' AND ($1 = ANY(pg_blocking_pids(a.pid)) OR EXISTS (
      SELECT FROM unnest(pg_blocking_pids(a.pid)) AS b WHERE $1 = ANY(pg_blocking_pids(b))))`;
  await meanwhile(client, async (count) => {
    await expect
      .poll(
        async () => (await merchant.owner.query<{ n: number }>(blocked, [rows[0]!.pid])).rows[0]!.n,
        { interval: 5 },
      )
      .toBe(count);
  });
  await client.query('COMMIT');
  client.release();
}

it('a charge that is requested while two people say that the last one was taken waits for its row', async () => {
  const { id, planId } = await unlisted();
  expect(await say(id, 'approver')).toEqual({ kind: 'asked' });
  let results: Promise<unknown>[] = [];
  await whileLocked(planId, async (_client, waiting) => {
    const closed = resultOf(say(id, 'owner'));
    await waiting(1);
    results = [closed, resultOf(press(planId))];
    await waiting(2);
  });
  expect(await Promise.all(results)).toEqual([{ kind: 'closed' }, 'plan_charge_awaited']);
});

it('the word of two people changes nothing of a charge that its record ended meanwhile', async () => {
  const { id, planId } = await unlisted();
  expect(await say(id, 'approver')).toEqual({ kind: 'asked' });
  let closed: Promise<unknown> = Promise.resolve();
  await whileLocked(planId, async (client, waiting) => {
    closed = resultOf(say(id, 'owner'));
    await waiting(1);
    await client.query(
      `UPDATE plan_charges SET state = 'CHARGED', taken_minor = 12340, taken_number = 2,
        ended_at = now() WHERE id = $1`,
      [id],
    );
  });
  expect(await closed).toBe('close_not_unknown');
  const { rows } = await merchant.owner.query(
    'SELECT state, reason, taken_number FROM plan_charges WHERE id = $1',
    [id],
  );
  expect(rows).toEqual([{ state: 'CHARGED', reason: null, taken_number: 2 }]);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import { windowLasts } from '#lib/testing/limit-window.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type { OwnFigures } from '#lib/worker/own-figures.ts';
import type * as View from './view.ts';

/** The page of the installation's health: what the database and the workers report, for owners. */

let merchant: TestMerchant;
let web: Process;
let view: typeof View;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  view = await import('./view.ts');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

async function beat(worker: string, figures: Partial<OwnFigures>, ago = '0 s'): Promise<void> {
  await merchant.owner.query(
    `INSERT INTO worker_heartbeats (merchant_id, worker, at, figures)
      VALUES ($1, $2, now() - $3::interval, $4)`,
    [merchant.merchantId, worker, ago, figures],
  );
}

const report = (lateMs: number, diskFree: number): OwnFigures => ({
  late: { movements: lateMs, receipts: 0 },
  diskFree,
  requests: [{ provider: 'wallet', response: '200', count: 2 }],
  failedCheckpoints: 0,
});

it('each role but the owner is refused', async () => {
  for (const role of ['clerk', 'approver', 'support', 'auditor'] as const)
    await expect(view.viewSystem(merchant.person(role)), role).rejects.toMatchObject({
      code: 'not_allowed',
    });
});

it('shows what workers report that have beaten lately, also beside one of an earlier version', async () => {
  await beat('one', report(2_000, 9e9));
  await beat('two', report(61_000, 1e9));
  await beat('earlier version', {});
  await beat('gone', report(999_000, 1), '1 minute');
  await storedMovement(merchant, 'APPROVED');
  const { figures, requests, states, hours } = await view.viewSystem(merchant.person('owner'));
  const valueOf = Object.fromEntries(figures.map(({ name, value }) => [name, value]));
  expect(valueOf).toMatchObject({ workers: 3, paymentsLate: 61, diskFree: 1e9, ready: 1 });
  const passed = figures.filter(({ alarm }) => alarm?.isPassed === true).map(({ name }) => name);
  expect(passed).toEqual(['paymentsLate', 'auditAge', 'diskFree']);
  expect(requests).toEqual([{ provider: 'wallet', response: '200', count: 4 }]);
  expect(states).toEqual([{ state: 'APPROVED', count: 1 }]);
  expect(hours).toHaveLength(24);
});

it('adds up the requests of all workers by their response, and takes no full disk for granted', async () => {
  await merchant.owner.query('DELETE FROM worker_heartbeats WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
  const held = { provider: 'wallet', response: 'circuit_open' };
  await beat('three', {
    ...report(0, 9e9),
    requests: [
      { ...held, count: 3 },
      { provider: 'wallet', response: '200', count: 2 },
    ],
  });
  // The disk of this one could not be asked.
  await beat('four', { ...report(0, 0), diskFree: null, requests: [{ ...held, count: 1 }] });
  const { figures, requests } = await view.viewSystem(merchant.person('owner'));
  expect(requests).toEqual([
    { provider: 'wallet', response: '200', count: 2 },
    { ...held, count: 4 },
  ]);
  const of = (name: string) => figures.find((one) => one.name === name);
  expect(of('heldBack')).toMatchObject({ value: 4, alarm: { isPassed: true } });
  expect(of('diskFree')).toMatchObject({ value: 9e9, alarm: { isPassed: false } });
});

it('a send and a webhook are counted in the hour in which they were', async () => {
  await windowLasts(3_600, 10_000);
  const id = await storedMovement(merchant, 'PENDING');
  await merchant.owner.query(
    `INSERT INTO attempts (merchant_id, movement_id, n, body_hash, lease_token, at)
      VALUES ($1, $2, 1, 'x', gen_random_uuid(), now() - interval '1 hour')`,
    [merchant.merchantId, id],
  );
  await merchant.owner.query(
    `INSERT INTO notices (merchant_id, channel, body_hash, body) VALUES ($1, 'wallet', 'x', '{}')`,
    [merchant.merchantId],
  );
  const { hours } = await view.viewSystem(merchant.person('owner'));
  expect(hours.slice(-2).map(({ sends, webhooks }) => [sends, webhooks])).toEqual([
    [1, 0],
    [0, 1],
  ]);
});

import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { Plan } from '#lib/providers/card/plan-record.ts';
import type { Reply } from '#lib/providers/outcome.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as verifying from './verify-due.ts';

/** A check of a plan that is requested while another check is under way. */

let merchant: TestMerchant;
let side: Process;
let worker: typeof verifying;

beforeAll(async () => {
  merchant = await testMerchant();
  side = await openProcess('dashboard_worker');
  worker = await import('./verify-due.ts');
  return async () => {
    await side.db.disconnect();
    await merchant.close();
  };
});

const RECORD: Plan = {
  recurringId: '7',
  planCode: 'P',
  status: 'active',
  currency: 'TRY',
  firstMinor: 12_340n,
  recurringMinor: 12_340n,
  totalMinor: 61_700n,
  payments: 5,
  interval: 1,
  cycle: 'month',
  firstOrderId: 'VP1',
  merchantId: '48',
  card: '450803******4509',
  nextAt: '2096-12-21 15:00:00',
  startedAt: '2026-11-21 15:00:00',
  charges: [],
};

/** Checks a due plan, runs `meanwhile` before the gateway answers, and returns when it is due next. */
async function dueAfter(meanwhile: (planId: string) => Promise<unknown>): Promise<Date> {
  const planId = randomUUID();
  await merchant.owner.query(
    `INSERT INTO recurring_plans (id, merchant_id, plan_code, source, status, currency,
      recurring_minor, payments, next_at)
      VALUES ($1, $2, 'P', 'payment', 'active', 'TRY', 12340, 5, now() - interval '1 day')`,
    [planId, merchant.merchantId],
  );
  const readPlan = async (): Promise<Reply<Plan>> => {
    await meanwhile(planId);
    return { kind: 'answered', value: RECORD };
  };
  expect(await worker.verifyOneDuePlan(merchant.merchantId, { readPlan }, 0)).toBe(true);
  const { rows } = await merchant.owner.query<{ next_at: Date }>(
    'SELECT next_at FROM recurring_plans WHERE id = $1',
    [planId],
  );
  await merchant.owner.query(
    `UPDATE recurring_plans SET next_at = NULL, plan_code = $2 WHERE id = $1`,
    [planId, planId.slice(0, 12)],
  );
  return rows[0]!.next_at;
}

it('the plan is checked again: the answer may be older than what the check was requested for', async () => {
  const next = await dueAfter((planId) =>
    merchant.owner.query(
      `UPDATE recurring_plans SET next_at = clock_timestamp(), tries = 0 WHERE id = $1`,
      [planId],
    ),
  );
  expect(next.getTime()).toBeLessThanOrEqual(Date.now());
});

it('without such a request the plan rests until its next check', async () => {
  const next = await dueAfter(async () => undefined);
  expect(next.getTime()).toBeGreaterThan(Date.now() + 3_600_000);
});

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Plan, PlanCharge } from '#lib/providers/card/plan-record.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type { NotChargedReason } from './charge.ts';
import { chargesOf } from './plan.ts';
import type * as verifying from './verify-due.ts';

/**
 * To which charge a declined row of a plan's record belongs: to the charge whose response was lost,
 * or to an earlier charge whose row the record lists late.
 */

const HALF_AN_HOUR = 30 * 60_000;

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

const row = (number: number, status: PlanCharge['status']): PlanCharge => ({
  id: null,
  saleId: `VP${number}`,
  number,
  amountMinor: 12_340n,
  status,
  at: '2096-12-21 15:00:00',
  attempts: 1,
  remarks: null,
});
const record = (...statuses: PlanCharge['status'][]): Plan => ({
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
  charges: statuses.map((status, index) => row(index + 1, status)),
});
const BEFORE = record('completed', 'pending', 'pending');

async function aPlan(): Promise<string> {
  const planId = randomUUID();
  await merchant.owner.query(
    `INSERT INTO recurring_plans (id, merchant_id, plan_code, source, status, currency,
      recurring_minor, payments) VALUES ($1, $2, $3, 'payment', 'active', 'TRY', 12340, 5)`,
    [planId, merchant.merchantId, planId.slice(0, 12)],
  );
  return planId;
}

/** Creates a charge that was sent `hours` ago, when the plan's record was `before`. */
async function sent(planId: string, hours: number, before: Plan): Promise<string> {
  const id = randomUUID();
  await merchant.owner.query(
    `INSERT INTO plan_charges (id, merchant_id, plan_id, person_id, number, amount_minor, currency)
      VALUES ($1, $2, $3, $4, 2, 12340, 'TRY')`,
    [id, merchant.merchantId, planId, merchant.person('clerk').personId],
  );
  await merchant.owner.query(
    `UPDATE plan_charges SET state = 'SENDING', charges_before = $2,
      sent_at = now() - make_interval(hours => $3) WHERE id = $1`,
    [id, JSON.stringify(chargesOf(before)), hours],
  );
  await merchant.owner.query(`UPDATE plan_charges SET state = 'UNKNOWN', reads = 9 WHERE id = $1`, [
    id,
  ]);
  return id;
}

/** Creates an earlier charge that was sent and ended as not charged. */
async function ended(planId: string, reason: NotChargedReason): Promise<void> {
  await merchant.owner.query(
    `UPDATE plan_charges SET state = 'NOT_CHARGED', reason = $2, ended_at = now() WHERE id = $1`,
    [await sent(planId, 50, BEFORE), reason],
  );
}

/**
 * The state and reason of a charge that was sent two hours ago and whose response was lost, after
 * the plan's record was read as `now`.
 */
async function judged(planId: string, before: Plan, now: Plan): Promise<unknown> {
  const id = await sent(planId, 2, before);
  await side.db.inTransaction(merchant.merchantId, (tx) =>
    worker.keepPlan(tx, merchant.merchantId, {
      id: planId,
      reply: { kind: 'answered', value: now },
      asked: new Date(),
      quietMs: HALF_AN_HOUR,
    }),
  );
  const { rows } = await merchant.owner.query(
    'SELECT state, reason FROM plan_charges WHERE id = $1',
    [id],
  );
  return rows[0];
}

describe('a charge whose answer is lost', () => {
  const ONE_DECLINED = record('completed', 'failed', 'pending');
  const DECLINED = { state: 'NOT_CHARGED', reason: 'declined' };

  it.each(['refused', 'people_said', 'called_off_unproven'] as const)(
    'stays unknown while the only declined row may be that of an earlier charge (%s)',
    async (reason) => {
      const planId = await aPlan();
      await ended(planId, reason);
      expect(await judged(planId, BEFORE, ONE_DECLINED)).toEqual({
        state: 'UNKNOWN',
        reason: null,
      });
    },
  );

  it('is declined by a declined row where no earlier charge of the plan can have one', async () => {
    expect(await judged(await aPlan(), BEFORE, ONE_DECLINED)).toEqual(DECLINED);
  });

  it('is declined by a declined row whatever became of the charges of other plans', async () => {
    await ended(await aPlan(), 'refused');
    expect(await judged(await aPlan(), BEFORE, ONE_DECLINED)).toEqual(DECLINED);
  });

  it('is declined by a second declined row after an earlier charge was declined by the first', async () => {
    const planId = await aPlan();
    await ended(planId, 'declined');
    const two = record('completed', 'failed', 'failed');
    expect(await judged(planId, ONE_DECLINED, two)).toEqual(DECLINED);
  });
});

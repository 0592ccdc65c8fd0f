import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Plan, PlanCharge } from '#lib/providers/card/plan-record.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as starting from './start-charge.ts';
import type * as verifying from './verify-due.ts';
import type * as viewing from './view.ts';

/** Charges whose row the plan's record lists late, or twice. */

const QUIET = 30 * 60_000;
const HOUR = 60 * 60_000;

let merchant: TestMerchant;
let worker: typeof verifying;
let web: typeof starting & typeof viewing;
const sides: Process[] = [];

beforeAll(async () => {
  merchant = await testMerchant();
  vi.resetModules();
  sides.push(await openProcess('dashboard_web'));
  web = { ...(await import('./start-charge.ts')), ...(await import('./view.ts')) };
  sides.push(await openProcess('dashboard_worker'));
  worker = await import('./verify-due.ts');
  return async () => {
    await Promise.all(sides.map((side) => side.db.disconnect()));
    await merchant.close();
  };
});

/** `number` null: the record names the charge by an id alone. */
type Row = [number: number | null, status: PlanCharge['status'], hours: number];

/** Creates a plan whose record was read. The times of its charges are in hours from now. */
async function newPlan(rows: Row[]): Promise<string> {
  const planId = randomUUID();
  await merchant.owner.query(
    `INSERT INTO recurring_plans (id, merchant_id, plan_code, source, next_at)
      VALUES ($1, $2, $3, 'payment', now())`,
    [planId, merchant.merchantId, planId.slice(0, 12)],
  );
  await read(planId, rows);
  return planId;
}

/** Reads the plan's record, which lists these charges. */
async function read(planId: string, rows: Row[]): Promise<void> {
  const local = (hours: number): string =>
    new Date(Date.now() + (hours + 3) * HOUR).toISOString().slice(0, 19).replace('T', ' ');
  const value: Plan = {
    recurringId: '7',
    planCode: planId.slice(0, 12),
    status: 'active',
    currency: 'TRY',
    firstMinor: 12_340n,
    recurringMinor: 12_340n,
    totalMinor: null,
    payments: 12,
    interval: 1,
    cycle: 'month',
    firstOrderId: 'VP1',
    merchantId: '48',
    card: '450803******4509',
    nextAt: null,
    startedAt: null,
    charges: rows.map(([number, status, hours]) => ({
      id: number === null ? '7001' : null,
      saleId: number === null ? null : `VP${number}`,
      number,
      amountMinor: 12_340n,
      status,
      at: local(hours),
      attempts: 1,
      remarks: null,
    })),
  };
  await merchant.owner.query('UPDATE recurring_plans SET next_at = now() WHERE id = $1', [planId]);
  const card = { readPlan: async () => ({ kind: 'answered' as const, value }) };
  await worker.verifyOneDuePlan(merchant.merchantId, card, QUIET);
}

type Sent = { state: string; reason?: string; hours: number; before: Row[]; number?: number };

/** Creates a charge that was sent `hours` ago, after a record that listed `before`. */
async function sentCharge(
  planId: string,
  { state, reason, hours, before, number = 2 }: Sent,
): Promise<string> {
  const id = randomUUID();
  const { owner, merchantId } = merchant;
  await owner.query(
    `INSERT INTO plan_charges (id, merchant_id, plan_id, person_id, number, amount_minor, currency)
      VALUES ($1, $2, $3, $4, $5, 12340, 'TRY')`,
    [id, merchantId, planId, merchant.person('clerk').personId, number],
  );
  const charges = before.map(([n, status, at]) => ({
    id: null,
    orderId: `VP${n}`,
    number: n,
    amountMinor: '12340',
    status,
    at: new Date(Date.now() + at * HOUR).toISOString(),
    attempts: 1,
    remarks: null,
  }));
  await owner.query('ALTER TABLE plan_charges DISABLE TRIGGER USER');
  await owner.query(
    `UPDATE plan_charges SET state = $2, reason = $3, reads = 5, charges_before = $4::jsonb,
      asked_at = now() - make_interval(hours => $5), sent_at = now() - make_interval(hours => $5),
      ended_at = CASE WHEN $2 IN ('CHARGED', 'NOT_CHARGED') THEN now() END WHERE id = $1`,
    [id, state, reason ?? null, JSON.stringify(charges), hours],
  );
  await owner.query('ALTER TABLE plan_charges ENABLE TRIGGER USER');
  return id;
}
const press = (planId: string, number: number, taken = 1) =>
  web.startPlanCharge(merchant.person('clerk'), {
    id: randomUUID(),
    planId,
    number,
    amountMinor: 12_340n,
    taken,
  });
const page = async (planId: string) => (await web.viewPlan(merchant.person('auditor'), planId))!;
const BEFORE: Row[] = [
  [1, 'completed', -720],
  [2, 'pending', 500],
];

describe('a charge that its record names by an id alone', () => {
  it('is the result of its request, and not called a second charge when it is read again', async () => {
    const planId = await newPlan(BEFORE);
    await sentCharge(planId, { state: 'APPROVED', hours: 1, before: BEFORE });
    const taken: Row[] = [
      [1, 'completed', -720],
      [null, 'completed', -1],
      [3, 'pending', 500],
    ];
    await read(planId, taken);
    await read(planId, taken);
    expect(await page(planId)).toMatchObject({ problem: null, asked: [{ state: 'CHARGED' }] });
  });
});

describe('after two people said that a charge was taken', () => {
  it('the next one waits until the record lists it, and the late row is its own alone', async () => {
    const planId = await newPlan(BEFORE);
    await sentCharge(planId, {
      state: 'CHARGED',
      reason: 'people_said',
      hours: 26,
      before: BEFORE,
    });
    expect(await page(planId)).toMatchObject({
      next: null,
      awaited: { number: 2, amount: '123.40' },
    });
    await expect(press(planId, 2)).rejects.toMatchObject({ code: 'plan_charge_awaited' });
    await read(planId, BEFORE);
    await expect(press(planId, 2)).rejects.toMatchObject({ code: 'plan_charge_awaited' });
    await read(planId, [
      [1, 'completed', -720],
      [2, 'completed', -26],
      [3, 'pending', 500],
    ]);
    expect(await page(planId)).toMatchObject({
      awaited: null,
      next: { number: 3 },
      problem: null,
      asked: [{ state: 'CHARGED', reason: 'people_said', taken: { number: 2 } }],
    });
    await press(planId, 3, 2);
  });

  it('its late row adds what was taken, and leaves when and why it was ended', async () => {
    const planId = await newPlan(BEFORE);
    const id = await sentCharge(planId, {
      state: 'CHARGED',
      reason: 'people_said',
      hours: 26,
      before: BEFORE,
    });
    const ended = async () =>
      (
        await merchant.owner.query(
          'SELECT ended_at, reason, taken_number FROM plan_charges WHERE id = $1',
          [id],
        )
      ).rows[0];
    const before = await ended();
    await read(planId, [
      [1, 'completed', -720],
      [2, 'completed', -26],
    ]);
    expect(await ended()).toEqual({ ...before, taken_number: 2 });
  });

  it('a record that lists nothing of it stops the next charge for a week and no longer', async () => {
    const planId = await newPlan(BEFORE);
    await sentCharge(planId, {
      state: 'CHARGED',
      reason: 'people_said',
      hours: 7 * 24 - 1,
      before: BEFORE,
    });
    await expect(press(planId, 2)).rejects.toMatchObject({ code: 'plan_charge_awaited' });
    const older = await newPlan(BEFORE);
    await sentCharge(older, {
      state: 'CHARGED',
      reason: 'people_said',
      hours: 7 * 24 + 1,
      before: BEFORE,
    });
    expect(await page(older)).toMatchObject({ awaited: null, next: { number: 2 } });
    await press(older, 2);
  });
});

describe('a request that was carried out twice', () => {
  it('is flagged, and locks the plan until a person has looked into it', async () => {
    const planId = await newPlan(BEFORE);
    await sentCharge(planId, { state: 'UNKNOWN', hours: 1, before: BEFORE });
    await read(planId, [
      [1, 'completed', -720],
      [2, 'completed', -1],
      [3, 'completed', -1],
    ]);
    expect(await page(planId)).toMatchObject({
      problem: 'contradiction',
      asked: [{ state: 'CHARGED', taken: { number: 2 }, contradicted: true }],
    });
    await expect(press(planId, 4)).rejects.toMatchObject({ code: 'plan_changed' });
  });

  it('is flagged when its second row is listed later', async () => {
    const planId = await newPlan(BEFORE);
    await sentCharge(planId, { state: 'UNKNOWN', hours: 1, before: BEFORE });
    const first: Row[] = [
      [1, 'completed', -720],
      [2, 'completed', -1],
    ];
    await read(planId, first);
    expect(await page(planId)).toMatchObject({ problem: null, asked: [{ contradicted: false }] });
    await read(planId, [...first, [3, 'completed', -1]]);
    expect(await page(planId)).toMatchObject({
      problem: 'contradiction',
      asked: [{ state: 'CHARGED', taken: { number: 2 }, contradicted: true }],
    });
  });

  it('is not what the gateway’s own later charge looks like', async () => {
    const planId = await newPlan(BEFORE);
    await sentCharge(planId, { state: 'UNKNOWN', hours: 30, before: BEFORE });
    await read(planId, [
      [1, 'completed', -720],
      [2, 'completed', -30],
      [3, 'completed', -6],
    ]);
    expect(await page(planId)).toMatchObject({
      problem: null,
      asked: [{ state: 'CHARGED', taken: { number: 2 }, contradicted: false }],
    });
  });
});

describe('a declined row', () => {
  const lists = (...failed: number[]): Row[] => [
    [1, 'completed', -720],
    ...failed.map((number): Row => [number, 'failed', -3]),
  ];

  it('ends no charge while an earlier refused one of the last week may be listed late', async () => {
    const planId = await newPlan(BEFORE);
    await sentCharge(planId, {
      state: 'NOT_CHARGED',
      reason: 'refused',
      hours: 7 * 24 - 1,
      before: BEFORE,
    });
    await sentCharge(planId, { state: 'UNKNOWN', hours: 3, before: BEFORE });
    await read(planId, lists(2));
    expect((await page(planId)).open).toMatchObject({ state: 'UNKNOWN' });
    await read(planId, lists(2, 3));
    expect((await page(planId)).asked[0]).toMatchObject({
      state: 'NOT_CHARGED',
      reason: 'declined',
    });
  });

  it('ends a charge whose only earlier refusal is older than a week', async () => {
    const planId = await newPlan(BEFORE);
    await sentCharge(planId, {
      state: 'NOT_CHARGED',
      reason: 'refused',
      hours: 7 * 24 + 1,
      before: BEFORE,
    });
    await sentCharge(planId, { state: 'UNKNOWN', hours: 3, before: BEFORE });
    await read(planId, lists(2));
    expect((await page(planId)).asked[0]).toMatchObject({
      state: 'NOT_CHARGED',
      reason: 'declined',
    });
  });
});

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { CardClient } from '#lib/providers/card/client.ts';
import type { ManagementOutcome } from '#lib/providers/card/management-call.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as changing from './change.ts';
import type { KnownCharge } from './plan.ts';
import type * as starting from './start-charge.ts';

/** When a person may request the next charge of a plan, and when the request is refused. */

const gateway = {
  updatePlan: vi.fn<CardClient['updatePlan']>(),
  readPlan: vi.fn<CardClient['readPlan']>(),
};
let merchant: TestMerchant;
let side: Process;
let web: typeof changing & typeof starting;

beforeAll(async () => {
  merchant = await testMerchant();
  vi.doMock('#lib/providers/card/configured-client.ts', () => ({ cardClient: () => gateway }));
  side = await openProcess('dashboard_web');
  web = { ...(await import('./change.ts')), ...(await import('./start-charge.ts')) };
  gateway.readPlan.mockResolvedValue({ kind: 'no_answer', why: 'timeout' });
  return async () => {
    await side.db.disconnect();
    await merchant.close();
  };
});

const charge = (number: number, status: KnownCharge['status']): KnownCharge => ({
  id: null,
  orderId: `VP${number}`,
  number,
  amountMinor: '12340',
  status,
  at: null,
  attempts: 1,
  remarks: null,
});

/** Creates a running plan whose last record listed these charges. */
async function aPlan(...charges: KnownCharge[]): Promise<string> {
  const planId = randomUUID();
  await merchant.owner.query(
    `INSERT INTO recurring_plans (id, merchant_id, plan_code, source, status, currency,
      recurring_minor, payments, charges, verified_at)
      VALUES ($1, $2, $3, 'payment', 'active', 'TRY', 12340, 5, $4, now())`,
    [planId, merchant.merchantId, planId.slice(0, 12), JSON.stringify(charges)],
  );
  return planId;
}
const press = (planId: string, form: { number: number | null; taken: number }) =>
  web.startPlanCharge(merchant.person('clerk'), {
    id: randomUUID(),
    planId,
    amountMinor: 12_340n,
    ...form,
  });

describe('after a change of the plan', () => {
  it.each<ManagementOutcome<null>>([
    { kind: 'done', value: null },
    { kind: 'refused', code: '41' },
    { kind: 'not_found' },
  ])(
    'that the gateway answered ($kind), the next charge may be requested at once',
    async (outcome) => {
      const planId = await aPlan(charge(1, 'completed'), charge(2, 'pending'));
      gateway.updatePlan.mockResolvedValueOnce(outcome);
      expect(
        await web.changePlan(merchant.person('clerk'), planId, { amountMinor: 99_900n }),
      ).toMatchObject({ kind: outcome.kind });
      await expect(press(planId, { number: 2, taken: 1 })).resolves.toBeUndefined();
    },
  );

  it('whose answer is lost, no charge may be requested', async () => {
    const planId = await aPlan(charge(1, 'completed'), charge(2, 'pending'));
    gateway.updatePlan.mockResolvedValueOnce({ kind: 'no_answer', why: 'timeout' });
    expect(
      await web.changePlan(merchant.person('clerk'), planId, { amountMinor: 99_900n }),
    ).toMatchObject({ kind: 'unclear' });
    await expect(press(planId, { number: 2, taken: 1 })).rejects.toMatchObject({
      code: 'plan_change_open',
    });
  });
});

describe('a page of a plan whose record gives the next charge no number', () => {
  const LISTED = [charge(1, 'completed'), charge(2, 'failed')];

  it('that shows the charges taken so far lets it be requested: a declined row is none of them', async () => {
    await expect(
      press(await aPlan(...LISTED), { number: null, taken: 1 }),
    ).resolves.toBeUndefined();
  });

  it.each([0, 2])(
    'that shows another number of taken charges (%d) requests nothing',
    async (taken) => {
      await expect(press(await aPlan(...LISTED), { number: null, taken })).rejects.toMatchObject({
        code: 'plan_changed',
      });
    },
  );
});

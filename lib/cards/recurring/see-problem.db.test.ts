import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Role } from '#lib/access/actor.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { readPlanQuery } from './filter.ts';
import type * as List from './list.ts';
import type * as SeeProblem from './see-problem.ts';
import type * as View from './view.ts';

/**
 * A plan whose code the gateway does not know needs attention until a person has noted what came of
 * it, and again when something else is wrong.
 */

let merchant: TestMerchant;
let side: Process;
let web: typeof List & typeof SeeProblem & typeof View;

beforeAll(async () => {
  merchant = await testMerchant();
  side = await openProcess('dashboard_web');
  web = {
    ...(await import('./list.ts')),
    ...(await import('./see-problem.ts')),
    ...(await import('./view.ts')),
  };
});
afterAll(async () => {
  await side.db.disconnect();
  await merchant.close();
});

async function storedPlan(problem: string | null): Promise<string> {
  const id = randomUUID();
  await merchant.owner.query(
    `INSERT INTO recurring_plans (id, merchant_id, plan_code, source, added_by, problem)
      VALUES ($1, $2, $3, 'person', $4, $5)`,
    [id, merchant.merchantId, id.slice(0, 12), merchant.person('clerk').personId, problem],
  );
  return id;
}
const setProblem = (id: string, problem: string | null) =>
  merchant.owner.query('UPDATE recurring_plans SET problem = $2 WHERE id = $1', [id, problem]);
const see = (planId: string, reason = 'a typing error, no such plan', role: Role = 'approver') =>
  web.seePlanProblem(merchant.person(role), { planId, reason });
const view = async (id: string) => (await web.viewPlan(merchant.person('auditor'), id))!;
/** How many plans need attention, by the count that the home page shows; the list has as many. */
async function attention(): Promise<number> {
  const actor = merchant.person('clerk');
  const count = await web.countPlansNeedingAttention(actor);
  const page = await web.listPlans(actor, readPlanQuery({ view: 'attention' }));
  expect([page.attention, page.rows.length]).toEqual([count, count]);
  return count;
}

it('an unknown code that a person has looked into no longer asks; the plan stays as it is', async () => {
  const before = await attention();
  const id = await storedPlan('not_found');
  expect(await attention()).toBe(before + 1);
  expect(await view(id)).toMatchObject({ problemSeen: null });
  await see(id);
  expect(await attention()).toBe(before);
  expect(await view(id)).toMatchObject({
    status: null,
    problem: 'not_found',
    problemSeen: { by: 'approver@test', reason: 'a typing error, no such plan' },
  });
  const { rows } = await merchant.owner.query(
    `SELECT actor FROM audit_entries WHERE merchant_id = $1 AND action = 'card.plan_problem_seen'
      AND subject = $2`,
    [merchant.merchantId, `plan:${id}`],
  );
  expect(rows).toEqual([{ actor: `person:${merchant.person('approver').personId}` }]);
});

it('another problem asks again, and so does the same one after it was over', async () => {
  const id = await storedPlan('not_found');
  const before = (await attention()) - 1;
  await see(id);
  await setProblem(id, 'not_found');
  expect(await attention(), 'read again as before').toBe(before);
  await setProblem(id, 'contradiction');
  expect(await attention(), 'another problem').toBe(before + 1);
  expect(await view(id)).toMatchObject({ problemSeen: null });
  await setProblem(id, null);
  expect(await attention(), 'it is over').toBe(before);
  await setProblem(id, 'not_found');
  expect(await attention(), 'the same one again').toBe(before + 1);
});

it('takes the right, a reason, and an unknown code; two at once note it once', async () => {
  const id = await storedPlan('not_found');
  for (const role of ['clerk', 'support', 'auditor'] as const)
    await expect(see(id, 'asked the gateway', role), role).rejects.toMatchObject({
      code: 'not_allowed',
    });
  await expect(see(id, ' ')).rejects.toMatchObject({ code: 'stop_reason_needed' });
  const tries = await Promise.allSettled([see(id), see(id)]);
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const problem of ['no_answer', 'contradiction', null])
    await expect(see(await storedPlan(problem)), `${problem}`).rejects.toMatchObject({
      code: 'alert_changed',
    });
});

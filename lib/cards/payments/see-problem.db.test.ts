import { afterAll, beforeAll, expect, it } from 'vitest';
import { madePayment, storedPayment } from '../operations/testing/payments.ts';
import { readCardQuery } from './filter.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';

/**
 * A card payment needs attention until a person has noted what came of it, and again when something
 * else is wrong.
 */

let merchant: TestMerchant;
let web: Process;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ merchant, web, close } = await openProduct());
});
afterAll(() => close());

const see = (
  paymentId: string,
  problem: string | null,
  reason = 'a typing error, no such order',
  role: 'clerk' | 'support' | 'auditor' | 'approver' = 'approver',
) => web.seeCardProblem.seeCardProblem(merchant.person(role), { paymentId, problem, reason });
const view = async (id: string) =>
  (await web.cardView.viewCardPayment(merchant.person('auditor'), id))!;
/** How many payments need attention, by the count that the home page shows; the list has as many. */
async function attention(): Promise<number> {
  const actor = merchant.person('clerk');
  const count = await web.cards.countCardPaymentsNeedingAttention(actor);
  const page = await web.cards.listCardPayments(actor, readCardQuery({ view: 'attention' }));
  expect([page.attention, page.rows.length]).toEqual([count, count]);
  return count;
}
const setProblem = (id: string, problem: string | null) =>
  merchant.owner.query('UPDATE card_payments SET problem = $2 WHERE id = $1', [id, problem]);

it('a problem that a person has looked into no longer asks; the payment stays as it is', async () => {
  for (const problem of ['not_found', 'mismatch', 'contradiction']) {
    const before = await attention();
    const id = await storedPayment(merchant, { problem });
    expect(await attention()).toBe(before + 1);
    expect(await view(id)).toMatchObject({ needsAttention: true, problemSeen: null });
    await see(id, problem);
    expect(await attention(), problem).toBe(before);
    expect(await view(id)).toMatchObject({
      state: null,
      problem,
      needsAttention: false,
      problemSeen: { by: 'approver@test', reason: 'a typing error, no such order' },
    });
    const { rows } = await merchant.owner.query(
      `SELECT actor, body::jsonb #>> '{detail,problem}' AS problem FROM audit_entries
        WHERE merchant_id = $1 AND action = 'card.problem_seen' AND subject = $2`,
      [merchant.merchantId, `card:${id}`],
    );
    expect(rows).toEqual([{ actor: `person:${merchant.person('approver').personId}`, problem }]);
  }
});

it('a payment of which it is unknown whether it was captured can be put away, too', async () => {
  const before = await attention();
  const id = await storedPayment(merchant, { state: 'maybe_captured' });
  expect(await attention()).toBe(before + 1);
  await see(id, null);
  expect(await attention()).toBe(before);
  await setProblem(id, 'no_answer');
  await setProblem(id, null);
  expect(await attention(), 'the gateway was silent for a while').toBe(before);
  expect(await view(id)).toMatchObject({ state: 'maybe_captured', needsAttention: false });
  await setProblem(id, 'contradiction');
  expect(await attention(), 'something is wrong with it now').toBe(before + 1);
});

it('a sent charge whose outcome is unknown for half an hour asks until a person has looked', async () => {
  const before = await attention();
  await madePayment(merchant, 28);
  await madePayment(merchant, 31, { state: 'completed' });
  await madePayment(merchant, 31, { state: 'failed', problem: 'no_answer' });
  await madePayment(merchant, null, { problem: 'no_answer' });
  expect(await attention(), 'young, ended or never sent').toBe(before);
  for (const [state, problem] of [
    [null, null],
    [null, 'no_answer'],
    ['pending', 'no_answer'],
    ['pending', null],
  ]) {
    const id = await madePayment(merchant, 31, { state, problem });
    expect(await attention(), `${state} ${problem}`).toBe(before + 1);
    expect(await view(id)).toMatchObject({ needsAttention: true });
    await see(id, problem!);
    expect(await attention(), `${state} ${problem}`).toBe(before);
    await setProblem(id, 'no_answer');
    expect(await attention(), 'the gateway is silent still').toBe(before);
  }
});

it('a note is shown at once on pages that are open', async () => {
  const id = await storedPayment(merchant, { problem: 'mismatch' });
  const announced: string[] = [];
  const connection = await merchant.owner.connect();
  connection.on('notification', ({ payload }) => announced.push(payload ?? ''));
  await connection.query('LISTEN dashboard');
  try {
    await see(id, 'mismatch');
    await expect
      .poll(() => announced.filter((one) => one.includes('"card"') && one.includes(id)).length)
      .toBe(1);
  } finally {
    connection.release(true);
  }
});

it('another problem asks again, and so does the same one after it was over', async () => {
  const id = await storedPayment(merchant, { problem: 'not_found' });
  const before = (await attention()) - 1;
  await see(id, 'not_found');
  await setProblem(id, 'not_found');
  expect(await attention(), 'read again as before').toBe(before);
  await setProblem(id, 'mismatch');
  expect(await attention(), 'another problem').toBe(before + 1);
  expect(await view(id)).toMatchObject({ needsAttention: true, problemSeen: null });
  await see(id, 'mismatch');
  await setProblem(id, null);
  expect(await attention()).toBe(before);
  expect(await view(id), 'it is over').toMatchObject({ problemSeen: null });
  await setProblem(id, 'mismatch');
  expect(await attention(), 'the same one again').toBe(before + 1);
});

it('takes the right, a reason, and the problem that the person saw; two at once note it once', async () => {
  const id = await storedPayment(merchant, { problem: 'mismatch' });
  for (const role of ['clerk', 'support', 'auditor'] as const)
    await expect(see(id, 'mismatch', 'asked the gateway', role), role).rejects.toMatchObject({
      code: 'not_allowed',
    });
  await expect(see(id, 'mismatch', ' ')).rejects.toMatchObject({ code: 'stop_reason_needed' });
  await expect(see(id, 'not_found')).rejects.toMatchObject({ code: 'alert_changed' });
  const tries = await Promise.allSettled([see(id, 'mismatch'), see(id, 'mismatch')]);
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const form = await storedPayment(merchant, { problem: 'no_answer' });
  await expect(see(form, 'no_answer'), 'not a matter for people').rejects.toMatchObject({
    code: 'alert_changed',
  });
});

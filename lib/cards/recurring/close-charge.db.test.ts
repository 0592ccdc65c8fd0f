import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as closing from './close-charge.ts';
import type { ChargeClaim } from './charge-closing.ts';
import type * as viewing from './view.ts';

/** A charge that the plan's record never lists: only two people can close it. */

let merchant: TestMerchant;
let side: Process;
let web: typeof closing & typeof viewing;

beforeAll(async () => {
  merchant = await testMerchant();
  vi.resetModules();
  side = await openProcess('dashboard_web');
  web = { ...(await import('./close-charge.ts')), ...(await import('./view.ts')) };
  return async () => {
    await side.db.disconnect();
    await merchant.close();
  };
});

/**
 * Creates a charge that the clerk requested and that was sent `hours` ago. The plan's record was
 * read just now and lists no charge.
 */
async function unlisted(
  state: 'UNKNOWN' | 'APPROVED' = 'UNKNOWN',
  hours = 25,
): Promise<{ id: string; planId: string }> {
  const [id, planId] = [randomUUID(), randomUUID()];
  await merchant.owner.query(
    `INSERT INTO recurring_plans (id, merchant_id, plan_code, source, status, currency,
      recurring_minor, payments, verified_at) VALUES ($1, $2, $3, 'payment', 'active', 'TRY', 12340,
      3, now())`,
    [planId, merchant.merchantId, planId.slice(0, 12)],
  );
  await merchant.owner.query(
    `INSERT INTO plan_charges (id, merchant_id, plan_id, person_id, amount_minor, currency)
      VALUES ($1, $2, $3, $4, 12340, $5)`,
    [id, merchant.merchantId, planId, merchant.person('clerk').personId, 'TRY'],
  );
  await merchant.owner.query(
    `UPDATE plan_charges SET state = 'SENDING', sent_at = now() - make_interval(hours => $2),
      charges_before = '[]' WHERE id = $1`,
    [id, hours],
  );
  await merchant.owner.query('UPDATE plan_charges SET state = $2, reads = 3 WHERE id = $1', [
    id,
    state,
  ]);
  return { id, planId };
}
type Role = Parameters<TestMerchant['person']>[0];
const say = (
  id: string,
  role: Role,
  claim: ChargeClaim | null = 'not_done',
  reference = 'TCK-12',
) =>
  web.closePlanCharge(
    merchant.person(role),
    { id, claim, reason: 'bize yazdılar', reference },
    300,
  );
const stateOf = async (id: string): Promise<unknown> =>
  (await merchant.owner.query('SELECT state, reason FROM plan_charges WHERE id = $1', [id]))
    .rows[0];

describe('a charge that the plan’s record never lists', () => {
  it.each([
    ['UNKNOWN', 'done', 'CHARGED'],
    ['UNKNOWN', 'not_done', 'NOT_CHARGED'],
    ['APPROVED', 'done', 'CHARGED'],
    ['APPROVED', 'not_done', 'NOT_CHARGED'],
  ] as const)('%s is ended by two people who did not ask for it: %s', async (state, claim, end) => {
    const { id, planId } = await unlisted(state);
    await expect(say(id, 'support', claim)).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(say(id, 'clerk', claim)).rejects.toMatchObject({ code: 'maker_has_no_word' });
    await expect(say(id, 'approver', claim, '')).rejects.toMatchObject({
      code: 'close_reference_needed',
    });
    expect([await say(id, 'approver', claim), await say(id, 'approver', claim)]).toEqual([
      { kind: 'asked' },
      { kind: 'asked' },
    ]);
    expect(await stateOf(id)).toMatchObject({ state });
    expect(await say(id, 'owner', claim)).toEqual({ kind: 'closed' });
    expect(await stateOf(id)).toEqual({ state: end, reason: 'people_said' });
    expect((await web.viewPlan(merchant.person('auditor'), planId))!.asked).toMatchObject([
      {
        closing: null,
        statements: { outcome: claim, words: [{}, {}, { by: 'owner@test', reference: 'TCK-12' }] },
      },
    ]);
    await expect(say(id, 'owner', claim)).rejects.toMatchObject({ code: 'close_not_unknown' });
  });

  it('is ended by nobody within a day of its send, nor by an old or unanswered reading of the plan', async () => {
    const young = await unlisted('UNKNOWN', 23);
    await expect(say(young.id, 'approver')).rejects.toMatchObject({ code: 'close_not_a_day' });
    const { id, planId } = await unlisted();
    await merchant.owner.query(
      `UPDATE recurring_plans SET verified_at = now() - interval '2 minutes' WHERE id = $1`,
      [planId],
    );
    await expect(say(id, 'approver')).rejects.toMatchObject({ code: 'close_unverified' });
    expect(
      (
        await merchant.owner.query(
          'SELECT next_at <= now() AS asked FROM recurring_plans WHERE id = $1',
          [planId],
        )
      ).rows[0].asked,
    ).toBe(true);
    await merchant.owner.query(
      `UPDATE recurring_plans SET verified_at = now(), problem = 'no_answer' WHERE id = $1`,
      [planId],
    );
    await expect(say(id, 'approver')).rejects.toMatchObject({ code: 'close_unverified' });
  });

  it('stays open while two people contradict one another, and a word that is taken back is none', async () => {
    const { id, planId } = await unlisted();
    expect(await say(id, 'approver', 'not_done')).toEqual({ kind: 'asked' });
    expect(await say(id, 'owner', 'done')).toEqual({ kind: 'contradicted' });
    expect((await web.viewPlan(merchant.person('owner'), planId))!.open).toMatchObject({
      statements: { standing: 'contradicted', own: true },
      closing: { claims: ['done', 'not_done'], isMaker: false },
    });
    expect(await say(id, 'approver', null)).toEqual({ kind: 'taken_back' });
    expect(await say(id, 'approver', 'done')).toEqual({ kind: 'closed' });
    expect(await stateOf(id)).toMatchObject({ state: 'CHARGED' });
  });

  it('is not ended by the web alone: the database asks for the two', async () => {
    const { id } = await unlisted();
    await say(id, 'approver', 'not_done');
    for (const state of ['CHARGED', 'NOT_CHARGED']) {
      await expect(
        side.db.inTransaction(
          merchant.merchantId,
          (tx) => tx.$executeRaw`UPDATE plan_charges SET state = ${state} WHERE id = ${id}::uuid`,
        ),
        state,
      ).rejects.toThrow(/two people/);
    }
  });
});

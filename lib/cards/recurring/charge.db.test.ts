import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { beginPorts } from '#lib/movements/testing/fake-provider.ts';
import { cardOrder } from '#lib/providers/card/bank-page-fixture.ts';
import { TypedCard } from '#lib/providers/card/typed-card.ts';
import { startSandbox } from '#lib/providers/sandbox-fixture.ts';
import type { Sandbox } from '#lib/providers/sandbox-fixture.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as acknowledging from './acknowledge.ts';
import type * as adding from './add.ts';
import type * as changing from './change.ts';
import type * as charging from './charge-due.ts';
import type * as starting from './start-charge.ts';
import type * as verifying from './verify-due.ts';
import type * as viewing from './view.ts';

/**
 * A plan is charged once for each permitted click, whatever browsers, people, workers and responses
 * do. The sandbox is the gateway.
 */

const HALF_AN_HOUR = 30 * 60_000;
const CARD = '4508034508034509';
const FAILING_CARD = '4000000000000721';

let sandbox: Sandbox;
let merchant: TestMerchant;
const sides: Process[] = [];
let web: typeof acknowledging & typeof adding & typeof changing & typeof starting & typeof viewing;
let workers: (typeof charging & typeof verifying)[];

beforeAll(async () => {
  sandbox = await startSandbox();
  merchant = await testMerchant();
  vi.doMock('#lib/providers/card/configured-client.ts', () => ({ cardClient: () => sandbox.card }));
  sides.push(await openProcess('dashboard_web'));
  web = {
    ...(await import('./acknowledge.ts')),
    ...(await import('./add.ts')),
    ...(await import('./change.ts')),
    ...(await import('./start-charge.ts')),
    ...(await import('./view.ts')),
  };
  workers = [];
  for (let n = 0; n < 2; n++) {
    sides.push(await openProcess('dashboard_worker'));
    workers.push({ ...(await import('./charge-due.ts')), ...(await import('./verify-due.ts')) });
  }
}, 60_000);
afterAll(async () => {
  await Promise.all(sides.map((side) => side.db.disconnect()));
  await Promise.all([merchant.close(), sandbox.stop()]);
});
afterEach(async () => {
  await sandbox.control('DELETE', 'faults');
  await merchant.owner.query(
    `ALTER TABLE send_switches DISABLE TRIGGER USER; DELETE
      FROM send_switches; ALTER TABLE send_switches ENABLE TRIGGER USER`,
  );
});

const clerk = () => merchant.person('clerk');
const ports = () => ({
  card: sandbox.card,
  quietMs: HALF_AN_HOUR,
  begin: beginPorts(),
  monotonicNow: () => performance.now(),
  rest: async () => undefined,
});
const look = async (planId: string, quietMs = HALF_AN_HOUR): Promise<void> => {
  await merchant.owner.query(
    `UPDATE recurring_plans SET next_at = CASE WHEN id = $1 THEN now() END WHERE merchant_id = $2`,
    [planId, merchant.merchantId],
  );
  expect(await workers[0]!.verifyOneDuePlan(merchant.merchantId, sandbox.card, quietMs)).toBe(true);
};
const work = () => workers[0]!.chargeOneDuePlan(merchant.merchantId, ports());
const page = async (planId: string) => (await web.viewPlan(merchant.person('auditor'), planId))!;
const requests = async (planCode: string) =>
  (
    await sandbox.control<{ body: string }[]>('GET', 'requests?operation=process&limit=10000')
  ).filter((one) => one.body.includes(planCode)).length;
/**
 * The number of completed charges in the gateway's own record of the plan, the order included; -1
 * when the record cannot be read.
 */
async function taken(planCode: string): Promise<number> {
  const plan = await sandbox.card.readPlan({ planCode });
  return plan.kind === 'answered'
    ? plan.value.charges.filter((charge) => charge.status === 'completed').length
    : -1;
}

/**
 * Creates a plan of three charges, of which the first was taken. The plan was added here by its
 * code, and its record was read.
 */
async function newPlan(number = CARD): Promise<{ planId: string; planCode: string }> {
  const order = cardOrder({
    recurring: { count: 3, cycle: 'month', interval: 1, hook: 'recurring_hook' },
  });
  const paid = await sandbox.card.payByCard(
    order,
    new TypedCard({
      holder: 'Işık Öğüt',
      number,
      expiryMonth: '12',
      expiryYear: '2030',
      securityCode: '000',
    }),
    { beforeWrite: () => true },
  );
  const record = await sandbox.card.readRecord(order);
  if (paid.kind !== 'approved' || record.kind !== 'found' || record.recurring === null)
    throw new Error(JSON.stringify(paid));
  const { planCode } = record.recurring;
  expect(await web.addPlans(clerk(), ` ${planCode}\n`)).toEqual({ added: 1, known: 0 });
  const { rows } = await merchant.owner.query<{ id: string }>(
    'SELECT id FROM recurring_plans WHERE plan_code = $1 AND merchant_id = $2',
    [planCode, merchant.merchantId],
  );
  await look(rows[0]!.id);
  return { planId: rows[0]!.id, planCode };
}
const press = (planId: string, more: object = {}, actor = clerk()) =>
  web.startPlanCharge(actor, {
    id: randomUUID(),
    planId,
    number: 2,
    amountMinor: 12_340n,
    taken: 1,
    ...more,
  });

describe('a press', () => {
  it('has the next charge taken once, and the plan’s own record says so', async () => {
    const { planId, planCode } = await newPlan();
    expect((await page(planId)).next).toEqual({ number: 2, amount: '123.40' });
    await press(planId);
    expect(await page(planId)).toMatchObject({ open: { state: 'QUEUED' }, next: null });
    await work();
    // The response alone ends no charge, because it names no amount.
    expect((await page(planId)).open).toMatchObject({ state: 'APPROVED' });
    await look(planId);
    expect((await page(planId)).asked).toMatchObject([
      { state: 'CHARGED', taken: { amount: '123.40', number: 2 }, by: 'clerk@test' },
    ]);
    expect([await taken(planCode), await requests(planCode)]).toEqual([2, 1]);
    expect((await page(planId)).next).toEqual({ number: 3, amount: '123.40' });
  });

  it('by two people at once, with two workers, is one charge; the second person is told', async () => {
    const { planId, planCode } = await newPlan();
    const pressed = await Promise.allSettled([
      press(planId),
      press(planId, {}, merchant.person('approver')),
      press(planId, {}, merchant.person('owner')),
    ]);
    expect(pressed.filter((one) => one.status === 'fulfilled').length).toBe(1);
    expect(
      pressed
        .filter((one) => one.status === 'rejected')
        .map((one) => (one as PromiseRejectedResult).reason.code),
    ).toEqual(['plan_charge_open', 'plan_charge_open']);
    await Promise.all(
      workers.flatMap((worker) => [
        worker.chargeOneDuePlan(merchant.merchantId, ports()),
        worker.chargeOneDuePlan(merchant.merchantId, ports()),
      ]),
    );
    expect([await taken(planCode), await requests(planCode)]).toEqual([2, 1]);
  });

  it('of one form, sent again while it runs and after it ended, is one charge', async () => {
    const { planId, planCode } = await newPlan();
    const form = { id: randomUUID() };
    await press(planId, form);
    await expect(press(planId, form)).rejects.toMatchObject({ code: 'plan_charge_repeated' });
    await work();
    await look(planId);
    await expect(press(planId, form)).rejects.toMatchObject({ code: 'plan_charge_repeated' });
    // The dialog of another page still shows the charge that has been taken meanwhile.
    await expect(press(planId)).rejects.toMatchObject({ code: 'plan_changed' });
    expect([await work(), await taken(planCode), await requests(planCode)]).toEqual([false, 2, 1]);
  });

  it('from a page older than the last charge starts no charge, though the record gives it no number', async () => {
    const { planId, planCode } = await newPlan();
    const readPlan: typeof sandbox.card.readPlan = async (asked) => {
      const plan = await sandbox.card.readPlan(asked);
      return plan.kind === 'answered'
        ? {
            ...plan,
            value: {
              ...plan.value,
              charges: plan.value.charges.filter((one) => one.status !== 'pending'),
            },
          }
        : plan;
    };
    const read = async (): Promise<void> => {
      await merchant.owner.query(
        `UPDATE recurring_plans SET next_at = CASE WHEN id = $1 THEN now() END WHERE merchant_id = $2`,
        [planId, merchant.merchantId],
      );
      await workers[0]!.verifyOneDuePlan(merchant.merchantId, { readPlan }, HALF_AN_HOUR);
    };
    await read();
    const tab = { number: null, taken: 1 };
    await press(planId, tab);
    await workers[0]!.chargeOneDuePlan(merchant.merchantId, {
      ...ports(),
      card: { readPlan, processPlan: sandbox.card.processPlan },
    });
    await read();
    expect((await page(planId)).asked).toMatchObject([{ state: 'CHARGED' }]);
    await expect(press(planId, tab)).rejects.toMatchObject({ code: 'plan_changed' });
    expect([await work(), await taken(planCode)]).toEqual([false, 2]);
  });

  it.each(['all', 'plan_charge'])(
    'is none for a role that may only look, and none while sending is stopped (%s)',
    async (kind) => {
      const { planId, planCode } = await newPlan();
      await expect(press(planId, {}, merchant.person('support'))).rejects.toMatchObject({
        code: 'not_allowed',
      });
      await press(planId);
      await merchant.owner.query(
        `INSERT INTO send_switches (merchant_id, kind, cause, off, reason)
          VALUES ($1, $2, 'person', true, 'Test')`,
        [merchant.merchantId, kind],
      );
      await work();
      expect((await page(planId)).asked).toMatchObject([
        { state: 'NOT_CHARGED', reason: 'stopped', sentAt: null },
      ]);
      await expect(press(planId)).rejects.toMatchObject({ code: 'plan_charge_stopped' });
      expect(await requests(planCode)).toBe(0);
    },
  );

  it('is not carried out by a machine whose database is older than the mark beside it', async () => {
    const { planId, planCode } = await newPlan();
    await press(planId);
    await workers[0]!.chargeOneDuePlan(merchant.merchantId, {
      ...ports(),
      begin: {
        ...beginPorts(),
        mark: () => ({ seq: '99999999', hash: '00', database: { timeline: 1 } }),
      },
    });
    expect(
      (await page(planId)).asked,
      'not even its waiting time says that it did not leave',
    ).toMatchObject([{ state: 'QUEUED' }]);
    expect(await requests(planCode)).toBe(0);
    await work();
    expect(await requests(planCode)).toBe(1);
  });
});

describe('the look before it leaves', () => {
  it.each([
    [
      'paused',
      (planCode: string) => sandbox.card.updatePlan(planCode, { status: 'inactive' }),
      'not_active',
    ],
    [
      'of another amount',
      (planCode: string) => sandbox.card.updatePlan(planCode, { amountMinor: 99_900n }),
      'plan_changed',
    ],
    [
      'charged',
      async (planCode: string, merchantId: string) =>
        sandbox.card.processPlan({ merchantId, planCode }, { beforeWrite: () => true }),
      'plan_changed',
    ],
    [
      'unreadable',
      () => sandbox.fault('recurringPlan/query', 'status', { status: 503 }),
      'plan_unread',
    ],
  ])('finds a plan that is %s since the press: nothing leaves', async (what, elsewhere, reason) => {
    const { planId, planCode } = await newPlan();
    const own = await sandbox.card.readPlan({ planCode });
    await elsewhere(planCode, own.kind === 'answered' ? (own.value.merchantId ?? '') : '');
    const sent = await requests(planCode);
    await press(planId);
    await work();
    expect((await page(planId)).asked).toMatchObject([
      { state: 'NOT_CHARGED', reason, sentAt: null },
    ]);
    await sandbox.control('DELETE', 'faults');
    expect([await taken(planCode), await requests(planCode)]).toEqual([
      what === 'charged' ? 2 : 1,
      sent,
    ]);
  });

  it('whose record denies a charge that was taken before lets nothing leave', async () => {
    const { planId, planCode } = await newPlan();
    await press(planId);
    const readPlan: typeof sandbox.card.readPlan = async (asked) => {
      const plan = await sandbox.card.readPlan(asked);
      if (plan.kind !== 'answered') throw new Error('unread');
      const charges = plan.value.charges.filter((one) => one.number !== 1);
      return { ...plan, value: { ...plan.value, charges } };
    };
    await workers[0]!.chargeOneDuePlan(merchant.merchantId, {
      ...ports(),
      card: { readPlan, processPlan: sandbox.card.processPlan },
    });
    expect(await page(planId)).toMatchObject({
      problem: 'contradiction',
      asked: [{ state: 'NOT_CHARGED', reason: 'plan_unread', sentAt: null }],
    });
    expect(await requests(planCode)).toBe(0);
  });

  it('comes in time or not at all: a press is not carried out long after it', async () => {
    const { planId, planCode } = await newPlan();
    await merchant.owner.query(
      `INSERT INTO plan_charges (id, merchant_id, plan_id, person_id, number, amount_minor,
        currency, asked_at) VALUES (gen_random_uuid(), $1, $2, $3, 2, 12340, 'TRY',
        now() - interval '3 minutes')`,
      [merchant.merchantId, planId, clerk().personId],
    );
    await work();
    expect((await page(planId)).asked).toMatchObject([
      { state: 'NOT_CHARGED', reason: 'waited_too_long' },
    ]);
    expect(await requests(planCode)).toBe(0);
  });
});

describe('a charge whose answer is lost', () => {
  it.each([
    ['lost_after', {}],
    ['status', { status: 502, work: true }],
    ['truncated', {}],
    ['unknown_code', {}],
  ] as const)(
    'after the work (%s) is unknown, then charged by the plan’s record; nothing is sent twice',
    async (kind, more) => {
      const { planId, planCode } = await newPlan();
      await sandbox.fault('recurring/plan/process', kind, more);
      await press(planId);
      await work();
      expect((await page(planId)).open).toMatchObject({ state: 'UNKNOWN' });
      await expect(press(planId)).rejects.toMatchObject({ code: 'plan_charge_open' });
      await expect(web.changePlan(clerk(), planId, { amountMinor: 1_00n })).rejects.toMatchObject({
        code: 'plan_charge_open',
      });
      expect(await work()).toBe(false);
      await look(planId);
      expect((await page(planId)).asked).toMatchObject([
        { state: kind === 'unknown_code' && (await taken(planCode)) === 1 ? 'UNKNOWN' : 'CHARGED' },
      ]);
      expect(await requests(planCode)).toBe(1);
    },
  );

  it('before any work stays unknown however long the record is silent: no machine says not taken', async () => {
    const { planId, planCode } = await newPlan();
    await sandbox.fault('recurring/plan/process', 'lost_before');
    await press(planId);
    await work();
    for (let reads = 1; reads <= 8; reads++) {
      await look(planId, reads < 4 ? HALF_AN_HOUR : 0);
      expect((await page(planId)).open).toMatchObject({ state: 'UNKNOWN', reads });
    }
    await expect(press(planId)).rejects.toMatchObject({ code: 'plan_charge_open' });
    expect([await work(), await requests(planCode), await taken(planCode)]).toEqual([false, 1, 1]);
  });

  it('after the work stays unknown while the record lags, and is charged when it lists the charge', async () => {
    const { planId, planCode } = await newPlan();
    const lagging = await sandbox.card.readPlan({ planCode });
    await sandbox.fault('recurring/plan/process', 'lost_after');
    await press(planId);
    await work();
    for (let n = 0; n < 4; n++) {
      await merchant.owner.query(
        `UPDATE recurring_plans SET next_at = CASE WHEN id = $1 THEN now() END WHERE merchant_id = $2`,
        [planId, merchant.merchantId],
      );
      await workers[0]!.verifyOneDuePlan(merchant.merchantId, { readPlan: async () => lagging }, 0);
    }
    expect((await page(planId)).asked).toMatchObject([{ state: 'UNKNOWN' }]);
    await look(planId);
    expect((await page(planId)).asked).toMatchObject([{ state: 'CHARGED' }]);
    expect(await taken(planCode)).toBe(2);
  });

  it('is not judged by a record that was asked for before it left', async () => {
    const { planId, planCode } = await newPlan();
    const reply = await sandbox.card.readPlan({ planCode });
    await sandbox.fault('recurring/plan/process', 'lost_before');
    await press(planId);
    await work();
    await sides[1]!.db.inTransaction(merchant.merchantId, (tx) =>
      workers[0]!.keepPlan(tx, merchant.merchantId, {
        id: planId,
        reply,
        asked: new Date(Date.now() - 60_000),
        quietMs: 0,
      }),
    );
    expect((await page(planId)).open).toMatchObject({ state: 'UNKNOWN', reads: 0 });
  });

  it('with the worker that sent it is unknown, and no other worker sends it', async () => {
    const { planId, planCode } = await newPlan();
    await press(planId);
    await merchant.owner.query(
      `UPDATE plan_charges SET state = 'SENDING', sent_at = now(), charges_before = '[]',
        lease_until = now() - interval '1 second' WHERE plan_id = $1`,
      [planId],
    );
    await work();
    expect((await page(planId)).open).toMatchObject({ state: 'UNKNOWN' });
    expect([await work(), await requests(planCode)]).toEqual([false, 0]);
  });

  it('and comes after its lease ends nothing, and is kept for people with its time', async () => {
    const { planId, planCode } = await newPlan();
    await press(planId);
    const processPlan: typeof sandbox.card.processPlan = async (plan, sending) => {
      const answer = await sandbox.card.processPlan(plan, sending);
      await merchant.owner.query(
        `UPDATE plan_charges SET lease_until = now() - interval '1 second' WHERE plan_id = $1`,
        [planId],
      );
      await workers[1]!.chargeOneDuePlan(merchant.merchantId, ports());
      expect((await page(planId)).open).toMatchObject({ state: 'UNKNOWN', code: null });
      return answer;
    };
    await workers[0]!.chargeOneDuePlan(merchant.merchantId, {
      ...ports(),
      card: { readPlan: sandbox.card.readPlan, processPlan },
    });
    const { rows } = await merchant.owner.query(
      `SELECT state, code, raw IS NOT NULL AS raw, answered_at IS NOT NULL AS answered
        FROM plan_charges WHERE plan_id = $1`,
      [planId],
    );
    expect(rows).toEqual([{ state: 'UNKNOWN', code: '100', raw: true, answered: true }]);
    expect(await requests(planCode)).toBe(1);
  });

  it('and clearly refused is not charged: the gateway’s code says why, and it may be retried', async () => {
    const { planId, planCode } = await newPlan(FAILING_CARD);
    await press(planId);
    await work();
    expect((await page(planId)).asked).toMatchObject([
      { state: 'NOT_CHARGED', reason: 'refused', code: '72' },
    ]);
    await look(planId);
    expect((await page(planId)).next).toEqual({ number: 2, amount: '123.40' });
    expect([await requests(planCode), await taken(planCode)]).toEqual([1, 1]);
  });

  it('is not called declined by a declined row that may be the row of an earlier charge', async () => {
    const { planId } = await newPlan(FAILING_CARD);
    await press(planId);
    await work();
    expect((await page(planId)).asked).toMatchObject([{ state: 'NOT_CHARGED', reason: 'refused' }]);
    await sandbox.fault('recurring/plan/process', 'lost_before', {});
    await look(planId);
    await press(planId);
    await work();
    await merchant.owner.query('ALTER TABLE plan_charges DISABLE TRIGGER USER');
    await merchant.owner.query(
      `UPDATE plan_charges SET reads = 9, sent_at = sent_at - interval '2 hours' WHERE plan_id = $1
        AND state = 'UNKNOWN'`,
      [planId],
    );
    await merchant.owner.query('ALTER TABLE plan_charges ENABLE TRIGGER USER');
    // The record lags: it lists the declined row of the first charge only after the second one was
    // sent.
    const readPlan: typeof sandbox.card.readPlan = async (query) => {
      const reply = await sandbox.card.readPlan(query);
      if (reply.kind !== 'answered') return reply;
      return {
        ...reply,
        value: {
          ...reply.value,
          charges: reply.value.charges.map((one) =>
            one.number === 2 ? { ...one, status: 'failed' as const } : one,
          ),
        },
      };
    };
    await merchant.owner.query(
      `UPDATE recurring_plans SET next_at = CASE WHEN id = $1 THEN now() END WHERE merchant_id = $2`,
      [planId, merchant.merchantId],
    );
    expect(
      await workers[0]!.verifyOneDuePlan(merchant.merchantId, { readPlan }, HALF_AN_HOUR),
    ).toBe(true);
    expect((await page(planId)).open).toMatchObject({ state: 'UNKNOWN' });
  });
});

describe('the begin check of a plan charge', () => {
  it('stops a worker suspended between its commit and the first byte, which proves that nothing left', async () => {
    const { planId, planCode } = await newPlan();
    await press(planId);
    const still = performance.now();
    let begun = true;
    const processPlan: typeof sandbox.card.processPlan = async (plan, sending) => {
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + HALF_AN_HOUR);
      await merchant.owner.query(
        `UPDATE plan_charges SET lease_until = now() - interval '1 hour' WHERE plan_id = $1`,
        [planId],
      );
      await workers[1]!.chargeOneDuePlan(merchant.merchantId, ports());
      begun = sending.beforeWrite();
      return sandbox.card.processPlan(plan, sending);
    };
    await workers[0]!.chargeOneDuePlan(merchant.merchantId, {
      ...ports(),
      card: { readPlan: sandbox.card.readPlan, processPlan },
      monotonicNow: () => still,
    });
    vi.restoreAllMocks();
    expect([begun, await taken(planCode), await requests(planCode)]).toEqual([false, 1, 0]);
    expect((await page(planId)).asked).toMatchObject([
      { state: 'NOT_CHARGED', reason: 'not_sent' },
    ]);
  });

  it.each([
    [
      'that sending was stopped since it left the queue',
      async () =>
        void (await merchant.owner.query(
          `INSERT INTO send_switches (merchant_id, kind, cause, off, reason)
            VALUES ($1, 'all', 'person', true, 'Test')`,
          [merchant.merchantId],
        )),
      {},
      'not_sent',
    ],
    [
      'that its lease is over',
      async (planId: string) =>
        void (await merchant.owner.query(
          `UPDATE plan_charges SET lease_until = now() - interval '1 second' WHERE plan_id = $1`,
          [planId],
        )),
      {},
      'not_sent',
    ],
    [
      'that a change of the plan may be on its way',
      async (planId: string) =>
        void (await merchant.owner.query(
          `UPDATE recurring_plans SET change_until = now() + interval '1 minute' WHERE id = $1`,
          [planId],
        )),
      {},
      'not_sent',
    ],
    [
      'a checkpoint that cannot be written',
      async () => undefined,
      { checkpointWritten: async () => false },
      'not_sent',
    ],
    [
      'a journal line that cannot be written',
      async () => undefined,
      { journal: { append: async () => false } },
      'not_journaled',
    ],
    [
      'another card gateway than the one that the books are about',
      async () => undefined,
      {
        identity: () => ({
          environment: 'sandbox',
          sender: 'test',
          gateway: 'https://other.example',
        }),
      },
      'not_sent',
    ],
  ])('sees %s: nothing leaves', async (_what, meanwhile, given, reason) => {
    const { planId, planCode } = await newPlan();
    await press(planId);
    const begin = { ...beginPorts(), ...given };
    await workers[0]!.chargeOneDuePlan(merchant.merchantId, {
      ...ports(),
      begin: {
        ...begin,
        checkpointWritten: async () => {
          await meanwhile(planId);
          return begin.checkpointWritten();
        },
      },
    });
    expect([await taken(planCode), await requests(planCode)]).toEqual([1, 0]);
    expect((await page(planId)).asked).toMatchObject([{ state: 'NOT_CHARGED', reason }]);
  });
});

describe('a charge that was called "not taken" and is on a later record', () => {
  const refusedLate = async (): Promise<{ planId: string; planCode: string }> => {
    const plan = await newPlan();
    await press(plan.planId);
    const refused = { kind: 'refused' as const, code: '41', message: null, raw: null };
    await workers[0]!.chargeOneDuePlan(merchant.merchantId, {
      ...ports(),
      card: {
        readPlan: sandbox.card.readPlan,
        processPlan: async (one, sending) => {
          await sandbox.card.processPlan(one, sending);
          return refused;
        },
      },
    });
    expect((await page(plan.planId)).asked).toMatchObject([
      { state: 'NOT_CHARGED', reason: 'refused', contradicted: false },
    ]);
    return plan;
  };

  it('locks the plan until a person has looked into it', async () => {
    const { planId, planCode } = await refusedLate();
    await look(planId);
    expect(await page(planId)).toMatchObject({
      problem: 'contradiction',
      asked: [{ state: 'NOT_CHARGED', contradicted: true }],
    });
    await look(planId);
    expect(await page(planId), 'another record does not unlock it').toMatchObject({
      problem: 'contradiction',
    });
    await expect(press(planId, { number: 3 })).rejects.toMatchObject({ code: 'plan_changed' });
    await expect(
      web.acknowledgeContradiction(clerk(), { planId, reason: 'hizmete soruldu' }),
    ).rejects.toMatchObject({ code: 'not_allowed' });
    await web.acknowledgeContradiction(merchant.person('approver'), {
      planId,
      reason: 'hizmete soruldu',
    });
    await look(planId);
    expect(await page(planId)).toMatchObject({
      problem: null,
      asked: [{ state: 'NOT_CHARGED', contradicted: false }],
    });
    await press(planId, { number: 3, taken: 2 });
    await work();
    expect([await taken(planCode), await requests(planCode)]).toEqual([3, 2]);
  });

  it('is no contradiction when the gateway charged as planned, or when a later charge was taken', async () => {
    const { planId } = await newPlan(FAILING_CARD);
    await press(planId);
    await work();
    await merchant.owner.query(
      `UPDATE plan_charges
        SET charges_before = jsonb_set(charges_before, '{1,at}', '"2020-01-01T00:00:00.000Z"')
        WHERE plan_id = $1`,
      [planId],
    );
    const plan = await sandbox.card.readPlan({ planCode: (await page(planId)).planCode });
    if (plan.kind !== 'answered') throw new Error('unread');
    const charges = plan.value.charges.map((one) =>
      one.number === 2 ? { ...one, status: 'completed' as const } : one,
    );
    await merchant.owner.query(
      `UPDATE recurring_plans SET next_at = CASE WHEN id = $1 THEN now() END WHERE merchant_id = $2`,
      [planId, merchant.merchantId],
    );
    await workers[0]!.verifyOneDuePlan(
      merchant.merchantId,
      { readPlan: async () => ({ ...plan, value: { ...plan.value, charges } }) },
      HALF_AN_HOUR,
    );
    expect(await page(planId)).toMatchObject({ problem: null, asked: [{ contradicted: false }] });
  });
});

describe('a charge that took another amount than it was pressed for', () => {
  it('is flagged with what was taken, and locks the plan until a person has looked into it', async () => {
    const { planId, planCode } = await newPlan();
    await press(planId);
    const processPlan: typeof sandbox.card.processPlan = async (plan, sending) => {
      await sandbox.card.updatePlan(planCode, { amountMinor: 99_900n });
      return sandbox.card.processPlan(plan, sending);
    };
    await workers[0]!.chargeOneDuePlan(merchant.merchantId, {
      ...ports(),
      card: { readPlan: sandbox.card.readPlan, processPlan },
    });
    await look(planId);
    const flagged = {
      problem: 'contradiction',
      asked: [
        {
          state: 'CHARGED',
          amount: '123.40',
          taken: { amount: '999.00', number: 2 },
          contradicted: true,
        },
      ],
    };
    expect(await page(planId)).toMatchObject(flagged);
    await look(planId);
    expect(await page(planId), 'another record does not unlock it').toMatchObject(flagged);
    await expect(press(planId, { number: 3, amountMinor: 99_900n })).rejects.toMatchObject({
      code: 'plan_changed',
    });
    await web.acknowledgeContradiction(merchant.person('approver'), {
      planId,
      reason: 'iade edildi',
    });
    await look(planId);
    expect(await page(planId)).toMatchObject({
      problem: null,
      asked: [{ state: 'CHARGED', taken: { amount: '999.00' }, contradicted: false }],
    });
  });
});

describe('after a restore', () => {
  it('a queued charge waits for a person, and one its plan shows as taken is never "nothing taken"', async () => {
    const { planId, planCode } = await newPlan();
    await press(planId);
    const {
      rows: [charge],
    } = await merchant.owner.query<{ id: string }>(
      'SELECT id FROM plan_charges WHERE plan_id = $1',
      [planId],
    );
    const plan = await sandbox.card.readPlan({ planCode });
    await sandbox.card.processPlan(
      { planCode, merchantId: plan.kind === 'answered' ? plan.value.merchantId! : '' },
      { beforeWrite: () => true },
    );
    await look(planId);
    await merchant.owner.query(
      `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by, scanned_at,
        ended_at) VALUES ($1, 'behind', now(), now(), now(), now(), now())`,
      [merchant.merchantId],
    );
    expect(await work()).toBe(false);
    expect((await page(planId)).asked).toMatchObject([{ state: 'QUEUED' }]);
    await merchant.owner.query(
      `INSERT INTO send_confirmations (merchant_id, plan_charge_id, confirmed_by) VALUES ($1, $2, $3)`,
      [merchant.merchantId, charge!.id, merchant.person('approver').personId],
    );
    await work();
    expect((await page(planId)).asked).toMatchObject([{ state: 'UNKNOWN' }]);
    await look(planId);
    expect((await page(planId)).asked).toMatchObject([{ state: 'CHARGED', taken: { number: 2 } }]);
    expect([await work(), await taken(planCode)]).toEqual([false, 2]);
  });

  it.each([
    [
      'held back before its first byte',
      { begin: { ...beginPorts(), checkpointWritten: async () => false } },
    ],
    ['refused', {}],
  ] as const)(
    'a charge that a person sends again and that is %s is unknown: it may have left before the restore',
    async (what, more) => {
      const { planId } = await newPlan();
      await press(planId);
      const {
        rows: [charge],
      } = await merchant.owner.query<{ id: string }>(
        'SELECT id FROM plan_charges WHERE plan_id = $1',
        [planId],
      );
      await merchant.owner.query(
        `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by, scanned_at,
          ended_at) VALUES ($1, 'behind', now(), now(), now(), now(), now())`,
        [merchant.merchantId],
      );
      await merchant.owner.query(
        `INSERT INTO send_confirmations (merchant_id, plan_charge_id, confirmed_by) VALUES ($1, $2, $3)`,
        [merchant.merchantId, charge!.id, merchant.person('approver').personId],
      );
      const processPlan: typeof sandbox.card.processPlan = async (plan, sending) =>
        what === 'refused'
          ? { kind: 'refused', code: '110', message: null, raw: null }
          : sandbox.card.processPlan(plan, sending);
      await workers[0]!.chargeOneDuePlan(merchant.merchantId, {
        ...ports(),
        card: { readPlan: sandbox.card.readPlan, processPlan },
        ...more,
      });
      expect((await page(planId)).asked).toMatchObject([{ state: 'UNKNOWN', reason: null }]);
    },
  );
  afterAll(() =>
    merchant.owner.query(
      `ALTER TABLE recoveries DISABLE TRIGGER USER; DELETE
        FROM recoveries; ALTER TABLE recoveries ENABLE TRIGGER USER`,
    ),
  );
});

describe('a change', () => {
  it('pauses: nothing is charged until the plan runs again', async () => {
    const { planId, planCode } = await newPlan();
    expect(await web.changePlan(clerk(), planId, { status: 'inactive' })).toMatchObject({
      kind: 'done',
      now: { status: 'inactive' },
    });
    await look(planId);
    await expect(press(planId)).rejects.toMatchObject({ code: 'plan_not_active' });
    expect(await web.changePlan(clerk(), planId, { status: 'active' })).toMatchObject({
      kind: 'done',
      now: { status: 'active' },
    });
    await look(planId);
    await press(planId);
    await work();
    expect(await taken(planCode)).toBe(2);
  });

  it('whose answer is lost says so, and what the plan says now', async () => {
    const { planId } = await newPlan();
    await sandbox.fault('recurringPlan/update', 'lost_after');
    expect(await web.changePlan(clerk(), planId, { amountMinor: 45_600n, payments: 5 })).toEqual({
      kind: 'unclear',
      now: { status: 'active', amount: '456.00', currency: 'TRY', payments: 5 },
    });
    await sandbox.fault('recurringPlan/update', 'lost_before');
    expect(await web.changePlan(clerk(), planId, { amountMinor: 99_900n })).toMatchObject({
      kind: 'unclear',
      now: { amount: '456.00' },
    });
    await expect(
      web.changePlan(merchant.person('auditor'), planId, { payments: 5 }),
    ).rejects.toMatchObject({ code: 'not_allowed' });
  });

  it('that may be on its way to the gateway lets no charge be stored, and one that was answered does', async () => {
    const { planId, planCode } = await newPlan();
    const { updatePlan } = sandbox.card;
    vi.spyOn(sandbox.card, 'updatePlan').mockImplementationOnce(async (...change) => {
      await expect(press(planId)).rejects.toMatchObject({ code: 'plan_change_open' });
      return updatePlan(...change);
    });
    expect(await web.changePlan(clerk(), planId, { amountMinor: 99_900n })).toMatchObject({
      kind: 'done',
    });
    await expect(press(planId)).resolves.toBeUndefined();
    await work();
    expect((await page(planId)).asked).toMatchObject([
      { state: 'NOT_CHARGED', reason: 'plan_changed' },
    ]);
    expect(await requests(planCode)).toBe(0);
  });

  it('whose answer is lost lets none be stored until its time is over, whatever another change hears', async () => {
    const { planId } = await newPlan();
    await sandbox.fault('recurringPlan/update', 'lost_before');
    expect(await web.changePlan(clerk(), planId, { amountMinor: 99_900n })).toMatchObject({
      kind: 'unclear',
    });
    expect(await web.changePlan(clerk(), planId, { payments: 4 })).toMatchObject({ kind: 'done' });
    await expect(press(planId)).rejects.toMatchObject({ code: 'plan_change_open' });
    const { rows } = await merchant.owner.query(
      `SELECT change_until BETWEEN now() + interval '4 minutes'
        AND now() + interval '5 minutes' AS kept FROM recurring_plans WHERE id = $1`,
      [planId],
    );
    expect(rows).toEqual([{ kept: true }]);
    await merchant.owner.query(`UPDATE recurring_plans SET change_until = now() WHERE id = $1`, [
      planId,
    ]);
    await expect(press(planId)).resolves.toBeUndefined();
    await work();
  });

  it('does not leave from a machine that was suspended after it was committed', async () => {
    const { planId, planCode } = await newPlan();
    const { updatePlan } = sandbox.card;
    vi.spyOn(sandbox.card, 'updatePlan').mockImplementationOnce(async (...change) => {
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + HALF_AN_HOUR);
      return updatePlan(...change);
    });
    const changed = await web.changePlan(clerk(), planId, { amountMinor: 99_900n });
    vi.restoreAllMocks();
    expect(changed).toMatchObject({ kind: 'unclear', now: { amount: '123.40' } });
    const plan = await sandbox.card.readPlan({ planCode });
    expect(plan).toMatchObject({ value: { recurringMinor: 12_340n } });
  });

  it('is refused while a charge is open, also one stored while it waits, and also for a pause', async () => {
    const { planId } = await newPlan();
    const client = await merchant.owner.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM recurring_plans WHERE id = $1 FOR UPDATE', [planId]);
      const changed = web
        .changePlan(clerk(), planId, { amountMinor: 99_900n })
        .catch((error: unknown) => error);
      const {
        rows: [own],
      } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await vi.waitUntil(
        async () =>
          (
            await merchant.owner.query(
              'SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))',
              [own!.pid],
            )
          ).rowCount === 1,
        { interval: 5, timeout: 15_000 },
      );
      await client.query(
        `INSERT INTO plan_charges (id, merchant_id, plan_id, person_id, number, amount_minor,
          currency) VALUES (gen_random_uuid(), $1, $2, $3, 2, 12340, 'TRY')`,
        [merchant.merchantId, planId, clerk().personId],
      );
      await client.query('COMMIT');
      expect(await changed).toMatchObject({ code: 'plan_charge_open' });
    } finally {
      client.release();
    }
    await expect(
      web.changePlan(clerk(), planId, { status: 'inactive', amountMinor: 99_900n }),
    ).rejects.toMatchObject({ code: 'plan_charge_open' });
    expect(await web.changePlan(clerk(), planId, { status: 'inactive' })).toMatchObject({
      kind: 'done',
    });
    await work();
  });

  it('is in the audit log before it leaves and after it was answered', async () => {
    const { planId } = await newPlan();
    await web.changePlan(clerk(), planId, { payments: 4 });
    const { rows } = await merchant.owner.query<{ action: string }>(
      `SELECT action FROM audit_entries WHERE merchant_id = $1 AND subject = $2 ORDER BY seq`,
      [merchant.merchantId, `plan:${planId}`],
    );
    expect(rows.map((row) => row.action)).toEqual([
      'card.plan_read',
      'card.plan_change_asked',
      'card.plan_changed',
    ]);
  });
});

describe('two changes of a plan at once', () => {
  it('the answer to the first frees nothing of the second, whose answer is lost', async () => {
    const { planId } = await newPlan();
    let answer = (): void => undefined;
    const slow = new Promise<void>((done) => (answer = done));
    const update = vi
      .spyOn(sandbox.card, 'updatePlan')
      .mockImplementationOnce(async () => slow.then(() => ({ kind: 'done', value: null }) as never))
      .mockImplementationOnce(async () => ({ kind: 'no_answer', why: 'timeout' }) as never);
    const first = web.changePlan(clerk(), planId, { amountMinor: 50_000n });
    await vi.waitUntil(() => update.mock.calls.length === 1, { timeout: 15_000 });
    expect(await web.changePlan(clerk(), planId, { amountMinor: 99_900n })).toMatchObject({
      kind: 'unclear',
    });
    answer();
    expect(await first).toMatchObject({ kind: 'done' });
    update.mockRestore();
    await expect(press(planId)).rejects.toMatchObject({ code: 'plan_change_open' });
  });
});

describe('a plan', () => {
  it('that a payment’s record or a notice names is known from then on, and read', async () => {
    const order = cardOrder({
      recurring: { count: 3, cycle: 'month', interval: 1, hook: 'recurring_hook' },
    });
    await sandbox.card.payByCard(
      order,
      new TypedCard({
        holder: 'Işık Öğüt',
        number: CARD,
        expiryMonth: '12',
        expiryYear: '2030',
        securityCode: '000',
      }),
      { beforeWrite: () => true },
    );
    await sides[0]!.addCards.addCardPayments(clerk(), { text: order.invoiceId, heldOn: '' });
    await merchant.owner.query(
      `UPDATE card_payments SET next_at = CASE WHEN invoice_id = $1 THEN now() END WHERE merchant_id = $2`,
      [order.invoiceId, merchant.merchantId],
    );
    await sides[1]!.verifyCards.verifyOneDuePayment(merchant.merchantId, sandbox.card);
    const record = await sandbox.card.readRecord(order);
    const planCode = record.kind === 'found' ? record.recurring!.planCode : '';
    const known = () =>
      merchant.owner.query(
        `SELECT source, next_at <= now() AS due FROM recurring_plans WHERE plan_code = $1
          AND merchant_id = $2`,
        [planCode, merchant.merchantId],
      );
    expect((await known()).rows).toEqual([{ source: 'payment', due: true }]);
    const notice = (plan: string) =>
      `merchant_key=${encodeURIComponent(sandbox.cardCredentials.merchant_key)}` +
      `&invoice_id=x&order_id=y&plan_code=${plan}&recurring_number=2&status=Completed` +
      `&n=${randomUUID()}`;
    await merchant.owner.query('UPDATE recurring_plans SET next_at = NULL WHERE merchant_id = $1', [
      merchant.merchantId,
    ]);
    await sides[0]!.receive.receiveWebhook(merchant.merchantId, 'card', notice(planCode));
    expect((await known()).rows).toEqual([{ source: 'payment', due: true }]);
    const fresh = `PLN-${randomUUID()}`;
    await sides[0]!.receive.receiveWebhook(merchant.merchantId, 'card', notice(fresh));
    expect(
      (
        await merchant.owner.query(
          `SELECT source, status FROM recurring_plans WHERE plan_code = $1`,
          [fresh],
        )
      ).rows,
    ).toEqual([{ source: 'notice', status: null }]);
  });
});

describe('the row of a charge', () => {
  it('takes no step that is not one, is sent once and never forgets', async () => {
    const { planId } = await newPlan();
    await press(planId);
    const change = (set: string) =>
      merchant.owner.query(`UPDATE plan_charges SET ${set} WHERE plan_id = $1`, [planId]);
    await expect(change(`state = 'CHARGED'`)).rejects.toThrow(/no step from QUEUED to CHARGED/);
    await expect(change(`state = 'SENDING', sent_at = now()`)).rejects.toThrow(
      /the plan is read before/,
    );
    await expect(change('amount_minor = 1')).rejects.toThrow(/what was asked for never changes/);
    await change(`state = 'SENDING', sent_at = now(), charges_before = '[]'`);
    await expect(change(`state = 'QUEUED'`)).rejects.toThrow(/no step/);
    await expect(change(`sent_at = now() + interval '1 minute'`)).rejects.toThrow(/sent once/);
    await change(`state = 'UNKNOWN'`);
    await expect(change(`state = 'SENDING'`)).rejects.toThrow(/no step/);
    await expect(
      merchant.owner.query('DELETE FROM plan_charges WHERE plan_id = $1', [planId]),
    ).rejects.toThrow(/never deleted/);
    await expect(
      merchant.owner.query(
        `INSERT INTO plan_charges (id, merchant_id, plan_id, person_id, amount_minor, currency)
          VALUES (gen_random_uuid(), $1, $2, $3, 1, 'TRY')`,
        [merchant.merchantId, planId, clerk().personId],
      ),
    ).rejects.toThrow(/plan_charges_open/);
  });
});

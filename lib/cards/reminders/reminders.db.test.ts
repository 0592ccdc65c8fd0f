import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { captureEndsAt, lapsesAt } from '../payments/authorization.ts';
import { formatMoment } from '#lib/values/dates.ts';
import { aRecord } from '../operations/testing/payments.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';

/**
 * Reminders reach the people who may capture, in time. Time passes by backdating the
 * authorizations, because the clock is the database's own.
 */

const CAPTURE_HOURS = 19 * 24;
const LIFE_HOURS = 20 * 24;

let merchant: TestMerchant;
let web: Process;
let worker: Process;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ merchant, web, worker, close } = await openProduct());
});
afterAll(() => close());

type Part = {
  /** Null: unknown. */ ageHours: number | null;
  state?: string;
  invoice?: string;
};
async function hold({
  ageHours,
  state = 'held',
  invoice = `B-${randomUUID()}`,
}: Part): Promise<string> {
  const { rows } = await merchant.owner.query<{ id: string }>(
    `INSERT INTO card_payments (merchant_id, invoice_id, source, state, held_seen, amount_minor,
      held_since) VALUES ($1, $2, 'notice', $3, true, 10000,
      clock_timestamp() - make_interval(mins => $4)) RETURNING id`,
    [merchant.merchantId, invoice, state, ageHours === null ? null : Math.round(ageHours * 60)],
  );
  return rows[0]!.id;
}
const older = (hours: number) =>
  merchant.owner.query(
    'UPDATE card_payments SET held_since = held_since - make_interval(mins => $2) WHERE merchant_id = $1',
    [merchant.merchantId, hours * 60],
  );
const become = (id: string, state: string) =>
  merchant.owner.query('UPDATE card_payments SET state = $2 WHERE id = $1', [id, state]);
const remind = (mails = false) =>
  worker.remind.remindOfAuthorizations(merchant.merchantId, { mails });
const madeOf = async (id: string) =>
  (
    await merchant.owner.query<{ reminder: string }>(
      `SELECT audience || ' ' || hours AS reminder FROM card_reminders WHERE payment_id = $1
        ORDER BY made_at, hours DESC, audience`,
      [id],
    )
  ).rows.map((row) => row.reminder);
const shownTo = async (role: 'clerk' | 'approver' | 'owner' | 'support' | 'auditor', id: string) =>
  (await web.reminders.openReminders(merchant.person(role))).rows.filter(
    (row) => row.paymentId === id,
  );

it('every authorization is reminded of once at 72, 24 and 4 hours before its end, for up to 21 days', async () => {
  const holds = {
    kept: await hold({ ageHours: 0.5 }),
    captured: await hold({ ageHours: 0.5 }),
    released: await hold({ ageHours: 0.5 }),
    unknown: await hold({ ageHours: null }),
  };
  const early = await hold({ ageHours: 0.5 });
  const remindedAt: Record<string, string[]> = {};
  const queue = async () =>
    (await web.cardHolds.authorizationQueue(merchant.person('clerk'), { bucket: null, day: null }))
      .holds;
  for (let hour = 1; hour <= 21 * 24; hour += 1) {
    await older(1);
    if (hour === 5 * 24) await become(early, 'captured');
    if (hour === CAPTURE_HOURS - 30) await become(holds.captured, 'captured');
    if (hour === CAPTURE_HOURS - 10) await become(holds.released, 'cancelled');
    await remind();
    // A second run, as by a second worker, creates no more reminders.
    if (hour % 24 === 0) expect(await remind()).toBe(0);
    for (const [name, id] of Object.entries(holds)) {
      const known = (remindedAt[name] ??= []);
      for (const made of (await madeOf(id)).slice(known.length)) known.push(`${hour} ${made}`);
    }
    if (hour % 12 === 0 || hour > CAPTURE_HOURS - 80) {
      const inQueue = await queue();
      // The queue has every authorization, and shows those that lapsed as lapsed.
      expect(
        inQueue
          .filter((one) => one.bucket !== 'lapsed')
          .map((one) => one.id)
          .includes(holds.kept),
        `hour ${hour}`,
      ).toBe(hour + 0.5 < LIFE_HOURS);
      expect(inQueue.find((one) => one.id === holds.unknown)?.bucket).toBe('age_unknown');
      // The dialog of a payment whose record stays `held` allows a capture by the same rule as the
      // capture itself.
      const left = await web.cardLeft.remainingAmounts(merchant.person('owner'), holds.kept, {
        readRecord: async () => aRecord(),
      });
      expect(left).toMatchObject({
        stops: {
          capture:
            hour + 0.5 < CAPTURE_HOURS ? null : hour + 0.5 < LIFE_HOURS ? 'too_old' : 'lapsed',
        },
      });
      expect((await shownTo('clerk', holds.kept)).length, `hour ${hour}`).toBe(
        hour + 0.5 >= CAPTURE_HOURS - 72 && hour + 0.5 < LIFE_HOURS ? 1 : 0,
      );
    }
  }
  const first = CAPTURE_HOURS - 72;
  expect(remindedAt['kept']).toEqual([
    `${first} clerk 72`,
    `${CAPTURE_HOURS - 24} approver 24`,
    `${CAPTURE_HOURS - 24} clerk 24`,
    `${CAPTURE_HOURS - 4} clerk 4`,
  ]);
  expect(remindedAt['captured']).toEqual([`${first} clerk 72`]);
  expect(remindedAt['released']).toEqual([
    `${first} clerk 72`,
    `${CAPTURE_HOURS - 24} approver 24`,
    `${CAPTURE_HOURS - 24} clerk 24`,
  ]);
  expect(remindedAt['unknown']).toEqual([]);
  expect(await madeOf(early)).toEqual([]);
}, 180_000);

it('an authorization found late is reminded of once, at its nearest threshold, to all who may act', async () => {
  const [at10, at2, gone] = [
    await hold({ ageHours: CAPTURE_HOURS - 10 }),
    await hold({ ageHours: CAPTURE_HOURS - 2 }),
    await hold({ ageHours: LIFE_HOURS + 1 }),
  ];
  const [overHere, taken] = [
    await hold({ ageHours: CAPTURE_HOURS + 2 }),
    await hold({ ageHours: CAPTURE_HOURS - 10, state: 'captured' }),
  ];
  await remind();
  expect(await madeOf(at10)).toEqual(['approver 24', 'clerk 24']);
  expect(await madeOf(at2)).toEqual(['approver 4', 'clerk 4']);
  // This authorization is too old to be captured here, but not to be captured in the gateway's
  // panel.
  expect(await madeOf(overHere)).toEqual(['approver 4', 'clerk 4']);
  for (const id of [gone, taken]) expect(await madeOf(id)).toEqual([]);
});

it('the number of authorizations about to lapse is that of the queue that it opens', async () => {
  const clerk = merchant.person('clerk');
  const late = await hold({ ageHours: CAPTURE_HOURS + 2 });
  const ending = await hold({ ageHours: CAPTURE_HOURS - 30 });
  await remind();
  const only = web.reminders
    .stillOpen(await web.reminders.openReminders(clerk))
    .map(({ paymentId }) => paymentId);
  const { holds } = await web.cardHolds.authorizationQueue(
    clerk,
    { bucket: null, day: null },
    only,
  );
  expect(new Set(holds.map(({ id }) => id))).toEqual(new Set(only));
  expect([only.includes(ending), only.includes(late)]).toEqual([true, false]);
  expect(holds).toHaveLength(only.length);
});

it('eight workers at once make each reminder once', async () => {
  const id = await hold({ ageHours: CAPTURE_HOURS - 60 });
  await Promise.all(Array.from({ length: 8 }, () => remind()));
  expect(await madeOf(id)).toEqual(['clerk 72']);
});

it('the day that a person names for a hold of unknown age brings its reminder', async () => {
  const id = await hold({ ageHours: null });
  await remind();
  expect(await madeOf(id)).toEqual([]);
  expect((await web.reminders.openReminders(merchant.person('clerk'))).ageUnknown).toBeGreaterThan(
    0,
  );
  await merchant.owner.query(
    `UPDATE card_payments SET held_since = clock_timestamp() - make_interval(hours => $2) WHERE id = $1`,
    [id, CAPTURE_HOURS - 20],
  );
  await remind();
  expect(await madeOf(id)).toEqual(['approver 24', 'clerk 24']);
});

it('only people who may capture are reminded; one person’s reading hides no reminder from another', async () => {
  const id = await hold({ ageHours: CAPTURE_HOURS - 20 });
  await remind();
  for (const role of ['clerk', 'approver', 'owner'] as const)
    expect(await shownTo(role, id), role).toMatchObject([{ hours: 24, amount: '100.00' }]);
  for (const role of ['support', 'auditor'] as const) {
    expect(await shownTo(role, id)).toEqual([]);
    await expect(web.seeReminder.markReminderSeen(merchant.person(role), id)).rejects.toMatchObject(
      { code: 'not_allowed' },
    );
  }
  await web.seeReminder.markReminderSeen(merchant.person('clerk'), id);
  await web.seeReminder.markReminderSeen(merchant.person('clerk'), id);
  expect(await shownTo('clerk', id)).toEqual([]);
  expect(await shownTo('approver', id)).toHaveLength(1);
  const { rows } = await merchant.owner.query(
    `SELECT actor FROM audit_entries WHERE merchant_id = $1 AND action = 'card.reminder_seen'
      AND subject = $2`,
    [merchant.merchantId, `card:${id}`],
  );
  expect(rows).toEqual([{ actor: `person:${merchant.person('clerk').personId}` }]);
  await merchant.owner.query(
    'UPDATE card_payments SET held_since = clock_timestamp() - make_interval(hours => $2) WHERE id = $1',
    [id, CAPTURE_HOURS - 3],
  );
  await remind();
  expect(await shownTo('clerk', id)).toMatchObject([{ hours: 4 }]);
  await become(id, 'captured');
  for (const role of ['clerk', 'approver'] as const) expect(await shownTo(role, id)).toEqual([]);
});

it('says the last moment with its weekday in Istanbul, where a hold of 21:30 UTC ends on the next day', async () => {
  const since = Date.parse('2026-03-05T21:30:00Z');
  expect(formatMoment(new Date(captureEndsAt(since)).toISOString(), 'tr')).toBe(
    '25 Mar 2026 Çarşamba 00:30',
  );
  expect(formatMoment(new Date(lapsesAt(since)).toISOString(), 'en')).toBe(
    'Thursday 26 Mar 2026 00:30',
  );
});

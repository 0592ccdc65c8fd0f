import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { LONGEST_DUE, rowOf, setColumns } from '#lib/movements/testing/stored.ts';
import type * as Make from '#lib/notifications/make.ts';
import type * as Change from '#lib/people/change.ts';
import type * as View from '#lib/people/view.ts';
import { outcomeOf } from '#lib/people/testing/people.ts';
import { addPerson, adopt, aRule, openDesk, prepare, unguarded } from './testing/desk.ts';
import type { Desk } from './testing/desk.ts';

/** An approval counts while the person who gave it may sign in (docs/money-rules.md, I3). */

const TWO = { amountMinor: 30_000_000n };

let desk: Desk;
let make: typeof Make;
let people: typeof Change & typeof View;
let second: Person;
let third: Person;
beforeAll(async () => {
  desk = await openDesk(async () => {
    people = {
      ...(await import('#lib/people/change.ts')),
      ...(await import('#lib/people/view.ts')),
    };
  });
  make = await import('#lib/notifications/make.ts');
  second = await addPerson(desk, 'approver');
  third = await addPerson(desk, 'approver');
  await adopt(desk, [aRule(), aRule({ fromMinor: 25_000_000n, approvals: 2 })]);
});
afterAll(() => desk.close());
beforeEach(async () => {
  await desk.merchant.owner.query(
    `UPDATE movements SET next_at = NULL, lease_until = NULL, lease_token = NULL
      WHERE merchant_id = $1`,
    [desk.merchant.merchantId],
  );
  for (const one of [second, third, owner()]) await enable(one);
});

const owner = () => desk.merchant.person('owner');
const disabledAt = (sql: string) => (one: Person) =>
  desk.merchant.owner.query(`UPDATE people SET disabled_at = ${sql} WHERE id = $1`, [one.personId]);
const disable = disabledAt('clock_timestamp()');
const enable = disabledAt('NULL');
const stateOf = async (id: string) => (await rowOf(desk.merchant, id)).state;
const approve = async (who: Person, id: string, overrideReason: string | null = null) =>
  outcomeOf(
    desk.approve.approveMovement(
      who,
      { id, seenHash: (await rowOf(desk.merchant, id)).content_hash as string },
      { overrideReason, stepUpId: null },
    ),
  );
const shownTo = async (who: Person, id: string) =>
  (await desk.list.waitingMovements(who, { ids: [id] }))[0];
/** A worker's steps over this one movement; the names of what the provider was asked. */
async function work(id: string): Promise<string[]> {
  const provider = fakeProvider();
  await setColumns(desk.merchant, id, { next_at: LONGEST_DUE });
  await desk.worker.advance.advanceOne(fakePorts(desk.merchant.merchantId, provider));
  return provider.asked.filter((one) => one.id === id).map((one) => one.kind);
}
async function toldOf(id: string): Promise<string[]> {
  const { rows } = await desk.merchant.owner.query<{ person_id: string }>(
    `SELECT person_id FROM notifications WHERE kind = 'approval_asked' AND thing LIKE $1`,
    [`movement:${id}%`],
  );
  return rows.map((row) => row.person_id);
}

it('at the last approval: the one of a disabled person does not count, and another is asked', async () => {
  const id = await prepare(desk, TWO);
  expect(await approve(second, id)).toBe('given');
  await disable(second);
  expect(await shownTo(third, id)).toMatchObject({ given: 0, needed: 2, barred: null });
  expect(await approve(third, id)).toBe('given');
  expect(await shownTo(owner(), id)).toMatchObject({ given: 1, needed: 2, barred: null });
  expect(await approve(owner(), id)).toBe('approved');
  expect(await work(id)).toEqual(['send']);
});

it('before the send: nothing leaves, it waits again, and another person approves it', async () => {
  const id = await prepare(desk);
  expect(await approve(second, id)).toBe('approved');
  await disable(second);
  expect(await work(id)).toEqual([]);
  expect(await rowOf(desk.merchant, id)).toMatchObject({
    state: 'AWAITING_APPROVAL',
    sends: 0,
    alert: null,
  });
  expect(await shownTo(third, id)).toMatchObject({ given: 0, needed: 1, barred: null });
  expect(await approve(third, id)).toBe('approved');
  expect(await work(id)).toEqual(['send']);
});

it('before the send: disabling makes the worker look at once, and leaves others their time', async () => {
  const ids = [await prepare(desk), await prepare(desk), await prepare(desk, TWO)];
  const [lapsed, byThird, waits] = ids as [string, string, string];
  expect(await approve(second, lapsed)).toBe('approved');
  expect(await approve(third, byThird)).toBe('approved');
  expect(await approve(second, waits)).toBe('given');
  const later = new Date(Date.now() + 60 * 60_000);
  for (const id of [lapsed, byThird]) await setColumns(desk.merchant, id, { next_at: later });
  const view = await people.viewPerson(owner(), second.personId);
  expect(view?.ends).toMatchObject({ lastSecond: false, approvals: 2, deputyships: [] });
  await people.changePerson(owner(), second.personId, { kind: 'disable' }, 'has left us');
  const dueAt = async (id: string) => (await rowOf(desk.merchant, id)).next_at as Date;
  expect((await dueAt(lapsed)).getTime()).toBeLessThanOrEqual(Date.now());
  expect(await dueAt(byThird)).toEqual(later);
  const provider = fakeProvider();
  await desk.worker.advance.advanceOne(fakePorts(desk.merchant.merchantId, provider));
  expect(await stateOf(lapsed)).toBe('AWAITING_APPROVAL');
});

it('before the send: who is disabled in another account of the same login has approved nothing', async () => {
  const other = await addPerson(desk, 'clerk');
  await desk.merchant.owner.query('UPDATE people SET provider_user_id = $1 WHERE id = ANY($2)', [
    other.personId,
    [other.personId, second.personId],
  ]);
  const [due, given] = [await prepare(desk), await prepare(desk, TWO)];
  expect(await approve(second, due)).toBe('approved');
  expect(await approve(second, given)).toBe('given');
  await setColumns(desk.merchant, due, { next_at: new Date(Date.now() + 60 * 60_000) });
  await people.changePerson(owner(), other.personId, { kind: 'disable' }, 'has left us');
  const dueAt = (await rowOf(desk.merchant, due)).next_at as Date;
  expect(dueAt.getTime()).toBeLessThanOrEqual(Date.now());
  expect(await work(due)).toEqual([]);
  expect(await stateOf(due)).toBe('AWAITING_APPROVAL');
  expect(await shownTo(third, given)).toMatchObject({ given: 0, needed: 2, barred: null });
  expect(await approve(third, due)).toBe('approved');
  expect(await work(due)).toEqual(['send']);
  await enable(other);
});

it('before the send: who may approve it is told a second time that it waits', async () => {
  const { merchantId } = desk.merchant;
  const id = await prepare(desk);
  await make.makeNotifications(merchantId, { mails: false });
  const before = await toldOf(id);
  expect(before).toContain(third.personId);
  expect(await approve(second, id)).toBe('approved');
  await disable(second);
  await work(id);
  await make.makeNotifications(merchantId, { mails: false });
  const again = (await toldOf(id)).filter((one) => one === third.personId);
  expect(again).toHaveLength(2);
});

it('the database refuses the last step and the send', async () => {
  const id = await prepare(desk);
  expect(await approve(second, id)).toBe('approved');
  await disable(second);
  const send = () => setColumns(desk.merchant, id, { state: 'SUBMITTING', sends: 1 });
  await expect(send()).rejects.toMatchObject({ code: 'MV011' });
  await unguarded(desk, `UPDATE movements SET state = 'AWAITING_APPROVAL' WHERE id = '${id}'`);
  const step = () => setColumns(desk.merchant, id, { state: 'APPROVED' });
  await expect(step()).rejects.toMatchObject({ code: 'MV011' });
  await enable(second);
  await step();
  await send();
});

it('an owner’s release counts no longer than an approval', async () => {
  const id = await prepare(desk, TWO);
  expect(await approve(owner(), id, 'the second is ill')).toBe('approved');
  await disable(owner());
  expect(await work(id)).toEqual([]);
  expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
});

it('enabled again before the worker looks: it leaves', async () => {
  const id = await prepare(desk);
  expect(await approve(second, id)).toBe('approved');
  await disable(second);
  await enable(second);
  expect(await work(id)).toEqual(['send']);
});

it('the menu counts what the list says waits for a person, also where all approvals are there', async () => {
  const counts = async (...people: Person[]): Promise<void> => {
    for (const who of people) {
      const rows = await desk.list.waitingMovements(who);
      const own = rows.filter((row) => row.barred === null);
      expect(await desk.list.countWaitingFor(who)).toBe(own.length);
      if (who === second || who === third)
        for (const row of own) expect(row.mayApprove).toContain(who.name);
    }
  };
  const [id, given] = [await prepare(desk, TWO), await prepare(desk, TWO)];
  await approve(second, id);
  await approve(second, given);
  await disable(second);
  await approve(third, id);
  const others = [third, owner(), desk.merchant.person('approver')];
  await counts(...others);
  await enable(second);
  await counts(second, ...others);
  const ofSecond = await desk.list.waitingMovements(second);
  const barred = (one: string) => ofSecond.find((row) => row.id === one)?.barred;
  expect([barred(id), barred(given)]).toEqual([null, 'given']);
});

it('enabled again later: it counts, and one press of anybody who may approve completes it', async () => {
  const id = await prepare(desk, TWO);
  expect(await approve(second, id)).toBe('given');
  await disable(second);
  expect(await approve(third, id)).toBe('given');
  await enable(second);
  expect(await shownTo(third, id)).toMatchObject({ given: 2, needed: 2, barred: null });
  const names = (await shownTo(third, id))!.mayApprove;
  expect(names).toEqual(expect.arrayContaining([second.name, third.name]));
  expect(names).not.toContain(desk.merchant.person('clerk').name);
  const maker = desk.merchant.person('clerk');
  expect(await approve(maker, id)).toBe('not_allowed');
  expect(await approve(third, id)).toBe('approved');
  expect(await work(id)).toEqual(['send']);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addPerson,
  adopt,
  aRule,
  openDesk,
  prepare,
  unguarded,
} from '#lib/approvals/testing/desk.ts';
import type { Desk } from '#lib/approvals/testing/desk.ts';
import type { Person, Role } from '#lib/access/actor.ts';
import { rowOf } from '#lib/movements/testing/stored.ts';
import type * as Change from '#lib/people/change.ts';
import { runOut, storedDeputyship } from '#lib/people/testing/deputies.ts';
import type * as Make from './make.ts';

/** Who is told of a payment that waits for approval, and of one that was sent back. */

let desk: Desk;
let make: typeof Make;
let people: typeof Change;
let secondApprover: Person;
beforeAll(async () => {
  desk = await openDesk(async () => {
    people = await import('#lib/people/change.ts');
  });
  make = await import('./make.ts');
  secondApprover = await addPerson(desk, 'approver');
  await adopt(desk, [aRule(), aRule({ fromMinor: 25_000_000n, approvals: 2, who: 'owner' })]);
});
afterAll(() => desk.close());

const idOf = (role: Role): string => desk.merchant.person(role).personId;

/** The people who are told of this movement by this kind, after the worker's job has run. */
async function toldOf(kind: string, movement: string): Promise<Set<string>> {
  await make.makeNotifications(desk.merchant.merchantId, { mails: false });
  const { rows } = await desk.merchant.owner.query<{ person_id: string }>(
    'SELECT person_id FROM notifications WHERE merchant_id = $1 AND kind = $2 AND thing = $3',
    [desk.merchant.merchantId, kind, `movement:${movement}`],
  );
  return new Set(rows.map((row) => row.person_id));
}

it('what waits for approval is told to everybody who may approve it, and not to its maker', async () => {
  const ofClerk = await prepare(desk);
  expect(await toldOf('approval_asked', ofClerk)).toEqual(
    new Set([idOf('approver'), idOf('owner'), secondApprover.personId]),
  );
  const ofApprover = await prepare(desk, {}, 'approver');
  expect(await toldOf('approval_asked', ofApprover)).toEqual(
    new Set([idOf('owner'), secondApprover.personId]),
  );
  const forOwners = await prepare(desk, { amountMinor: 30_000_000n });
  expect(await toldOf('approval_asked', forOwners)).toEqual(new Set([idOf('owner')]));
  const small = await prepare(desk, { amountMinor: 100_000n });
  expect(await toldOf('approval_asked', small), 'needs no approval').toEqual(new Set());
});

it('a deputyship is told to its two people, and what waits then to the deputy as well', async () => {
  const deputy = await addPerson(desk, 'clerk');
  const id = await storedDeputyship(desk.merchant, deputy, desk.merchant.person('approver'));
  const ofClerk = await prepare(desk);
  expect(await toldOf('approval_asked', ofClerk)).toContain(deputy.personId);
  const ofRepresented = await prepare(desk, {}, 'approver');
  expect(await toldOf('approval_asked', ofRepresented)).not.toContain(deputy.personId);
  const { rows } = await desk.merchant.owner.query(
    `SELECT person_id, detail ->> 'of' AS of FROM notifications WHERE thing = $1`,
    [`deputy:${id}`],
  );
  const of = desk.merchant.person('approver').email;
  expect(new Set(rows.map(({ person_id: one }) => one))).toEqual(
    new Set([deputy.personId, idOf('approver')]),
  );
  expect(rows.map((row) => row.of)).toEqual([of, of]);
  await desk.merchant.owner.query('UPDATE deputyships SET ended_at = now() WHERE id = $1', [id]);
});

it('the end of a deputyship is told to its two people, whether its time is over or it was ended', async () => {
  const toldOfEnd = async (id: string): Promise<Set<string>> => {
    await make.makeNotifications(desk.merchant.merchantId, { mails: false });
    const { rows } = await desk.merchant.owner.query<{ person_id: string }>(
      `SELECT person_id FROM notifications WHERE kind = 'deputy_ended' AND thing = $1`,
      [`deputy:${id}`],
    );
    return new Set(rows.map((row) => row.person_id));
  };
  const deputy = await addPerson(desk, 'clerk');
  const two = new Set([deputy.personId, secondApprover.personId]);
  const over = await storedDeputyship(desk.merchant, deputy, secondApprover);
  expect(await toldOfEnd(over), 'while it lasts').toEqual(new Set());
  await runOut(desk.merchant, over);
  expect(await toldOfEnd(over)).toEqual(two);
  const ended = await storedDeputyship(desk.merchant, deputy, secondApprover);
  await desk.merchant.owner.query('UPDATE deputyships SET ended_at = now() WHERE id = $1', [ended]);
  expect(await toldOfEnd(ended)).toEqual(two);
});

it('what is sent back is told to its maker alone, and what the maker withdraws to nobody', async () => {
  const id = await prepare(desk);
  const seenHash = (await rowOf(desk.merchant, id)).content_hash as string;
  const reason = 'The invoice is missing';
  await desk.sendBack.sendBackMovement(secondApprover, { id, seenHash, reason });
  expect(await toldOf('movement_sent_back', id)).toEqual(new Set([idOf('clerk')]));
  const withdrawn = await prepare(desk);
  await desk.web.cancel.cancelMovement(desk.merchant.person('clerk'), withdrawn);
  expect(await toldOf('movement_sent_back', withdrawn)).toEqual(new Set());
});

it('what runs out unapproved is told to its maker alone', async () => {
  const id = await prepare(desk);
  expect(await toldOf('approval_expired', id)).toEqual(new Set());
  await unguarded(
    desk,
    `UPDATE movements SET state = 'EXPIRED', state_since = now() WHERE id = '${id}'`,
  );
  expect(await toldOf('approval_expired', id)).toEqual(new Set([idOf('clerk')]));
});

it('what an owner releases alone is told to its maker, with the owner’s name', async () => {
  const id = await prepare(desk, { amountMinor: 30_000_000n });
  const seenHash = (await rowOf(desk.merchant, id)).content_hash as string;
  const release = { overrideReason: 'the others are away', stepUpId: null };
  const owner = desk.merchant.person('owner');
  expect(await desk.approve.approveMovement(owner, { id, seenHash }, release)).toBe('approved');
  expect(await toldOf('movement_released', id)).toEqual(new Set([idOf('clerk')]));
  const { rows } = await desk.merchant.owner.query(
    `SELECT detail ->> 'by' AS by FROM notifications
      WHERE kind = 'movement_released' AND merchant_id = $1`,
    [desk.merchant.merchantId],
  );
  expect(rows).toEqual([{ by: owner.email }]);
});

it('what fewer people can approve than are missing is told to the owners', async () => {
  const forTwoOwners = await prepare(desk, { amountMinor: 30_000_000n });
  expect(await toldOf('nobody_can_approve', forTwoOwners)).toEqual(new Set([idOf('owner')]));
  const ordinary = await prepare(desk);
  expect(await toldOf('nobody_can_approve', ordinary)).toEqual(new Set());
});

/** Gives these accounts a common login, and disables one of them. */
const login = (ids: string[], name: string | null, disabled: string | null) =>
  desk.merchant.owner.query(
    `UPDATE people SET provider_user_id = $2, disabled_at = CASE WHEN id = $3 THEN now() END
      WHERE id = ANY($1)`,
    [ids, name, disabled],
  );

it('who is disabled in another account of the same login counts as nobody who can approve', async () => {
  const [owner, auditor] = [desk.merchant.person('owner'), desk.merchant.person('auditor')];
  const other = await addPerson(desk, 'owner');
  const both = [other.personId, auditor.personId];
  const id = await prepare(desk, { amountMinor: 30_000_000n });
  expect(await toldOf('nobody_can_approve', id), 'two owners can').toEqual(new Set());
  await login(both, 'one login', auditor.personId);
  expect(await toldOf('nobody_can_approve', id)).toEqual(new Set([owner.personId]));
  const [waiting] = await desk.list.waitingMovements(owner, { ids: [id] });
  expect(waiting).toMatchObject({ mayApprove: [owner.email], lacksPeople: true });
  await login(both, null, other.personId);
});

/** The people who are told of the request about this person. */
async function toldOfRequest(person: Person): Promise<string[]> {
  await make.makeNotifications(desk.merchant.merchantId, { mails: false });
  const { rows } = await desk.merchant.owner.query<{ person_id: string }>(
    `SELECT n.person_id FROM notifications n JOIN second_person_requests r
      ON n.thing LIKE 'request:' || r.id || ':%'
      WHERE n.kind = 'second_person_asked' AND r.subject_id = $1`,
    [person.personId],
  );
  return rows.map((row) => row.person_id).sort();
}

it('what waits for a second person is told to who may be it, once', async () => {
  const [owner, approver] = [desk.merchant.person('owner'), desk.merchant.person('approver')];
  const clerk = await addPerson(desk, 'clerk');
  const ask = (one: Person, role: Role) =>
    people.changePerson(owner, one.personId, { kind: 'role', role }, 'a bigger team');
  expect(await ask(clerk, 'approver')).toBe('asked');
  const seconds = [approver.personId, secondApprover.personId].sort();
  expect(await toldOfRequest(clerk)).toEqual(seconds);
  expect(await ask(approver, 'owner')).toBe('asked');
  expect(await toldOfRequest(approver), 'not who it is about').toEqual([secondApprover.personId]);
  expect(await toldOfRequest(clerk)).toEqual(seconds);
});

it('what only somebody whose login is disabled in another account has asked is told to nobody', async () => {
  const [owner, auditor] = [desk.merchant.person('owner'), desk.merchant.person('auditor')];
  const clerk = await addPerson(desk, 'clerk');
  const change = { kind: 'role', role: 'approver' } as const;
  const asked = await people.changePerson(owner, clerk.personId, change, 'a bigger team');
  expect(asked).toBe('asked');
  const both = [owner.personId, auditor.personId];
  await login(both, 'one login', auditor.personId);
  const barred = await toldOfRequest(clerk);
  await login(both, null, null);
  expect(barred).toEqual([]);
  expect(await toldOfRequest(clerk), 'the word counts again').toHaveLength(2);
});

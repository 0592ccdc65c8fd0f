import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person, Role } from '#lib/access/actor.ts';
import { aged } from '#lib/second-person/testing/aged.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { addDays, dayIn, dayRange } from '#lib/values/dates.ts';
import type * as WaitingList from '#lib/waiting/list.ts';
import type * as Change from './change.ts';
import type * as Confirm from './confirm.ts';
import type * as Deputies from './deputies.ts';
import type * as End from './end-deputy.ts';
import type * as Name from './name-deputy.ts';
import type * as View from './view.ts';
import type * as Waiting from './waiting.ts';
import { runOut } from './testing/deputies.ts';
import { addedPerson, outcomeOf } from './testing/people.ts';

let merchant: TestMerchant;
let web: Process;
let verbs: typeof Change &
  typeof Confirm &
  typeof Deputies &
  typeof End &
  typeof Name &
  typeof View &
  typeof Waiting &
  typeof WaitingList;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  verbs = {
    ...(await import('./change.ts')),
    ...(await import('./confirm.ts')),
    ...(await import('./deputies.ts')),
    ...(await import('./end-deputy.ts')),
    ...(await import('./name-deputy.ts')),
    ...(await import('./view.ts')),
    ...(await import('./waiting.ts')),
    ...(await import('#lib/waiting/list.ts')),
  };
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

const WHY = 'on leave until then';
const TODAY = dayIn(new Date().toISOString());
const IN_TEN = addDays(TODAY, 10);

type Pair = { away: Person; deputy: Person };
const aPair = async (role: Role = 'approver'): Promise<Pair> => ({
  away: await addedPerson(merchant, role),
  deputy: await addedPerson(merchant, 'clerk'),
});
const name = (actor: Person, { away, deputy }: Pair, firstDay = TODAY, lastDay = IN_TEN) =>
  outcomeOf(
    verbs.nameDeputy(actor, {
      personId: away.personId,
      deputyId: deputy.personId,
      firstDay,
      lastDay,
      reason: WHY,
    }),
  );
const confirm = (actor: Person, id: string) =>
  outcomeOf(verbs.confirmPeopleChange(actor, { kind: 'deputy', id }, 'stand_in'));
const end = (actor: Person, id: string) => outcomeOf(verbs.endDeputyship(actor, id));

async function idOf({ deputy }: Pair): Promise<string> {
  const { rows } = await merchant.owner.query(
    'SELECT id FROM deputyships WHERE deputy_id = $1 ORDER BY asked_at DESC LIMIT 1',
    [deputy.personId],
  );
  return rows[0].id;
}

/** A pair with a deputyship that the owner has confirmed. */
async function agreed(role: Role = 'approver', firstDay = TODAY): Promise<Pair & { id: string }> {
  const pair = await aPair(role);
  expect(await name(merchant.person('owner'), pair, firstDay)).toBe('asked');
  const id = await idOf(pair);
  expect(await confirm(merchant.person('approver'), id)).toBeUndefined();
  return { ...pair, id };
}

/** For whom a person stands in at an instant, by the database's own function. */
async function standsInFor({ deputy }: Pair, at = new Date().toISOString()): Promise<unknown> {
  const { rows } = await merchant.owner.query('SELECT deputy_for($1, $2) AS of', [
    deputy.personId,
    at,
  ]);
  return rows[0].of;
}

async function trail({ personId }: Person): Promise<string[]> {
  const { rows } = await merchant.owner.query(
    'SELECT action FROM audit_entries WHERE subject = $1 ORDER BY seq',
    [`person:${personId}`],
  );
  return rows.map((row) => row.action);
}

describe('a deputy is named by one person and confirmed by a second', () => {
  it('counts only once it is confirmed, and both steps are audited', async () => {
    const pair = await aPair();
    expect(await name(pair.away, pair)).toBe('asked');
    expect(await standsInFor(pair), 'not yet').toBeNull();
    const id = await idOf(pair);
    expect(await confirm(pair.away, id), 'not who asked').toBe('second_person_needed');
    expect(await confirm(merchant.person('approver'), id), 'an owner is one of the two').toBe(
      'change_owner_needed',
    );
    expect(await confirm(merchant.person('owner'), id)).toBeUndefined();
    expect(await standsInFor(pair)).toBe(pair.away.personId);
    expect(await trail(pair.deputy)).toEqual(['person.deputy_named', 'person.deputy_confirmed']);
  });

  it('who is represented may be the second person, where an owner named the deputy', async () => {
    const pair = await aPair();
    expect(await name(merchant.person('owner'), pair)).toBe('asked');
    expect(await confirm(pair.away, await idOf(pair))).toBeUndefined();
    expect(await standsInFor(pair)).toBe(pair.away.personId);
  });

  it('an approver names one for nobody else, and other roles for nobody', async () => {
    const pair = await aPair();
    for (const role of ['clerk', 'approver', 'support', 'auditor'] as const)
      expect(await name(merchant.person(role), pair), role).toBe('not_allowed');
    const own = { ...pair, away: pair.deputy };
    expect(await name(pair.deputy, own), 'a clerk has none').toBe('not_allowed');
  });

  it('a clerk is a deputy, of an approver or an owner, and both may sign in', async () => {
    const owner = merchant.person('owner');
    for (const role of ['approver', 'owner', 'support', 'auditor'] as const) {
      const deputy = await addedPerson(merchant, role);
      const pair = { away: merchant.person('approver'), deputy };
      expect(await name(owner, pair), role).toBe('deputy_people');
    }
    for (const role of ['clerk', 'support', 'auditor'] as const) {
      const pair = { ...(await aPair()), away: await addedPerson(merchant, role) };
      expect(await name(owner, pair), `of ${role}`).toBe('deputy_people');
    }
    const gone = await aPair();
    await merchant.owner.query('UPDATE people SET disabled_at = now() WHERE id = $1', [
      gone.deputy.personId,
    ]);
    expect(await name(owner, gone)).toBe('deputy_people');
  });

  it('asks for a reason and for a period of 90 days at most', async () => {
    const pair = await aPair();
    const owner = merchant.person('owner');
    expect(await name(owner, pair, addDays(TODAY, -1))).toBe('deputy_period');
    expect(await name(owner, pair, TODAY, addDays(TODAY, 90))).toBe('deputy_period');
    expect(await name(owner, pair, TODAY, '')).toBe('deputy_period');
    const named = { personId: pair.away.personId, deputyId: pair.deputy.personId };
    const days = { firstDay: TODAY, lastDay: IN_TEN };
    const asked = verbs.nameDeputy(owner, { ...named, ...days, reason: ' ' });
    expect(await outcomeOf(asked)).toBe('stop_reason_needed');
    expect(await name(owner, pair, TODAY, addDays(TODAY, 89))).toBe('asked');
  });

  it('waits once, lapses after a day, and is shown where second people look', async () => {
    const pair = await aPair();
    const owner = merchant.person('owner');
    expect(await name(owner, pair)).toBe('asked');
    expect(await name(owner, pair)).toBe('change_waiting');
    const id = await idOf(pair);
    const waiting = await verbs.listWaitingChanges(merchant.person('approver'));
    expect(waiting.find(({ subject }) => subject.id === id)).toMatchObject({
      subject: { kind: 'deputy' },
      who: pair.deputy.name,
      change: { kind: 'deputy', of: pair.away.name, firstDay: TODAY, lastDay: IN_TEN },
      can: { confirm: true, end: true },
    });
    const items = await verbs.listWaiting(merchant.person('approver'));
    expect(items.find(({ facts }) => facts['id'] === id)).toMatchObject({
      kind: 'deputy',
      claim: 'stand_in',
      viewer: 'may_confirm',
      href: '/people',
    });
    await aged(merchant, 25);
    expect(await confirm(merchant.person('approver'), id)).toBe('release_not_asked');
    expect(await name(owner, pair), 'it is asked for anew').toBe('asked');
  });

  it('the database takes no confirmation without a second person, and no change', async () => {
    const pair = await aPair();
    await name(pair.away, pair);
    const id = await idOf(pair);
    const asWeb = (set: string) =>
      web.db.inTransaction(merchant.merchantId, (tx) =>
        tx.$executeRaw(web.db.sql([`UPDATE deputyships SET ${set} WHERE id = '${id}'`] as never)),
      );
    await expect(asWeb('confirmed_at = now()')).rejects.toMatchObject({ code: 'MV066' });
    await expect(asWeb('last_day = last_day + 1')).rejects.toMatchObject({ code: '42501' });
    const asOwner = (statement: string) => merchant.owner.query(statement, [id]);
    await expect(
      asOwner('UPDATE deputyships SET last_day = last_day + 1 WHERE id = $1'),
    ).rejects.toMatchObject({ code: 'MV065' });
    await expect(asOwner('DELETE FROM deputyships WHERE id = $1')).rejects.toMatchObject({
      code: 'MV065',
    });
  });
});

describe('the period of a deputyship', () => {
  it('begins and ends at midnight in Istanbul', async () => {
    const first = addDays(TODAY, 3);
    const pair = await agreed('owner', first);
    const before = (iso: string) => new Date(Date.parse(iso) - 1).toISOString();
    const { from } = dayRange(first);
    const { to } = dayRange(IN_TEN);
    expect(from.slice(11), 'three hours before midnight UTC').toBe('21:00:00.000Z');
    expect(await standsInFor(pair), 'today').toBeNull();
    expect(await standsInFor(pair, before(from))).toBeNull();
    expect(await standsInFor(pair, from)).toBe(pair.away.personId);
    expect(await standsInFor(pair, before(to))).toBe(pair.away.personId);
    expect(await standsInFor(pair, to)).toBeNull();
  });

  it('is not shared: one deputy of a person, and one person of a deputy, at a time', async () => {
    const pair = await agreed();
    const owner = merchant.person('owner');
    const another = await aPair();
    expect(await name(owner, { ...pair, deputy: another.deputy })).toBe('deputy_overlaps');
    expect(await name(owner, { ...pair, away: another.away })).toBe('deputy_overlaps');
    const [next, last] = [addDays(IN_TEN, 1), addDays(IN_TEN, 2)];
    expect(await name(owner, pair, IN_TEN, last)).toBe('deputy_overlaps');
    expect(await name(owner, pair, next, last), 'the day after it').toBe('asked');
  });

  it('two requests for the same days are not both confirmed', async () => {
    const [one, two] = [await aPair(), await aPair()];
    const owner = merchant.person('owner');
    await name(owner, one);
    // Asked for while the first one still waits: only the request of a person waits alone.
    const id = await idOf(one);
    await aged(merchant, 25);
    const other = { away: one.away, deputy: two.deputy };
    await name(owner, other);
    expect(await confirm(one.away, await idOf(other))).toBeUndefined();
    expect(await confirm(one.away, id)).toBe('deputy_overlaps');
  });
});

describe('a deputyship ends', () => {
  it('at once by either of the two or by an owner, and by nobody else', async () => {
    for (const by of ['away', 'deputy', 'owner'] as const) {
      const pair = await agreed();
      for (const role of ['clerk', 'approver', 'support', 'auditor'] as const)
        expect(await end(merchant.person(role), pair.id), role).toBe('not_allowed');
      expect(await end(by === 'owner' ? merchant.person(by) : pair[by], pair.id)).toBeUndefined();
      expect(await standsInFor(pair)).toBeNull();
      expect(await trail(pair.deputy)).toContain('person.deputy_ended');
      expect(await end(merchant.person('owner'), pair.id)).toBe('deputy_ended');
    }
  });

  it('while it waits, by everybody who could confirm it', async () => {
    const pair = await aPair();
    await name(merchant.person('owner'), pair);
    const id = await idOf(pair);
    expect(await end(merchant.person('auditor'), id)).toBe('not_allowed');
    expect(await end(merchant.person('approver'), id)).toBeUndefined();
    expect(await confirm(pair.away, id)).toBe('deputy_ended');
  });

  it('when either of the two is disabled, and does not come back with them', async () => {
    for (const who of ['away', 'deputy'] as const) {
      const pair = await agreed();
      const owner = merchant.person('owner');
      await verbs.changePerson(owner, pair[who].personId, { kind: 'disable' }, WHY);
      expect(await standsInFor(pair), who).toBeNull();
      await merchant.owner.query('UPDATE people SET disabled_at = NULL WHERE id = $1', [
        pair[who].personId,
      ]);
      expect(await standsInFor(pair), `${who} is enabled again`).toBeNull();
      expect(await trail(pair.deputy)).toContain('person.deputy_ended');
    }
  });

  it('when either of the two is disabled in another account of the same login', async () => {
    for (const who of ['away', 'deputy'] as const) {
      const pair = await agreed();
      const other = await addedPerson(merchant, 'support');
      await merchant.owner.query('UPDATE people SET provider_user_id = $1 WHERE id = ANY($2)', [
        randomUUID(),
        [pair[who].personId, other.personId],
      ]);
      const owner = merchant.person('owner');
      const named = [{ person: pair.away.name, deputy: pair.deputy.name }];
      const page = await verbs.viewPerson(owner, other.personId);
      expect(page?.ends.deputyships, 'the page of the other account says so').toEqual(named);
      await verbs.changePerson(owner, other.personId, { kind: 'disable' }, WHY);
      await merchant.owner.query('UPDATE people SET disabled_at = NULL WHERE id = $1', [
        other.personId,
      ]);
      expect(await standsInFor(pair), `${who} is enabled again`).toBeNull();
      expect(await trail(pair.deputy)).toContain('person.deputy_ended');
    }
  });

  it('when either of the two gets a role that does not fit', async () => {
    const pair = await agreed();
    const owner = merchant.person('owner');
    await verbs.changePerson(owner, pair.away.personId, { kind: 'role', role: 'clerk' }, WHY);
    expect(await standsInFor(pair)).toBeNull();
    const { rows } = await merchant.owner.query(
      'SELECT ended_at IS NOT NULL AS ended FROM deputyships WHERE id = $1',
      [pair.id],
    );
    expect(rows).toEqual([{ ended: true }]);
  });

  it('by itself: afterwards it is no longer listed and cannot be ended', async () => {
    const pair = await agreed();
    const listed = async () =>
      (await verbs.listDeputies(merchant.person('auditor'))).rows.map(({ id }) => id);
    expect(await listed()).toContain(pair.id);
    expect(await verbs.listOwnDeputyships(pair.deputy)).toMatchObject([
      { person: pair.away.name, lastDay: IN_TEN, isNow: true, own: 'deputy', can: { end: true } },
    ]);
    await runOut(merchant, pair.id);
    expect(await listed()).not.toContain(pair.id);
    expect(await end(pair.deputy, pair.id)).toBe('deputy_ended');
  });
});

it('the list lets an owner name for all, an approver for themselves, an auditor for nobody', async () => {
  const able = async (role: Role) =>
    (await verbs.listDeputies(merchant.person(role))).choices.people.map(({ id }) => id);
  expect(await able('approver')).toEqual([merchant.person('approver').personId]);
  expect(await able('owner')).toContain(merchant.person('approver').personId);
  expect(await able('auditor')).toEqual([]);
});

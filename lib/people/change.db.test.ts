import { randomUUID } from 'node:crypto';
import { raw } from '@prisma/client-runtime-utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES } from '#lib/access/actor.ts';
import type { Person, Role } from '#lib/access/actor.ts';
import { aged } from '#lib/second-person/testing/aged.ts';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Change from './change.ts';
import type * as Confirm from './confirm.ts';
import type * as EndSessions from './end-sessions.ts';
import type * as Waiting from './waiting.ts';
import type * as View from './view.ts';
import { widens } from './rules.ts';
import type { PersonChange } from './rules.ts';
import { addedPerson, openedSession, outcomeOf } from './testing/people.ts';

let merchant: TestMerchant;
let other: TestMerchant;
let web: Process;
let verbs: typeof Change & typeof Confirm & typeof EndSessions & typeof Waiting & typeof View;

beforeAll(async () => {
  other = await testMerchant();
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  verbs = {
    ...(await import('./change.ts')),
    ...(await import('./confirm.ts')),
    ...(await import('./end-sessions.ts')),
    ...(await import('./waiting.ts')),
    ...(await import('./view.ts')),
  };
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close(), other.close()]);
});

const WHY = 'a reason long enough';
const change = (actor: Person, { personId }: Person, to: PersonChange, reason = WHY) =>
  outcomeOf(verbs.changePerson(actor, personId, to, reason));
const confirm = (actor: Person, { personId: id }: Person, claim: string) =>
  outcomeOf(verbs.confirmPeopleChange(actor, { kind: 'person', id }, claim));
const end = (actor: Person, { personId }: Person) =>
  outcomeOf(verbs.endPeopleRequest(actor, personId));
const role = (to: Role): PersonChange => ({ kind: 'role', role: to });
const DISABLE: PersonChange = { kind: 'disable' };
const ENABLE: PersonChange = { kind: 'enable' };

async function stored({ personId }: Person): Promise<[role: string, disabled: boolean]> {
  const { rows } = await merchant.owner.query(
    'SELECT role, disabled_at IS NOT NULL AS disabled FROM people WHERE id = $1',
    [personId],
  );
  return [rows[0].role, rows[0].disabled];
}

/** The actions of the audit log about a person, oldest first. */
async function trail({ personId }: Person): Promise<string[]> {
  const { rows } = await merchant.owner.query(
    'SELECT action FROM audit_entries WHERE subject = $1 ORDER BY seq',
    [`person:${personId}`],
  );
  return rows.map((row) => row.action);
}

describe('a change that takes rights away', () => {
  it('is made by one owner at once, with its audit row', async () => {
    const person = await addedPerson(merchant, 'approver');
    expect(await change(merchant.person('owner'), person, role('clerk'))).toBe('done');
    expect(await change(merchant.person('owner'), person, DISABLE)).toBe('done');
    expect(await stored(person)).toEqual(['clerk', true]);
    expect(await trail(person)).toEqual(['person.role_changed', 'person.disabled']);
  });

  it('by disabling ends all sessions and devices of the person, and nobody else’s', async () => {
    const person = await addedPerson(merchant, 'clerk');
    const bystander = await addedPerson(merchant, 'clerk');
    const sessions = [
      await openedSession(merchant, person.personId),
      await openedSession(merchant, person.personId),
    ];
    const kept = await openedSession(merchant, bystander.personId);
    await merchant.owner.query(
      'INSERT INTO known_devices (id, merchant_id, person_id) VALUES (gen_random_uuid(), $1, $2)',
      [merchant.merchantId, person.personId],
    );
    expect(await change(merchant.person('owner'), person, DISABLE)).toBe('done');
    const { rows } = await merchant.owner.query(
      'SELECT id FROM sessions WHERE id = ANY($1) AND revoked_at IS NULL',
      [[...sessions, kept]],
    );
    expect(rows).toEqual([{ id: kept }]);
    const devices = await merchant.owner.query(
      'SELECT 1 FROM known_devices WHERE person_id = $1 AND revoked_at IS NULL',
      [person.personId],
    );
    expect(devices.rowCount).toBe(0);
    const ended = await merchant.owner.query(
      `SELECT count(*)::int AS n FROM audit_entries WHERE action = 'session.ended' AND subject = ANY($1)`,
      [sessions.map((id) => `session:${id}`)],
    );
    expect(ended.rows).toEqual([{ n: 2 }]);
  });

  it('by disabling ends the sessions of the other accounts of the same login, and no others', async () => {
    const [person, second, bystander] = [
      await addedPerson(merchant, 'clerk'),
      await addedPerson(merchant, 'support'),
      await addedPerson(merchant, 'clerk'),
    ];
    await merchant.owner.query('UPDATE people SET provider_user_id = $1 WHERE id = ANY($2)', [
      randomUUID(),
      [person.personId, second.personId],
    ]);
    const ended = await openedSession(merchant, second.personId);
    const kept = await openedSession(merchant, bystander.personId);
    expect(await change(merchant.person('owner'), person, DISABLE)).toBe('done');
    const { rows } = await merchant.owner.query(
      'SELECT id FROM sessions WHERE id = ANY($1) AND revoked_at IS NULL',
      [[ended, kept]],
    );
    expect(rows).toEqual([{ id: kept }]);
    expect(await stored(second)).toEqual(['support', false]);
  });

  it('leaves what the person prepared where it is, and the page counts it', async () => {
    const id = await storedMovement(merchant, 'APPROVED');
    const maker = await addedPerson(merchant, 'clerk');
    await merchant.owner.query('ALTER TABLE movements DISABLE TRIGGER USER');
    await merchant.owner.query(
      `UPDATE movements SET maker_id = $2, state = 'AWAITING_APPROVAL' WHERE id = $1`,
      [id, maker.personId],
    );
    await merchant.owner.query('ALTER TABLE movements ENABLE TRIGGER USER');
    expect(await change(merchant.person('owner'), maker, DISABLE)).toBe('done');
    const state = await merchant.owner.query('SELECT state FROM movements WHERE id = $1', [id]);
    expect(state.rows).toEqual([{ state: 'AWAITING_APPROVAL' }]);
    expect((await verbs.viewPerson(merchant.person('owner'), maker.personId))?.notLeft).toBe(1);
  });

  it('takes the open invitations of who is no longer an owner with it', async () => {
    const invited = async (by: Person): Promise<void> => {
      await merchant.owner.query(
        `INSERT INTO person_invitations (merchant_id, email, role, invited_by, expires_at)
          VALUES ($1, $2, 'clerk', $3, now() + interval '1 day')`,
        [merchant.merchantId, `${randomUUID()}@test`, by.personId],
      );
    };
    const open = async (by: Person): Promise<number> =>
      (
        await merchant.owner.query(
          'SELECT 1 FROM person_invitations WHERE invited_by = $1 AND withdrawn_at IS NULL',
          [by.personId],
        )
      ).rowCount ?? 0;
    for (const to of [DISABLE, role('clerk')]) {
      const person = await addedPerson(merchant, 'owner');
      await invited(person);
      expect(await open(person)).toBe(1);
      expect(await change(merchant.person('owner'), person, to)).toBe('done');
      expect(await open(person)).toBe(0);
    }
    const [person, same] = [
      await addedPerson(merchant, 'owner'),
      await addedPerson(merchant, 'clerk'),
    ];
    await merchant.owner.query('UPDATE people SET provider_user_id = $1 WHERE id = ANY($2)', [
      randomUUID(),
      [person.personId, same.personId],
    ]);
    await invited(person);
    expect(await change(merchant.person('owner'), same, DISABLE)).toBe('done');
    expect(await open(person), 'disabled in another account of the login').toBe(0);
  });
});

describe('a change that gives rights', () => {
  it('waits for a second person, an approver or an owner, and is carried out by the confirmation', async () => {
    const person = await addedPerson(merchant, 'support');
    expect(await change(merchant.person('owner'), person, role('clerk'))).toBe('asked');
    expect(await stored(person)).toEqual(['support', false]);
    expect(await confirm(merchant.person('owner'), person, 'role:clerk')).toBe(
      'second_person_needed',
    );
    for (const lesser of ['clerk', 'support', 'auditor'] as const)
      expect(await confirm(merchant.person(lesser), person, 'role:clerk')).toBe('not_allowed');
    expect(await confirm(merchant.person('approver'), person, 'role:owner')).toBe(
      'release_not_asked',
    );
    expect(await stored(person)).toEqual(['support', false]);
    expect(await confirm(merchant.person('approver'), person, 'role:clerk')).toBeUndefined();
    expect(await stored(person)).toEqual(['clerk', false]);
    expect(await trail(person)).toEqual(['person.change_asked', 'person.role_changed']);
    expect(await confirm(merchant.person('approver'), person, 'role:clerk')).toBe(
      'release_not_asked',
    );
  });

  it('is also to enable somebody again', async () => {
    const person = await addedPerson(merchant, 'auditor');
    await change(merchant.person('owner'), person, DISABLE);
    expect(await change(merchant.person('owner'), person, ENABLE)).toBe('asked');
    expect(await stored(person)).toEqual(['auditor', true]);
    expect(await confirm(merchant.person('approver'), person, 'enable')).toBeUndefined();
    expect(await stored(person)).toEqual(['auditor', false]);
  });

  it('is never confirmed by the person it is about, though the role would allow it', async () => {
    const person = await addedPerson(merchant, 'approver');
    expect(await change(merchant.person('owner'), person, role('owner'))).toBe('asked');
    expect(await confirm(person, person, 'role:owner')).toBe('own_account');
    expect(await end(person, person)).toBe('own_account');
    expect(await stored(person)).toEqual(['approver', false]);
  });

  it('needs an owner who still is one: a demoted owner’s word and an approver’s are not enough', async () => {
    const asking = await addedPerson(merchant, 'owner');
    const person = await addedPerson(merchant, 'support');
    expect(await change(asking, person, role('auditor'))).toBe('asked');
    await merchant.owner.query(`UPDATE people SET role = 'approver' WHERE id = $1`, [
      asking.personId,
    ]);
    expect(await confirm(merchant.person('approver'), person, 'role:auditor')).toBe(
      'change_owner_needed',
    );
    await merchant.owner.query('UPDATE people SET disabled_at = now() WHERE id = $1', [
      asking.personId,
    ]);
    expect(await confirm(merchant.person('approver'), person, 'role:auditor')).toBe(
      'release_not_asked',
    );
    expect(await stored(person)).toEqual(['support', false]);
  });

  it('is asked for once at a time, withdrawn by who asked, declined by another, over after a day', async () => {
    const person = await addedPerson(merchant, 'support');
    const second = await addedPerson(merchant, 'owner');
    const ask = () => change(merchant.person('owner'), person, role('clerk'));
    expect(await ask()).toBe('asked');
    expect(await change(second, person, role('approver'))).toBe('change_waiting');
    expect(await ask()).toBe('change_waiting');
    expect(await end(merchant.person('owner'), person)).toBeUndefined();
    expect(await confirm(second, person, 'role:clerk')).toBe('release_not_asked');
    expect(await ask()).toBe('asked');
    expect(await end(merchant.person('approver'), person)).toBeUndefined();
    expect(await end(merchant.person('approver'), person)).toBe('release_not_asked');
    expect(await ask()).toBe('asked');
    await aged(merchant, 25);
    expect(await confirm(second, person, 'role:clerk')).toBe('release_not_asked');
    expect(await verbs.listWaitingChanges(second)).toEqual([]);
    expect(await trail(person)).toEqual([
      'person.change_asked',
      'person.change_withdrawn',
      'person.change_asked',
      'person.change_declined',
      'person.change_asked',
    ]);
  });

  it('that was asked for before the person changed is not confirmed any more', async () => {
    const person = await addedPerson(merchant, 'approver');
    expect(await change(merchant.person('owner'), person, role('owner'))).toBe('asked');
    expect(await change(merchant.person('owner'), person, role('support'))).toBe('done');
    expect(await confirm(merchant.person('approver'), person, 'role:owner')).toBe(
      'release_not_asked',
    );
    expect(await stored(person)).toEqual(['support', false]);
  });

  it('of two confirmations at once is carried out once', async () => {
    const person = await addedPerson(merchant, 'support');
    const second = await addedPerson(merchant, 'owner');
    await change(merchant.person('owner'), person, role('clerk'));
    const answers = await Promise.all([
      confirm(second, person, 'role:clerk'),
      confirm(merchant.person('approver'), person, 'role:clerk'),
    ]);
    expect(answers.filter((one) => one === undefined)).toHaveLength(1);
    expect(answers).toContain('release_not_asked');
    expect((await trail(person)).filter((one) => one === 'person.role_changed')).toHaveLength(1);
  });

  it('is shown to who may confirm it, and counted only for them', async () => {
    const person = await addedPerson(merchant, 'support');
    await change(merchant.person('owner'), person, role('clerk'));
    const seen = async (actor: Person) =>
      (await verbs.listWaitingChanges(actor)).find(({ who }) => who === person.name);
    expect(await seen(merchant.person('owner'))).toMatchObject({
      claim: 'role:clerk',
      was: 'support',
      by: 'owner@test',
      reason: WHY,
      own: true,
      can: { confirm: false, end: true },
    });
    expect((await seen(merchant.person('approver')))?.can).toEqual({ confirm: true, end: true });
    expect((await seen(merchant.person('auditor')))?.can).toEqual({ confirm: false, end: false });
    expect(await verbs.countChangesToConfirm(merchant.person('approver'))).toBeGreaterThan(0);
    for (const none of ['auditor', 'clerk', 'support'] as const)
      expect(await verbs.countChangesToConfirm(merchant.person(none))).toBe(0);
    await end(merchant.person('owner'), person);
  });
});

describe('an owner', () => {
  it('changes neither the own role nor disables the own account', async () => {
    const self = merchant.person('owner');
    for (const to of [role('clerk'), role('owner'), DISABLE, ENABLE])
      expect(await change(self, self, to)).toBe('own_account');
    expect(await outcomeOf(verbs.endSessionsOfPerson(self, self.personId, 'all'))).toBe(
      'own_account',
    );
    const inCapitals = { ...self, personId: self.personId.toUpperCase() };
    for (const to of [role('clerk'), DISABLE])
      expect(await change(self, inCapitals, to)).toBe('not_found');
    expect(await stored(self)).toEqual(['owner', false]);
  });

  it('does not disable another account of the own login: that would bar the own one too', async () => {
    const [self, second] = [
      await addedPerson(merchant, 'owner'),
      await addedPerson(merchant, 'clerk'),
    ];
    const stranger = await addedPerson(merchant, 'clerk');
    await merchant.owner.query('UPDATE people SET provider_user_id = $1 WHERE id = ANY($2)', [
      randomUUID(),
      [self.personId, second.personId],
    ]);
    expect(await change(self, second, DISABLE)).toBe('own_account');
    expect(await stored(second)).toEqual(['clerk', false]);
    expect(await change(self, stranger, DISABLE)).toBe('done');
    expect(await change(merchant.person('owner'), second, DISABLE), 'another owner').toBe('done');
  });

  it('has to give a reason, and a change that is so already is refused', async () => {
    const person = await addedPerson(merchant, 'clerk');
    expect(await change(merchant.person('owner'), person, DISABLE, ' ab ')).toBe(
      'stop_reason_needed',
    );
    expect(await change(merchant.person('owner'), person, ENABLE)).toBe('person_changed');
    expect(await change(merchant.person('owner'), person, role('clerk'))).toBe('person_changed');
    expect(await trail(person)).toEqual([]);
  });

  it('is the only role that changes people', async () => {
    const person = await addedPerson(merchant, 'clerk');
    for (const lesser of ['clerk', 'approver', 'support', 'auditor'] as const) {
      expect(await change(merchant.person(lesser), person, DISABLE)).toBe('not_allowed');
      expect(
        await outcomeOf(verbs.endSessionsOfPerson(merchant.person(lesser), person.personId, 'all')),
      ).toBe('not_allowed');
    }
    expect(await stored(person)).toEqual(['clerk', false]);
  });

  it.each([
    ['disable', DISABLE],
    ['demote', role('clerk')],
  ])('and another one who %s each other at once leave one', async (_what, to) => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [
        await addedPerson(merchant, 'owner'),
        await addedPerson(merchant, 'owner'),
      ];
      const answers = await Promise.all([change(one, two, to), change(two, one, to)]);
      expect(answers.toSorted()).toEqual(['done', 'not_allowed']);
      const left = [await stored(one), await stored(two)].filter(
        ([now, disabled]) => now === 'owner' && !disabled,
      );
      expect(left).toHaveLength(1);
    }
  });

  it('who is disabled while a page is open changes nothing from it', async () => {
    const one = await addedPerson(merchant, 'owner');
    const person = await addedPerson(merchant, 'clerk');
    await change(merchant.person('owner'), one, DISABLE);
    expect(await change(one, person, DISABLE)).toBe('not_allowed');
    expect(await stored(person)).toEqual(['clerk', false]);
  });

  it('ends one session of another person, or all', async () => {
    const person = await addedPerson(merchant, 'clerk');
    const [one, two] = [
      await openedSession(merchant, person.personId),
      await openedSession(merchant, person.personId),
    ];
    const view = await verbs.viewPerson(merchant.person('owner'), person.personId);
    expect(view?.sessions?.map(({ id }) => id).toSorted()).toEqual([one, two].toSorted());
    expect(view?.openSessions).toBe(2);
    const auditor = await verbs.viewPerson(merchant.person('auditor'), person.personId);
    expect(auditor?.sessions).toBeNull();
    const of = (which: string) =>
      outcomeOf(verbs.endSessionsOfPerson(merchant.person('owner'), person.personId, which));
    expect(await of(await openedSession(merchant, merchant.person('clerk').personId))).toBe(
      'not_found',
    );
    expect(await of(one)).toBe(1);
    expect(await of('all')).toBe(1);
    expect(await of(one), 'ended before').toBe('not_found');
    expect(await stored(person)).toEqual(['clerk', false]);
  });

  it('ends the notifications of a lost phone of a person who has no open session', async () => {
    const person = await addedPerson(merchant, 'clerk');
    await merchant.owner.query(
      `INSERT INTO push_devices (merchant_id, person_id, endpoint, p256dh, auth, identity, locale)
        VALUES ($1, $2, $3, repeat('k', 87), repeat('a', 22), repeat('i', 87), 'en')`,
      [merchant.merchantId, person.personId, `https://push.test/${person.personId}`],
    );
    expect(
      await outcomeOf(verbs.endSessionsOfPerson(merchant.person('owner'), person.personId, 'all')),
    ).toBe(0);
    const { rows } = await merchant.owner.query('SELECT 1 FROM push_devices WHERE person_id = $1', [
      person.personId,
    ]);
    expect(rows).toEqual([]);
    expect(await trail(person)).toEqual(['person.push_removed', 'person.sessions_ended']);
  });
});

describe('a person of another merchant', () => {
  it('is invisible, and nothing about them can be changed', async () => {
    const foreign = other.person('clerk');
    const owner = merchant.person('owner');
    expect(await verbs.viewPerson(owner, foreign.personId)).toBeNull();
    expect(await change(owner, foreign, DISABLE)).toBe('not_found');
    expect(await change(owner, foreign, role('owner'))).toBe('not_found');
    expect(await confirm(owner, foreign, 'role:owner')).toBe('not_found');
    expect(await end(owner, foreign)).toBe('not_found');
    expect(await outcomeOf(verbs.endSessionsOfPerson(owner, foreign.personId, 'all'))).toBe(
      'not_found',
    );
    expect(await stored(foreign)).toEqual(['clerk', false]);
  });
});

describe('the database', () => {
  const asWeb = (statement: string, of = merchant) =>
    outcomeOf(web.db.inTransaction(of.merchantId, (tx) => tx.$executeRaw(raw(statement))));

  it('judges which roles are narrower as the permissions do', async () => {
    const { rows } = await merchant.owner.query(
      `SELECT was, becomes, people_narrows(was, becomes) AS narrows
        FROM unnest($1::text[]) AS was, unnest($1::text[]) AS becomes`,
      [ROLES],
    );
    for (const row of rows)
      expect([row.was, row.becomes, row.narrows]).toEqual([
        row.was,
        row.becomes,
        !widens(row.was, row.becomes),
      ]);
    expect(rows).toHaveLength(ROLES.length ** 2);
  });

  it('lets the web give no role and enable nobody without two people', async () => {
    const { personId: id } = await addedPerson(merchant, 'support');
    expect(await asWeb(`UPDATE people SET role = 'owner' WHERE id = '${id}'`)).toBe('MV040');
    await merchant.owner.query('UPDATE people SET disabled_at = now() WHERE id = $1', [id]);
    expect(await asWeb(`UPDATE people SET disabled_at = NULL WHERE id = '${id}'`)).toBe('MV040');
  });

  it('keeps the last owner who may sign in', async () => {
    const { rows } = await other.owner.query(
      `SELECT id FROM people WHERE merchant_id = $1 AND role = 'owner'`,
      [other.merchantId],
    );
    for (const to of [`role = 'clerk'`, 'disabled_at = now()'])
      expect(await asWeb(`UPDATE people SET ${to} WHERE id = '${rows[0].id}'`, other)).toBe(
        'MV041',
      );
  });
});

describe('the last person who can be the second of two', () => {
  let team: TestMerchant;
  beforeAll(async () => {
    team = await testMerchant();
  });
  afterAll(() => team.close());
  const [owner, approver] = [() => team.person('owner'), () => team.person('approver')];
  const shown = async (id: Person) => {
    const view = await verbs.viewPerson(owner(), id.personId);
    return view?.ends.lastSecond;
  };

  it('keeps access and a role that can confirm, and the page says so before', async () => {
    expect(await shown(approver())).toBe(true);
    for (const to of [DISABLE, role('clerk'), role('support')])
      expect(await change(owner(), approver(), to)).toBe('last_second_person');
    expect(await change(owner(), team.person('clerk'), DISABLE)).toBe('done');
  });

  it('may have their sessions ended all the same', async () => {
    await openedSession(team, approver().personId);
    expect(await outcomeOf(verbs.endSessionsOfPerson(owner(), approver().personId, 'all'))).toBe(1);
  });

  it('is not replaced by another account of the owner’s own login, nor by a disabled person', async () => {
    const same = await addedPerson(team, 'approver');
    await team.owner.query(
      `UPDATE people SET provider_user_id = 'the same login' WHERE id = ANY($1)`,
      [[same.personId, owner().personId]],
    );
    const gone = await addedPerson(team, 'owner');
    await team.owner.query('UPDATE people SET disabled_at = now() WHERE id = $1', [gone.personId]);
    expect(await change(owner(), approver(), DISABLE)).toBe('last_second_person');
    expect(await shown(approver())).toBe(true);
  });

  it('may be disabled as soon as another one is here', async () => {
    const third = await addedPerson(team, 'approver');
    expect(await shown(approver())).toBe(false);
    expect(await change(owner(), approver(), role('clerk'))).toBe('done');
    expect(await change(owner(), third, DISABLE)).toBe('last_second_person');
  });

  it('and whoever else is disabled: the page counts what ends with it', async () => {
    const person = await addedPerson(team, 'approver');
    const view = await verbs.viewPerson(owner(), person.personId);
    expect(view?.ends).toEqual({ lastSecond: false, approvals: 0, deputyships: [] });
  });
});

describe('a second person with two accounts of one login', () => {
  let team: TestMerchant;
  let [first, second]: Person[] = [];
  beforeAll(async () => {
    team = await testMerchant();
    first = team.person('approver');
    second = await addedPerson(team, 'approver');
    await team.owner.query(
      `UPDATE people SET provider_user_id = 'two accounts' WHERE id = ANY($1)`,
      [[first.personId, second.personId]],
    );
  });
  afterAll(() => team.close());
  const owner = () => team.person('owner');
  const isShown = async (who: Person) =>
    (await verbs.viewPerson(owner(), who.personId))?.ends.lastSecond;

  it('keeps access in both while nobody else could be the second', async () => {
    for (const one of [first!, second!]) {
      expect(await isShown(one)).toBe(true);
      expect(await change(owner(), one, DISABLE)).toBe('last_second_person');
    }
  });

  it('counts no longer as somebody else where one of the accounts is disabled', async () => {
    const third = await addedPerson(team, 'approver');
    expect(await change(owner(), first!, DISABLE)).toBe('done');
    expect(await change(owner(), third, DISABLE)).toBe('last_second_person');
    expect(await isShown(second!), 'who cannot sign in').toBe(false);
    expect(await change(owner(), second!, DISABLE)).toBe('done');
  });
});

describe('an owner who is alone', () => {
  /** A merchant of its own whose only senior person ever is its owner. */
  async function lonely(): Promise<Person> {
    await other.owner.query('ALTER TABLE people DISABLE TRIGGER USER');
    await other.owner.query(
      `UPDATE people SET role = 'clerk', senior_since = NULL WHERE merchant_id = $1
        AND role = 'approver'`,
      [other.merchantId],
    );
    await other.owner.query('ALTER TABLE people ENABLE TRIGGER USER');
    return other.person('owner');
  }

  it('gives rights alone, until a second person has ever been one of two', async () => {
    const owner = await lonely();
    const approver = other.person('approver');
    expect(await change(owner, approver, role('approver'))).toBe('done');
    const { rows } = await other.owner.query(
      `SELECT body::jsonb #>> '{detail,alone}' AS alone FROM audit_entries
        WHERE subject = $1 AND action = 'person.role_changed'`,
      [`person:${approver.personId}`],
    );
    expect(rows).toEqual([{ alone: 'true' }]);
    // Demoting the only second person does not bring the owner back there.
    await other.owner.query(`UPDATE people SET role = 'clerk' WHERE id = $1`, [approver.personId]);
    expect(await change(owner, approver, role('approver'))).toBe('asked');
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person, Role } from '#lib/access/actor.ts';
import type * as Join from '#lib/login/join.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Confirm from './confirm.ts';
import type * as Invitations from './invitations.ts';
import type * as Invite from './invite.ts';
import { addedPerson, outcomeOf } from './testing/people.ts';

let merchant: TestMerchant;
let other: TestMerchant;
let web: Process;
let verbs: typeof Invite & typeof Confirm & typeof Invitations & typeof Join;

beforeAll(async () => {
  other = await testMerchant();
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  verbs = {
    ...(await import('./invite.ts')),
    ...(await import('./confirm.ts')),
    ...(await import('./invitations.ts')),
    ...(await import('#lib/login/join.ts')),
  };
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close(), other.close()]);
});

const newEmail = (): string => `n-${randomUUID().slice(0, 8)}@firma.test`;
const invite = (email: string, role: Role = 'clerk', actor: Person = merchant.person('owner')) =>
  outcomeOf(verbs.invitePerson(actor, { email, role, reason: 'a reason long enough' }));
const confirm = (id: string, actor: Person) =>
  outcomeOf(verbs.confirmPeopleChange(actor, { kind: 'invitation', id }, 'invite'));
const withdraw = (id: string, actor: Person = merchant.person('owner')) =>
  outcomeOf(verbs.withdrawInvitation(actor, id));

/** A completed sign-in; the role that it gives, or null when it is refused. */
async function joins(email: string, of = merchant, user: string = randomUUID()) {
  const person = await web.db.inTransaction(of.merchantId, (tx) =>
    verbs.joinAtSignIn(tx, of.merchantId, email, { id: user, name: 'Yeni Kişi' }),
  );
  return person?.role ?? null;
}

async function listed(email: string) {
  const { rows } = await verbs.listInvitations(merchant.person('owner'));
  return rows.find((row) => row.email === email);
}

/** Makes an invitation older, as the database owner without the guard. */
async function expire(id: string): Promise<void> {
  await merchant.owner.query('ALTER TABLE person_invitations DISABLE TRIGGER USER');
  await merchant.owner.query(
    `UPDATE person_invitations SET expires_at = now() - interval '1 minute' WHERE id = $1`,
    [id],
  );
  await merchant.owner.query('ALTER TABLE person_invitations ENABLE TRIGGER USER');
}

describe('an invitation', () => {
  it('gives its address its role at the first sign-in, in any letter case, once', async () => {
    const email = newEmail();
    expect(await invite(` ${email.toUpperCase()} `)).toBe('done');
    expect(await listed(email)).toMatchObject({ role: 'clerk', state: 'open', by: 'owner@test' });
    expect(await joins(email)).toBe('clerk');
    expect((await listed(email))?.state).toBe('used');
    expect(await joins(email), 'a later sign-in').toBe('clerk');
    const { rows } = await merchant.owner.query(
      `SELECT p.role, body::jsonb #>> '{detail,to}' AS to, body::jsonb #>> '{detail,invitation}' AS invitation
        FROM people p JOIN audit_entries e ON e.subject = 'person:' || p.id WHERE p.email = $1`,
      [email],
    );
    expect(rows).toEqual([{ role: 'clerk', to: 'clerk', invitation: (await listed(email))!.id }]);
  });

  it('that is not there leaves a new login with the role that only looks', async () => {
    expect(await joins(newEmail())).toBe('support');
  });

  it('that was withdrawn or has expired does nothing', async () => {
    const [withdrawn, expired] = [newEmail(), newEmail()];
    for (const email of [withdrawn, expired]) expect(await invite(email)).toBe('done');
    expect(await withdraw((await listed(withdrawn))!.id)).toBeUndefined();
    expect(await withdraw((await listed(withdrawn))!.id)).toBe('person_changed');
    await expire((await listed(expired))!.id);
    expect((await listed(expired))?.state).toBe('expired');
    for (const email of [withdrawn, expired]) expect(await joins(email)).toBe('support');
  });

  it.each(['approver', 'owner'] as const)(
    'as %s gives nothing until a second person confirms it',
    async (role) => {
      const [early, late] = [newEmail(), newEmail()];
      for (const email of [early, late]) expect(await invite(email, role)).toBe('asked');
      expect((await listed(early))?.state).toBe('waiting');
      expect(await joins(early)).toBe('support');
      const { id } = (await listed(late))!;
      expect(await confirm(id, merchant.person('owner'))).toBe('second_person_needed');
      for (const lesser of ['clerk', 'support', 'auditor'] as const)
        expect(await confirm(id, merchant.person(lesser))).toBe('not_allowed');
      expect(await confirm(id, merchant.person('approver'))).toBeUndefined();
      expect((await listed(late))?.state).toBe('open');
      expect(await joins(late)).toBe(role);
    },
  );

  it('is refused for somebody who is here, for an open one, without an address, by lesser roles', async () => {
    const email = newEmail();
    const known = newEmail();
    await joins(known);
    expect(await invite(known.toUpperCase())).toBe('person_exists');
    expect(await invite(email)).toBe('done');
    expect(await invite(email, 'auditor')).toBe('invitation_exists');
    for (const text of ['', 'ayşe', 'a@b', 'a b@firma.test', `${'x'.repeat(250)}@firma.test`])
      expect(await invite(text), text).toBe('bad_email');
    for (const lesser of ['clerk', 'approver', 'support', 'auditor'] as const) {
      expect(await invite(newEmail(), 'clerk', merchant.person(lesser))).toBe('not_allowed');
      expect(await withdraw((await listed(email))!.id, merchant.person(lesser))).toBe(
        'not_allowed',
      );
    }
    expect((await listed(email))?.state).toBe('open');
  });

  it('of which two are made at once for one address exists once', async () => {
    const email = newEmail();
    const second = await addedPerson(merchant, 'owner');
    const answers = await Promise.all([invite(email), invite(email, 'auditor', second)]);
    expect(answers.toSorted()).toEqual(['done', 'invitation_exists']);
  });

  it('that has expired makes room for the next', async () => {
    const email = newEmail();
    await invite(email);
    await expire((await listed(email))!.id);
    expect(await invite(email, 'auditor')).toBe('done');
    expect(await joins(email)).toBe('auditor');
  });

  it('is used or withdrawn, not both', async () => {
    for (let round = 0; round < 5; round++) {
      const email = newEmail();
      await invite(email);
      const { id } = (await listed(email))!;
      const [role, answer] = await Promise.all([joins(email), withdraw(id)]);
      expect([role, answer]).toEqual(
        role === 'clerk' ? ['clerk', 'person_changed'] : ['support', undefined],
      );
    }
  });

  it('of another merchant gives nothing here, is not listed, and can be neither withdrawn nor confirmed', async () => {
    const email = newEmail();
    await invite(email, 'owner', other.person('owner'));
    const { rows } = await other.owner.query<{ id: string }>(
      'SELECT id FROM person_invitations WHERE email = $1',
      [email],
    );
    const { id } = rows[0]!;
    expect(await listed(email)).toBeUndefined();
    expect(await withdraw(id)).toBe('not_found');
    expect(await confirm(id, merchant.person('approver'))).toBe('not_found');
    expect(await joins(email)).toBe('support');
  });
});

describe('a person who is disabled', () => {
  it('does not get in, not under another address of the same login either', async () => {
    const email = newEmail();
    const user = randomUUID();
    expect(await joins(email, merchant, user)).toBe('support');
    await merchant.owner.query('UPDATE people SET disabled_at = now() WHERE email = $1', [email]);
    expect(await joins(email, merchant, user)).toBeNull();
    expect(await joins(email, merchant, randomUUID())).toBeNull();
    expect(await joins(newEmail(), merchant, user)).toBeNull();
    expect(await joins(email, other, user), 'another merchant').toBe('support');
  });
});

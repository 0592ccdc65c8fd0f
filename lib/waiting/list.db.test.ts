import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Role } from '#lib/access/actor.ts';
import { addedPerson } from '#lib/people/testing/people.ts';
import { aged } from '#lib/second-person/testing/aged.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Change from '#lib/people/change.ts';
import type * as Invite from '#lib/people/invite.ts';
import type * as Keys from '#lib/passkeys/lost.ts';
import type * as SetLimit from '#lib/people/set-limit.ts';
import type * as List from './list.ts';

/** The one list of all that waits for a second person. */

let merchant: TestMerchant;
let web: Process;
let close: () => Promise<void>;
let list: typeof List;
let change: typeof Change;
let invite: typeof Invite;
let setLimit: typeof SetLimit;
let keys: typeof Keys;

beforeEach(async () => {
  ({ merchant, web, close } = await openProduct(0));
  list = await import('./list.ts');
  change = await import('#lib/people/change.ts');
  invite = await import('#lib/people/invite.ts');
  setLimit = await import('#lib/people/set-limit.ts');
  keys = await import('#lib/passkeys/lost.ts');
});
afterEach(() => close());

const seenBy = async (role: Role) => list.listWaiting(merchant.person(role));
const subjects = async (role: Role) => (await seenBy(role)).map(({ kind }) => kind);

/** One request about a person, one about an invitation and one about a stop. */
async function askThree(): Promise<string> {
  const colleague = await addedPerson(merchant, 'clerk', 'colleague');
  const owner = merchant.person('owner');
  await change.changePerson(
    owner,
    colleague.personId,
    { kind: 'role', role: 'approver' },
    'does it',
  );
  await invite.invitePerson(owner, {
    email: 'new@shop.example',
    role: 'approver',
    reason: 'joins us',
  });
  await web.stop.stopSending(merchant.person('approver'), 'payout', 'a bad file');
  await web.release.requestResume(
    merchant.person('approver'),
    { kind: 'payout', cause: 'person' },
    'file is good',
  );
  return colleague.personId;
}

it('lists what waits, oldest first, with who asked, why and who may confirm', async () => {
  const colleague = await askThree();
  const items = await seenBy('owner');
  expect(items.map(({ kind }) => kind)).toEqual(['person', 'invitation', 'send_switch']);
  const approver = 'approver@test';
  expect(items[0]).toMatchObject({
    claim: 'role:approver',
    by: ['owner@test'],
    reason: 'does it',
    missing: 'second_person',
    who: [approver],
    viewer: 'said',
    href: `/people/${colleague}`,
  });
  expect(items[2]).toMatchObject({ by: [approver], viewer: 'may_confirm', href: '/settings' });
  expect((await seenBy('approver')).map(({ viewer }) => viewer)).toEqual([
    'may_confirm',
    'may_confirm',
    'said',
  ]);
});

it('shows each role what it may read about, and counts what the person may confirm', async () => {
  await askThree();
  expect(await subjects('auditor')).toEqual(['person', 'invitation', 'send_switch']);
  expect(await subjects('clerk')).toEqual(['send_switch']);
  expect(await subjects('support')).toEqual(['send_switch']);
  const counts = (['owner', 'approver', 'clerk', 'auditor'] as const).map((role) =>
    list.countToConfirm(merchant.person(role)),
  );
  expect(await Promise.all(counts)).toEqual([1, 2, 0, 0]);
});

it('leaves out what changed since, what lapsed after a day, and what another merchant asked', async () => {
  const colleague = await askThree();
  const { owner, merchantId } = merchant;
  await owner.query(`UPDATE people SET role = 'support' WHERE id = $1`, [colleague]);
  expect(await subjects('owner')).toEqual(['invitation', 'send_switch']);
  await owner.query('UPDATE person_invitations SET withdrawn_at = now() WHERE merchant_id = $1', [
    merchantId,
  ]);
  expect(await subjects('owner')).toEqual(['send_switch']);
  await aged(merchant, 24);
  expect(await subjects('owner')).toEqual([]);
});

it('says that nobody may confirm it, and that an owner is missing', async () => {
  const { owner, merchantId } = merchant;
  await web.stop.stopSending(merchant.person('approver'), 'payout', 'a bad file');
  await web.release.requestResume(
    merchant.person('approver'),
    { kind: 'payout', cause: 'person' },
    'file is good',
  );
  const ownerId = merchant.person('owner').personId;
  await owner.query('UPDATE people SET disabled_at = now() WHERE id = $1', [ownerId]);
  const [alone] = await seenBy('approver');
  expect(alone).toMatchObject({ who: [], missing: 'second_person', viewer: 'said' });
  await owner.query(`UPDATE second_person_requests SET closed_at = now() WHERE merchant_id = $1`, [
    merchantId,
  ]);
  expect(await subjects('approver')).toEqual([]);
});

it('names nobody as the second person whose login is disabled in another account', async () => {
  await askThree();
  await merchant.owner.query(
    `UPDATE people SET provider_user_id = 'one login',
      disabled_at = CASE WHEN role = 'support' THEN now() END
      WHERE merchant_id = $1 AND role IN ('support', 'approver')`,
    [merchant.merchantId],
  );
  const about = (await seenBy('owner')).filter(({ kind }) => kind !== 'send_switch');
  expect(about.map(({ kind, who }) => [kind, who])).toEqual([
    ['person', []],
    ['invitation', []],
  ]);
});

it('lists a wider limit and lost keys too, as long as the limits and the keys stay as they are', async () => {
  const [owner, colleague] = [merchant.person('owner'), await addedPerson(merchant, 'clerk')];
  const limit = (single: bigint, by = owner) => {
    const to = { currency: 'TRY', singleMinor: single, dayMinor: null };
    return setLimit.setPersonLimit(by, colleague.personId, to, 'as agreed');
  };
  await limit(1_000n);
  expect(await limit(2_000n)).toBe('asked');
  await storedKey(colleague.personId);
  const lost = { personId: colleague.personId, reason: 'left in a taxi' };
  expect(await keys.reportKeysLost(merchant.person('approver'), lost)).toBe('waiting');
  const facts = { name: colleague.name };
  expect(await seenBy('owner')).toMatchObject([
    { claim: 'limit:TRY:2000:none', viewer: 'said', href: `/people/${colleague.personId}`, facts },
    { claim: 'passkeys_lost', viewer: 'may_confirm', href: '/settings/passkeys', facts },
  ]);
  expect(await list.countToConfirm(merchant.person('approver'))).toBe(1);
  expect(await subjects('clerk')).toEqual([]);
  await storedKey(colleague.personId);
  expect((await seenBy('owner')).map(({ claim }) => claim)).toEqual(['limit:TRY:2000:none']);
  await limit(500n);
  expect(await seenBy('owner')).toEqual([]);
});

/** A key of a person, as the database's owner stores it without its guard. */
async function storedKey(personId: string): Promise<void> {
  const { owner, merchantId } = merchant;
  const challenge = randomUUID();
  await owner.query(`BEGIN; ALTER TABLE passkeys DISABLE TRIGGER USER;
    INSERT INTO step_up_challenges (id, merchant_id, person_id, purpose, nonce, policy_version, items)
      VALUES ('${challenge}', '${merchantId}', '${personId}', 'add_key', '', 0, '[]');
    INSERT INTO step_ups (merchant_id, person_id, challenge_id, method)
      VALUES ('${merchantId}', '${personId}', '${challenge}', 'sign_in');
    INSERT INTO passkeys (merchant_id, person_id, credential_id, rp_id, cose_key, public_key, counter,
      transports, label, added_with)
      SELECT merchant_id, person_id, id, 'pay.localhost', '', '', 0, '[]', 'test', id FROM step_ups
      WHERE challenge_id = '${challenge}';
    ALTER TABLE passkeys ENABLE TRIGGER USER; COMMIT`);
}

it('is drawn again on open pages when somebody says that keys are lost, and when they are removed', async () => {
  const colleague = await addedPerson(merchant, 'clerk');
  await storedKey(colleague.personId);
  const announced: string[] = [];
  const connection = await merchant.owner.connect();
  connection.on('notification', ({ payload }) => announced.push(payload ?? ''));
  await connection.query('LISTEN dashboard');
  const lost = { personId: colleague.personId, reason: 'left in a taxi' };
  const changes = () =>
    announced.filter((one) => one.includes('"person"') && one.includes(colleague.personId)).length;
  try {
    expect(await keys.reportKeysLost(merchant.person('approver'), lost)).toBe('waiting');
    await expect.poll(changes).toBe(1);
    expect(await keys.reportKeysLost(merchant.person('owner'), lost)).toBe('removed');
    await expect.poll(changes).toBe(2);
  } finally {
    connection.release(true);
  }
});

it('shows what waits however many requests have lapsed before it', async () => {
  const { owner, merchantId } = merchant;
  await owner.query(
    `INSERT INTO second_person_requests (merchant_id, subject_kind, subject_id, bound_to, needs,
      opened_at)
      SELECT $1, 'person', gen_random_uuid()::text, 'clerk active', 'owner', now() - interval '9 days'
      FROM generate_series(1, 200)`,
    [merchantId],
  );
  await askThree();
  expect(await subjects('owner')).toEqual(['person', 'invitation', 'send_switch']);
});

import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import type { AskedStepUp } from '#lib/passkeys/ask.ts';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { LONGEST_DUE, rowOf } from '#lib/movements/testing/stored.ts';
import { Authenticator } from '#lib/step-up/testing/authenticator.ts';
import type { SignOptions } from '#lib/step-up/testing/authenticator.ts';
import { addPerson, adopt, aRule, openDesk, prepare, unguarded } from './testing/desk.ts';
import type { Desk } from './testing/desk.ts';

/** Approvals that a policy wants signed: who signs what with which key, and what leaves at all. */

const ORIGIN = 'http://pay.localhost';
const SIGNED_FROM = { from: [{ currency: 'TRY', fromMinor: 4_000_000n }], signInAllowed: false };

let desk: Desk;
let passkeys: Desk['passkeys'];
let second: Person;
const keys = new Map<string, Authenticator>();

beforeAll(async () => {
  process.env.APP_ORIGIN = ORIGIN;
  vi.doMock('#lib/login/challenge.ts', () => ({ confirmByCode: async () => 'confirmed' }));
  desk = await openDesk();
  passkeys = desk.passkeys;
  second = await addPerson(desk, 'approver');
  await adopt(desk, [aRule()], SIGNED_FROM);
  for (const who of [person('approver'), person('owner')])
    keys.set(who.personId, await enrol(who, (asked) => byCode(who, asked)));
});
afterAll(async () => {
  await desk.close();
  delete process.env.APP_ORIGIN;
});

const person = (role: 'clerk' | 'approver' | 'owner') => desk.merchant.person(role);
const hashOf = async (id: string) => (await rowOf(desk.merchant, id)).content_hash as string;
const stateOf = async (id: string) => (await rowOf(desk.merchant, id)).state;
const refused = (done: Promise<unknown>) =>
  done.then(
    (value) => (typeof value === 'string' && value.length < 20 ? value : 'done'),
    (error: { code?: string }) => error.code ?? String(error),
  );
const caller = { ip: null, userAgent: null, locale: 'tr' as const, device: null };

function byCode(who: Person, { challengeId }: AskedStepUp): Promise<string> {
  const given = { challengeId, secret: 's', code: '123456' };
  return passkeys.answerWithCode(who, given, caller) as Promise<string>;
}

async function enrol(
  who: Person,
  answer: (asked: AskedStepUp) => Promise<string>,
): Promise<Authenticator> {
  const stepUpId = await answer(await passkeys.askToAddKey(who));
  const { challenge } = await passkeys.newKeyOptions(who, stepUpId);
  const key = new Authenticator(ORIGIN);
  await passkeys.addKey(who, { stepUpId, label: 'test', response: key.register(challenge) });
  return key;
}

async function asked(who: Person, ids: string[], purpose: 'approve' | 'override' = 'approve') {
  const picked = await Promise.all(ids.map(async (id) => ({ id, seenHash: await hashOf(id) })));
  const signing = await desk.askStepUp.askStepUp(who, picked, purpose);
  if (signing.asked !== 'step_up') throw new Error('no signature was asked for');
  return signing;
}

function sign(who: Person, signing: AskedStepUp, options: Partial<SignOptions> = {}) {
  const { challenge } = signing.passkey!;
  const response = keys.get(who.personId)!.sign({ challenge, ...options });
  return passkeys.answerWithPasskey(who, signing.challengeId, response);
}

async function approve(who: Person, id: string, stepUpId: string | null, why?: string) {
  const giving = { overrideReason: why ?? null, stepUpId };
  return desk.approve.approveMovement(who, { id, seenHash: await hashOf(id) }, giving);
}

async function approveSigned(who: Person, id: string): Promise<string> {
  return approve(who, id, await sign(who, await asked(who, [id])));
}

async function work(id: string): Promise<string[]> {
  const provider = fakeProvider();
  await unguarded(
    desk,
    `UPDATE movements SET next_at = '${LONGEST_DUE.toISOString()}' WHERE id = '${id}'`,
  );
  await desk.worker.advance.advanceOne(fakePorts(desk.merchant.merchantId, provider));
  return provider.asked.filter((one) => one.id === id).map((one) => one.kind);
}

describe('an approval that is signed', () => {
  it('counts, and the payment leaves', async () => {
    const id = await prepare(desk);
    expect(await refused(approve(person('approver'), id, null))).toBe('step_up_needed');
    expect(await approveSigned(person('approver'), id)).toBe('approved');
    expect(await work(id)).toContain('send');
  });

  it('is not asked for below the amount', async () => {
    const id = await prepare(desk, { amountMinor: 3_000_000n });
    expect(await approve(person('approver'), id, null)).toBe('approved');
    expect(await work(id)).toContain('send');
  });

  it('by another key, for another payment, by nobody verified or elsewhere is refused', async () => {
    const [id, other] = [await prepare(desk), await prepare(desk)];
    const who = person('approver');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const elsewhere = { origin: 'http://evil.localhost' };
    for (const options of [{ key: privateKey }, { verified: false }, elsewhere])
      expect(await refused(sign(who, await asked(who, [id]), options))).toBe('step_up_refused');
    const ofOther = await sign(who, await asked(who, [other]));
    expect(await refused(approve(who, id, ofOther))).toBe('step_up_refused');
    const ofOwner = await sign(person('owner'), await asked(person('owner'), [id]));
    expect(await refused(approve(who, id, ofOwner)), 'of another person').toBe('step_up_expired');
    expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
  });

  it('counts once: neither the same answer again nor a copy of the key', async () => {
    const id = await prepare(desk);
    const who = person('approver');
    const signing = await asked(who, [id]);
    const key = keys.get(who.personId)!;
    const response = key.sign({ challenge: signing.passkey!.challenge });
    await passkeys.answerWithPasskey(who, signing.challengeId, response);
    const again = passkeys.answerWithPasskey(who, signing.challengeId, response);
    expect(await refused(again), 'replayed').toBe('step_up_expired');
    const later = await asked(who, [id]);
    const replayed = passkeys.answerWithPasskey(who, later.challengeId, response);
    expect(await refused(replayed), 'for a later challenge').toBe('step_up_refused');
    const counter = key.counter;
    expect(await refused(sign(who, later, { counter })), 'a copy').toBe('step_up_refused');
    key.counter = counter;
    expect(await refused(sign(who, later))).toBe('done');
  });

  it('comes too late after three minutes', async () => {
    const id = await prepare(desk);
    const signing = await asked(person('approver'), [id]);
    await unguarded(
      desk,
      `UPDATE step_up_challenges SET asked_at = asked_at - interval '181 seconds'
        WHERE id = '${signing.challengeId}'`,
    );
    expect(await refused(sign(person('approver'), signing))).toBe('step_up_expired');
  });

  it('is of the policy in force: a later one asks anew', async () => {
    const id = await prepare(desk);
    const who = person('approver');
    const before = await sign(who, await asked(who, [id]));
    await adopt(desk, [aRule(), aRule({ fromMinor: 90_000_000n })], SIGNED_FROM);
    expect(await refused(approve(who, id, before))).toBe('step_up_expired');
    expect(await approveSigned(who, id)).toBe('approved');
  });

  it('is one signature over all that are approved together', async () => {
    const ids = [await prepare(desk), await prepare(desk), await prepare(desk)];
    const who = person('approver');
    const stepUpId = await sign(who, await asked(who, ids.slice(0, 2)));
    const picked = await Promise.all(ids.map(async (id) => ({ id, seenHash: await hashOf(id) })));
    const done: string[] = [];
    for (const one of picked)
      done.push(
        await refused(desk.approve.approveMovement(who, one, { overrideReason: null, stepUpId })),
      );
    expect(done).toEqual(['approved', 'approved', 'step_up_refused']);
    expect(await work(ids[1]!)).toContain('send');
  });

  it('and an owner’s release are two different signatures', async () => {
    await adopt(desk, [aRule({ approvals: 2 })], SIGNED_FROM);
    const id = await prepare(desk);
    const owner = person('owner');
    const plain = await sign(owner, await asked(owner, [id]));
    expect(await refused(approve(owner, id, plain, 'nobody is here'))).toBe('step_up_refused');
    expect(await refused(approve(owner, id, null, 'nobody is here'))).toBe('step_up_needed');
    const release = await sign(owner, await asked(owner, [id], 'override'));
    expect(await approve(owner, id, release, 'nobody is here')).toBe('approved');
    expect(await work(id)).toContain('send');
    await adopt(desk, [aRule()], SIGNED_FROM);
  });

  it('by password and code counts where the policy allows it, and nowhere else', async () => {
    const id = await prepare(desk);
    const who = second;
    const strict = await asked(who, [id]);
    expect([strict.passkey, strict.signIn]).toEqual([null, false]);
    expect(await refused(approve(who, id, await byCode(who, strict)))).toBe('step_up_needed');
    await adopt(desk, [aRule()], { ...SIGNED_FROM, signInAllowed: true });
    const loose = await prepare(desk);
    const signing = await asked(who, [loose]);
    expect(signing.signIn).toBe(true);
    expect(await approve(who, loose, await byCode(who, signing))).toBe('approved');
    expect(await work(loose)).toContain('send');
    await adopt(desk, [aRule()], SIGNED_FROM);
  });

  it('is not replaced by an earlier one without a signature, when a later policy asks', async () => {
    await adopt(desk, [aRule({ approvals: 2 })]);
    const id = await prepare(desk);
    expect(await approve(second, id, null)).toBe('given');
    await adopt(desk, [aRule({ approvals: 2 })], SIGNED_FROM);
    expect(await approveSigned(person('approver'), id)).toBe('given');
    expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
    const shown = async (who: Person) =>
      (await desk.list.waitingMovements(who)).find((one) => one.id === id)!;
    expect(await shown(second)).toMatchObject({ given: 1, barred: 'given', lacksPeople: false });
    expect((await shown(second)).mayApprove).toEqual(['owner@test']);
    expect(await approveSigned(person('owner'), id)).toBe('approved');
    await adopt(desk, [aRule()], SIGNED_FROM);
  });

  it('stays asked for when a later policy asks for none', async () => {
    const id = await prepare(desk);
    await adopt(desk, [aRule()]);
    expect(await refused(approve(person('approver'), id, null))).toBe('step_up_needed');
    expect(await approveSigned(person('approver'), id)).toBe('approved');
    expect(await work(id)).toContain('send');
    await adopt(desk, [aRule()], SIGNED_FROM);
  });
});

describe('the worker computes the signature anew', () => {
  const OF = `(SELECT step_up_id FROM approvals WHERE movement_id = '$id')`;
  it.each([
    ['the signature', `UPDATE step_ups SET signature = 'MEUCIQDx' WHERE id = ${OF}`],
    ['the signed data', `UPDATE step_ups SET client_data_json = 'e30' WHERE id = ${OF}`],
    ['the authenticator', `UPDATE step_ups SET authenticator_data = 'AAAA' WHERE id = ${OF}`],
    ['the key', `UPDATE step_ups SET public_key = 'MFkwEw' WHERE id = ${OF}`],
    ['its signer', `UPDATE step_ups SET person_id = '$owner' WHERE id = ${OF}`],
    [
      'the policy version',
      `UPDATE step_up_challenges SET policy_version = 99
        WHERE id = (SELECT challenge_id FROM step_ups WHERE id = ${OF})`,
    ],
    [
      'the list of what was signed',
      `UPDATE step_up_challenges SET items = items || '["00"]'
        WHERE id = (SELECT challenge_id FROM step_ups WHERE id = ${OF})`,
    ],
    ['the approval without it', `UPDATE approvals SET step_up_id = NULL WHERE movement_id = '$id'`],
    [
      'the approval with one of another payment',
      `UPDATE approvals SET step_up_id = '$other' WHERE movement_id = '$id'`,
    ],
  ])('%s was changed: nothing is sent, and an alert is up', async (_what, change) => {
    const [id, first] = [await prepare(desk), await prepare(desk)];
    await approveSigned(person('approver'), id);
    const other = await sign(person('approver'), await asked(person('approver'), [first]));
    const statement = change
      .replaceAll('$id', id)
      .replaceAll('$other', other)
      .replaceAll('$owner', person('owner').personId);
    await unguarded(desk, statement);
    expect(await work(id)).not.toContain('send');
    expect(await rowOf(desk.merchant, id)).toMatchObject({ alert: 'approvals_missing', sends: 0 });
  });
});

describe('an outsider with the audit log alone', () => {
  it('checks every signature, and sees one that was changed', async () => {
    const { SignedApprovals } = (await import(
      new URL('../../scripts/verify-approvals.mjs', import.meta.url).href
    )) as { SignedApprovals: new (whole: boolean) => Trail };
    const entries = await trail();
    const whole = new SignedApprovals(true);
    expect(entries.map((entry) => whole.take(entry)).filter((wrong) => wrong !== null)).toEqual([]);
    expect(whole.signed).toBeGreaterThan(5);
    const changed = entries.map((entry) => {
      const { signature } = entry.detail;
      return typeof signature === 'string'
        ? { ...entry, detail: { ...entry.detail, signature: `${signature.slice(0, -8)}AAAAAAAA` } }
        : entry;
    });
    const again = new SignedApprovals(true);
    expect(changed.map((entry) => again.take(entry))).toContain('its signature does not hold');
    const keyless = entries.filter((entry) => entry.action !== 'person.passkey_added');
    const third = new SignedApprovals(true);
    expect(keyless.map((entry) => third.take(entry))).toContain(
      'it was signed by a key that nobody had then',
    );
  });
});

type Entry = { action: string; detail: Record<string, unknown> };
type Trail = { signed: number; take(entry: Entry): string | null };

async function trail(): Promise<Entry[]> {
  const { rows } = await desk.merchant.owner.query<{ body: string }>(
    'SELECT body FROM audit_entries WHERE merchant_id = $1 ORDER BY seq',
    [desk.merchant.merchantId],
  );
  return rows.map(({ body }) => JSON.parse(body) as Entry);
}

describe('a person’s keys', () => {
  it('are added with a key that is there already, and the last one stays', async () => {
    const who = person('approver');
    const before = keys.get(who.personId)!;
    const asking = await passkeys.askToAddKey(who);
    expect(asking.signIn, 'a sign-in is for the first key').toBe(false);
    expect(await refused(enrol(who, (one) => byCode(who, one)))).toBe('step_up_expired');
    const added = await enrol(who, (one) => sign(who, one));
    const { rows } = await desk.merchant.owner.query<{ id: string; credential_id: string }>(
      'SELECT id, credential_id FROM passkeys WHERE person_id = $1 AND removed_at IS NULL',
      [who.personId],
    );
    const idOf = (key: Authenticator) => rows.find((row) => row.credential_id === key.id)!.id;
    await passkeys.removeKey(who, idOf(before));
    keys.set(who.personId, added);
    expect(await refused(passkeys.removeKey(who, idOf(added)))).toBe('last_passkey');
    expect(await refused(passkeys.removeKey(person('owner'), idOf(added)))).toBe('not_found');
  });

  it('that are lost are removed by two others, an owner among them', async () => {
    const lost = person('approver').personId;
    const report = (who: Person) =>
      passkeys.reportKeysLost(who, { personId: lost, reason: 'left in a taxi' });
    expect(await refused(report(person('clerk')))).toBe('not_allowed');
    expect(await refused(report(person('approver'))), 'the person').toBe('own_account');
    expect(await report(second)).toBe('waiting');
    expect(await report(second), 'one person twice').toBe('waiting');
    const who = person('approver');
    keys.set(lost, await enrol(who, (one) => sign(who, one)));
    expect(await report(person('owner')), 'a key was added since').toBe('waiting');
    const id = await prepare(desk);
    const signed = await sign(who, await asked(who, [id]));
    const allowed = await sign(who, await passkeys.askToAddKey(who));
    const { challenge } = await passkeys.newKeyOptions(who, allowed);
    expect(await report(second)).toBe('removed');
    const response = new Authenticator(ORIGIN).register(challenge);
    const added = passkeys.addKey(who, { stepUpId: allowed, label: 'test', response });
    expect(await refused(added), 'allowed by a lost key').toBe('step_up_expired');
    expect(await refused(approve(who, id, signed)), 'signed by one').toBe('step_up_expired');
    const key = await enrol(person('approver'), (one) => byCode(person('approver'), one));
    keys.set(lost, key);
    const actions = (await trail())
      .map(({ action }) => action)
      .filter((action) => action.includes('passkey'));
    expect(new Set(actions)).toEqual(
      new Set([
        'person.passkey_added',
        'person.passkey_removed',
        'person.passkeys_lost_reported',
        'person.passkeys_lost',
      ]),
    );
  });
});

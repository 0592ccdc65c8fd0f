import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import { adopt, addPerson, aRule, openDesk, prepare } from '#lib/approvals/testing/desk.ts';
import type { Desk } from '#lib/approvals/testing/desk.ts';
import { rowOf } from '#lib/movements/testing/stored.ts';
import type { OwnLimit } from '#lib/policy/limits.ts';
import type * as Confirm from './confirm.ts';
import type * as SetLimit from './set-limit.ts';
import { outcomeOf } from './testing/people.ts';

/** Who may change how much leaves on a person's word alone, and what a payment above it needs. */

let desk: Desk;
let set: typeof SetLimit;
let confirm: typeof Confirm;
let secondApprover: Person;
let secondOwner: Person;
beforeAll(async () => {
  desk = await openDesk(async () => {
    set = await import('./set-limit.ts');
    confirm = await import('./confirm.ts');
  });
  secondApprover = await addPerson(desk, 'approver');
  secondOwner = await addPerson(desk, 'owner');
});
afterAll(() => desk.close());
beforeEach(async () => {
  const { owner, merchantId } = desk.merchant;
  await owner.query(`ALTER TABLE person_limits DISABLE TRIGGER USER`);
  await owner.query('DELETE FROM person_limits WHERE merchant_id = $1', [merchantId]);
  await owner.query(`ALTER TABLE person_limits ENABLE TRIGGER USER`);
  await owner.query(
    `UPDATE second_person_requests SET closed_at = now() WHERE merchant_id = $1
      AND closed_at IS NULL`,
    [merchantId],
  );
});

const person = (role: 'clerk' | 'approver' | 'owner' | 'auditor') => desk.merchant.person(role);
const clerkId = () => person('clerk').personId;
const lira = (singleMinor: bigint | null, dayMinor: bigint | null): OwnLimit => ({
  currency: 'TRY',
  singleMinor,
  dayMinor,
});
const limit = (to: OwnLimit, by: Person = person('owner'), of = clerkId()) =>
  outcomeOf(set.setPersonLimit(by, of, to, 'as agreed'));
const stateOf = async (id: string) => (await rowOf(desk.merchant, id)).state;
const neededOf = async (id: string) => (await rowOf(desk.merchant, id)).approvals_needed;
const approve = async (who: Person, id: string) => {
  const seenHash = (await rowOf(desk.merchant, id)).content_hash as string;
  return outcomeOf(desk.approve.approveMovement(who, { id, seenHash }));
};
/** Another day begins: what was prepared before does not count any more. */
const nextDay = () =>
  desk.merchant.owner.query(`ALTER TABLE movements DISABLE TRIGGER USER;
    UPDATE movements SET created_at = created_at - interval '2 days'
      WHERE merchant_id = '${desk.merchant.merchantId}';
    ALTER TABLE movements ENABLE TRIGGER USER;`);

describe('a limit', () => {
  it('is narrowed by one owner at once, and widened by two people', async () => {
    expect(await limit(lira(1_000_000n, 5_000_000n))).toBe('done');
    expect(await limit(lira(900_000n, 5_000_000n))).toBe('done');
    expect(await limit(lira(900_000n, 5_000_000n))).toBe('limit_unchanged');
    const wider = lira(null, 5_000_000n);
    expect(await limit(wider)).toBe('asked');
    expect(await limit(lira(2_000_000n, null)), 'one question at a time').toBe('change_waiting');
    const subject = { kind: 'limits', id: clerkId() } as const;
    const agree = (who: Person, claim = 'limit:TRY:none:5000000') =>
      outcomeOf(confirm.confirmPeopleChange(who, subject, claim));
    expect(await agree(person('owner'))).toBe('second_person_needed');
    expect(await agree(person('clerk'))).toBe('not_allowed');
    expect(await agree(person('approver'), 'limit:TRY:none:none')).toBe('release_not_asked');
    expect(await agree(person('approver'))).toBeUndefined();
    const id = await prepare(desk, { amountMinor: 4_000_000n });
    expect(await stateOf(id)).toBe('APPROVED');
  });

  it('is nobody’s own to change, and only an owner’s to set', async () => {
    const { owner, approver, auditor } = {
      owner: person('owner'),
      approver: person('approver'),
      auditor: person('auditor'),
    };
    expect(await limit(lira(1n, null), owner, owner.personId)).toBe('own_account');
    for (const who of [approver, auditor, person('clerk')])
      expect(await limit(lira(1n, null), who)).toBe('not_allowed');
    expect(await limit(lira(1_000n, null), owner, approver.personId)).toBe('done');
    expect(await limit(lira(2_000n, null), owner, approver.personId)).toBe('asked');
    const own = { kind: 'limits', id: approver.personId } as const;
    expect(await outcomeOf(confirm.confirmPeopleChange(approver, own, 'limit:TRY:2000:none'))).toBe(
      'own_account',
    );
    await confirm.endPeopleRequest(secondOwner, approver.personId, 'limits');
    expect(
      await outcomeOf(confirm.confirmPeopleChange(secondOwner, own, 'limit:TRY:2000:none')),
    ).toBe('release_not_asked');
  });

  it('goes wider through no other way: the database asks for two people, and keeps each row', async () => {
    await limit(lira(1_000_000n, null));
    const insert = (single: string | null, setBy: Person) =>
      desk.web.db.inTransaction(
        desk.merchant.merchantId,
        (tx) => tx.$executeRaw`
          INSERT INTO person_limits (merchant_id, person_id, currency, single_minor, set_by, reason)
          VALUES (${desk.merchant.merchantId}::uuid, ${clerkId()}::uuid, 'TRY', ${single}::bigint,
            ${setBy.personId}::uuid, 'x')`,
      );
    await expect(insert('1000001', person('owner'))).rejects.toMatchObject({ code: 'MV061' });
    await expect(insert(null, person('owner'))).rejects.toMatchObject({ code: 'MV061' });
    await expect(insert('5', person('approver'))).rejects.toMatchObject({ code: 'MV060' });
    await expect(insert('5', person('clerk'))).rejects.toMatchObject({ code: 'MV060' });
    await expect(
      desk.merchant.owner.query('UPDATE person_limits SET single_minor = 9'),
    ).rejects.toMatchObject({ code: 'MV010' });
  });
});

describe('a payment above the maker’s limit', () => {
  it('waits for one person, also where there is no policy; one at the limit leaves', async () => {
    await limit(lira(1_000_000n, null));
    expect(await stateOf(await prepare(desk, { amountMinor: 1_000_000n }))).toBe('APPROVED');
    const id = await prepare(desk, { amountMinor: 1_000_001n });
    expect([await stateOf(id), await neededOf(id)]).toEqual(['AWAITING_APPROVAL', 1]);
    const [shown] = (await desk.list.waitingMovements(person('approver'))).filter(
      (one) => one.id === id,
    );
    expect(shown?.reasons.map(({ when, from }) => [when, from])).toEqual([
      ['own_single', '10000.00'],
    ]);
    expect(await approve(person('approver'), id)).toBe('approved');
  });

  it('needs one approval more than the policy asks for, and never three', async () => {
    await adopt(desk, [aRule(), aRule({ fromMinor: 25_000_000n, approvals: 2 })]);
    await limit(lira(1_000_000n, null));
    const needed: Record<string, unknown> = {};
    for (const amountMinor of [2_000_000n, 3_000_000n, 30_000_000n])
      needed[String(amountMinor)] = await neededOf(await prepare(desk, { amountMinor }));
    expect(needed).toEqual({ 2000000: 1, 3000000: 2, 30000000: 2 });
    expect(await stateOf(await prepare(desk, { amountMinor: 2_000_000n }, 'approver'))).toBe(
      'APPROVED',
    );
    await adopt(desk, []);
  });

  it('of a day: eight at once share what is left, and what is turned down is given back', async () => {
    await nextDay();
    await limit(lira(null, 400_000n));
    const ids = await Promise.all(
      Array.from({ length: 8 }, () => prepare(desk, { amountMinor: 100_000n })),
    );
    const states = await Promise.all(ids.map(stateOf));
    expect(states.filter((one) => one === 'APPROVED')).toHaveLength(4);
    const waiting = ids.filter((_, at) => states[at] !== 'APPROVED');
    const taken = ids.filter((_, at) => states[at] === 'APPROVED').slice(0, 1);
    for (const id of [...waiting, ...taken])
      await desk.web.cancel.cancelMovement(person('clerk'), id);
    expect(await stateOf(await prepare(desk, { amountMinor: 100_000n }))).toBe('APPROVED');
    expect(await stateOf(await prepare(desk, { amountMinor: 100_000n }))).toBe('AWAITING_APPROVAL');
    await nextDay();
    expect(await stateOf(await prepare(desk, { amountMinor: 400_000n }))).toBe('APPROVED');
  });

  it('is judged again at the last approval: a limit that became lower asks for one more', async () => {
    await nextDay();
    await limit(lira(null, 2_000_000n));
    const id = await prepare(desk, { amountMinor: 3_000_000n });
    await prepare(desk, { amountMinor: 1_000_000n });
    await adopt(desk, [aRule()]);
    expect(await approve(person('approver'), id), 'policy and limit together').toBe('given');
    expect(await approve(secondApprover, id)).toBe('approved');
    await adopt(desk, []);
  });
});

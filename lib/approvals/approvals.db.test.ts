import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { LONGEST_DUE, rowOf, setColumns } from '#lib/movements/testing/stored.ts';
import { addPerson, adopt, anIban, aRule, openDesk, prepare, unguarded } from './testing/desk.ts';
import type { Desk } from './testing/desk.ts';

/** Who may approve what, what the last approval asks once more, and what leaves at all. */

let desk: Desk;
let secondApprover: Person;
let secondOwner: Person;
beforeAll(async () => {
  desk = await openDesk();
  secondApprover = await addPerson(desk, 'approver');
  secondOwner = await addPerson(desk, 'owner');
  await adopt(desk, STANDARD);
});
afterAll(() => desk.close());
beforeEach(async () => {
  desk.wallet.availableMinor = 100_000_000n;
  await desk.merchant.owner.query(
    `UPDATE movements SET next_at = NULL, lease_until = NULL, lease_token = NULL
      WHERE merchant_id = $1`,
    [desk.merchant.merchantId],
  );
});

const STANDARD = [aRule(), aRule({ fromMinor: 25_000_000n, approvals: 2 })];
const person = (role: 'clerk' | 'approver' | 'owner' | 'support' | 'auditor') =>
  desk.merchant.person(role);
const hashOf = async (id: string) => (await rowOf(desk.merchant, id)).content_hash as string;
const stateOf = async (id: string) => (await rowOf(desk.merchant, id)).state;
const approve = async (who: Person, id: string, override: string | null = null) =>
  desk.approve.approveMovement(
    who,
    { id, seenHash: await hashOf(id) },
    {
      overrideReason: override,
      stepUpId: null,
    },
  );
const refused = (done: Promise<unknown>) =>
  done.then(
    () => 'done',
    (error: { code?: string; params?: { finding?: string } }) =>
      error.params?.finding ?? error.code ?? String(error),
  );
const approvalsOf = async (id: string): Promise<number> =>
  (
    await desk.merchant.owner.query(
      'SELECT count(*)::int AS n FROM approvals WHERE movement_id = $1',
      [id],
    )
  ).rows[0].n;
const tamper = (statement: string) => unguarded(desk, statement);
/** A worker's steps over this one movement; the names of what the provider was asked. */
async function work(id: string): Promise<string[]> {
  const provider = fakeProvider();
  await tamper(`UPDATE movements SET next_at = '${LONGEST_DUE.toISOString()}' WHERE id = '${id}'`);
  await desk.worker.advance.advanceOne(fakePorts(desk.merchant.merchantId, provider));
  return provider.asked.filter((one) => one.id === id).map((one) => one.kind);
}

describe('an approval', () => {
  it('by another person makes it ready, and it leaves', async () => {
    const id = await prepare(desk);
    expect(await work(id), 'nothing leaves before').toEqual([]);
    expect(await approve(person('approver'), id)).toBe('approved');
    expect(await stateOf(id)).toBe('APPROVED');
    expect(await work(id)).toEqual(['send']);
  });

  it('never of what one has made, in any role', async () => {
    for (const role of ['approver', 'owner'] as const) {
      const id = await prepare(desk, {}, role);
      expect(await refused(approve(person(role), id)), role).toBe('own_movement');
      expect(await refused(sendBack(person(role), id)), role).toBe('own_movement');
    }
  });

  it('only by who has the right: neither a clerk nor who only reads', async () => {
    const id = await prepare(desk);
    for (const role of ['clerk', 'support', 'auditor'] as const)
      expect(await refused(approve(person(role), id)), role).toBe('not_allowed');
    expect(await refused(approve(person('approver'), id, 'in a hurry')), 'override').toBe(
      'not_allowed',
    );
  });

  it('two, where two are asked for: distinct people, one of them once', async () => {
    const id = await prepare(desk, { amountMinor: 30_000_000n });
    expect(await approve(person('approver'), id)).toBe('given');
    expect(await refused(approve(person('approver'), id))).toBe('approved_before');
    expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
    expect(await approve(secondApprover, id)).toBe('approved');
  });

  it('an e-mail address in another case makes no second person', async () => {
    const copy = desk.merchant.owner.query(
      `INSERT INTO people (merchant_id, email, name, role) VALUES ($1, 'APPROVER@Test', 'x', 'approver')`,
      [desk.merchant.merchantId],
    );
    await expect(copy).rejects.toMatchObject({ code: '23505' });
  });

  it('four at once: one transition, whoever presses', async () => {
    const people = [person('approver'), person('owner'), secondApprover, secondOwner];
    for (const presses of [people, Array<Person>(4).fill(person('approver'))]) {
      const id = await prepare(desk);
      const seenHash = await hashOf(id);
      const done = await Promise.allSettled(
        presses.map((who) => desk.approve.approveMovement(who, { id, seenHash })),
      );
      expect(done.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
      const { rows } = await desk.merchant.owner.query(
        `SELECT count(*)::int AS n FROM evidence WHERE movement_id = $1 AND kind = 'approved'`,
        [id],
      );
      expect([rows[0].n, await approvalsOf(id)]).toEqual([1, 1]);
    }
  });

  it('is of the content that the person saw', async () => {
    const id = await prepare(desk);
    const seen = { id, seenHash: 'another content' };
    expect(await refused(desk.approve.approveMovement(person('approver'), seen))).toBe(
      'content_changed',
    );
    await tamper(`UPDATE movements SET amount_minor = amount_minor + 1 WHERE id = '${id}'`);
    expect(await refused(approve(person('approver'), id)), 'the hash alone stayed').toBe(
      'content_changed',
    );
  });

  it('comes too late for what was withdrawn, sent back, ran out or was approved', async () => {
    const id = await prepare(desk);
    await desk.web.cancel.cancelMovement(person('clerk'), id);
    expect(await refused(approve(person('approver'), id))).toBe('not_waiting');
    const old = await prepare(desk);
    await tamper(
      `UPDATE movements SET state_since = state_since - interval '25 hours' WHERE id = '${old}'`,
    );
    expect(await refused(approve(person('approver'), old)), 'before a worker ends it').toBe(
      'not_waiting',
    );
    await work(old);
    expect(await stateOf(old)).toBe('EXPIRED');
    expect(await refused(approve(person('approver'), old))).toBe('not_waiting');
  });

  it('counts no more after a day, also where no worker has said so yet', async () => {
    const id = await prepare(desk);
    await tamper(
      `UPDATE movements SET state_since = state_since - interval '25 hours' WHERE id = '${id}'`,
    );
    expect(await refused(approve(person('approver'), id))).toBe('not_waiting');
    expect(await refused(approve(person('owner'), id, 'it is urgent today'))).toBe('not_waiting');
    expect(await refused(sendBack(person('approver'), id))).toBe('not_waiting');
    expect([await stateOf(id), await approvalsOf(id)]).toEqual(['AWAITING_APPROVAL', 0]);
  });
});

describe('the last approval judges once more', () => {
  it('the balance, and keeps nothing where it objects', async () => {
    const id = await prepare(desk);
    desk.wallet.availableMinor = 100n;
    expect(await refused(approve(person('approver'), id))).toBe('insufficient_balance');
    expect([await stateOf(id), await approvalsOf(id)]).toEqual(['AWAITING_APPROVAL', 0]);
  });

  it('the policy of now: a stricter one counts, a looser one does not', async () => {
    const stricter = await prepare(desk);
    await adopt(desk, [aRule({ approvals: 2 })]);
    expect(await approve(person('approver'), stricter)).toBe('given');
    await adopt(desk, []);
    expect(await stateOf(stricter)).toBe('AWAITING_APPROVAL');
    expect(await approve(secondApprover, stricter)).toBe('approved');
    await adopt(desk, STANDARD);
  });

  it('the role that the policy asks for', async () => {
    await adopt(desk, [aRule({ who: 'owner' })]);
    const id = await prepare(desk);
    expect(await refused(approve(person('approver'), id))).toBe('approver_role');
    expect(await approve(person('owner'), id)).toBe('approved');
    await adopt(desk, STANDARD);
  });
});

const sendBack = async (who: Person, id: string, reason = 'wrong invoice') =>
  desk.sendBack.sendBackMovement(who, { id, seenHash: await hashOf(id), reason });

describe('sent back', () => {
  it('needs a reason, ends it, and its copy is judged and approved anew', async () => {
    const iban = anIban();
    const id = await prepare(desk, { iban, name: 'Geri Gelen' });
    expect(await refused(sendBack(person('approver'), id, ' '))).toBe('stop_reason_needed');
    await sendBack(person('approver'), id);
    expect(await stateOf(id)).toBe('CANCELLED');
    expect(await work(id), 'nothing leaves').not.toContain('send');
    const copy = await prepare(desk, { iban, name: 'Geri Gelen' }, 'approver', id);
    expect(await stateOf(copy)).toBe('AWAITING_APPROVAL');
    expect(await refused(approve(person('approver'), copy)), 'edited last').toBe('own_movement');
    expect(await approve(person('owner'), copy)).toBe('approved');
  });

  it('after a recovery is queried: in what the restore has lost it may have been sent', async () => {
    const id = await prepare(desk, { iban: anIban(), name: 'Geri Yüklenen' });
    await desk.merchant.owner.query(
      `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by, scanned_at,
        ended_at, journal) VALUES ($1, 'asked', now(), now(), now(), now(), now(),
        '{"files": 1, "lines": 0, "unreadable": 0, "missing": 0}')`,
      [desk.merchant.merchantId],
    );
    await sendBack(person('approver'), id);
    expect((await rowOf(desk.merchant, id)).next_at).not.toBeNull();
    expect(await work(id)).toEqual(['read']);
    await desk.merchant.owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [
      desk.merchant.merchantId,
    ]);
  });

  it('who made the first version never approves the copy of another', async () => {
    const iban = anIban();
    const id = await prepare(desk, { iban, name: 'İlk Hali' }, 'approver');
    await sendBack(person('owner'), id);
    const copy = await prepare(desk, { iban, name: 'İlk Hali' }, 'clerk', id);
    expect(await refused(approve(person('approver'), copy))).toBe('own_movement');
    const insert = desk.merchant.owner.query(
      `INSERT INTO approvals (merchant_id, movement_id, person_id, content_hash)
        SELECT merchant_id, id, $2, content_hash FROM movements WHERE id = $1`,
      [copy, person('approver').personId],
    );
    await expect(insert, 'nor by SQL').rejects.toMatchObject({ code: 'MV053' });
    expect(await approve(person('owner'), copy)).toBe('approved');
  });
});

describe('an owner’s override', () => {
  it('stands for every missing approval, with a reason that stays', async () => {
    const id = await prepare(desk, { amountMinor: 30_000_000n });
    expect(await refused(approve(person('owner'), id, ' '))).toBe('stop_reason_needed');
    expect(await approve(person('owner'), id, 'the second is ill')).toBe('approved');
    const { rows } = await desk.merchant.owner.query(
      'SELECT role, override_reason FROM approvals WHERE movement_id = $1',
      [id],
    );
    expect(rows).toEqual([{ role: 'owner', override_reason: 'the second is ill' }]);
    expect(await work(id)).toEqual(['send']);
  });

  it('is none of one’s own', async () => {
    const id = await prepare(desk, {}, 'owner');
    expect(await refused(approve(person('owner'), id, 'in a hurry'))).toBe('own_movement');
  });
});

describe('the queue', () => {
  it('says who may approve, what is unusual, and when too few people may', async () => {
    const id = await prepare(desk, {}, 'approver');
    const seen = async (who: Person) =>
      (await desk.list.waitingMovements(who)).find((one) => one.id === id)!;
    const own = await seen(person('approver'));
    expect(own).toMatchObject({ barred: 'own', needed: 1, given: 0, lacksPeople: false });
    expect(own.mayApprove).not.toContain('approver@test');
    expect(own.flags).toEqual(expect.arrayContaining(['first_payment', 'overridden_findings']));
    expect((await seen(person('owner'))).barred).toBeNull();
    await adopt(desk, [aRule({ approvals: 2, who: 'owner' })]);
    const two = await prepare(desk, {}, 'owner');
    const [shown] = (await desk.list.waitingMovements(person('owner'))).filter(
      (one) => one.id === two,
    );
    expect(shown).toMatchObject({ lacksPeople: true, mayApprove: [secondOwner.name] });
    await adopt(desk, STANDARD);
  });

  it('approves many at once, but nothing unusual and no more than fifty', async () => {
    const id = await prepare(desk);
    const seen = { id, seenHash: await hashOf(id) };
    const many = (picked: { id: string; seenHash: string }[]) =>
      refused(desk.many.approveMany(person('approver'), picked));
    expect(await many([seen])).toBe('flagged_unseen');
    expect(await many([])).toBe('nothing_ticked');
    expect(await many(Array.from({ length: 51 }, () => seen))).toBe('too_many_picked');
    const usual = await usualPayout();
    const done = await desk.many.approveMany(person('approver'), [
      { id: usual, seenHash: await hashOf(usual) },
      { id: randomUUID(), seenHash: '' },
    ]);
    expect(done.map((one) => one.refused)).toEqual([null, 'not_found']);
    expect(await stateOf(usual)).toBe('APPROVED');
  });
});

/** To a payee that was paid before, with nothing ticked. */
async function usualPayout(): Promise<string> {
  const payee = { iban: anIban(), name: 'Her Zamanki', taxNumber: '1234567890' };
  const before = await prepare(desk, { ...payee, amountMinor: 100n });
  await tamper(`UPDATE movements SET state = 'COMPLETED', next_at = NULL WHERE id = '${before}'`);
  const id = await prepare(desk, payee);
  await tamper(`UPDATE movements SET overrides = '[]' WHERE id = '${id}'`);
  return id;
}

/** Every field that decides where money goes, and what was asked of it. */
const CHANGES: Record<string, string> = {
  amount_minor: 'amount_minor = amount_minor + 1',
  currency: "currency = 'USD'",
  wallet: "wallet = '1000000009'",
  iban: "iban = 'TR330006100519786457841326'",
  name: "name = 'Another'",
  tax_number: "tax_number = '10000000147'",
  payment_type: "payment_type = '2'",
  description: "description = 'another invoice'",
  kind: "kind = 'cashout', phone = '905330000201', wallet = '', payment_type = ''",
  content_hash: "content_hash = repeat('0', 64)",
  approvals_needed: 'approvals_needed = 2',
};

describe('what was changed after its approval', () => {
  it.each(Object.entries(CHANGES))('%s: is refused, and raises an alert', async (_field, set) => {
    const id = await prepare(desk);
    await approve(person('approver'), id);
    await expect(
      desk.merchant.owner.query(`UPDATE movements SET ${set} WHERE id = $1`, [id]),
      'the database refuses the change itself',
    ).rejects.toMatchObject({ code: expect.stringMatching(/^MV00[34]$/) });
    await tamper(`UPDATE movements SET ${set} WHERE id = '${id}'`);
    for (let n = 0; n < 2; n++) expect(await work(id)).toEqual([]);
    expect(await rowOf(desk.merchant, id)).toMatchObject({
      state: 'APPROVED',
      sends: 0,
      alert: 'approvals_missing',
    });
  });

  it('amount and hash together: the approval is of another content', async () => {
    const [id, other] = [await prepare(desk), await prepare(desk, { amountMinor: 9_900_000n })];
    await approve(person('approver'), id);
    const columns = 'amount_minor, iban, name, content_hash';
    await tamper(`UPDATE movements m SET (${columns}) = (SELECT ${columns} FROM movements o
      WHERE o.id = '${other}') WHERE m.id = '${id}'`);
    expect(await work(id)).toEqual([]);
    expect((await rowOf(desk.merchant, id)).alert).toBe('approvals_missing');
  });

  it('the number that was asked for, lowered to nothing, is still asked for', async () => {
    const id = await prepare(desk, { amountMinor: 30_000_000n });
    await tamper(
      `UPDATE movements SET approvals_needed = 0, state = 'APPROVED' WHERE id = '${id}'`,
    );
    expect(await work(id)).toEqual([]);
    expect((await rowOf(desk.merchant, id)).alert).toBe('approvals_missing');
  });

  it('what the policy let pass below its amount is not sent above it', async () => {
    const id = await prepare(desk, { amountMinor: 100n });
    await tamper(`UPDATE movements SET amount_minor = 90000000 WHERE id = '${id}'`);
    expect(await work(id)).toEqual([]);
    expect((await rowOf(desk.merchant, id)).alert).toBe('approvals_missing');
  });

  it('an approval taken away: it waits, and the database refuses the send too', async () => {
    const id = await prepare(desk);
    await approve(person('approver'), id);
    await expect(
      desk.merchant.owner.query('DELETE FROM approvals WHERE movement_id = $1', [id]),
    ).rejects.toMatchObject({ code: 'MV010' });
    await tamper(`DELETE FROM approvals WHERE movement_id = '${id}'`);
    expect(await work(id)).toEqual([]);
    await expect(
      setColumns(desk.merchant, id, { state: 'SUBMITTING', sends: 1 }),
    ).rejects.toMatchObject({ code: 'MV011' });
  });
});

describe('the database', () => {
  it('takes an approval from nobody who may not give one, whatever role is claimed', async () => {
    const id = await prepare(desk);
    const insert = (personId: string, hash: string, role = 'owner') =>
      desk.merchant.owner
        .query(
          `INSERT INTO approvals (merchant_id, movement_id, person_id, content_hash, role)
            VALUES ($1, $2, $3, $4, $5) RETURNING role`,
          [desk.merchant.merchantId, id, personId, hash, role],
        )
        .then(
          ({ rows }) => rows[0].role,
          (error: { code: string }) => error.code,
        );
    const hash = await hashOf(id);
    expect(await insert(person('auditor').personId, hash)).toBe('MV052');
    expect(await insert(person('clerk').personId, hash), 'a clerk').toBe('MV052');
    expect(await insert(person('approver').personId, 'another')).toBe('MV054');
    expect(await insert(person('approver').personId, hash), 'the role it knows').toBe('approver');
  });
});

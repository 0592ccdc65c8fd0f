import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person, Role } from '#lib/access/actor.ts';
import { rowOf } from '#lib/movements/testing/stored.ts';
import { addPerson, adopt, aRule, openDesk, prepare, unguarded } from './testing/desk.ts';
import type { Desk } from './testing/desk.ts';

/** Two accounts of one login at the provider, whose e-mail address was changed there, are one person. */

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  await adopt(desk, [aRule(), aRule({ fromMinor: 25_000_000n, approvals: 2 })]);
});
afterAll(() => desk.close());

async function accounts(...roles: Role[]): Promise<Person[]> {
  const made: Person[] = [];
  for (const role of roles) made.push(await addPerson(desk, role));
  await desk.merchant.owner.query(
    'UPDATE people SET provider_user_id = $2 WHERE id = ANY($1::uuid[])',
    [made.map((one) => one.personId), randomUUID()],
  );
  return made;
}

const refused = (done: Promise<unknown>) =>
  done.then(String, (error: { code?: string }) => error.code ?? String(error));

async function seen(id: string): Promise<{ id: string; seenHash: string }> {
  return { id, seenHash: (await rowOf(desk.merchant, id)).content_hash as string };
}
const approve = async (who: Person, id: string) =>
  refused(desk.approve.approveMovement(who, await seen(id)));

function approveBySql({ personId }: Person, id: string): Promise<string> {
  const { owner, merchantId } = desk.merchant;
  return refused(
    owner.query(
      `INSERT INTO approvals (merchant_id, movement_id, person_id, content_hash)
        SELECT $1, id, $3, content_hash FROM movements WHERE id = $2`,
      [merchantId, id, personId],
    ),
  );
}

describe('two accounts of one login', () => {
  it('approve nothing that the other has made, one by one, with a release or by SQL', async () => {
    const [clerk, owner] = (await accounts('clerk', 'owner')) as [Person, Person];
    const id = await prepare(desk);
    await unguarded(desk, `UPDATE movements SET maker_id = '${clerk.personId}' WHERE id = '${id}'`);
    expect(await approve(owner, id)).toBe('own_movement');
    const release = { overrideReason: 'it is urgent', stepUpId: null };
    expect(await refused(desk.approve.approveMovement(owner, await seen(id), release))).toBe(
      'own_movement',
    );
    expect(await approveBySql(owner, id)).toBe('MV053');
    expect(await approve(desk.merchant.person('approver'), id), 'another login').toBe('approved');
  });

  it('are one of two approvals', async () => {
    const [first, second] = (await accounts('approver', 'owner')) as [Person, Person];
    const id = await prepare(desk, { amountMinor: 30_000_000n });
    expect(await approve(first, id)).toBe('given');
    expect(await approve(second, id)).toBe('approved_before');
    expect(await approveBySql(second, id)).toBe('MV055');
    expect(await approve(desk.merchant.person('approver'), id)).toBe('approved');
  });

  it('are not the two people of a policy', async () => {
    const [first, second] = (await accounts('owner', 'approver')) as [Person, Person];
    const change = { rules: [aRule({ fromMinor: 99_000_000n })], stepUp: null };
    await desk.propose.proposePolicy(first, { ...change, reason: 'agreed' });
    const open = await desk.web.db.inTransaction(desk.merchant.merchantId, (tx) =>
      desk.proposals.openProposal(tx),
    );
    expect(await refused(desk.confirm.confirmPolicy(second, open!.id))).toBe(
      'second_person_needed',
    );
    const word = desk.merchant.owner.query(
      `INSERT INTO second_person_words (merchant_id, request_id, person_id, claim, reason, evidence)
        SELECT merchant_id, id, $1, 'adopt', 'by SQL', '{}' FROM second_person_requests
        WHERE subject_id = $2 AND closed_at IS NULL`,
      [second.personId, open!.id],
    );
    expect(await refused(word)).toBe('MV033');
    expect(
      await refused(desk.confirm.confirmPolicy(desk.merchant.person('approver'), open!.id)),
    ).toBe('undefined');
  });
});

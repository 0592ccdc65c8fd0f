import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  addPerson,
  adopt,
  aRule,
  openDesk,
  prepare,
  unguarded,
} from '#lib/approvals/testing/desk.ts';
import type { Desk } from '#lib/approvals/testing/desk.ts';
import { rowOf } from '#lib/movements/testing/stored.ts';
import type * as View from './view.ts';

/** Two people change the policy, and what is submitted is judged by the one of that moment. */

let desk: Desk;
let view: typeof View;
beforeAll(async () => {
  desk = await openDesk(async () => {
    view = await import('./view.ts');
  });
});
afterAll(() => desk.close());
beforeEach(async () => {
  const open = await proposal();
  if (open) await desk.propose.withdrawPolicy(person('owner'), { id: open.id, reason: 'a test' });
  if ((await versions()).at(-1)?.rules.length) await adopt(desk, []);
});

const person = (role: 'clerk' | 'approver' | 'owner' | 'auditor') => desk.merchant.person(role);
const proposal = () =>
  desk.web.db.inTransaction(desk.merchant.merchantId, (tx) => desk.proposals.openProposal(tx));
const propose = (rules = [aRule()]) =>
  desk.propose.proposePolicy(person('owner'), { rules, stepUp: null, reason: 'agreed' });
const versions = async (): Promise<{ version: number; rules: unknown[] }[]> =>
  (
    await desk.merchant.owner.query(
      'SELECT version, rules FROM policy_versions WHERE merchant_id = $1 ORDER BY version',
      [desk.merchant.merchantId],
    )
  ).rows;
const requirementsOf = async (id: string) =>
  (
    await desk.merchant.owner.query(
      `SELECT policy_version, needed, owners_only, content_hash FROM approval_requirements
        WHERE movement_id = $1`,
      [id],
    )
  ).rows;

it('without a policy nothing needs an approval, and nothing about one is stored', async () => {
  const id = await prepare(desk, { amountMinor: 90_000_000n });
  expect(await rowOf(desk.merchant, id)).toMatchObject({ state: 'APPROVED', approvals_needed: 0 });
  if ((await versions()).length === 0) expect(await requirementsOf(id)).toEqual([]);
});

describe('a change', () => {
  it('is proposed by an owner and counts once a second person has confirmed it', async () => {
    const before = (await versions()).length;
    await expect(
      desk.propose.proposePolicy(person('approver'), {
        rules: [aRule()],
        stepUp: null,
        reason: 'agreed',
      }),
    ).rejects.toMatchObject({ code: 'not_allowed' });
    await propose();
    const { id } = (await proposal())!;
    expect((await versions()).length, 'proposed is not in force').toBe(before);
    for (const [role, code] of [
      ['owner', 'second_person_needed'],
      ['clerk', 'not_allowed'],
      ['auditor', 'not_allowed'],
    ] as const)
      await expect(desk.confirm.confirmPolicy(person(role), id), role).rejects.toMatchObject({
        code,
      });
    await desk.confirm.confirmPolicy(person('approver'), id);
    expect((await versions()).length).toBe(before + 1);
    await expect(desk.confirm.confirmPolicy(person('approver'), id)).rejects.toMatchObject({
      code: 'policy_not_proposed',
    });
  });

  it('confirmed by two people at once is one version', async () => {
    const before = (await versions()).length;
    const second = await addPerson(desk, 'approver');
    await propose();
    const { id } = (await proposal())!;
    const done = await Promise.allSettled(
      [person('approver'), second, person('approver'), second].map((one) =>
        desk.confirm.confirmPolicy(one, id),
      ),
    );
    expect(done.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    expect((await versions()).length).toBe(before + 1);
  });

  it('that is withdrawn, replaced, or says what holds already, is never in force', async () => {
    await propose();
    const first = (await proposal())!;
    await propose([aRule({ fromMinor: 1n })]);
    await expect(desk.confirm.confirmPolicy(person('approver'), first.id)).rejects.toMatchObject({
      code: 'policy_not_proposed',
    });
    const second = (await proposal())!;
    await desk.propose.withdrawPolicy(person('approver'), { id: second.id, reason: 'too strict' });
    expect(await proposal()).toBeNull();
    await expect(desk.confirm.confirmPolicy(person('approver'), second.id)).rejects.toMatchObject({
      code: 'policy_not_proposed',
    });
    await adopt(desk, [aRule()]);
    await expect(propose()).rejects.toMatchObject({ code: 'policy_unchanged' });
  });

  it('that no page could read back is not stored, and the next one is', async () => {
    const before = await proposal();
    const wallets = Array.from({ length: 21 }, (_, n) => String(1000 + n));
    await expect(propose([aRule({ wallets })])).rejects.toMatchObject({ name: 'ZodError' });
    expect(await proposal()).toEqual(before);
    await propose([aRule({ wallets: wallets.slice(1), fromMinor: 9n })]);
    expect((await proposal())?.rules[0]?.wallets).toHaveLength(20);
  });

  it('leaves the version before it as an earlier one, and the page names the people of both', async () => {
    const { current: before, earlier } = await view.viewPolicy(person('auditor'));
    await adopt(desk, [aRule({ fromMinor: 8n })]);
    const after = await view.viewPolicy(person('auditor'));
    expect(after.current).toMatchObject({
      version: (await versions()).length,
      proposedBy: person('owner').email,
      confirmedBy: person('approver').email,
      rules: 1,
    });
    expect(after.earlier).toEqual(before === null ? [] : [before, ...earlier]);
    await adopt(desk, []);
    expect((await view.viewPolicy(person('auditor'))).earlier[0]).toEqual(after.current);
  });

  it('goes through no other way: the database asks for both people, and a version never changes', async () => {
    await propose();
    const { id } = (await proposal())!;
    const { merchantId } = desk.merchant;
    const insert = desk.web.db.inTransaction(
      merchantId,
      (tx) => tx.$executeRaw`
      INSERT INTO policy_versions (merchant_id, version, rules, proposal_id, proposed_by,
        confirmed_by)
      SELECT merchant_id, based_on + 1, rules, id, proposed_by,
        ${person('approver').personId}::uuid FROM policy_proposals WHERE id = ${id}::uuid`,
    );
    await expect(insert).rejects.toMatchObject({ code: 'MV051' });
    await adopt(desk, [aRule({ fromMinor: 7n })]);
    await expect(
      desk.merchant.owner.query(`UPDATE policy_versions SET rules = '[]' WHERE merchant_id = $1`, [
        merchantId,
      ]),
    ).rejects.toMatchObject({ code: 'MV010' });
  });
});

describe('what is submitted', () => {
  it('waits when the policy of the moment asks for people, with the number and the version', async () => {
    await adopt(desk, [aRule(), aRule({ fromMinor: 25_000_000n, approvals: 2, who: 'owner' })]);
    const { version } = (await versions()).at(-1)!;
    const below = await prepare(desk, { amountMinor: 2_499_999n });
    expect((await rowOf(desk.merchant, below)).state).toBe('APPROVED');
    expect(await requirementsOf(below)).toMatchObject([{ policy_version: version, needed: 0 }]);
    for (const [amountMinor, needed, ownersOnly] of [
      [2_500_000n, 1, false],
      [25_000_000n, 2, true],
    ] as const) {
      const id = await prepare(desk, { amountMinor });
      const row = await rowOf(desk.merchant, id);
      expect(row).toMatchObject({ state: 'AWAITING_APPROVAL', approvals_needed: needed });
      expect(row.next_at!.getTime(), 'it runs out in a day').toBeGreaterThan(Date.now() + 86e6);
      expect(await requirementsOf(id)).toEqual([
        {
          policy_version: version,
          needed,
          owners_only: ownersOnly,
          content_hash: row.content_hash,
        },
      ]);
    }
  });

  it('the same form twice is one movement that waits', async () => {
    await adopt(desk, [aRule()]);
    const id = await prepare(desk);
    const { rows } = await desk.merchant.owner.query(
      'SELECT count(*)::int AS n FROM approval_requirements WHERE movement_id = $1',
      [id],
    );
    expect(rows[0].n).toBe(1);
  });

  it('a first payment, a changed account, parts of one amount and a maker’s day are seen', async () => {
    const iban = (await rowOf(desk.merchant, await prepare(desk, { name: 'Deniz Nakliyat' })))
      .iban as string;
    await adopt(desk, [aRule({ when: 'first_payment', fromMinor: 1n })]);
    const first = { iban, name: 'Deniz Nakliyat', amountMinor: 100n };
    expect(await stateOf(await prepare(desk, first))).toBe('AWAITING_APPROVAL');
    await completed(iban);
    expect(await stateOf(await prepare(desk, { ...first, amountMinor: 111n }))).toBe('APPROVED');

    await adopt(desk, [aRule({ when: 'payee_changed', fromMinor: 1n })]);
    const elsewhere = { name: 'DENİZ NAKLİYAT', amountMinor: 122n };
    expect(await stateOf(await prepare(desk, elsewhere))).toBe('AWAITING_APPROVAL');
    expect(await stateOf(await prepare(desk, { amountMinor: 133n }))).toBe('APPROVED');
    for (const [name, capitals] of [
      ['Məmmədov Əli', 'MƏMMƏDOV ƏLİ'],
      ['Иван Йылдыз', 'ИВАН ЙЫЛДЫЗ'],
    ] as const) {
      const paid = await rowOf(desk.merchant, await prepare(desk, { name, amountMinor: 144n }));
      expect(paid.state).toBe('APPROVED');
      await completed(paid.iban as string);
      const other = { name: capitals, amountMinor: 155n };
      expect(await stateOf(await prepare(desk, other)), capitals).toBe('AWAITING_APPROVAL');
    }

    await adopt(desk, [aRule({ when: 'split', fromMinor: 5_000_000n })]);
    const part = { iban: anotherIban, name: 'Parça Parça', amountMinor: 2_600_000n };
    expect(await stateOf(await prepare(desk, part))).toBe('APPROVED');
    const rest = { ...part, amountMinor: 2_400_000n, description: 'fatura 2' };
    expect(await stateOf(await prepare(desk, rest))).toBe('AWAITING_APPROVAL');

    await adopt(desk, [aRule({ when: 'maker_day', fromMinor: 1_000_000n })]);
    expect(await stateOf(await prepare(desk, { amountMinor: 200n }))).toBe('AWAITING_APPROVAL');
    expect(await stateOf(await prepare(desk, { amountMinor: 300n }, 'owner'))).toBe('APPROVED');
  });
});

const anotherIban = 'TR330006100519786457841326';
const stateOf = async (id: string) => (await rowOf(desk.merchant, id)).state;

/** The payments to this account so far were completed, as the worker would have found them. */
async function completed(iban: string): Promise<void> {
  await unguarded(
    desk,
    `UPDATE movements SET state = 'COMPLETED', next_at = NULL
      WHERE merchant_id = '${desk.merchant.merchantId}' AND iban = '${iban}'`,
  );
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { LONGEST_DUE, rowOf } from '#lib/movements/testing/stored.ts';
import { runOut, storedDeputyship } from '#lib/people/testing/deputies.ts';
import { outcomeOf } from '#lib/people/testing/people.ts';
import type * as Confirm from '#lib/people/confirm.ts';
import type * as End from '#lib/people/end-deputy.ts';
import type * as Name from '#lib/people/name-deputy.ts';
import { dayIn } from '#lib/values/dates.ts';
import type * as Decided from '#lib/movement-views/read-decided.ts';
import type * as View from './view.ts';
import { addPerson, adopt, aRule, openDesk, prepare, unguarded } from './testing/desk.ts';
import type { Desk } from './testing/desk.ts';

/** What a deputy may approve, for whom it counts, and that it never counts twice. */

let desk: Desk;
let view: typeof View;
let decided: typeof Decided;
let people: typeof Name & typeof Confirm & typeof End;
beforeAll(async () => {
  desk = await openDesk(async () => {
    view = await import('./view.ts');
    decided = await import('#lib/movement-views/read-decided.ts');
    people = {
      ...(await import('#lib/people/name-deputy.ts')),
      ...(await import('#lib/people/confirm.ts')),
      ...(await import('#lib/people/end-deputy.ts')),
    };
  });
  await adopt(desk, [
    aRule(),
    aRule({ fromMinor: 25_000_000n, approvals: 2 }),
    aRule({ fromMinor: 50_000_000n, who: 'owner' }),
  ]);
});
afterAll(() => desk.close());

const ONE = {};
const TWO = { amountMinor: 30_000_000n };
const OWNERS = { amountMinor: 60_000_000n };
const hashOf = async (id: string) => (await rowOf(desk.merchant, id)).content_hash as string;
const stateOf = async (id: string) => (await rowOf(desk.merchant, id)).state;
const approve = async (who: Person, id: string, overrideReason: string | null = null) => {
  const seen = { id, seenHash: await hashOf(id) };
  return outcomeOf(desk.approve.approveMovement(who, seen, { overrideReason, stepUpId: null }));
};
const sendBack = async (who: Person, id: string) =>
  outcomeOf(
    desk.sendBack.sendBackMovement(who, {
      id,
      seenHash: await hashOf(id),
      reason: 'wrong account',
    }),
  );
const barred = async (who: Person, id: string) => (await view.viewWaiting(who, id))?.barred;
const insertAs = (personId: string, movement: string, hash: string) =>
  outcomeOf(
    desk.merchant.owner.query(
      `INSERT INTO approvals (merchant_id, movement_id, person_id, content_hash, role, deputy_of)
        VALUES ($1, $2, $3, $4, 'owner', NULL)`,
      [desk.merchant.merchantId, movement, personId, hash],
    ),
  );

type Pair = { away: Person; deputy: Person; id: string };
/** A pair whose deputyship is under way. */
async function aPair(role: 'approver' | 'owner' = 'approver', away?: Person): Promise<Pair> {
  const represented = away ?? (await addPerson(desk, role));
  const clerk = await addPerson(desk, 'clerk');
  const id = await storedDeputyship(desk.merchant, clerk, represented);
  return { away: represented, deputy: { ...clerk, standsInFor: represented.personId }, id };
}

/** The movement's approvals as stored, the first one first. */
async function stored(id: string): Promise<unknown[]> {
  const { rows } = await desk.merchant.owner.query(
    'SELECT person_id, deputy_of, role FROM approvals WHERE movement_id = $1 ORDER BY created_at',
    [id],
  );
  return rows;
}

async function work(id: string): Promise<string[]> {
  const provider = fakeProvider();
  await unguarded(
    desk,
    `UPDATE movements SET next_at = NULL WHERE merchant_id = '${desk.merchant.merchantId}';
      UPDATE movements SET next_at = '${LONGEST_DUE.toISOString()}' WHERE id = '${id}'`,
  );
  await desk.worker.advance.advanceOne(fakePorts(desk.merchant.merchantId, provider));
  return provider.asked.filter((one) => one.id === id).map((one) => one.kind);
}

describe('a deputy', () => {
  it('approves as an approver would, and the row and the trail say for whom', async () => {
    const { away, deputy } = await aPair('owner');
    const id = await prepare(desk, ONE);
    expect(await barred(deputy, id)).toBeNull();
    expect(await approve(deputy, id)).toBe('approved');
    expect(await stored(id)).toEqual([
      { person_id: deputy.personId, deputy_of: away.personId, role: 'approver' },
    ]);
    expect((await decided.viewDecided(deputy, id)).given).toMatchObject([
      { by: deputy.name, of: away.name },
    ]);
    const { rows } = await desk.merchant.owner.query(
      `SELECT actor, body::jsonb #>> '{detail,deputyOf}' AS of FROM audit_entries
        WHERE subject = $1 AND action = 'movement.approval_given'`,
      [`movement:${id}`],
    );
    expect(rows).toEqual([{ actor: `person:${deputy.personId}`, of: away.personId }]);
    expect(await work(id)).toEqual(['send']);
  });

  it('sends back as an approver would', async () => {
    const { away, deputy } = await aPair();
    const id = await prepare(desk, ONE);
    expect(await sendBack(deputy, id)).toBeUndefined();
    expect((await decided.viewDecided(deputy, id)).sentBack).toMatchObject({
      by: deputy.name,
      of: away.name,
    });
  });

  it('decides nothing before the first day, after the last one, or once it was ended', async () => {
    const id = await prepare(desk, ONE);
    const hash = await hashOf(id);
    const ended = await aPair();
    await desk.merchant.owner.query('UPDATE deputyships SET ended_at = now() WHERE id = $1', [
      ended.id,
    ]);
    const past = await aPair();
    await runOut(desk.merchant, past.id);
    const coming = await addPerson(desk, 'clerk');
    const away = await addPerson(desk, 'approver');
    await storedDeputyship(desk.merchant, coming, away, { fromDays: 1, toDays: 2 });
    const early = { ...coming, standsInFor: away.personId };
    // The session that was read a moment ago still says that they are deputies.
    for (const deputy of [ended.deputy, past.deputy, early]) {
      expect(await approve(deputy, id)).toBe('not_allowed');
      expect(await sendBack(deputy, id)).toBe('not_allowed');
      expect(await barred(deputy, id)).toBe('role');
      expect(await insertAs(deputy.personId, id, hash), 'nor by SQL').toBe('MV052');
    }
  });

  it('decides nothing while either of the two may not sign in', async () => {
    for (const who of ['away', 'deputy'] as const) {
      const pair = await aPair();
      const id = await prepare(desk, ONE);
      await desk.merchant.owner.query('UPDATE people SET disabled_at = now() WHERE id = $1', [
        pair[who].personId,
      ]);
      expect(await approve(pair.deputy, id), who).toBe('not_allowed');
      expect(await insertAs(pair.deputy.personId, id, await hashOf(id))).toBe('MV052');
    }
  });

  it('never gives an owner’s approval nor releases alone, even for an owner', async () => {
    const { deputy } = await aPair('owner');
    const id = await prepare(desk, OWNERS);
    expect(await barred(deputy, id)).toBe('role');
    expect(await approve(deputy, id)).toBe('approver_role');
    expect(await approve(deputy, id, 'it is urgent, really')).toBe('not_allowed');
    expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
  });

  it('never approves what they made themselves', async () => {
    const { deputy } = await aPair('approver');
    const own = await addPerson(desk, 'approver');
    const id = await storedMakerOf(deputy);
    expect(await barred(deputy, id)).toBe('own');
    expect(await approve(deputy, id)).toBe('own_movement');
    expect(await sendBack(deputy, id)).toBe('own_movement');
    expect(await approve(own, id), 'somebody else may').toBe('approved');
  });

  it('never approves what the person represented made', async () => {
    const { deputy } = await aPair('approver', desk.merchant.person('approver'));
    const id = await prepare(desk, ONE, 'approver');
    expect(await barred(deputy, id)).toBe('represented');
    expect(await approve(deputy, id)).toBe('represented_movement');
    expect(await sendBack(deputy, id)).toBe('represented_movement');
    expect(await insertAs(deputy.personId, id, await hashOf(id)), 'nor by SQL').toBe('MV053');
    expect(await desk.list.countWaitingFor(deputy)).toBe(
      (await desk.list.waitingMovements(deputy)).filter((one) => one.barred === null).length,
    );
  });
});

describe('a deputy and the person represented', () => {
  it('are one approval, whoever of them gives it first', async () => {
    for (const first of ['deputy', 'away'] as const) {
      const pair = await aPair();
      const second = pair[first === 'deputy' ? 'away' : 'deputy'];
      const id = await prepare(desk, TWO);
      expect(await approve(pair[first], id)).toBe('given');
      expect(await barred(second, id)).toBe('pair');
      expect(await approve(second, id)).toBe('pair_approved_before');
      expect(await insertAs(second.personId, id, await hashOf(id)), 'nor by SQL').toBe('MV055');
      expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
      const third = await addPerson(desk, 'approver');
      expect(await approve(third, id), 'a third person is the second').toBe('approved');
    }
  });

  it('are one, too, where a second deputy follows the first', async () => {
    const pair = await aPair();
    const id = await prepare(desk, TWO);
    expect(await approve(pair.deputy, id)).toBe('given');
    await desk.merchant.owner.query('UPDATE deputyships SET ended_at = now() WHERE id = $1', [
      pair.id,
    ]);
    const next = await aPair('approver', pair.away);
    expect(await approve(next.deputy, id)).toBe('pair_approved_before');
  });

  it('are one with another account of the login that is represented', async () => {
    const pair = await aPair();
    const another = await addPerson(desk, 'approver');
    await desk.merchant.owner.query(
      'UPDATE people SET provider_user_id = $2 WHERE id = ANY($1::uuid[])',
      [[pair.away.personId, another.personId], pair.id],
    );
    for (const [first, second] of [
      [pair.deputy, another],
      [another, pair.deputy],
    ] as const) {
      const id = await prepare(desk, TWO);
      expect(await approve(first, id)).toBe('given');
      expect(await approve(second, id)).toBe('pair_approved_before');
      expect(await insertAs(second.personId, id, await hashOf(id)), 'nor by SQL').toBe('MV055');
    }
  });

  it('are one for the database, too, whatever stands in the table', async () => {
    const pair = await aPair();
    const id = await prepare(desk, TWO);
    const values = [desk.merchant.merchantId, id, await hashOf(id)];
    const connection = await desk.merchant.owner.connect();
    try {
      await connection.query('BEGIN');
      await connection.query('DROP INDEX approvals_one_of_a_pair');
      await connection.query('ALTER TABLE approvals DISABLE TRIGGER USER');
      for (const [person, of] of [
        [pair.away.personId, null],
        [pair.deputy.personId, pair.away.personId],
      ])
        await connection.query(
          `INSERT INTO approvals (merchant_id, movement_id, content_hash, person_id, deputy_of)
            VALUES ($1, $2, $3, $4, $5)`,
          [...values, person, of],
        );
      const ready = connection.query(`UPDATE movements SET state = 'APPROVED' WHERE id = $1`, [id]);
      expect(await outcomeOf(ready)).toBe('MV011');
    } finally {
      await connection.query('ROLLBACK');
      connection.release();
    }
  });

  it('are named among those who may approve, and count as one of the missing people', async () => {
    const pair = await aPair();
    const id = await prepare(desk, ONE);
    const waiting = await view.viewWaiting(pair.away, id);
    expect(waiting?.mayApprove).toContain(pair.deputy.name);
    expect(waiting?.mayApprove).toContain(pair.away.name);
  });
});

describe('an outsider with the audit log alone', () => {
  it('checks for whom each deputy approved, and sees a period that was changed', async () => {
    const { Approvals, entries } = await trailOfDeputies();
    const wrongs = (of: Entry[]) => {
      const check = new Approvals(true);
      return of.map((entry) => check.take(entry)).filter((wrong) => wrong !== null);
    };
    expect(wrongs(entries)).toEqual([]);
    const without = (action: string) => entries.filter((entry) => entry.action !== action);
    const unrepresented = 'a deputy approved for somebody whom they did not represent';
    expect(wrongs(without('person.deputy_confirmed'))).toEqual([unrepresented]);
    const changed = (action: string, change: object) =>
      entries.map((entry) =>
        entry.action === action ? { ...entry, detail: { ...entry.detail, ...change } } : entry,
      );
    const past = { until: new Date(Date.now() - 3_600_000).toISOString() };
    expect(wrongs(changed('person.deputy_confirmed', past))).toEqual([unrepresented]);
    const given = entries.find(({ action }) => action === 'movement.approval_given')!;
    const own = { ...given, actor: `person:${String(given.detail['deputyOf'])}`, detail: {} };
    expect(wrongs([...entries, own])).toEqual(['it counts twice for one person']);
    const maker = entries.find(({ action }) => action === 'movement.drafted')!.actor.slice(7);
    expect(wrongs(changed('movement.approval_given', { deputyOf: maker }))).toEqual([
      'a deputy approved what the person represented made',
    ]);
  });
});

type Entry = { action: string; actor: string; subject: string; detail: Record<string, unknown> };
type Trail = { take(entry: Entry): string | null };

/** A deputy is named, confirmed, approves and is ended by the product's own verbs. */
async function trailOfDeputies(): Promise<{
  Approvals: new (whole: boolean) => Trail;
  entries: Entry[];
}> {
  const { SignedApprovals: Approvals } = (await import(
    new URL('../../scripts/verify-approvals.mjs', import.meta.url).href
  )) as { SignedApprovals: new (whole: boolean) => Trail };
  const query = async (from: string) => {
    const { rows } = await desk.merchant.owner.query<{ body: string }>(
      `SELECT body FROM audit_entries WHERE merchant_id = $1 AND seq > ${from} ORDER BY seq`,
      [desk.merchant.merchantId],
    );
    return rows.map(({ body }) => JSON.parse(body) as Entry);
  };
  const before = (await query('0')).length;
  const [away, clerk] = [await addPerson(desk, 'approver'), await addPerson(desk, 'clerk')];
  const today = dayIn(new Date().toISOString());
  await people.nameDeputy(away, {
    personId: away.personId,
    deputyId: clerk.personId,
    firstDay: today,
    lastDay: today,
    reason: 'away today',
  });
  const { rows } = await desk.merchant.owner.query<{ id: string }>(
    'SELECT id FROM deputyships WHERE deputy_id = $1',
    [clerk.personId],
  );
  const { id } = rows[0]!;
  const subject = { kind: 'deputy', id } as const;
  await people.confirmPeopleChange(desk.merchant.person('owner'), subject, 'stand_in');
  const movement = await prepare(desk, ONE);
  await approve({ ...clerk, standsInFor: away.personId }, movement);
  await people.endDeputyship(clerk, id);
  return { Approvals, entries: await query(String(before)) };
}

/** A payout that this clerk prepared. */
async function storedMakerOf(clerk: Person): Promise<string> {
  const id = await prepare(desk, ONE);
  await unguarded(desk, `UPDATE movements SET maker_id = '${clerk.personId}' WHERE id = '${id}'`);
  return id;
}

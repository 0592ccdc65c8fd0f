import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import { outcomeOf } from '#lib/people/testing/people.ts';
import { readyMovements, rowOf, storedMovement } from '#lib/movements/testing/stored.ts';
import { addPerson, adopt, anIban, aRule, openDesk, prepare, unguarded } from './testing/desk.ts';
import type { Desk } from './testing/desk.ts';
import type * as FeeForeseen from './fee-foreseen.ts';
import type * as Foresee from './foresee.ts';

/** What a person's queue counts, foresees and lets through, also when it is long or old. */

const MORE_THAN_SHOWN = 201;

let desk: Desk;
let foresee: typeof Foresee & typeof FeeForeseen;
let second: Person;
beforeAll(async () => {
  desk = await openDesk(async () => {
    foresee = { ...(await import('./foresee.ts')), ...(await import('./fee-foreseen.ts')) };
  });
  second = await addPerson(desk, 'approver');
  await adopt(desk, [aRule(), aRule({ fromMinor: 25_000_000n, approvals: 2 })]);
});
afterAll(() => desk.close());

const person = (role: 'clerk' | 'approver' | 'owner') => desk.merchant.person(role);
const seen = async (id: string) => ({
  id,
  seenHash: (await rowOf(desk.merchant, id)).content_hash as string,
});
const approve = async (who: Person, id: string) =>
  outcomeOf(desk.approve.approveMovement(who, await seen(id)));
const sendBack = async (who: Person, id: string) =>
  outcomeOf(
    desk.sendBack.sendBackMovement(who, { ...(await seen(id)), reason: 'another account' }),
  );
const stateOf = async (id: string) => (await rowOf(desk.merchant, id)).state;

it('the menu counts what a person may approve and has not approved', async () => {
  const count = () => desk.list.countWaitingFor(person('approver'));
  const before = await count();
  const id = await prepare(desk, { amountMinor: 30_000_000n });
  expect(await count()).toBe(before + 1);
  expect(await approve(person('approver'), id)).toBe('given');
  expect(await count()).toBe(before);
});

it('approving and sending back are counted, whatever comes of them', async () => {
  const counted = async (): Promise<number> => {
    const { rows } = await desk.merchant.owner.query(
      `SELECT coalesce(sum(count), 0)::int AS n FROM rate_limits
        WHERE merchant_id = $1 AND key LIKE '%movement.approve%' AND key LIKE $2`,
      [desk.merchant.merchantId, `%${person('owner').personId}%`],
    );
    return rows[0].n;
  };
  const before = await counted();
  const none = { id: randomUUID(), seenHash: '' };
  expect(await outcomeOf(desk.approve.approveMovement(person('owner'), none))).toBe('not_found');
  expect(await counted()).toBe(before + 1);
  const back = { ...none, reason: 'another account' };
  expect(await outcomeOf(desk.sendBack.sendBackMovement(person('owner'), back))).toBe('not_found');
  expect(await counted()).toBe(before + 2);
});

it('a form names who could approve it: nobody who made an earlier version of it', async () => {
  const iban = anIban();
  const first = await prepare(desk, { iban }, 'approver');
  expect(await sendBack(person('owner'), first)).toBeUndefined();
  const form = (retryOf: string | null) =>
    foresee.foreseeApprovals(person('clerk'), {
      id: randomUUID(),
      kind: 'payout',
      wallet: '1000000001',
      iban,
      toWallet: null,
      name: 'Firma',
      amountMinor: 3_000_000n,
      currency: 'TRY',
      retryOf,
    });
  const [approver, owner] = ['approver@test', 'owner@test'];
  expect((await form(null)).names.toSorted()).toEqual([approver, owner, second.name].toSorted());
  expect((await form(first)).names.toSorted()).toEqual([owner, second.name].toSorted());
});

it('what has run out is neither approved nor sent back, though no worker has noted it yet', async () => {
  const [late, young] = [await prepare(desk), await prepare(desk)];
  await unguarded(
    desk,
    `UPDATE movements SET state_since = state_since - interval '24 hours 1 second'
      WHERE id = '${late}'`,
  );
  await unguarded(
    desk,
    `UPDATE movements SET state_since = state_since - interval '23 hours 50 minutes'
      WHERE id = '${young}'`,
  );
  expect(await approve(person('approver'), late)).toBe('not_waiting');
  expect(await sendBack(person('approver'), late)).toBe('not_waiting');
  const signing = desk.askStepUp.askStepUp(person('approver'), [await seen(late)], 'approve');
  expect(await outcomeOf(signing)).toBe('not_waiting');
  expect(await stateOf(late)).toBe('AWAITING_APPROVAL');
  expect(await approve(person('approver'), young)).toBe('approved');
});

/** More than the page shows, to one recipient who was paid before; all of them wait longest. */
async function longQueue(iban: string, overrides: readonly string[]): Promise<string[]> {
  await storedMovement(desk.merchant, 'COMPLETED', {}, { iban });
  const ids = await readyMovements(desk.merchant, MORE_THAN_SHOWN, { iban, dueInMs: 3_600_000 });
  await unguarded(
    desk,
    `UPDATE movements SET state = 'AWAITING_APPROVAL', state_since = now() - interval '1 hour',
      overrides = '${JSON.stringify(overrides)}' WHERE id = ANY('{${ids.join(',')}}')`,
  );
  return ids;
}

it('shows what is unusual first, also what came last of more than the page shows', async () => {
  const before = await longQueue(anIban(), []);
  const unusual = await prepare(desk);
  const shown = await desk.list.waitingMovements(person('approver'));
  const firstUsual = shown.findIndex((one) => one.flags.length === 0);
  expect(shown.findIndex((one) => one.id === unusual)).toBeGreaterThanOrEqual(0);
  expect(shown.findIndex((one) => one.id === unusual)).toBeLessThan(firstUsual);
  expect(shown.slice(firstUsual).every((one) => one.flags.length === 0)).toBe(true);
  expect(shown).toHaveLength(MORE_THAN_SHOWN - 1);
  await unguarded(
    desk,
    `UPDATE movements SET state = 'CANCELLED' WHERE id = ANY('{${before.join(',')}}')`,
  );
});

it('says that more wait than it shows, and shows what waits for the viewer before all others', async () => {
  const [last, ...own] = await longQueue(anIban(), []);
  await unguarded(
    desk,
    `UPDATE movements SET maker_id = '${person('approver').personId}'
      WHERE id = ANY('{${own.join(',')}}');
      UPDATE movements SET state_since = now() WHERE id = '${last}'`,
  );
  const { rows, isCut } = await desk.list.listWaiting(person('approver'));
  expect([isCut, rows.length]).toEqual([true, MORE_THAN_SHOWN - 1]);
  expect(rows.find(({ id }) => id === last)).toMatchObject({ flags: [], barred: null });
  await unguarded(
    desk,
    `UPDATE movements SET state = 'CANCELLED' WHERE id = ANY('{${[last, ...own].join(',')}}')`,
  );
  expect((await desk.list.listWaiting(person('approver'))).isCut).toBe(false);
});

it('many at once are nothing unusual, also behind all that the page shows', async () => {
  const iban = anIban();
  await longQueue(iban, ['duplicate']);
  const unusual = await prepare(desk, { iban, name: 'Ayşe Yılmaz' });
  const picked = [await seen(unusual)];
  expect(await outcomeOf(desk.many.approveMany(person('approver'), picked))).toBe('flagged_unseen');
  expect(await stateOf(unusual)).toBe('AWAITING_APPROVAL');
});

it('an approver sees the fee to expect: the range of the latest ones of the wallet and kind', async () => {
  const ids = [await prepare(desk), await prepare(desk), await prepare(desk)];
  const [one] = await desk.list.waitingMovements(person('approver'), { ids: [ids[0]!] });
  const fee = () => foresee.foreseenFee(person('approver'), one!);
  expect(await fee()).toBeNull();
  await unguarded(desk, `UPDATE movements SET fee_minor = 750 WHERE id = '${ids[1]}'`);
  await unguarded(desk, `UPDATE movements SET fee_minor = 600 WHERE id = '${ids[2]}'`);
  expect(await fee()).toEqual({ min: '6.00', max: '7.50' });
  const elsewhere = { kind: one!.kind, wallet: '9999999999' };
  expect(await foresee.foreseenFee(person('approver'), elsewhere)).toBeNull();
});

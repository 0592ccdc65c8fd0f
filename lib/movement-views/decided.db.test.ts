import { afterAll, beforeAll, expect, it } from 'vitest';
import { adopt, aRule, openDesk, prepare } from '#lib/approvals/testing/desk.ts';
import type { Desk } from '#lib/approvals/testing/desk.ts';
import { rowOf } from '#lib/movements/testing/stored.ts';
import { readPayoutQuery } from '#lib/payouts/filter.ts';
import type * as List from '#lib/payouts/list.ts';
import { decisionKey } from './decided.ts';
import type * as View from './view.ts';

/** What an open page reads again about the approvals of its movement. */

let desk: Desk;
let view: typeof View;
let list: typeof List;
beforeAll(async () => {
  desk = await openDesk(async () => {
    view = await import('./view.ts');
    list = await import('#lib/payouts/list.ts');
  });
  await adopt(desk, [aRule({ approvals: 2 })]);
});
afterAll(() => desk.close());

const read = async (id: string) => (await view.viewMovement(desk.merchant.person('clerk'), id))!;
const seen = async (id: string) => ({
  id,
  seenHash: (await rowOf(desk.merchant, id)).content_hash as string,
});
const approve = async (role: 'approver' | 'owner', id: string, overrideReason: string | null) =>
  desk.approve.approveMovement(desk.merchant.person(role), await seen(id), {
    overrideReason,
    stepUpId: null,
  });

it('the list shows what an owner released and what was sent back each in its own words', async () => {
  const [plain, released, back] = [await prepare(desk), await prepare(desk), await prepare(desk)];
  await approve('owner', released, 'the second is ill');
  await desk.sendBack.sendBackMovement(desk.merchant.person('owner'), {
    ...(await seen(back)),
    reason: 'another account',
  });
  const { rows } = await list.listPayouts(desk.merchant.person('clerk'), readPayoutQuery({}));
  const marks = (id: string) => {
    const { isReleased, isSentBack } = rows.find((row) => row.id === id)!;
    return { isReleased, isSentBack };
  };
  expect(marks(plain)).toEqual({ isReleased: false, isSentBack: false });
  expect(marks(released)).toEqual({ isReleased: true, isSentBack: false });
  expect(marks(back)).toEqual({ isReleased: false, isSentBack: true });
});

it('offers the decision to whoever may approve, not to its maker or a clerk, while it waits', async () => {
  const id = await prepare(desk, {}, 'approver');
  const decides = async (role: 'clerk' | 'approver' | 'owner') =>
    (await view.viewMovement(desk.merchant.person(role), id))!.can.decide;
  expect([await decides('owner'), await decides('approver'), await decides('clerk')]).toEqual([
    true,
    false,
    false,
  ]);
  await approve('owner', id, 'the second is ill');
  expect(await decides('owner')).toBe(false);
});

it('an open page reads who approved and who released it alone, and redraws each time', async () => {
  const id = await prepare(desk);
  const waiting = await read(id);
  expect(waiting.decided).toEqual({ given: [], sentBack: null });
  await approve('approver', id, null);
  const half = await read(id);
  expect(half.decided.given).toMatchObject([{ by: 'approver@test', overrideReason: null }]);
  await approve('owner', id, 'the second is ill');
  const released = await read(id);
  expect(released.decided.given[1]).toMatchObject({
    by: 'owner@test',
    overrideReason: 'the second is ill',
  });
  expect(new Set([waiting, half, released].map(decisionKey)).size).toBe(3);
});

it('an open page reads who sent it back and why, and redraws what waits no longer', async () => {
  const id = await prepare(desk);
  const waiting = await read(id);
  await desk.sendBack.sendBackMovement(desk.merchant.person('owner'), {
    ...(await seen(id)),
    reason: 'another account',
  });
  const back = await read(id);
  expect(back.decided.sentBack).toMatchObject({ by: 'owner@test', reason: 'another account' });
  expect(decisionKey(back)).not.toBe(decisionKey(waiting));
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowOf } from '#lib/movements/testing/stored.ts';
import { outcomeOf } from '#lib/people/testing/people.ts';
import { adopt, aRule, openDesk, prepare } from './testing/desk.ts';
import type { Desk } from './testing/desk.ts';

/** An owner's release stands for every missing approval, also beside the owner's own. */

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  await adopt(desk, [aRule({ approvals: 2 })]);
});
afterAll(() => desk.close());

const owner = () => desk.merchant.person('owner');
const approve = async (id: string, overrideReason: string | null = null) =>
  outcomeOf(
    desk.approve.approveMovement(
      owner(),
      { id, seenHash: (await rowOf(desk.merchant, id)).content_hash as string },
      { overrideReason, stepUpId: null },
    ),
  );
const insert = (id: string, reason: string | null) =>
  outcomeOf(
    desk.merchant.owner
      .query(
        `INSERT INTO approvals (merchant_id, movement_id, person_id, content_hash, override_reason)
          SELECT merchant_id, id, $2, content_hash, $3 FROM movements WHERE id = $1`,
        [id, owner().personId, reason],
      )
      .then(() => 'stored'),
  );

it('an owner who has approved it may still release it alone, when nobody else comes', async () => {
  const id = await prepare(desk);
  expect(await approve(id)).toBe('given');
  expect(await approve(id), 'a second approval').toBe('approved_before');
  expect(await approve(id, 'the second is ill')).toBe('approved');
  const { rows } = await desk.merchant.owner.query(
    'SELECT override_reason FROM approvals WHERE movement_id = $1 ORDER BY created_at',
    [id],
  );
  expect(rows.map((row) => row.override_reason)).toEqual([null, 'the second is ill']);
});

it('the database keeps one approval and one release of a person', async () => {
  const id = await prepare(desk);
  expect(await insert(id, null)).toBe('stored');
  expect(await insert(id, null)).toBe('23505');
  expect(await insert(id, 'the second is ill')).toBe('stored');
  expect(await insert(id, 'once more')).toBe('23505');
});

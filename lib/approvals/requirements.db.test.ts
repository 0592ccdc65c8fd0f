import { afterAll, beforeAll, expect, it } from 'vitest';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { LONGEST_DUE, rowOf } from '#lib/movements/testing/stored.ts';
import { adopt, aRule, openDesk, prepare, unguarded } from './testing/desk.ts';
import type { Desk } from './testing/desk.ts';

/** What a policy asked for is changed behind the program's back: the worker sees it. */

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  await adopt(desk, [aRule({ fromMinor: 1n, approvals: 2, who: 'owner' })]);
  await adopt(desk, [aRule()]);
});
afterAll(() => desk.close());

async function work(id: string): Promise<string[]> {
  const provider = fakeProvider();
  await unguarded(
    desk,
    `UPDATE movements SET next_at = NULL;
      UPDATE movements SET next_at = '${LONGEST_DUE.toISOString()}' WHERE id = '${id}'`,
  );
  await desk.worker.advance.advanceOne(fakePorts(desk.merchant.merchantId, provider));
  return provider.asked.filter((one) => one.id === id).map((one) => one.kind);
}

async function approved(amountMinor: bigint): Promise<string> {
  const id = await prepare(desk, { amountMinor });
  const seenHash = (await rowOf(desk.merchant, id)).content_hash as string;
  if (amountMinor >= 2_500_000n)
    await desk.approve.approveMovement(desk.merchant.person('approver'), { id, seenHash });
  return id;
}

it.each([4_412_010n, 100n])('what is as it was judged leaves: %s', async (amountMinor) => {
  expect(await work(await approved(amountMinor))).toEqual(['send']);
});

it.each([
  ['the number of people', 'UPDATE approval_requirements SET needed = 0'],
  ['the version', 'UPDATE approval_requirements SET policy_version = 77'],
  ['the version, to an earlier one', 'UPDATE approval_requirements SET policy_version = 1'],
  ['the reasons', `UPDATE approval_requirements SET reasons = '[]', needed = 0`],
  ['the hash of its content', `UPDATE approval_requirements SET content_hash = 'another'`],
  ['the whole row, which is gone', 'DELETE FROM approval_requirements'],
])('%s: nothing is sent, and an alert is up', async (_what, change) => {
  const id = await approved(4_412_010n);
  await unguarded(desk, `${change} WHERE movement_id = '${id}'`);
  expect(await work(id)).toEqual([]);
  expect(await rowOf(desk.merchant, id)).toMatchObject({ sends: 0, alert: 'approvals_missing' });
});

it('a payment that nobody had to approve, made larger with its requirement taken away', async () => {
  const id = await approved(100n);
  await unguarded(
    desk,
    `DELETE FROM approval_requirements WHERE movement_id = '${id}';
      UPDATE movements SET amount_minor = 90000000 WHERE id = '${id}'`,
  );
  expect(await work(id)).toEqual([]);
  expect((await rowOf(desk.merchant, id)).alert).toBe('approvals_missing');
});

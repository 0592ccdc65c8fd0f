import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adopt, aRule, openDesk } from './testing/desk.ts';
import type { Desk } from './testing/desk.ts';
import type * as Open from '#lib/cards/operations/open.ts';
import { aRecord, storedPayment } from '#lib/cards/operations/testing/payments.ts';

/** A refund that waits for approval is its payment's open operation, until somebody withdraws it. */

let desk: Desk;
let open: typeof Open;

beforeAll(async () => {
  desk = await openDesk(async () => {
    open = await import('#lib/cards/operations/open.ts');
  });
  await adopt(desk, [aRule({ fromMinor: 5_000n })]);
});
afterAll(() => desk.close());

it('keeps every other refund of the payment away while it waits, and its maker can withdraw it', async () => {
  const clerk = desk.merchant.person('clerk');
  const paymentId = await storedPayment(desk.merchant, { state: 'completed' });
  const refund = async (id: string, amountMinor: bigint) =>
    desk.web.startCard.startRefund(
      clerk,
      { id, paymentId, amountMinor, reason: 'geri geldi' },
      { readRecord: async () => aRecord({ state: 'completed' }) },
    );
  const shown = async () => (await open.openOperations(clerk, [paymentId])).get(paymentId);
  const id = randomUUID();
  expect(await refund(id, 6_000n)).toEqual({ kind: 'started', id });
  expect(await shown()).toEqual({
    operation: 'refund',
    state: 'AWAITING_APPROVAL',
    amount: '60.00',
    currency: 'TRY',
  });
  expect(await refund(randomUUID(), 100n)).toEqual({ kind: 'stopped', why: 'one_open' });
  const [own] = await desk.web.cardOperations.operationsOf(clerk, paymentId);
  expect(open.OPEN_STATES).toContain(own!.state);
  expect(own).toMatchObject({ isUnproven: false, can: { cancel: true, ask: false } });
  await desk.web.cancel.cancelMovement(clerk, id);
  expect(await shown()).toBeUndefined();
  expect(await refund(randomUUID(), 100n)).toMatchObject({ kind: 'started' });
});

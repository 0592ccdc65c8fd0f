import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import { aRecord, storedPayment } from '#lib/cards/operations/testing/payments.ts';
import { rowOf, testWallet } from '#lib/movements/testing/stored.ts';
import type { RecordOutcome } from '#lib/providers/card/types.ts';
import type * as SubmitTransfer from '#lib/transfers/submit.ts';
import type { TransferForm } from '#lib/transfers/schema.ts';
import { adopt, aRule, openDesk } from './testing/desk.ts';
import type { Desk } from './testing/desk.ts';

/** The last approval of a transfer and of a refund asks their providers and rules once more. */

let desk: Desk;
let transfers: typeof SubmitTransfer;
const gateway: { record: RecordOutcome } = { record: aRecord() };

beforeAll(async () => {
  vi.doMock('#lib/providers/card/configured-client.ts', () => ({
    cardClient: () => ({ readRecord: async () => gateway.record }),
  }));
  desk = await openDesk(async () => {
    transfers = await import('#lib/transfers/submit.ts');
  });
  await adopt(desk, [aRule({ fromMinor: 5_000n })]);
});
afterAll(() => desk.close());
beforeEach(() => {
  desk.wallet.availableMinor = 100_000_000n;
  gateway.record = aRecord({ state: 'completed' });
});

const person = (role: 'clerk' | 'approver' | 'owner') => desk.merchant.person(role);
async function approve(id: string, who: Person = person('approver')): Promise<string> {
  const seenHash = (await rowOf(desk.merchant, id)).content_hash as string;
  return desk.approve
    .approveMovement(who, { id, seenHash })
    .catch(
      (error: { code?: string; params?: { finding?: string } }) =>
        error.params?.finding ?? error.code ?? String(error),
    );
}
const stateOf = async (id: string) => (await rowOf(desk.merchant, id)).state;

async function aTransfer(by: Person = person('clerk')): Promise<string> {
  const id = randomUUID();
  const form: TransferForm = {
    content: {
      id,
      kind: 'transfer_business',
      wallet: '1000000001',
      key: null,
      toWallet: testWallet(),
      name: `Tedarik ${id.slice(0, 6)}`,
      amountMinor: 50_000n as never,
      paymentType: '1',
      description: 'aktarım',
    },
    writtenCurrency: null,
    overrides: [],
    overrideReason: null,
  };
  const done = await transfers.submitTransfer(by, form, { locale: 'tr', retryOf: null });
  expect(done).toEqual({ kind: 'submitted', id });
  return id;
}

async function aRefund(by: Person = person('clerk')): Promise<string> {
  const paymentId = await storedPayment(desk.merchant, { state: 'completed' });
  const id = randomUUID();
  const asked = { id, paymentId, amountMinor: 6_000n, reason: 'geri geldi' };
  expect(await desk.web.startCard.startRefund(by, asked)).toEqual({ kind: 'started', id });
  return id;
}

it('of a transfer: the balance of now, and nothing is kept where it objects', async () => {
  const id = await aTransfer();
  expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
  desk.wallet.availableMinor = 1n;
  expect(await approve(id)).toBe('insufficient_balance');
  expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
  desk.wallet.availableMinor = 100_000_000n;
  expect(await approve(id)).toBe('approved');
  expect(await stateOf(id)).toBe('APPROVED');
});

it('of a refund: what the gateway’s record has left now', async () => {
  const id = await aRefund();
  expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
  gateway.record = aRecord({ state: 'partly_refunded', refundedMinor: 5_000n });
  expect(await approve(id)).toBe('more_than_left');
  gateway.record = aRecord({ state: 'partly_refunded', refundedMinor: 1_000n });
  expect(await approve(id), 'enough is left, but somebody refunded meanwhile').toBe(
    'changed_elsewhere',
  );
  gateway.record = aRecord({ state: 'completed' });
  expect(await approve(id)).toBe('approved');
  expect(await stateOf(id)).toBe('APPROVED');
});

it.each(['approver', 'owner'] as const)(
  'by %s never of what this person made: not one by one, not with others, not by a release',
  async (role) => {
    for (const id of [await aTransfer(person(role)), await aRefund(person(role))]) {
      expect(await approve(id, person(role))).toBe('own_movement');
      const seenHash = (await rowOf(desk.merchant, id)).content_hash as string;
      const seen = { id, seenHash };
      const [many] = await desk.many
        .approveMany(person(role), [seen])
        .catch((error: { code: string }) => [{ id, refused: error.code }]);
      expect(['own_movement', 'flagged_unseen']).toContain(many?.refused);
      const release = desk.approve.approveMovement(person('owner'), seen, {
        overrideReason: 'in a hurry',
        stepUpId: null,
      });
      if (role === 'owner') await expect(release).rejects.toMatchObject({ code: 'own_movement' });
      else expect(await release).toBe('approved');
    }
  },
);

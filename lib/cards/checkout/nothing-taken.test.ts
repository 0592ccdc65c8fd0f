import { expect, test } from 'vitest';
import type { KnownPayment } from '../payments/payment.ts';
import { lookAfterRefusal, withAnswer } from './nothing-taken.ts';

const known: KnownPayment = {
  state: null,
  problem: 'not_found',
  amountMinor: 100n,
  chargedMinor: null,
  refundedMinor: null,
  card: null,
  orderId: null,
  transactionId: null,
  reason: null,
  settlesOn: null,
  installments: null,
  commissionMinor: null,
  planCode: null,
  refunds: [],
  heldSince: null,
  heldSeen: false,
  verifiedAt: 1,
};

test('a clean no and a record that knows no order end a payment as not paid; neither does alone', () => {
  for (const answer of ['refused', 'not_sent', 'unauthorized']) {
    expect(withAnswer(known, { kind: 'not_found', raw: null }, answer)).toMatchObject({
      state: 'failed',
      problem: null,
    });
    expect(withAnswer(known, { kind: 'no_answer', why: 'timeout', raw: null }, answer)).toEqual(
      known,
    );
  }
  for (const answer of ['unclear', 'pending', 'look', 'approved', 'called_off', null])
    expect(withAnswer(known, { kind: 'not_found', raw: null }, answer)).toEqual(known);
});

test('what the record has said of an order stays, whatever was answered', () => {
  expect(
    withAnswer({ ...known, state: 'completed' }, { kind: 'not_found', raw: null }, 'refused'),
  ).toMatchObject({ state: 'completed' });
});

test('the record of a refused charge is read until the latest copy is listed, and a day later', () => {
  const [SECOND, MINUTE, DAY] = [1_000, 60_000, 24 * 3_600_000];
  const sentAt = 1_000_000;
  const looks: number[] = [];
  let look = lookAfterRefusal('failed', { answer: 'refused', sentAt }, sentAt);
  for (; look !== null; look = lookAfterRefusal('failed', { answer: 'refused', sentAt }, look))
    looks.push(look - sentAt);
  expect(looks).toEqual([10 * SECOND, 210 * SECOND, 210 * SECOND + 20 * MINUTE, DAY]);
});

test('what no copy can have charged is not read again', () => {
  for (const [state, answer, sentAt] of [
    ['completed', 'refused', 0],
    ['failed', 'not_sent', 0],
    ['failed', 'refused', null],
  ] as const)
    expect(lookAfterRefusal(state, { answer, sentAt }, 0)).toBeNull();
});

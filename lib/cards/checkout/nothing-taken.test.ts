import { expect, test } from 'vitest';
import type { KnownPayment } from '../payments/payment.ts';
import { withAnswer } from './nothing-taken.ts';

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

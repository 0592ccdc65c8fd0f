import { expect, it } from 'vitest';
import type { PolicyRule } from '#lib/policy/rules.ts';
import { rehearse } from './rehearse-rules.ts';
import type { PastPayment } from './rehearse-rules.ts';

const HOUR = 3_600_000;
const rule = (given: Partial<PolicyRule> = {}): PolicyRule => ({
  classes: ['payout'],
  wallets: [],
  when: 'amount',
  currency: 'TRY',
  fromMinor: 1_000n,
  approvals: 1,
  who: 'approver',
  ...given,
});
const paid = (at: number, given: Partial<PastPayment> = {}): PastPayment => ({
  policyClass: 'payout',
  wallet: '1',
  currency: 'TRY',
  amountMinor: 500n,
  makerId: 'ayse',
  account: 'TR1',
  paysOthers: true,
  known: { isFirstPayment: false, isPayeeChanged: false },
  at,
  isLive: true,
  ...given,
});

it('counts what would have waited for one and for two people', () => {
  const past = [paid(1), paid(2, { amountMinor: 1_000n }), paid(3, { amountMinor: 9_000n })];
  const rules = [rule(), rule({ fromMinor: 5_000n, approvals: 2 })];
  expect(rehearse(rules, past, 0)).toEqual({ payments: 3, one: 1, two: 1 });
  expect(rehearse(rules, past, 3), 'earlier ones are not counted').toEqual({
    payments: 1,
    one: 0,
    two: 1,
  });
});

it('applies the rules about payees to what was known of each when it was made', () => {
  const first = { isFirstPayment: true, isPayeeChanged: false };
  const changed = { isFirstPayment: true, isPayeeChanged: true };
  const past = [paid(1, { known: first }), paid(2, { known: changed }), paid(3)];
  const ofFirst = rule({ when: 'first_payment', fromMinor: 1n });
  expect(rehearse([ofFirst], past, 0).one).toBe(2);
  const ofChanged = rule({ when: 'payee_changed', fromMinor: 1n });
  expect(rehearse([ofChanged], past, 0).one).toBe(1);
});

it('adds up a maker’s day and the parts of one amount, for 24 hours', () => {
  const day = rule({ when: 'maker_day' });
  expect(rehearse([day], [paid(0), paid(HOUR)], 0).one).toBe(1);
  expect(rehearse([day], [paid(0), paid(25 * HOUR)], 0).one).toBe(0);
  expect(rehearse([day], [paid(0, { isLive: false }), paid(HOUR)], 0).one).toBe(0);
  const split = rule({ when: 'split' });
  expect(rehearse([split], [paid(0), paid(HOUR, { makerId: 'mehmet' })], 0).one).toBe(1);
  expect(rehearse([split], [paid(0), paid(HOUR, { account: 'TR2' })], 0).one).toBe(0);
  const own = { account: '2', paysOthers: false };
  expect(rehearse([split], [paid(0, own), paid(HOUR, own)], 0).one, 'own wallets').toBe(0);
});

import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { CONDITIONS, judgePolicy, NOTHING_NEEDED, POLICY_CLASSES } from './rules.ts';
import type { PolicyFacts, PolicyRule } from './rules.ts';
import { readRules, storedText } from './stored-rules.ts';

const LIMIT = 2_500_000n;
const rule = (given: Partial<PolicyRule> = {}): PolicyRule => ({
  classes: ['payout'],
  wallets: [],
  when: 'amount',
  currency: 'TRY',
  fromMinor: LIMIT,
  approvals: 1,
  who: 'approver',
  ...given,
});
const facts = (given: Partial<PolicyFacts> = {}): PolicyFacts => ({
  policyClass: 'payout',
  wallet: '1000000001',
  currency: 'TRY',
  amountMinor: LIMIT,
  isFirstPayment: false,
  isPayeeChanged: false,
  prepared: [],
  ...given,
});
const needed = (rules: PolicyRule[], given: Partial<PolicyFacts> = {}) =>
  judgePolicy(rules, facts(given)).needed;
const prepared = (
  byMakerMinor: bigint,
  toPayeeMinor: bigint,
  given: Partial<PolicyFacts['prepared'][number]> = {},
) => ({
  policyClass: 'payout' as const,
  wallet: '1000000001',
  byMakerMinor,
  toPayeeMinor,
  ...given,
});

describe('a rule', () => {
  it('applies from its amount on, not below', () => {
    expect([LIMIT - 1n, LIMIT].map((amountMinor) => needed([rule()], { amountMinor }))).toEqual([
      0, 1,
    ]);
  });

  it('is about its classes, its wallets and its currency alone', () => {
    expect(needed([rule()], { policyClass: 'refund' })).toBe(0);
    expect(needed([rule({ wallets: ['1000000002'] })])).toBe(0);
    expect(needed([rule({ wallets: ['1000000001'] })])).toBe(1);
    expect(needed([rule()], { currency: 'USD' })).toBe(0);
  });

  it('never applies to a kind without a class: an authorization would lapse', () => {
    expect(needed([rule({ classes: [...POLICY_CLASSES] })], { policyClass: null })).toBe(0);
  });

  it('of a first payment or of a changed account looks at what was paid before', () => {
    expect(needed([rule({ when: 'first_payment' })])).toBe(0);
    expect(needed([rule({ when: 'first_payment' })], { isFirstPayment: true })).toBe(1);
    expect(needed([rule({ when: 'payee_changed' })], { isFirstPayment: true })).toBe(0);
    expect(needed([rule({ when: 'payee_changed' })], { isPayeeChanged: true })).toBe(1);
  });

  it('of a maker’s day adds what the maker prepared in 24 hours, of its classes and wallets', () => {
    const small = { amountMinor: 100n };
    const day = rule({ when: 'maker_day' });
    expect(needed([day], { ...small, prepared: [prepared(LIMIT - 101n, 0n)] })).toBe(0);
    expect(needed([day], { ...small, prepared: [prepared(LIMIT - 100n, 0n)] })).toBe(1);
    const other = [prepared(LIMIT, 0n, { policyClass: 'refund' })];
    expect(needed([day], { ...small, prepared: other })).toBe(0);
    expect(needed([day], { ...small, prepared: [prepared(0n, LIMIT)] })).toBe(0);
  });

  it('of a split catches parts below the amount that reach it together', () => {
    const split = rule({ when: 'split' });
    const half = { amountMinor: LIMIT / 2n };
    expect(needed([split], half)).toBe(0);
    expect(needed([split], { ...half, prepared: [prepared(0n, LIMIT / 2n)] })).toBe(1);
    expect(needed([split], { prepared: [prepared(0n, LIMIT)] }), 'the amount rule’s own').toBe(0);
  });
});

describe('several rules', () => {
  it('the strictest decides, and every one that applied is a reason', () => {
    const both = [rule(), rule({ when: 'first_payment', approvals: 2, who: 'owner' })];
    expect(judgePolicy(both, facts({ isFirstPayment: true }))).toMatchObject({
      needed: 2,
      roles: ['owner'],
      reasons: [{ when: 'amount' }, { when: 'first_payment' }],
    });
    expect(judgePolicy(both, facts())).toMatchObject({ needed: 1, roles: ['approver', 'owner'] });
  });

  it('without a rule nothing needs an approval', () => {
    expect(judgePolicy([], facts({ amountMinor: 10n ** 15n }))).toEqual(NOTHING_NEEDED);
  });

  const anyRule = fc.record({
    classes: fc.subarray([...POLICY_CLASSES], { minLength: 1 }),
    wallets: fc.subarray(['1000000001', '1000000002']),
    when: fc.constantFrom(...CONDITIONS),
    currency: fc.constantFrom('TRY', 'USD'),
    fromMinor: fc.bigInt(1n, 10n ** 9n),
    approvals: fc.constantFrom(1 as const, 2 as const),
    who: fc.constantFrom('approver' as const, 'owner' as const),
  });

  it('one more rule never asks for less', () => {
    fc.assert(
      fc.property(fc.array(anyRule), anyRule, fc.bigInt(1n, 10n ** 9n), (rules, more, amount) => {
        const given = { amountMinor: amount, isFirstPayment: true, isPayeeChanged: true };
        expect(needed([...rules, more], given)).toBeGreaterThanOrEqual(needed(rules, given));
      }),
    );
  });

  it('is stored and read again without a change', () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 20 }), (rules) => {
        expect(readRules(JSON.parse(storedText(rules)))).toEqual(rules);
      }),
    );
  });
});

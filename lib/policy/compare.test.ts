import { expect, it } from 'vitest';
import { comparePolicies } from './compare.ts';
import type { RuleView } from './view.ts';

const rule = (given: Partial<RuleView> = {}): RuleView => ({
  classes: ['payout', 'transfer'],
  wallets: [],
  when: 'amount',
  currency: 'TRY',
  from: '25000.00',
  approvals: 1,
  who: 'approver',
  ...given,
});
const signed = (amount: string) => ({ from: [{ currency: 'TRY', amount }], signInAllowed: false });
const NOTHING = { rules: [], stepUp: null };

it('a proposal is shown as what it adds, takes away and leaves', () => {
  const before = { rules: [rule(), rule({ when: 'split' })], stepUp: null };
  const stricter = rule({ approvals: 2 });
  const after = { rules: [rule({ when: 'split' }), stricter], stepUp: signed('50000.00') };
  expect(comparePolicies(before, after)).toEqual({
    added: { rules: [stricter], stepUp: signed('50000.00') },
    removed: { rules: [rule()], stepUp: null },
    kept: { rules: [rule({ when: 'split' })], stepUp: null },
  });
});

it('another order of rules and kinds is no change', () => {
  const before = { rules: [rule(), rule({ when: 'split' })], stepUp: signed('1.00') };
  const turned = rule({ classes: ['transfer', 'payout'] });
  const after = { rules: [rule({ when: 'split' }), turned], stepUp: signed('1.00') };
  expect(comparePolicies(before, after)).toEqual({ added: NOTHING, removed: NOTHING, kept: after });
});

it('a signature asked from another amount on is taken away and added', () => {
  const change = comparePolicies(
    { rules: [], stepUp: signed('1.00') },
    { rules: [], stepUp: signed('2.00') },
  );
  expect([change.removed.stepUp, change.added.stepUp]).toEqual([signed('1.00'), signed('2.00')]);
  expect(change.kept).toEqual(NOTHING);
});

import { expect, it } from 'vitest';
import { isFounded } from './founded.ts';
import type { StoredJudgement } from './founded.ts';

const CONTENT = {
  policyClass: 'payout',
  wallet: '4410270001',
  currency: 'TRY',
  amountMinor: 4_999n,
} as const;
const reason = (given: object = {}) => ({
  when: 'amount',
  currency: 'TRY',
  fromMinor: '1000',
  approvals: 1,
  who: 'approver',
  ...given,
});
const byLimit = reason({ when: 'own_single' });
const policy = {
  rules: [
    { classes: ['payout'], wallets: [], ...reason() },
    { classes: ['payout'], wallets: [], ...reason({ fromMinor: '5000', who: 'owner' }) },
  ],
  stepUp: { from: [{ currency: 'TRY', fromMinor: '4000' }], signInAllowed: false },
};
const stored = (given: Partial<StoredJudgement> = {}): StoredJudgement => ({
  needed: 1,
  ownersOnly: false,
  stepUp: 'passkey',
  reasons: [reason()],
  version: 3,
  policy,
  ...given,
});

it.each<[string, Partial<StoredJudgement>]>([
  ['of one rule', {}],
  ['of a rule and a limit', { reasons: [reason(), byLimit], needed: 2 }],
  ['of a limit without a policy', { reasons: [byLimit], version: 0, policy: null, stepUp: 'none' }],
  ['that asks for more people', { needed: 2 }],
  ['that asks for owners', { ownersOnly: true }],
])('a requirement %s follows from its policy', (_what, given) => {
  expect(isFounded(stored(given), CONTENT)).toBe(true);
});

it.each<[string, Partial<StoredJudgement>]>([
  ['a lower number', { needed: 0 }],
  ['no signature', { stepUp: 'none' }],
  ['a weaker signature', { stepUp: 'any' }],
  ['no reasons', { reasons: [] }],
  ['a reason that is no rule', { reasons: [reason({ fromMinor: '2000' })] }],
  ['reasons that are none', { reasons: 'none' }],
  ['a version that does not exist', { version: 99, policy: null }],
  ['the version of a limit', { version: 0, policy: null }],
  ['another policy', { policy: { rules: [], stepUp: null } }],
])('a requirement with %s does not', (_what, given) => {
  expect(isFounded(stored(given), CONTENT)).toBe(false);
});

it('below every amount nobody has to approve, and that is held against the amount of now', () => {
  const nobody = stored({ reasons: [], needed: 0, stepUp: 'none' });
  expect(isFounded(nobody, { ...CONTENT, amountMinor: 999n })).toBe(true);
  expect(isFounded(nobody, CONTENT)).toBe(false);
  expect(isFounded(nobody, { ...CONTENT, policyClass: 'refund' })).toBe(true);
});

it('a row may be signed as the sum of its batch asks, and no other way', () => {
  const small = { ...CONTENT, amountMinor: 3_999n };
  const anyWay = { ...policy, stepUp: { ...policy.stepUp, signInAllowed: true } };
  expect(isFounded(stored(), small)).toBe(true);
  expect(isFounded(stored({ policy: anyWay }), CONTENT)).toBe(true);
  expect(isFounded(stored({ policy: anyWay, stepUp: 'none' }), CONTENT)).toBe(false);
});

it('every rule that the amount reaches is among its reasons', () => {
  const large = { ...CONTENT, amountMinor: 5_000n };
  const owners = reason({ fromMinor: '5000', who: 'owner' });
  expect(isFounded(stored(), large)).toBe(false);
  expect(isFounded(stored({ reasons: [reason(), owners], ownersOnly: true }), large)).toBe(true);
});

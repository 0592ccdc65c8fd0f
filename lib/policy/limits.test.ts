import { describe, expect, it } from 'vitest';
import {
  addLimit,
  isLimited,
  leftOfDay,
  limitClaim,
  readLimitClaim,
  widensLimit,
} from './limits.ts';
import { NOTHING_NEEDED, POLICY_CLASSES } from './rules.ts';

const limit = { currency: 'TRY', singleMinor: 1_000n, dayMinor: 5_000n };

describe('a person’s own limit', () => {
  it('asks for one approval above it, one more than the policy does, and never for three', () => {
    const facts = { amountMinor: 1_001n, dayMinor: 0n };
    expect(addLimit(NOTHING_NEEDED, limit, facts)).toMatchObject({
      needed: 1,
      roles: ['approver', 'owner'],
      reasons: [{ when: 'own_single', fromMinor: 1_000n }],
    });
    const asked = (needed: 1 | 2) => ({ needed, roles: ['owner' as const], reasons: [] });
    expect(addLimit(asked(1), limit, facts)).toMatchObject({ needed: 2, roles: ['owner'] });
    expect(addLimit(asked(2), limit, facts)).toMatchObject({ needed: 2, roles: ['owner'] });
  });

  it('lets exactly the limit leave, alone and in the sum of a day', () => {
    const judged = (amountMinor: bigint, dayMinor: bigint) =>
      addLimit(NOTHING_NEEDED, limit, { amountMinor, dayMinor }).reasons.map(({ when }) => when);
    expect(judged(1_000n, 4_000n)).toEqual([]);
    expect(judged(1_000n, 4_001n)).toEqual(['own_day']);
    expect(judged(1_001n, 4_000n)).toEqual(['own_single', 'own_day']);
    expect(addLimit(NOTHING_NEEDED, null, { amountMinor: 9n, dayMinor: 9n })).toBe(NOTHING_NEEDED);
  });

  it('is about money that leaves the house', () => {
    expect(POLICY_CLASSES.filter(isLimited)).toEqual(['payout', 'transfer', 'refund']);
    expect(isLimited(null)).toBe(false);
  });

  it('is wider where either amount is higher or gone; the first one only narrows', () => {
    const to = (singleMinor: bigint | null, dayMinor: bigint | null) =>
      widensLimit(limit, { currency: 'TRY', singleMinor, dayMinor });
    expect([to(999n, 5_000n), to(1_000n, 5_000n), to(1n, 1n)]).toEqual([false, false, false]);
    expect([to(1_001n, 1n), to(1n, 5_001n), to(null, 1n), to(1n, null)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(widensLimit(null, limit)).toBe(false);
  });

  it('leaves nothing of a day that is used up, never less', () => {
    expect([leftOfDay(limit, 1_000n), leftOfDay(limit, 9_000n)]).toEqual([4_000n, 0n]);
    expect(leftOfDay({ ...limit, dayMinor: null }, 1n)).toBeNull();
  });

  it('is the same after it was written as a claim', () => {
    for (const one of [limit, { ...limit, singleMinor: null }, { ...limit, dayMinor: null }])
      expect(readLimitClaim(limitClaim(one))).toEqual(one);
    for (const text of ['limit:TRY:-1:none', 'limit:TRY:1', 'role:owner', 'limit:try:1:1'])
      expect(readLimitClaim(text)).toBeNull();
  });
});

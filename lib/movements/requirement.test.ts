import { describe, expect, test } from 'vitest';
import type { PolicyVerdict } from '#lib/policy/verdict.ts';
import { addedRequirement, requirementOf } from './requirement.ts';

const HASH = 'the content';
const movement = { approvalsNeeded: 1, contentHash: HASH };

function verdict(
  needed: 0 | 1 | 2,
  {
    owners = false,
    stepUp = 'none',
    version = 1 as number | null,
  }: {
    owners?: boolean;
    stepUp?: PolicyVerdict['stepUp'];
    version?: number | null;
  } = {},
): PolicyVerdict {
  const roles = owners ? (['owner'] as const) : (['approver', 'owner'] as const);
  return { version, stepUp, judgement: { needed, roles: [...roles], reasons: [] } };
}

const asked = (one: PolicyVerdict) => [requirementOf(one, HASH)!];

describe('what a policy leaves beside a movement', () => {
  test('is bound to the content, also where nobody has to approve it', () => {
    expect(requirementOf(verdict(0), HASH)).toEqual({
      needed: 0,
      ownersOnly: false,
      contentHash: HASH,
      stepUp: 'none',
    });
  });

  test('is nothing without a policy and without a limit', () => {
    expect(requirementOf(verdict(0, { version: null }), HASH)).toBeNull();
    expect(requirementOf(verdict(1, { version: null }), HASH)).toMatchObject({ needed: 1 });
  });
});

describe('a policy of a later moment', () => {
  test.each([
    ['more people', verdict(2)],
    ['owners', verdict(1, { owners: true })],
    ['a signature', verdict(1, { stepUp: 'any' })],
  ])('that asks for %s adds what it asks', (_what, later) => {
    expect(addedRequirement(later, movement, asked(verdict(1)))).toEqual(
      requirementOf(later, HASH),
    );
  });

  test('that asks for a passkey adds to one that was content with a sign-in', () => {
    const before = asked(verdict(1, { stepUp: 'any' }));
    expect(addedRequirement(verdict(1, { stepUp: 'passkey' }), movement, before)).not.toBeNull();
  });

  test.each([
    ['fewer people', verdict(1), verdict(2)],
    ['nobody', verdict(0), verdict(1)],
    ['any role', verdict(1), verdict(1, { owners: true })],
    ['no signature', verdict(1), verdict(1, { stepUp: 'passkey' })],
    ['the same', verdict(2, { owners: true }), verdict(2, { owners: true })],
  ])('that asks for %s changes nothing', (_what, later, before) => {
    expect(addedRequirement(later, movement, asked(before))).toBeNull();
  });

  test('is compared with the number that the movement itself has kept', () => {
    expect(addedRequirement(verdict(2), { ...movement, approvalsNeeded: 2 }, [])).toBeNull();
  });
});

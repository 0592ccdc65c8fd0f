import { describe, expect, it } from 'vitest';
import { ROLES } from '#lib/access/actor.ts';
import type { Role } from '#lib/access/actor.ts';
import {
  claimOf,
  invitationNeedsTwo,
  invitationState,
  needsTwo,
  readClaim,
  stateOf,
  widens,
} from './rules.ts';

const NARROWER: Readonly<Record<Role, readonly Role[]>> = {
  owner: ['approver', 'clerk', 'support', 'auditor'],
  approver: ['clerk', 'support'],
  clerk: ['support'],
  support: [],
  auditor: [],
};

describe('a change of role', () => {
  it.each(ROLES.flatMap((was) => ROLES.map((becomes) => [was, becomes] as const)))(
    'from %s to %s needs two people exactly when the second may do something new',
    (was, becomes) => {
      const isNarrower = was === becomes || NARROWER[was].includes(becomes);
      expect(widens(was, becomes)).toBe(!isNarrower);
      expect(needsTwo(was, { kind: 'role', role: becomes })).toBe(!isNarrower);
    },
  );
  it('is not the only one: enabling gives all rights back, disabling gives none', () => {
    for (const role of ROLES) {
      expect(needsTwo(role, { kind: 'enable' })).toBe(true);
      expect(needsTwo(role, { kind: 'disable' })).toBe(false);
    }
  });
});

it('an invitation needs two people for the roles that can be one of two', () => {
  expect(ROLES.filter(invitationNeedsTwo)).toEqual(['approver', 'owner']);
});

it('a claim says its change, and no other text is one', () => {
  for (const role of ROLES)
    expect(readClaim(claimOf({ kind: 'role', role }))).toEqual({ kind: 'role', role });
  expect(readClaim(claimOf({ kind: 'enable' }))).toEqual({ kind: 'enable' });
  for (const text of ['', 'role:', 'role:admin', 'role:owner ', 'invite', 'done'])
    expect(readClaim(text)).toBeNull();
});

it('a statement is about one role and one time of being disabled', () => {
  const at = new Date('2026-11-24T10:00:00.000Z');
  const states = [
    stateOf({ role: 'clerk', disabledAt: null }),
    stateOf({ role: 'owner', disabledAt: null }),
    stateOf({ role: 'clerk', disabledAt: at }),
    stateOf({ role: 'clerk', disabledAt: new Date(at.getTime() + 1) }),
  ];
  expect(new Set(states).size).toBe(states.length);
});

describe('the state of an invitation', () => {
  const now = Date.parse('2026-11-24T10:00:00.000Z');
  const row = {
    role: 'clerk' as Role,
    confirmedAt: null,
    expiresAt: new Date(now + 1),
    usedAt: null,
    withdrawnAt: null,
  };
  const then = new Date(now - 1);
  it.each([
    ['a clerk is invited by one', row, false, 'open'],
    ['an approver waits for the second', { ...row, role: 'approver' as Role }, true, 'waiting'],
    ['nobody confirmed it in time', { ...row, role: 'owner' as Role }, false, 'lapsed'],
    ['confirmed', { ...row, role: 'owner' as Role, confirmedAt: then }, false, 'open'],
    ['expired', { ...row, expiresAt: new Date(now) }, false, 'expired'],
    ['withdrawn', { ...row, withdrawnAt: then }, false, 'withdrawn'],
    ['used, and over since', { ...row, usedAt: then, expiresAt: then }, false, 'used'],
  ] as const)('%s', (_what, invitation, asked, state) => {
    expect(invitationState(invitation, { now, asked })).toBe(state);
  });
});

import { describe, expect, test } from 'vitest';
import { confirmRefusal, gravest } from './stops.ts';

describe('letting sending go on', () => {
  const approver = { id: 'a', role: 'approver' };
  const owner = { id: 'o', role: 'owner' };
  test.each([
    ['nobody asked', 'person', null, owner, 'release_not_asked'],
    ['the one who asked', 'person', owner, owner, 'second_person_needed'],
    ['two approvers, for what a person stopped', 'person', approver, { ...approver, id: 'b' }, null],
    ['two approvers, for what the system stopped', 'recovery', approver, { ...approver, id: 'b' }, 'owner_needed'],
    ['an owner asked', 'recovery', owner, approver, null],
    ['an owner confirms', 'environment', approver, owner, null],
  ] as const)('%s', (_what, cause, askedBy, person, refusal) => {
    expect(confirmRefusal({ cause, askedBy }, person)).toBe(refusal);
  });

  test('the gravest cause is the one that is said', () => {
    expect(gravest([{ cause: 'person' }, { cause: 'environment' }, { cause: 'recovery' }])).toEqual({ cause: 'environment' });
    expect(gravest([])).toBeNull();
  });
});

import { describe, expect, test } from 'vitest';
import { approverRefusal, signatureRefusal, waitingRefusal } from './approval-rules.ts';

const HASH = 'the content';
const DAY_MS = 24 * 60 * 60_000;
const waiting = { state: 'AWAITING_APPROVAL', stateSince: 1_000, contentHash: HASH } as const;
const facts = { makers: ['ayse', 'mehmet'], intact: true, now: 1_000 + DAY_MS };
const seen = { personId: 'selin', seenHash: HASH };
const asked = (more: object = {}) => [
  { needed: 1, ownersOnly: false, contentHash: HASH, stepUp: 'none' as const, ...more },
];

describe('an approval is refused', () => {
  test('of what does not wait', () => {
    expect(waitingRefusal({ ...waiting, state: 'APPROVED' }, facts, seen)).toBe('not_waiting');
  });

  test('of what has waited for more than a day, whether or not a worker has said so', () => {
    expect(waitingRefusal(waiting, facts, seen)).toBeNull();
    expect(waitingRefusal(waiting, { ...facts, now: facts.now + 1 }, seen)).toBe('not_waiting');
  });

  test('of a content that the person did not see, or that no longer gives its hash', () => {
    expect(waitingRefusal(waiting, facts, { ...seen, seenHash: 'another' })).toBe(
      'content_changed',
    );
    expect(waitingRefusal(waiting, { ...facts, intact: false }, seen)).toBe('content_changed');
  });

  test.each(['ayse', 'mehmet'])(
    'of its maker and of the maker of an earlier version: %s',
    (who) => {
      expect(waitingRefusal(waiting, facts, { ...seen, personId: who })).toBe('own_movement');
    },
  );

  test('of who has given one', () => {
    const given = [{ personId: 'selin', deputyOf: null }];
    const accounts = ['selin', 'selin at her new address'];
    const person = { accounts, represents: accounts, role: 'owner' } as const;
    expect(approverRefusal(person, given, { asked: asked(), releases: false })).toBe(
      'approved_before',
    );
  });

  test('of a deputy and the person represented, whoever of them comes second', () => {
    const deputy = { accounts: ['ayse'], represents: ['selin'], role: 'clerk' } as const;
    const selin = { accounts: ['selin'], represents: ['selin'], role: 'approver' } as const;
    const bySelin = [{ personId: 'selin', deputyOf: null }];
    const byDeputy = [{ personId: 'ayse', deputyOf: 'selin' }];
    expect(approverRefusal(deputy, bySelin, { asked: asked(), releases: false })).toBe(
      'pair_approved_before',
    );
    expect(approverRefusal(selin, byDeputy, { asked: asked(), releases: false })).toBe(
      'pair_approved_before',
    );
  });

  test('of an approver where any policy so far asked for owners', () => {
    const person = { accounts: ['can'], represents: ['can'], role: 'approver' } as const;
    const both = [...asked({ ownersOnly: true }), ...asked()];
    expect(approverRefusal(person, [], { asked: both, releases: false })).toBe('approver_role');
    expect(
      approverRefusal({ ...person, role: 'owner' }, [], { asked: both, releases: false }),
    ).toBeNull();
  });

  test('with a signature that is weaker than any policy so far asked for', () => {
    const both = [...asked({ stepUp: 'passkey' }), ...asked()];
    expect(signatureRefusal('sign_in', both)).toBe('step_up_needed');
    expect(signatureRefusal('none', asked({ stepUp: 'any' }))).toBe('step_up_needed');
    expect(signatureRefusal('passkey', both)).toBeNull();
  });
});

test('an approval of another person, of what was seen, is not refused', () => {
  expect(waitingRefusal(waiting, facts, seen)).toBeNull();
  const person = { accounts: ['selin'], represents: ['selin'], role: 'approver' } as const;
  expect(approverRefusal(person, [], { asked: asked(), releases: false })).toBeNull();
  expect(signatureRefusal('none', asked())).toBeNull();
});

import { describe, expect, it } from 'vitest';
import type { Role } from '#lib/access/actor.ts';
import { isSecondWord, standingOf, WORD_LIFE_MS } from './standing.ts';
import type { Word } from './standing.ts';

const NOW = 1_000_000_000;
const at = { now: NOW, makerId: 'maker', needs: 'approver' } as const;

function word(
  personId: string,
  claim: string | null,
  { role = 'approver', ago = 0 }: { role?: Role; ago?: number } = {},
): Word {
  return {
    personId,
    name: personId,
    role,
    claim,
    reason: 'seen in the panel',
    reference: null,
    at: NOW - ago,
  };
}

describe('what two people say', () => {
  it('counts when two say the same, one of them an approver or an owner', () => {
    expect(standingOf([word('a', 'done', { role: 'clerk' }), word('b', 'done')], at)).toEqual({
      kind: 'agreed',
      claim: 'done',
      people: ['a', 'b'],
    });
  });

  it('is not enough from two clerks, nor from approvers where an owner is needed', () => {
    const clerks = [word('a', 'done', { role: 'clerk' }), word('b', 'done', { role: 'clerk' })];
    expect(standingOf(clerks, at)).toEqual({ kind: 'waiting', claim: 'done', missing: 'senior' });
    expect(
      standingOf([word('a', 'done'), word('b', 'done')], { ...at, needs: 'owner' }),
    ).toMatchObject({ kind: 'waiting', missing: 'senior' });
  });

  it('counts by the latest word of each: one that was changed agrees with nobody any more', () => {
    const changed = [word('a', 'not_done'), word('a', 'done'), word('b', 'not_done')];
    expect(standingOf(changed, at)).toEqual({ kind: 'contradicted', claims: ['done', 'not_done'] });
    expect(
      standingOf([word('a', 'not_done'), word('a', null), word('b', 'not_done')], at),
    ).toMatchObject({ kind: 'waiting', missing: 'second_person' });
  });

  it('closes nothing while a third person denies it, and does once that word is taken back', () => {
    const denied = [word('c', 'done'), word('a', 'not_done'), word('b', 'not_done')];
    expect(standingOf(denied, at).kind).toBe('contradicted');
    expect(standingOf([...denied, word('c', null)], at).kind).toBe('agreed');
  });

  it('is forgotten after a day, and never counts from the maker', () => {
    expect(
      standingOf([word('a', 'done', { ago: WORD_LIFE_MS }), word('b', 'done')], at),
    ).toMatchObject({ kind: 'waiting' });
    expect(
      standingOf([word('a', 'done', { ago: WORD_LIFE_MS - 1 }), word('b', 'done')], at),
    ).toMatchObject({ kind: 'agreed' });
    expect(standingOf([word('maker', 'done'), word('b', 'done')], at)).toMatchObject({
      kind: 'waiting',
    });
    expect(standingOf([word('maker', 'done')], at)).toEqual({ kind: 'nobody' });
  });

  it('is a second word only after somebody else’s, of the same claim, that still counts', () => {
    const words = [word('a', 'done')];
    expect(isSecondWord(words, { personId: 'b', claim: 'done' }, NOW)).toBe(true);
    expect(isSecondWord(words, { personId: 'a', claim: 'done' }, NOW)).toBe(false);
    expect(isSecondWord(words, { personId: 'b', claim: 'not_done' }, NOW)).toBe(false);
    expect(isSecondWord(words, { personId: 'b', claim: 'done' }, NOW + WORD_LIFE_MS)).toBe(false);
  });
});

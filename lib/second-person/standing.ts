import type { Role } from '#lib/access/actor.ts';

/**
 * What the words of people come to. Pure: times in milliseconds of the database's clock. The
 * table's guard says the same.
 */

/** A word counts for a day: what a panel showed longer ago says too little of now. */
export const WORD_LIFE_MS = 24 * 60 * 60_000;

/** The least role that one of the two has to have. */
export type Senior = 'approver' | 'owner';

/**
 * What one person said. `claim` null: an earlier word is taken back. `reference`: of the provider's
 * written answer.
 */
export type Word = {
  personId: string;
  name: string;
  role: Role;
  claim: string | null;
  reason: string;
  reference: string | null;
  at: number;
};

/**
 * `nobody`: no word counts. `waiting`: what counts says one thing, and somebody is missing: any
 * second person, or one of the role that is needed. `contradicted`: two people's latest words
 * differ; nothing is closed. `agreed`: it may be carried out.
 */
export type Standing =
  | { kind: 'nobody' }
  | { kind: 'waiting'; claim: string; missing: 'second_person' | 'senior' }
  | { kind: 'contradicted'; claims: string[] }
  | { kind: 'agreed'; claim: string; people: string[] };

/**
 * `words` in the order they were said. Only each person's latest word counts, and the maker's
 * never.
 */
export function standingOf(
  words: readonly Word[],
  { now, makerId, needs }: { now: number; makerId: string | null; needs: Senior },
): Standing {
  const claimed = latestWords(words, now).filter(
    (word) => word.claim !== null && word.personId !== makerId,
  );
  const claims = [...new Set(claimed.map((word) => word.claim!))];
  const [claim] = claims;
  if (claim === undefined) return { kind: 'nobody' };
  if (claims.length > 1) return { kind: 'contradicted', claims };
  if (claimed.length < 2) return { kind: 'waiting', claim, missing: 'second_person' };
  if (!claimed.some((word) => isSenior(word.role, needs)))
    return { kind: 'waiting', claim, missing: 'senior' };
  return { kind: 'agreed', claim, people: claimed.map((word) => word.personId) };
}

/** One word a person, the latest; a word that is a day old is none. */
export function latestWords(words: readonly Word[], now: number): Word[] {
  const latest = new Map<string, Word>();
  for (const word of words) latest.set(word.personId, word);
  return [...latest.values()].filter((word) => now - word.at < WORD_LIFE_MS);
}

/**
 * Whether somebody else's word of the same claim counts: then this person's word would be the
 * second.
 */
export function isSecondWord(
  words: readonly Word[],
  { personId, claim }: { personId: string; claim: string },
  now: number,
): boolean {
  return latestWords(words, now).some((word) => word.claim === claim && word.personId !== personId);
}

export function isSenior(role: Role, needs: Senior): boolean {
  return role === 'owner' || (role === 'approver' && needs === 'approver');
}

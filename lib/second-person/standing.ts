import type { Role } from '#lib/access/actor.ts';

/**
 * What the statements of several people amount to. Pure: times in milliseconds of the database's
 * clock. The table's guard enforces the same.
 */

/**
 * A statement counts for a day: an older view of a provider's panel does not describe the present.
 */
export const WORD_LIFE_MS = 24 * 60 * 60_000;

/** The minimum role of at least one of the two. */
export type Senior = 'approver' | 'owner';

/**
 * One person's statement. `claim` null: an earlier one is withdrawn. `reference`: that of the
 * provider's written answer.
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
 * `nobody`: no statement counts. `waiting`: all statements agree, and a second person or one with
 * the required role is missing. `contradicted`: the latest statements of two people differ; the
 * request stays open. `agreed`: it may be carried out.
 */
export type Standing =
  | { kind: 'nobody' }
  | { kind: 'waiting'; claim: string; missing: 'second_person' | 'senior' }
  | { kind: 'contradicted'; claims: string[] }
  | { kind: 'agreed'; claim: string; people: string[] };

/**
 * `words` in the order of their time. Only each person's latest statement counts, and the maker's
 * never does.
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

/** The latest statement of each person; one that is a day old does not count. */
export function latestWords(words: readonly Word[], now: number): Word[] {
  const latest = new Map<string, Word>();
  for (const word of words) latest.set(word.personId, word);
  return [...latest.values()].filter((word) => now - word.at < WORD_LIFE_MS);
}

/**
 * Whether another person's statement with the same claim counts: then this person's would be the
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

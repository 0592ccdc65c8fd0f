/**
 * A mark is what a worker remembers of the database outside of it: how far the audit chain had
 * come, and which database that was. A database that does not hold what a mark says is not the one
 * that was worked with: somebody restored an older one. Pure.
 */

/**
 * Which database: its cluster, the cluster's timeline (it changes with a recovery to a point in
 * time), its place in the cluster.
 */
export type DatabaseName = { system: string; timeline: number; oid: number };

/** `seq` and `hash` (hex) of the newest audit entry; `at` ISO. */
export type Checkpoint = { seq: string; hash: string; database: DatabaseName; at: string };

export type Why = 'behind' | 'other_database' | 'no_mark' | 'asked';

/**
 * What the database says now, and of each mark which hash it has at that place of the chain; null
 * when the chain is shorter.
 */
export type Found = {
  database: DatabaseName;
  /** Workers have kept marks of this database before. */
  wasMarked: boolean;
  /** Another worker was seen at work on it, so its mark fits. */
  hasCompany: boolean;
  marks: readonly { mark: Checkpoint; hashThere: string | null }[];
  /** There is a mark that cannot be read. */
  unreadable: boolean;
};

/**
 * Marks that say something new: what an older one knew was looked for in the recovery that began
 * since. `recoveredAt`: milliseconds.
 */
export function marksSince<M extends Pick<Checkpoint, 'at'>>(
  marks: readonly M[],
  recoveredAt: number | null,
): M[] {
  return marks.filter((mark) => recoveredAt === null || Date.parse(mark.at) > recoveredAt);
}

/**
 * Null when the database is the one that was worked with, and nothing that was done is missing in
 * it.
 */
export function judgeDatabase(found: Found): Why | null {
  if (found.marks.some(({ mark, hashThere }) => hashThere !== mark.hash)) return 'behind';
  if (found.marks.some(({ mark }) => !sameDatabase(mark.database, found.database)))
    return 'other_database';
  // Where the mark should be and is not, nobody can tell what this database lacks.
  if (found.unreadable || (found.marks.length === 0 && found.wasMarked && !found.hasCompany))
    return 'no_mark';
  return null;
}

function sameDatabase(a: DatabaseName, b: DatabaseName): boolean {
  return a.system === b.system && a.timeline === b.timeline && a.oid === b.oid;
}

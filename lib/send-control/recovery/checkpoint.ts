/**
 * A checkpoint is what a worker stores outside the database: the end of the audit chain and the
 * database's name. A database without that entry is not the one that the worker used: an older one
 * was restored. Pure.
 */

/**
 * Identifies a database: its cluster, the cluster's timeline (changed by a point-in-time recovery),
 * its oid in the cluster.
 */
export type DatabaseName = { system: string; timeline: number; oid: number };

/** `seq` and `hash` (hex) of the newest audit entry; `at` ISO. */
export type Checkpoint = { seq: string; hash: string; database: DatabaseName; at: string };

export type Why = 'behind' | 'other_database' | 'no_mark' | 'asked';

/**
 * The database's current name, and for each checkpoint the hash at its position in the chain; null
 * when the chain is shorter.
 */
export type Found = {
  database: DatabaseName;
  /** Workers have written checkpoints of this database before. */
  wasMarked: boolean;
  /** Another worker was seen at work on it, so that worker's checkpoint matched. */
  hasCompany: boolean;
  marks: readonly { mark: Checkpoint; hashThere: string | null }[];
  /** At least one checkpoint cannot be read. */
  unreadable: boolean;
};

/**
 * The checkpoints written after the latest recovery began: that recovery already searches for
 * everything that older checkpoints cover. `recoveredAt`: milliseconds.
 */
export function marksSince<M extends Pick<Checkpoint, 'at'>>(
  marks: readonly M[],
  recoveredAt: number | null,
): M[] {
  return marks.filter((mark) => recoveredAt === null || Date.parse(mark.at) > recoveredAt);
}

/** Null when the database is the one that the workers used and lacks none of their entries. */
export function judgeDatabase(found: Found): Why | null {
  if (found.marks.some(({ mark, hashThere }) => hashThere !== mark.hash)) return 'behind';
  if (found.marks.some(({ mark }) => !sameDatabase(mark.database, found.database)))
    return 'other_database';
  // Without the expected checkpoint, what this database lacks is unknown.
  if (found.unreadable || (found.marks.length === 0 && found.wasMarked && !found.hasCompany))
    return 'no_mark';
  return null;
}

function sameDatabase(a: DatabaseName, b: DatabaseName): boolean {
  return a.system === b.system && a.timeline === b.timeline && a.oid === b.oid;
}

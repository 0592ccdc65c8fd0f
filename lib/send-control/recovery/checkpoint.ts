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

/**
 * `seq` and `hash` (hex) of the newest audit entry; `at` ISO. `successors`: the standbys that had
 * every commit before it was acknowledged, by `successorsOf`.
 */
export type Checkpoint = {
  seq: string;
  hash: string;
  database: DatabaseName;
  successors: readonly string[];
  at: string;
};

export type Why = 'behind' | 'other_database' | 'no_mark' | 'asked';

/**
 * The database's current name, and for each checkpoint the hash at its position in the chain; null
 * when the chain is shorter.
 */
export type Found = {
  database: DatabaseName;
  /** The name that the database's present server has as a standby; null when it has none. */
  standbyName: string | null;
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
  if (found.marks.some(({ mark }) => !sameCluster(mark.database, found.database)))
    return 'other_database';
  if (!continuesTimeline(found)) return 'other_database';
  // Without the expected checkpoint, what this database lacks is unknown.
  if (found.unreadable || (found.marks.length === 0 && found.wasMarked && !found.hasCompany))
    return 'no_mark';
  return null;
}

function sameCluster(a: DatabaseName, b: DatabaseName): boolean {
  return a.system === b.system && a.oid === b.oid;
}

/**
 * Whether the database's timeline is the one of the newest checkpoints, or the next one, begun by a
 * standby that every commit had waited for. Checkpoints of earlier timelines were compared before
 * the newest ones were written.
 */
function continuesTimeline({ database, standbyName, marks }: Found): boolean {
  const newest = Math.max(...marks.map(({ mark }) => mark.database.timeline));
  if (marks.length === 0 || newest === database.timeline) return true;
  if (newest + 1 !== database.timeline || standbyName === null) return false;
  return marks
    .filter(({ mark }) => mark.database.timeline === newest)
    .every(({ mark }) => mark.successors.includes(standbyName.toLowerCase()));
}

const GROUP = /^(?:(?:FIRST|ANY)\s+)?(?<count>\d+)\s*\((?<list>.*)\)$/is;
const NAME = /^(?:"(?<quoted>[\w.-]+)"|(?<plain>[\w.-]+))$/;

/**
 * The standbys that have every commit before it is acknowledged, in lower case. Empty when some
 * standby of the list may lack one: when fewer than all of the list are waited for, when the list
 * is `*`, or when a commit does not wait for the standby's disk. `standbyNames` and `commit`:
 * PostgreSQL's `synchronous_standby_names` and `synchronous_commit`.
 */
export function successorsOf(standbyNames: string, commit: string): string[] {
  if (commit !== 'on' && commit !== 'remote_apply') return [];
  const group = GROUP.exec(standbyNames.trim())?.groups;
  const names = (group?.['list'] ?? standbyNames).split(',').map((text) => {
    const parts = NAME.exec(text.trim())?.groups;
    return parts?.['quoted'] ?? parts?.['plain'] ?? null;
  });
  if (names.length !== Number(group?.['count'] ?? 1)) return [];
  return names.every((name) => name !== null) ? names.map((name) => name.toLowerCase()) : [];
}

import 'server-only';
import { literal, sql } from '#lib/runtime/db.ts';

/**
 * A position in the audit chain, the hash (hex) at that position, and the database in which it was
 * found.
 */
export type KnownEntry = { seq: string; hash: string; database: { timeline: number } };

/**
 * The timeline on which the server writes, as SQL. Not the one of `pg_control_checkpoint()`: a
 * promoted standby shows its former timeline there until its first checkpoint ends. Null on a
 * standby.
 */
export const TIMELINE = literal(
  `CASE WHEN NOT pg_is_in_recovery()
    THEN ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END`,
);

/**
 * Whether the audit chain contains this entry on the same timeline, as SQL. After a promotion no
 * claim sends before the worker has compared the database with its checkpoints.
 */
export function holdsCheckpoint(mark: KnownEntry | null): ReturnType<typeof sql> {
  if (mark === null) return sql`FALSE`;
  return sql`(${holdsEntry(mark)} AND ${TIMELINE} = ${mark.database.timeline}::int)`;
}

/**
 * Whether the audit chain contains this entry, as SQL. Number 0 stands for the empty chain, which
 * every database contains.
 */
export function holdsEntry(mark: Pick<KnownEntry, 'seq' | 'hash'>): ReturnType<typeof sql> {
  return mark.seq === '0'
    ? sql`TRUE`
    : sql`EXISTS (SELECT FROM audit_entries e WHERE e.seq = ${mark.seq}::bigint
      AND e.hash = decode(${mark.hash}, 'hex'))`;
}

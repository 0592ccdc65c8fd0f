import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';

/**
 * Whether a movement was sent after a recovery that is younger than the movement: an earlier
 * request under the same number may be among the records that the restore has lost.
 */
export async function mayBeRepeat(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ repeat: boolean }[]>`
    SELECT EXISTS (SELECT FROM recoveries r
      WHERE r.began_at > m.created_at AND r.began_at < m.last_send_at) AS repeat
      FROM movements m WHERE m.id = ${id}::uuid`;
  return row?.repeat ?? true;
}

/** Whether a movement is older than a recovery: the restored records may have lost its send. */
export async function isOlderThanRecovery(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ older: boolean }[]>`
    SELECT EXISTS (SELECT FROM recoveries r WHERE r.began_at > m.created_at) AS older
      FROM movements m WHERE m.id = ${id}::uuid`;
  return row?.older ?? true;
}

/**
 * From when on the provider lists everything of a movement that a restore may have lost; null for a
 * movement that is not older than a recovery.
 */
export async function listedSince(tx: Tx, id: string): Promise<number | null> {
  const [row] = await tx.$queryRaw<{ listed_by: Date | null }[]>`
    SELECT max(r.listed_by) AS listed_by FROM recoveries r
      WHERE r.began_at > (SELECT m.created_at FROM movements m WHERE m.id = ${id}::uuid)`;
  return row?.listed_by?.getTime() ?? null;
}

/**
 * Whether a recovery found a send of a movement `m` that has none by its own state: our send
 * journal or the provider's record names it. A record that moved no money does not count.
 */
export const IS_NAMED_BY_RECOVERY = sql`EXISTS (SELECT FROM recovered_records f
  WHERE f.movement_id = m.id AND f.finding = 'contradiction' AND f.level NOT IN ('rejected', 'failed'))`;

import 'server-only';
import type { Tx } from '#lib/runtime/db.ts';

/**
 * Whether a movement was sent since a recovery that it is older than: an earlier request under the
 * same number may be among what the restored records have lost.
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

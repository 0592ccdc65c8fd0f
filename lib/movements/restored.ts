import 'server-only';
import type { Tx } from '#lib/runtime/db.ts';

/** Whether a movement is older than a recovery: the restored records may have lost its send. */
export async function isOlderThanRecovery(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ older: boolean }[]>`
    SELECT EXISTS (SELECT FROM recoveries r WHERE r.began_at > m.created_at) AS older
      FROM movements m WHERE m.id = ${id}::uuid`;
  return row?.older ?? true;
}

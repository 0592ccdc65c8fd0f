import 'server-only';
import type { Tx } from '#lib/runtime/db.ts';
import { lookSays } from './closable.ts';
import type { Look } from './closable.ts';

/**
 * The worker's latest read of this movement's record; null when there is none. Late responses do
 * not count.
 */
export async function lastLook(
  tx: Tx,
  { id, kind }: { id: string; kind: string },
): Promise<Look | null> {
  const [row] = await tx.$queryRaw<
    { kind: string; why: string | null; level: string | null; other: boolean; at: Date }[]
  >`
    SELECT e.detail ->> 'kind' AS kind, e.detail ->> 'why' AS why, e.detail ->> 'level' AS level,
      coalesce(e.detail ->> 'requestId' <> m.request_id, false) AS other, e.at
    FROM evidence e JOIN movements m ON m.id = e.movement_id
    WHERE e.movement_id = ${id}::uuid AND e.source = 'read' AND e.detail ->> 'late' IS NULL
      ORDER BY e.id DESC LIMIT 1`;
  return row ? { says: lookSays(kind, row), at: row.at.getTime() } : null;
}

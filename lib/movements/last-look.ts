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
  { id, rail }: { id: string; rail: string },
): Promise<Look | null> {
  const [row] = await tx.$queryRaw<
    { kind: string; why: string | null; level: string | null; at: Date }[]
  >`
    SELECT detail ->> 'kind' AS kind, detail ->> 'why' AS why, detail ->> 'level' AS level, at
      FROM evidence
    WHERE movement_id = ${id}::uuid AND witness = 'read' AND detail ->> 'late' IS NULL
      ORDER BY id DESC LIMIT 1`;
  return row ? { says: lookSays(rail, row), at: row.at.getTime() } : null;
}

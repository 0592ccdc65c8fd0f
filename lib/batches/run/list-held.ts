import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import type { Hold } from './hold-rules.ts';

/** `unsent`: its rows that are no movements yet. `name` is empty for pasted rows. Times ISO. */
export type HeldBatch = { id: string; name: string; why: Hold; since: string; unsent: number };

const LISTED_MAX = 10;

/** The batches that go on only when a person lets them, the one held longest first. */
export async function listHeldBatches(actor: Person): Promise<HeldBatch[]> {
  assertMay(actor, 'movement.read');
  const rows = await inOne<
    Row<'batches', 'id' | 'name'> & { hold: Hold; held_at: Date; unsent: number }
  >(
    actor.merchantId,
    sql`SELECT b.id, b.name, r.hold, r.held_at, (SELECT count(*)::int FROM batch_rows w
        WHERE w.batch_id = r.batch_id AND w.made_at IS NULL AND w.refused_at IS NULL) AS unsent
      FROM batch_runs r JOIN batches b ON b.id = r.batch_id
      WHERE r.hold IS NOT NULL AND r.approved_at IS NOT NULL AND r.stopped_at IS NULL
        AND r.fed_at IS NULL
      ORDER BY r.held_at, b.id LIMIT ${LISTED_MAX}`,
  );
  return rows.map(({ hold: why, held_at: since, ...row }) => ({
    ...row,
    why,
    since: since.toISOString(),
  }));
}

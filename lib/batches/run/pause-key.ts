import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { publish } from '#lib/live/publish.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';

/**
 * Whether the revocation of its key holds a run `r`: it is not over. One from before a restore never
 * goes on.
 */
export const HELD_BY_KEY_R = sql`(r.stopped_at IS NULL AND r.fed_at IS NULL
  AND coalesce(r.hold, '') NOT IN ('restored', 'key_revoked'))`;

/**
 * Pauses what was submitted with an API key and is not over: whoever had the key may have written its
 * rows. What is paused for another reason says this one from now on, so that nobody lets it go on
 * without knowing. The caller has locked the key and revokes it in this transaction.
 */
export async function pauseBatchesOfKey(
  tx: Tx,
  actor: Person,
  key: { id: string; name: string },
): Promise<number> {
  const paused = await tx.$queryRaw<Row<'batch_runs', 'batch_id'>[]>`
    UPDATE batch_runs r SET hold = 'key_revoked', held_at = clock_timestamp(), waits_for = NULL,
      hold_detail = ${JSON.stringify({ key: key.name })}::jsonb, held_by = ${actor.personId}::uuid
    WHERE ${HELD_BY_KEY_R} AND r.batch_id IN (SELECT i.subject_id FROM api_intents i
      WHERE i.api_key_id = ${key.id}::uuid AND i.kind = 'batch')
    RETURNING r.batch_id`;
  for (const { batch_id: id } of paused) {
    await publish(tx, actor, { kind: 'batch', id });
    await audit(tx, actor, 'batch.paused', `batch:${id}`, { hold: 'key_revoked', apiKey: key.id });
  }
  return paused.length;
}

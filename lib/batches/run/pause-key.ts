import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { publish } from '#lib/live/publish.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';

/** Whether a run `r` is not over, and nothing holds it yet. */
export const RUNS_R = sql`(r.stopped_at IS NULL AND r.fed_at IS NULL AND r.hold IS NULL)`;

/**
 * Pauses what was submitted with an API key and is not over: whoever had the key may have written its
 * rows. A person lets it go on. The caller has locked the key and revokes it in this transaction.
 */
export async function pauseBatchesOfKey(
  tx: Tx,
  actor: Person,
  key: { id: string; name: string },
): Promise<number> {
  const paused = await tx.$queryRaw<Row<'batch_runs', 'batch_id'>[]>`
    UPDATE batch_runs r SET hold = 'key_revoked', held_at = clock_timestamp(), waits_for = NULL,
      hold_detail = ${JSON.stringify({ key: key.name })}::jsonb, held_by = ${actor.personId}::uuid
    WHERE ${RUNS_R} AND r.batch_id IN (SELECT i.subject_id FROM api_intents i
      WHERE i.api_key_id = ${key.id}::uuid AND i.kind = 'batch')
    RETURNING r.batch_id`;
  for (const { batch_id: id } of paused) {
    await publish(tx, actor, { kind: 'batch', id });
    await audit(tx, actor, 'batch.paused', `batch:${id}`, { hold: 'key_revoked', apiKey: key.id });
  }
  return paused.length;
}

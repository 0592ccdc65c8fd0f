import 'server-only';
import { sql } from '#lib/runtime/db.ts';

/**
 * Whether the batch of a movement `m` is paused or stopped, as SQL: then its first send waits. One
 * that may have been sent is sent again all the same, because only that finds out what happened.
 */
export const IS_BATCH_HELD_M = sql`(NOT m.ever_ambiguous AND EXISTS (
  SELECT FROM batch_rows w JOIN batch_runs r ON r.batch_id = w.batch_id
  WHERE w.movement_id = m.id AND (r.hold IS NOT NULL OR r.stopped_at IS NOT NULL)))`;

import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { Difference } from './books.ts';

/**
 * Whether a stored difference `d` is opened again: an acknowledged one when it has changed, a
 * closed one when it is found again.
 */
const ANEW = sql`(d.state = 'CLOSED'
  OR (d.state = 'ACKNOWLEDGED'
  AND (d.ours IS DISTINCT FROM excluded.ours OR d.theirs IS DISTINCT FROM excluded.theirs)))`;

/**
 * Stores the found differences as work items; known ones without a change stay as they are. Returns
 * how many are new or changed.
 */
export async function keepDifferences(
  tx: Tx,
  merchantId: string,
  found: readonly Difference[],
): Promise<number> {
  if (found.length === 0) return 0;
  const rows = found.map(
    ({ movementId: movement_id, requestId: request_id, lineId: line_id, ...rest }) => ({
      ...rest,
      movement_id,
      request_id,
      line_id,
    }),
  );
  return tx.$executeRaw`
    INSERT INTO differences AS d (merchant_id, day, kind, reference, movement_id, request_id,
      line_id, ours, theirs, found_at)
    SELECT ${merchantId}::uuid, day, kind, reference, movement_id, request_id, line_id, ours,
      theirs, clock_timestamp()
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r
      (day date, kind text, reference text, movement_id uuid, request_id text, line_id text,
      ours jsonb, theirs jsonb)
    ON CONFLICT (merchant_id, kind, reference) DO UPDATE SET
      day = excluded.day, movement_id = excluded.movement_id, request_id = excluded.request_id,
        line_id = excluded.line_id, ours = excluded.ours, theirs = excluded.theirs,
      found_at = CASE WHEN ${ANEW} THEN excluded.found_at ELSE d.found_at END,
      acknowledged_by = CASE WHEN ${ANEW} THEN NULL ELSE d.acknowledged_by END,
      acknowledged_at = CASE WHEN ${ANEW} THEN NULL ELSE d.acknowledged_at END,
      acknowledged_reason = CASE WHEN ${ANEW} THEN NULL ELSE d.acknowledged_reason END,
      closed_at = NULL, state = CASE WHEN ${ANEW} THEN 'OPEN' ELSE d.state END
    WHERE ${ANEW} OR (d.day, d.movement_id, d.request_id, d.line_id, d.ours, d.theirs) IS DISTINCT
      FROM (excluded.day, excluded.movement_id, excluded.request_id, excluded.line_id,
      excluded.ours, excluded.theirs)`;
}

/**
 * Closes the differences that a comparison of that day no longer found. `found`: "kind reference";
 * `waiting`: references that could not be judged, which stay as they are. A difference that another
 * comparison found after `comparedAt` stays as well: this one may have read its records before.
 * Returns the number closed.
 */
export async function closeGone(
  tx: Tx,
  day: string,
  found: readonly string[],
  waiting: readonly string[],
  comparedAt: Date,
): Promise<number> {
  return tx.$executeRaw`
    UPDATE differences SET state = 'CLOSED', closed_at = clock_timestamp()
    WHERE day = ${day}::date AND state <> 'CLOSED'
      AND date_trunc('milliseconds', found_at) <= ${comparedAt}
      AND NOT (kind || ' ' || reference) = ANY(${[...found]}::text[])
      AND NOT reference = ANY(${[...waiting]}::text[])`;
}

import 'server-only';
import { BATCH_EXPIRED_R } from '#lib/batches/approval/waiting.ts';
import { inTransaction } from '#lib/runtime/db.ts';

/** A batch that was submitted before is of a time without a worker, or without an endpoint. */
const SUBMITTED_DAYS = 3;

/**
 * Writes the message that a program's batch has expired. Nothing in the batch changes at that moment,
 * so no trigger writes it. One message for each batch, and none while no endpoint is set.
 */
export async function noteExpiredBatches(merchantId: string): Promise<void> {
  await inTransaction(merchantId, async (tx) => {
    // Of two workers at once the second one finds what the first one has written.
    await tx.$executeRaw`
      SELECT pg_advisory_xact_lock(hashtextextended(${`expired batches ${merchantId}`}, 0))`;
    await tx.$executeRaw`
      INSERT INTO api_deliveries (merchant_id, type, subject_id, facts, at, next_at)
      SELECT r.merchant_id, 'batch.updated', r.batch_id, jsonb_build_object('hold', r.hold,
          'fed', false, 'stopped', false, 'approved', false, 'sentBack', false, 'expired', true),
        clock_timestamp(), clock_timestamp()
      FROM batch_runs r JOIN api_endpoints e ON e.merchant_id = r.merchant_id
      WHERE ${BATCH_EXPIRED_R} AND r.stopped_at IS NULL
        AND r.began_at > clock_timestamp() - make_interval(days => ${SUBMITTED_DAYS})
        AND EXISTS (SELECT FROM api_intents i WHERE i.subject_id = r.batch_id)
        AND NOT EXISTS (SELECT FROM api_deliveries d WHERE d.subject_id = r.batch_id
          AND d.at > r.began_at AND (d.facts ->> 'expired')::boolean)`;
  });
}

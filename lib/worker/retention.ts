import 'server-only';
import { sweepSendJournal } from '#lib/begin-check/send-journal.ts';
import { databaseNow, inOne, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { expireExports } from '#lib/exports/remove.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { resealEndpoint } from '#lib/programs/outgoing/reseal.ts';
import { newestPrefix, seal, unseal } from '#lib/runtime/seal.ts';

/**
 * Retention times of rows outside of the permanent records. The database refuses shorter ones for
 * sessions, sign-ins and webhooks (see the migration "retention"); permanent records are never
 * deleted. Whether the law currently requires longer times is for a lawyer to decide.
 */
const KEPT = {
  sessionDays: 30,
  signInDays: 1,
  strayNoticeDays: 30,
  counterDays: 2,
  turnMinutes: 5,
  heartbeatHours: 1,
  deviceDays: 180,
  archiveDays: 90,
  deletedViewDays: 1,
  readNotificationDays: 30,
  notificationDays: 180,
  apiRequestDays: 30,
  apiDeliveryDays: 30,
};
const RESEALED_AT_ONCE = 500;
/** Evidence of this month and of as many to come has its part of the table. */
const MONTHS_AHEAD = 2;

/** Deletes what is no longer needed, and reseals values that an older key has sealed. */
export async function sweep(merchantId: string): Promise<void> {
  // Without a part of its own a month is stored with the rest, so that what follows need not wait.
  await inOne(merchantId, sql`SELECT add_evidence_months(${MONTHS_AHEAD}::int)`).catch(
    (error: unknown) => log.warn('no part for the months to come of evidence', errorFields(error)),
  );
  await inTransaction(merchantId, async (tx) => {
    await tx.$executeRaw`DELETE FROM rate_limits
      WHERE window_start < clock_timestamp() - make_interval(days => ${KEPT.counterDays})`;
    await tx.$executeRaw`DELETE FROM rate_limits WHERE key LIKE 'sign-in:turn:%'
      AND window_start < clock_timestamp() - make_interval(mins => ${KEPT.turnMinutes})`;
    await tx.$executeRaw`DELETE FROM worker_heartbeats
      WHERE at < clock_timestamp() - make_interval(hours => ${KEPT.heartbeatHours})`;
    await tx.$executeRaw`DELETE FROM sessions
      WHERE expires_at < clock_timestamp() - make_interval(days => ${KEPT.sessionDays})`;
    await tx.$executeRaw`DELETE FROM receipt_archives
      WHERE created_at < clock_timestamp() - make_interval(days => ${KEPT.archiveDays})`;
    await tx.$executeRaw`DELETE FROM known_devices
      WHERE last_used_at < clock_timestamp() - make_interval(days => ${KEPT.deviceDays})`;
    await tx.$executeRaw`DELETE FROM saved_views
      WHERE deleted_at < clock_timestamp() - make_interval(days => ${KEPT.deletedViewDays})`;
    await tx.$executeRaw`DELETE FROM notifications
      WHERE at < clock_timestamp() - make_interval(days => ${KEPT.readNotificationDays})
        AND (NOT in_app
          OR read_at < clock_timestamp() - make_interval(days => ${KEPT.readNotificationDays})
          OR at < clock_timestamp() - make_interval(days => ${KEPT.notificationDays}))`;
    await tx.$executeRaw`DELETE FROM api_requests
      WHERE at < clock_timestamp() - make_interval(days => ${KEPT.apiRequestDays})`;
    await tx.$executeRaw`DELETE FROM api_deliveries WHERE next_at IS NULL
      AND at < clock_timestamp() - make_interval(days => ${KEPT.apiDeliveryDays})`;
    await tx.$executeRaw`DELETE FROM login_challenges
      WHERE expires_at < clock_timestamp() - make_interval(days => ${KEPT.signInDays})`;
    await tx.$executeRaw`DELETE FROM step_up_challenges c
      WHERE asked_at < clock_timestamp() - make_interval(days => ${KEPT.signInDays})
        AND NOT EXISTS (SELECT FROM step_ups s WHERE s.challenge_id = c.id)`;
    await tx.$executeRaw`
      DELETE FROM notices WHERE movement_id IS NULL AND effect IN ('no_such_payout', 'not_understood')
        AND last_at < clock_timestamp() - make_interval(days => ${KEPT.strayNoticeDays})`;
  });
  await expireExports(merchantId);
  await resealTokens(merchantId);
  await resealEndpoint(merchantId);
}

/**
 * Removes old files of the send journal. Old by the database's clock as well as by that of this
 * machine: one that is set far ahead would remove the record of the latest sends.
 */
export async function sweepJournal(merchantId: string, folder: string): Promise<void> {
  const now = await inTransaction(merchantId, databaseNow);
  await sweepSendJournal(folder, Math.min(Date.now(), now.getTime()));
}

/** Wipes the password of an unfinished sign-in as soon as its challenge expires. */
export async function wipeAbandonedChallenges(merchantId: string): Promise<void> {
  await inTransaction(
    merchantId,
    (tx) => tx.$executeRaw`
    UPDATE login_challenges SET password_sealed = ''::bytea WHERE expires_at < clock_timestamp()
      AND password_sealed <> ''::bytea`,
  );
}

/**
 * Reseals provider tokens that an older key has sealed, a limited number of them per run. When none
 * is left, no session depends on an old key of DATA_KEY.
 */
async function resealTokens(merchantId: string): Promise<void> {
  const newest = newestPrefix('provider-token');
  await inTransaction(merchantId, async (tx) => {
    const old = await tx.$queryRaw<Row<'sessions', 'id' | 'provider_sealed'>[]>`
      SELECT id, provider_sealed FROM sessions
      WHERE revoked_at IS NULL AND expires_at > clock_timestamp()
        AND substring(provider_sealed FROM 1 FOR ${newest.length}::int) <> ${newest}
      LIMIT ${RESEALED_AT_ONCE} FOR UPDATE`;
    for (const { id, provider_sealed: sealed } of old) {
      await tx.$executeRaw`UPDATE sessions
        SET provider_sealed = ${seal('provider-token', id, unseal('provider-token', id, sealed))}
        WHERE id = ${id}::uuid`;
    }
    if (old.length > 0) log.info('sealed anew with the newest key', { count: old.length });
  });
}

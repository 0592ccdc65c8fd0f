import 'server-only';
import { sweepSendJournal } from '#lib/begin-check/send-journal.ts';
import { databaseNow, inOne, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Prisma, Row } from '#lib/runtime/db.ts';
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
const REMOVED_AT_ONCE = 4_000;
/** Evidence of this month and of as many to come has its part of the table. */
const MONTHS_AHEAD = 2;

const days = (count: number): Prisma.Sql =>
  sql`clock_timestamp() - make_interval(days => ${count})`;

/** What is deleted of each table, which is `o` in the condition. */
const OLD: readonly [table: Prisma.Sql, isOld: Prisma.Sql][] = [
  [sql`rate_limits`, sql`o.window_start < ${days(KEPT.counterDays)}`],
  [
    sql`rate_limits`,
    sql`o.key LIKE 'sign-in:turn:%'
      AND o.window_start < clock_timestamp() - make_interval(mins => ${KEPT.turnMinutes})`,
  ],
  [
    sql`worker_heartbeats`,
    sql`o.at < clock_timestamp() - make_interval(hours => ${KEPT.heartbeatHours})`,
  ],
  [sql`sessions`, sql`o.expires_at < ${days(KEPT.sessionDays)}`],
  [sql`receipt_archives`, sql`o.created_at < ${days(KEPT.archiveDays)}`],
  [sql`known_devices`, sql`o.last_used_at < ${days(KEPT.deviceDays)}`],
  [sql`saved_views`, sql`o.deleted_at < ${days(KEPT.deletedViewDays)}`],
  [
    sql`notifications`,
    sql`o.at < ${days(KEPT.readNotificationDays)}
      AND (NOT o.in_app OR o.read_at < ${days(KEPT.readNotificationDays)}
        OR o.at < ${days(KEPT.notificationDays)})`,
  ],
  [sql`api_requests`, sql`o.at < ${days(KEPT.apiRequestDays)}`],
  [sql`api_deliveries`, sql`o.next_at IS NULL AND o.at < ${days(KEPT.apiDeliveryDays)}`],
  [sql`login_challenges`, sql`o.expires_at < ${days(KEPT.signInDays)}`],
  [
    sql`step_up_challenges`,
    sql`o.asked_at < ${days(KEPT.signInDays)}
      AND NOT EXISTS (SELECT FROM step_ups s WHERE s.challenge_id = o.id)`,
  ],
  [
    sql`notices`,
    sql`o.movement_id IS NULL AND o.effect IN ('no_such_payout', 'not_understood')
      AND o.last_at < ${days(KEPT.strayNoticeDays)}`,
  ],
];

/**
 * Deletes some rows in each statement: what came in one burst is old at once, and a statement that
 * takes longer than its limit would delete none of it, now or later. The settings leave the planner
 * the scan by ctid alone: with statistics from before the burst it would read all rows of the
 * merchant, and compare each of them with every ctid.
 */
async function removeOld(merchantId: string, table: Prisma.Sql, isOld: Prisma.Sql): Promise<void> {
  let gone = REMOVED_AT_ONCE;
  while (gone === REMOVED_AT_ONCE)
    gone = await inTransaction(merchantId, async (tx) => {
      await tx.$executeRaw`SELECT set_config('enable_indexscan', 'off', true),
          set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true)`;
      return tx.$executeRaw`DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
          SELECT o.ctid FROM ${table} o WHERE ${isOld} LIMIT ${REMOVED_AT_ONCE}))`;
    });
}

/** Deletes what is no longer needed, and reseals values that an older key has sealed. */
export async function sweep(merchantId: string): Promise<void> {
  // Without a part of its own a month is stored with the rest, so that what follows need not wait.
  await inOne(merchantId, sql`SELECT add_evidence_months(${MONTHS_AHEAD}::int)`).catch(
    (error: unknown) => log.warn('no part for the months to come of evidence', errorFields(error)),
  );
  for (const [table, isOld] of OLD) await removeOld(merchantId, table, isOld);
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

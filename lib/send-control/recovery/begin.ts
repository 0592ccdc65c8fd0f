import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Actor, Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { publish } from '#lib/live/publish.ts';
import { LISTING_LAG_MS } from '#lib/movements/kinds.ts';
import { listedByRatio } from '#lib/movements/schedule.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';
import type { Why } from './checkpoint.ts';

/**
 * How long before the database's last entry the comparison begins: covers the clock difference to
 * the provider and the duration of a backup.
 */
const BEFORE_MS = 24 * 60 * 60 * 1000;
/**
 * How long before now the comparison begins for an empty database, which does not show how old the
 * restored state is.
 */
const EMPTY_BEFORE_MS = 30 * BEFORE_MS;

/**
 * Stops sending until the provider's records since this database's last entry are matched. Called
 * during an open recovery it starts that one again: the backup may have been made during the open
 * recovery, and lacks what was sent after it.
 */
export async function beginRecovery(
  tx: Tx,
  actor: Actor,
  why: Why,
  reason: string,
  quietMs: number,
): Promise<void> {
  const by = actor.kind === 'person' ? actor.personId : null;
  const [begun] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by)
    SELECT ${actor.merchantId}::uuid, ${why},
      greatest(clock_timestamp(), (SELECT max(known.at) + interval '2 milliseconds' FROM (
        SELECT max(created_at) AS at FROM movements UNION ALL SELECT max(asked_at) FROM plan_charges
          UNION ALL SELECT max(at) FROM send_confirmations) known)),
          coalesce(max(e.at) - make_interval(secs => ${BEFORE_MS / 1_000}),
          clock_timestamp() - make_interval(secs => ${EMPTY_BEFORE_MS / 1_000})),
      clock_timestamp() + make_interval(secs => ${(quietMs * listedByRatio(LISTING_LAG_MS)) / 1_000})
    FROM audit_entries e JOIN audit_heads h ON h.merchant_id = e.merchant_id AND h.seq = e.seq
    ON CONFLICT (merchant_id) WHERE ended_at IS NULL DO UPDATE SET why = excluded.why,
      began_at = excluded.began_at, scan_from = least(recoveries.scan_from, excluded.scan_from),
      listed_by = excluded.listed_by, scanned_at = NULL, scan_until = NULL, problem = NULL, journal = NULL
    RETURNING id`;
  await tx.$executeRaw`
    INSERT INTO send_switches (merchant_id, kind, cause, off, reason, off_by, changed_at)
    VALUES (${actor.merchantId}::uuid, 'all', 'recovery', true, ${reason}, ${by}::uuid, clock_timestamp())
    ON CONFLICT (merchant_id, kind, cause) DO UPDATE SET off = true, reason = excluded.reason,
      off_by = excluded.off_by, changed_at = excluded.changed_at, released_by = NULL`;
  if (begun)
    await audit(
      tx,
      actor,
      'sending.recovery_began',
      'sending:all',
      { why, recovery: begun.id },
      by === null ? {} : { reason },
    );
  await publish(tx, actor, { kind: 'sending', id: 'all' });
}

/**
 * A person who restored a backup begins a recovery, whatever the checkpoints say.
 *
 * @throws Refusal not_allowed, stop_reason_needed
 */
export async function askRecovery(actor: Person, reason: string): Promise<void> {
  assertMay(actor, 'sending.control');
  const why = stopReason(reason);
  await inTransaction(actor.merchantId, (tx) =>
    beginRecovery(tx, actor, 'asked', why, env().resendQuietSeconds * 1_000),
  );
}

import 'server-only';
import type { Actor } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { publish } from '#lib/live/publish.ts';
import type { Cause } from './stops.ts';

/**
 * A stop of all kinds by the system, in the caller's transaction. Does nothing when already
 * stopped. @returns whether it was stopped just now
 */
export async function stopSendingFor(
  tx: Tx,
  actor: Actor,
  cause: Exclude<Cause, 'person'>,
  reason: string,
): Promise<boolean> {
  const stopped = await tx.$executeRaw`
    INSERT INTO send_switches (merchant_id, kind, cause, off, reason, changed_at)
      VALUES (${actor.merchantId}::uuid, 'all', ${cause}, true, ${reason}, clock_timestamp())
    ON CONFLICT (merchant_id, kind, cause) DO UPDATE SET off = true, reason = excluded.reason,
      off_by = NULL, changed_at = excluded.changed_at, released_by = NULL
    WHERE NOT send_switches.off`;
  if (stopped === 0) return false;
  await publish(tx, actor, { kind: 'sending', id: 'all' });
  await audit(tx, actor, 'sending.stopped', 'sending:all', { cause, reason });
  return true;
}

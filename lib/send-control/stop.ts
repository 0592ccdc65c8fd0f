import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { publish } from '#lib/live/publish.ts';
import { Refusal } from '#lib/access/refusal.ts';
import type { StoppableKind } from './stops.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';

/**
 * The stop switch. One person, effective at once: from the commit on, no claim sends this kind.
 * Requests in flight are answered and recorded; reads, ledger checks and receipts continue.
 *
 * @throws Refusal not_allowed, stop_reason_needed, already_stopped
 */
export async function stopSending(
  actor: Person,
  kind: StoppableKind,
  reason: string,
): Promise<void> {
  assertMay(actor, 'sending.control');
  const why = stopReason(reason);
  await inTransaction(actor.merchantId, async (tx) => {
    const stopped = await tx.$executeRaw`
      INSERT INTO send_switches (merchant_id, kind, cause, off, reason, off_by, changed_at)
      VALUES (${actor.merchantId}::uuid, ${kind}, 'person', true, ${why}, ${actor.personId}::uuid,
        clock_timestamp())
      ON CONFLICT (merchant_id, kind, cause) DO UPDATE SET off = true, reason = excluded.reason,
        off_by = excluded.off_by, changed_at = excluded.changed_at, released_by = NULL
      WHERE NOT send_switches.off`;
    if (stopped === 0) throw new Refusal('already_stopped');
    await audit(
      tx,
      actor,
      'sending.stopped',
      `sending:${kind}`,
      { cause: 'person' },
      { reason: why },
    );
    await publish(tx, actor, { kind: 'sending', id: kind });
  });
}

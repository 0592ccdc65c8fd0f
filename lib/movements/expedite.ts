import 'server-only';
import type { Tx } from '#lib/runtime/db.ts';
import { expeditedTo, PUT_OFF_MS } from './claim-rules.ts';
import { date } from './evidence.ts';
import { wakeWorkers } from '#lib/live/publish.ts';
import { isOlderThanRecovery } from './restored.ts';
import type { MovementRow } from './row.ts';

/**
 * Moves the next check of a movement to now, or to the end of the guard. False when the provider
 * has no record of it to query.
 */
export async function expediteCheck(
  tx: Tx,
  movement: MovementRow,
  now: number,
  guardMs: number,
): Promise<boolean> {
  const at = expeditedTo(movement, now, guardMs, await isOlderThanRecovery(tx, movement.id));
  if (at === null) return false;
  await tx.$executeRaw`
    UPDATE movements SET next_at = least(coalesce(next_at, 'infinity'), ${date(at)}),
      last_hint_at = ${date(at)} WHERE id = ${movement.id}::uuid`;
  await wakeWorkers(tx);
  return true;
}

/**
 * Resumes movements that were deferred while sending was stopped. A row that waits for the provider
 * or for its IBAN gate keeps its time.
 */
export async function expediteHeld(tx: Tx): Promise<void> {
  await tx.$executeRaw`
    UPDATE movements SET next_at = clock_timestamp() WHERE state = 'APPROVED'
      AND lease_until IS NULL AND not_sent_tries = 0 AND iban_waits = 0
      AND next_at > clock_timestamp()
        AND next_at < clock_timestamp() + make_interval(secs => ${PUT_OFF_MS / 1_000})`;
  await wakeWorkers(tx);
}

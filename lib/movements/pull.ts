import 'server-only';
import type { Tx } from '#lib/db.ts';
import { pulledTo } from './claim-rules.ts';
import { date, wakeWorkers } from './evidence.ts';
import type { MovementRow } from './row.ts';

/** Moves the next look of a movement to now, or to the end of the guard. */
export async function pullLook(tx: Tx, movement: MovementRow, now: number, guardMs: number): Promise<void> {
  const at = pulledTo(movement, now, guardMs);
  if (at === null) return;
  await tx.$executeRaw`
    UPDATE movements SET next_at = least(coalesce(next_at, 'infinity'), ${date(at)}), last_hint_at = ${date(at)} WHERE id = ${movement.id}::uuid`;
  await wakeWorkers(tx);
}

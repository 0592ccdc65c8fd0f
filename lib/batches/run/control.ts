import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Person, Role } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { cancelMovement } from '#lib/movements/cancel.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { UUID } from '#lib/values/uuid.ts';

/** A person pauses a running batch, lets it go on, or stops it for good. */

/**
 * Nothing more of the batch leaves until somebody lets it go on; what is being sent is not held up.
 *
 * @throws Refusal not_allowed, not_found, batch_over
 */
export async function pauseBatch(actor: Person, id: string): Promise<void> {
  await change(actor, id, async (tx, run) => {
    if (run.hold !== null) return;
    await tx.$executeRaw`
      UPDATE batch_runs SET hold = 'person', hold_detail = NULL, held_at = clock_timestamp(),
        held_by = ${actor.personId}::uuid WHERE batch_id = ${id}::uuid`;
    await audit(tx, actor, 'batch.paused', `batch:${id}`);
  });
}

/**
 * A batch that is older than a recovery does not go on: the restore may have lost its movements.
 *
 * @throws Refusal not_allowed, not_found, batch_over, batch_restored
 */
export async function resumeBatch(actor: Person, id: string): Promise<void> {
  await change(actor, id, async (tx, run) => {
    if (run.hold === null) return;
    if (run.hold === 'restored') throw new Refusal('batch_restored');
    await tx.$executeRaw`
      UPDATE batch_runs SET hold = NULL, hold_detail = NULL, held_at = NULL, held_by = NULL,
        resumed_at = clock_timestamp(), feed_at = clock_timestamp()
      WHERE batch_id = ${id}::uuid`;
    await tx.$executeRaw`
      UPDATE movements m SET next_at = clock_timestamp() FROM batch_rows w
      WHERE w.batch_id = ${id}::uuid AND m.id = w.movement_id AND m.state = 'APPROVED'
        AND m.sends = 0 AND m.next_at > clock_timestamp()`;
    await wakeWorkers(tx);
    await audit(tx, actor, 'batch.resumed', `batch:${id}`);
  });
}

/**
 * Stops a batch for good: no further row becomes a movement, and what provably has not left is
 * cancelled. What is being sent goes its way.
 *
 * @throws Refusal not_allowed, not_found, batch_over
 */
export async function stopBatch(actor: Person, id: string): Promise<{ cancelled: number }> {
  await change(actor, id, async (tx) => {
    await tx.$executeRaw`
      UPDATE batch_runs SET stopped_at = clock_timestamp(), stopped_by = ${actor.personId}::uuid
      WHERE batch_id = ${id}::uuid`;
    await audit(tx, actor, 'batch.stopped', `batch:${id}`);
  });
  return { cancelled: await cancelUnsent(actor, id) };
}

/**
 * Cancels what a stop has left behind because its process ended in between: held for ever, it would
 * neither leave nor be cancelled. In the name of the person who stopped the batch.
 */
export async function finishStops(merchantId: string): Promise<void> {
  const stops = await inTransaction(
    merchantId,
    (tx) => tx.$queryRaw<
      (Row<'batch_runs', 'batch_id'> &
        Row<'people', 'id' | 'name' | 'email' | 'role', { role: Role }>)[]
    >`
      SELECT r.batch_id, p.id, p.name, p.email, p.role FROM batch_runs r
        JOIN people p ON p.id = r.stopped_by
      WHERE r.stopped_at BETWEEN clock_timestamp() - interval '1 day'
          AND clock_timestamp() - interval '5 seconds'
        AND EXISTS (SELECT FROM batch_rows w JOIN movements m ON m.id = w.movement_id
          WHERE w.batch_id = r.batch_id AND m.state IN ('APPROVED', 'AWAITING_APPROVAL'))`,
  );
  for (const { batch_id: id, id: personId, ...person } of stops) {
    if (!may(person.role, 'payout.cancel')) continue;
    const unknown = { standsInFor: null, sessionId: '', ip: null };
    await cancelUnsent({ kind: 'person', merchantId, personId, ...unknown, ...person }, id);
  }
}

/** Cancels what is left of a stopped batch; a movement that a worker takes meanwhile leaves. */
async function cancelUnsent(actor: Person, id: string): Promise<number> {
  const unsent = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<{ id: string }[]>`
      SELECT m.id FROM batch_rows w JOIN movements m ON m.id = w.movement_id
      WHERE w.batch_id = ${id}::uuid AND m.state IN ('APPROVED', 'AWAITING_APPROVAL')
      ORDER BY w.n`,
  );
  let cancelled = 0;
  for (const one of unsent)
    cancelled += await cancelMovement(actor, one.id).then(
      () => 1,
      (error: unknown) => {
        if (error instanceof Refusal) return 0;
        throw error;
      },
    );
  return cancelled;
}

type Run = Row<'batch_runs', 'hold' | 'fed_at'>;

async function change(
  actor: Person,
  id: string,
  apply: (tx: Tx, run: Run) => Promise<void>,
): Promise<void> {
  assertMay(actor, 'payout.prepare');
  if (!UUID.test(id)) throw new Refusal('not_found');
  await inTransaction(actor.merchantId, async (tx) => {
    const [run] = await tx.$queryRaw<(Run & Row<'batch_runs', 'stopped_at'>)[]>`
      SELECT hold, fed_at, stopped_at FROM batch_runs WHERE batch_id = ${id}::uuid FOR UPDATE`;
    if (!run) throw new Refusal('not_found');
    if (run.stopped_at !== null) throw new Refusal('batch_over');
    await apply(tx, run);
    await publish(tx, actor, { kind: 'batch', id });
  });
}

import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { publish } from '#lib/live/publish.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';

/**
 * A person closes the case of a failed top-up with a note. It stays closed until the same failure
 * arrives again. `lastAt`: the latest arrival that the person saw; a case with a later arrival is
 * not closed.
 *
 * @throws Refusal not_allowed, stop_reason_needed, case_changed
 */
export async function handleCase(
  actor: Person,
  id: string,
  lastAt: string,
  note: string,
): Promise<void> {
  assertMay(actor, 'top_up.handle');
  const reason = stopReason(note);
  await inTransaction(actor.merchantId, async (tx) => {
    const done = await tx.$executeRaw`
      UPDATE failed_top_ups SET state = 'HANDLED', closed_at = clock_timestamp(),
        handled_by = ${actor.personId}::uuid, note = ${reason}
      WHERE id = ${id}::uuid AND state = 'OPEN'
        AND date_trunc('milliseconds', last_at) = ${lastAt}::timestamptz`;
    if (done === 0) throw new Refusal('case_changed');
    await publish(tx, actor, { kind: 'top_up', id });
    await audit(tx, actor, 'top_up.handled', `topup:${id}`, {}, { note: reason });
  });
}

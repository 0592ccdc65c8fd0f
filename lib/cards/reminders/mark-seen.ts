import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { publish } from '#lib/live/publish.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { UUID } from '#lib/values/uuid.ts';
import { audienceOf } from './reminder.ts';

/**
 * A person takes care of this authorization: its reminders disappear for all colleagues of the same
 * role, until the next threshold. A clerk's mark does not remove an approver's reminder.
 * Idempotent.
 */
export async function markReminderSeen(actor: Person, paymentId: string): Promise<void> {
  assertMay(actor, 'card.capture');
  const audience = audienceOf(actor.role);
  if (!UUID.test(paymentId)) throw new Refusal('not_found');
  await inTransaction(actor.merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<
      unknown[]
    >`SELECT id FROM card_payments WHERE id = ${paymentId}::uuid`;
    if (row === undefined) throw new Refusal('not_found');
    const seen = await tx.$executeRaw`
      UPDATE card_reminders SET seen_by = ${actor.personId}::uuid, seen_at = clock_timestamp()
        WHERE payment_id = ${paymentId}::uuid AND audience = ${audience} AND seen_at IS NULL`;
    if (seen === 0) return;
    await audit(tx, actor, 'card.reminder_seen', `card:${paymentId}`);
    await publish(tx, actor, { kind: 'card', id: paymentId });
  });
}

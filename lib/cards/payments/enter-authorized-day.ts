import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { UUID } from '#lib/values/uuid.ts';
import { beginningOf } from './authorized-on.ts';

/**
 * Sets the day ('YYYY-MM-DD' in the workspace's zone) of an authorization of unknown age. From then
 * on its end is known, and it may be captured. Only once: a known age is never changed, because a
 * later day would lengthen the authorization.
 *
 * @throws Refusal not_allowed, not_found, held_on_unreadable, hold_age_known
 */
export async function enterAuthorizedDay(
  actor: Person,
  { paymentId, heldOn }: { paymentId: string; heldOn: string },
): Promise<void> {
  assertMay(actor, 'card.capture');
  if (!UUID.test(paymentId)) throw new Refusal('not_found');
  await inTransaction(actor.merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<
      Row<'card_payments', 'held_since'>[]
    >`SELECT held_since FROM card_payments WHERE id = ${paymentId}::uuid FOR UPDATE`;
    if (row === undefined) throw new Refusal('not_found');
    if (row.held_since !== null) throw new Refusal('hold_age_known');
    const heldSince = beginningOf(heldOn, await databaseNow(tx));
    await tx.$executeRaw`UPDATE card_payments SET held_since = ${heldSince},
      next_at = clock_timestamp(), tries = 0 WHERE id = ${paymentId}::uuid`;
    await tx.$executeRaw`
      INSERT INTO card_observations (merchant_id, payment_id, source, kind, detail)
      VALUES (${actor.merchantId}::uuid, ${paymentId}::uuid, 'person', 'day_named',
        ${JSON.stringify({ by: actor.name, heldOn })}::jsonb)`;
    await audit(tx, actor, 'card.day_named', `card:${paymentId}`, { heldOn });
    await wakeWorkers(tx);
    await publish(tx, actor, { kind: 'card', id: paymentId });
  });
}

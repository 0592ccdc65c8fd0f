import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { publish } from '#lib/live/publish.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Prisma, Tx } from '#lib/runtime/db.ts';
import { UUID } from '#lib/values/uuid.ts';
import { isShownTo, isUnread } from './list.ts';

/**
 * The person has read one of their notifications. Idempotent.
 *
 * @throws Refusal `not_found`, also for the notification of somebody else
 */
export async function markNotificationRead(actor: Person, id: string): Promise<void> {
  if (!UUID.test(id)) throw new Refusal('not_found');
  await inTransaction(actor.merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<unknown[]>`SELECT id FROM notifications
      WHERE id = ${id}::uuid AND person_id = ${actor.personId}::uuid`;
    if (row === undefined) throw new Refusal('not_found');
    await markRead(tx, actor, sql`id = ${id}::uuid`);
  });
}

/**
 * The person has read everything unread that was made by `until` (ISO), which their page names: one
 * that was not shown or counted there stays unread, also where it was being made then, where its
 * kind is one of a newer version, and where its request waits for this person again later.
 * Idempotent.
 *
 * @throws Refusal `not_found`
 */
export async function markAllNotificationsRead(actor: Person, until: string): Promise<void> {
  const moment = new Date(until);
  if (Number.isNaN(moment.getTime())) throw new Refusal('not_found');
  const counted = sql`made_at <= ${moment} AND ${isShownTo(actor)} AND ${isUnread(actor)}`;
  await inTransaction(actor.merchantId, (tx) => markRead(tx, actor, counted));
}

async function markRead(tx: Tx, actor: Person, which: Prisma.Sql): Promise<void> {
  const marked = await tx.$executeRaw`
    UPDATE notifications SET read_at = clock_timestamp()
    WHERE person_id = ${actor.personId}::uuid AND in_app AND read_at IS NULL AND ${which}`;
  if (marked > 0) await publish(tx, actor, { kind: 'notification', id: actor.personId });
}

import 'server-only';
import { IS_DISABLED_P } from '#lib/access/disabled-login.ts';
import { columns, databaseNow, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Prisma, Row, RowOf, Tx } from '#lib/runtime/db.ts';
import { log } from '#lib/runtime/log.ts';
import { NOTIFICATION_KINDS, notificationFacts } from '../kinds.ts';
import type { Detail, NotificationKind } from '../kinds.ts';
import { peopleInQuiet } from '../quiet-people.ts';
import { stillHolds } from '../still-holds.ts';
import { pushIdentities } from './identity.ts';
import { pushPayload } from './payload.ts';
import type { PushOutcome, PushService } from './service.ts';

const AT_ONCE = 100;
/** Minutes until each retry after a refusal of the push service; after the last one no more. */
const AGAIN_MINUTES = [1, 5, 30];

const TOLD = columns('notifications', ['id', 'kind', 'thing', 'detail']);
const DEVICE = columns('push_devices', ['endpoint', 'p256dh', 'auth', 'identity', 'locale']);
type Due = RowOf<typeof TOLD, { kind: NotificationKind; detail: Detail }> &
  Omit<RowOf<typeof DEVICE>, 'id'> & { device_id: string };

/**
 * Sends the devices of people what is due: each notification on each device at most once. As with
 * the mails, taking it is committed before the message leaves, and only what the push service
 * certainly did not take is tried again. A subscription that its browser has given up is removed.
 * Once `stopping` is aborted, no further message is begun. Returns the number of messages that were
 * taken.
 */
export async function pushNotifications(
  merchantId: string,
  service: PushService,
  stopping?: AbortSignal,
): Promise<number> {
  let next = await inTransaction(merchantId, async (tx) => {
    await listSends(tx);
    return claim(tx);
  });
  let sent = 0;
  while (next !== null) {
    if (next !== 'dropped') {
      const outcome = await sendOne(service, next);
      if (outcome === 'sent') sent += 1;
      await note(merchantId, next, outcome);
    }
    next = stopping?.aborted ? null : await inTransaction(merchantId, claim);
  }
  return sent;
}

/**
 * Writes one row for each due notification and device, outside the person's quiet hours. What was
 * read meanwhile, no longer holds, or whose person's login was disabled, is not sent.
 */
async function listSends(tx: Tx): Promise<void> {
  const now = await databaseNow(tx);
  await tx.$executeRaw`
    WITH due AS (UPDATE notifications SET push_due_at = NULL WHERE id IN (
        SELECT n.id FROM notifications n WHERE n.push_due_at <= clock_timestamp()
          AND NOT ${await isQuietNow(tx, now)}
        ORDER BY n.push_due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
      RETURNING id, merchant_id, person_id, kind, thing, read_at)
    INSERT INTO push_sends (merchant_id, notification_id, device_id, due_at)
    SELECT due.merchant_id, due.id, d.id, ${now} FROM due
      JOIN people p ON p.id = due.person_id AND NOT ${IS_DISABLED_P}
      JOIN push_devices d ON d.person_id = due.person_id
    WHERE due.read_at IS NULL AND due.kind = ANY(${NOTIFICATION_KINDS}::text[])
      AND ${stillHolds({ kind: sql`due.kind`, thing: sql`due.thing` })}
    ON CONFLICT DO NOTHING`;
}

/**
 * Takes the one message that is due for longest: a worker that dies while it sends leaves all others
 * due. Asks everything again that `listSends` asked, because a retry may come half an hour later;
 * `dropped` when that says that the message is sent no more. Null when nothing is due.
 */
async function claim(tx: Tx): Promise<Due | 'dropped' | null> {
  const now = await databaseNow(tx);
  const [taken] = await tx.$queryRaw<Row<'push_sends', 'notification_id' | 'device_id'>[]>(sql`
    UPDATE push_sends SET due_at = NULL, begun_at = clock_timestamp(), tries = tries + 1
    WHERE (notification_id, device_id) = (SELECT s.notification_id, s.device_id FROM push_sends s
        JOIN notifications n ON n.id = s.notification_id
        WHERE s.due_at <= clock_timestamp() AND NOT ${await isQuietNow(tx, now)}
        ORDER BY s.due_at LIMIT 1 FOR UPDATE OF s SKIP LOCKED)
    RETURNING notification_id, device_id`);
  if (taken === undefined) return null;
  const [due] = await tx.$queryRaw<Due[]>(sql`
    SELECT ${TOLD.of('n')}, ${DEVICE.of('d')}, d.id AS device_id FROM notifications n
      JOIN people p ON p.id = n.person_id AND NOT ${IS_DISABLED_P}
      JOIN push_devices d ON d.id = ${taken.device_id}::uuid AND d.person_id = n.person_id
    WHERE n.id = ${taken.notification_id}::uuid AND n.read_at IS NULL
      AND ${stillHolds({ kind: sql`n.kind`, thing: sql`n.thing` })}`);
  return due ?? 'dropped';
}

/** The condition that a notification `n` waits until the quiet hours of its person have ended. */
async function isQuietNow(tx: Tx, now: Date): Promise<Prisma.Sql> {
  const waiting = NOTIFICATION_KINDS.filter((kind) => notificationFacts(kind).waitsInQuietHours);
  const people = await peopleInQuiet(tx, now);
  return sql`(n.kind = ANY(${waiting}::text[]) AND n.person_id = ANY(${people}::uuid[]))`;
}

async function sendOne(service: PushService, one: Due): Promise<PushOutcome> {
  const identity = pushIdentities().find(({ publicKey }) => publicKey === one.identity);
  // The key of the subscription is no longer in DATA_KEY: nobody can use it any more.
  if (identity === undefined) return 'gone';
  try {
    return await service.send(one, identity, pushPayload(one, one.locale));
  } catch {
    // The text of such an error may hold the endpoint.
    log.warn('a push message was not made', { kind: one.kind });
    return 'never';
  }
}

async function note(merchantId: string, one: Due, outcome: PushOutcome): Promise<void> {
  if (outcome === 'never' || outcome === 'unclear') return;
  await inTransaction(merchantId, async (tx) => {
    const which = sql`notification_id = ${one.id}::uuid AND device_id = ${one.device_id}::uuid`;
    switch (outcome) {
      case 'sent':
        await tx.$executeRaw`UPDATE push_sends SET sent_at = clock_timestamp() WHERE ${which}`;
        break;
      case 'gone':
        await tx.$executeRaw`DELETE FROM push_devices WHERE id = ${one.device_id}::uuid`;
        break;
      case 'refused':
        await tx.$executeRaw`
          UPDATE push_sends SET begun_at = NULL, due_at = clock_timestamp()
            + make_interval(mins => (${AGAIN_MINUTES}::int[])[tries]) WHERE ${which}`;
    }
  });
}

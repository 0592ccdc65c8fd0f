import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { hasMail } from './choices.ts';
import { kindsFor, notificationFacts } from './kinds.ts';
import { readClock } from './quiet-hours.ts';
import type { QuietHours } from './quiet-hours.ts';

/**
 * `app`, `mail`, `push`: the kinds told by that channel; the others are not. `quiet`: times of day, both
 * empty for no quiet hours.
 */
export type ChosenNotifications = {
  app: readonly string[];
  mail: readonly string[];
  push: readonly string[];
  quiet: { from: string; to: string };
};

/**
 * Stores for this person by which channel each kind is told, and the hours without mail and push. It holds
 * for what happens from then on. Without a mail server nothing about mail is asked, so the earlier
 * choice of it stays.
 *
 * @throws Refusal `quiet_hours`
 */
export async function chooseNotifications(
  actor: Person,
  { app, mail, push, quiet }: ChosenNotifications,
): Promise<void> {
  const hours = readQuietHours(quiet);
  const asksMail = hasMail();
  await inTransaction(actor.merchantId, async (tx) => {
    for (const kind of kindsFor(actor.role))
      await tx.$executeRaw`
        INSERT INTO notification_choices (merchant_id, person_id, kind, app, mail, push,
          changed_at)
        VALUES (${actor.merchantId}::uuid, ${actor.personId}::uuid, ${kind}, ${app.includes(kind)},
          ${asksMail ? mail.includes(kind) : notificationFacts(kind).defaults.mail},
          ${push.includes(kind)}, clock_timestamp())
        ON CONFLICT (person_id, kind) DO UPDATE SET app = excluded.app, push = excluded.push,
          mail = CASE WHEN ${asksMail}::boolean THEN excluded.mail
            ELSE notification_choices.mail END,
          changed_at = excluded.changed_at`;
    await storeQuietHours(tx, actor, hours);
  });
}

async function storeQuietHours(tx: Tx, actor: Person, hours: QuietHours | null): Promise<void> {
  if (hours === null) {
    await tx.$executeRaw`
      DELETE FROM notification_quiet_hours WHERE person_id = ${actor.personId}::uuid`;
    return;
  }
  await tx.$executeRaw`
    INSERT INTO notification_quiet_hours (merchant_id, person_id, from_minute, to_minute, changed_at)
    VALUES (${actor.merchantId}::uuid, ${actor.personId}::uuid, ${hours.from}, ${hours.to},
      clock_timestamp())
    ON CONFLICT (person_id) DO UPDATE SET from_minute = excluded.from_minute,
      to_minute = excluded.to_minute, changed_at = excluded.changed_at`;
}

function readQuietHours({ from, to }: { from: string; to: string }): QuietHours | null {
  if (from === '' && to === '') return null;
  const [start, end] = [readClock(from), readClock(to)];
  if (start === null || end === null || start === end) throw new Refusal('quiet_hours');
  return { from: start, to: end };
}

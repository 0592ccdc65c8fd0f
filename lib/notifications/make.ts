import 'server-only';
import { isOfDeputies } from '#lib/access/actor.ts';
import { IS_DISABLED_P } from '#lib/access/disabled-login.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { publishEach } from '#lib/live/publish.ts';
import { NOTIFICATION_KINDS, notificationFacts, rolesOf } from './kinds.ts';
import type { NotificationKind } from './kinds.ts';
import { SOURCES } from './sources.ts';
import type { FactSpan } from './sources.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Older facts are told to nobody: a new installation does not ring for its history. */
const TOLD_MS = 7 * DAY_MS;
/** Older facts are shown in the app and no longer mailed or pushed. */
const MAILED_MS = DAY_MS;
const AT_ONCE = 1_000;

/**
 * A periodic task of the worker: makes the notifications that are missing for the facts stored
 * lately. There is no cursor that a fact of a slow transaction could be committed behind: what is
 * missing is found by comparing, and the unique key allows one for each person, kind and thing. So
 * it is idempotent, also with two workers at once, and one that dies is made up for by the next.
 * `mails`: whether there is a mail server. Returns the number made; a fault with one kind is thrown
 * after the others were made.
 */
export async function makeNotifications(
  merchantId: string,
  { mails }: { mails: boolean },
): Promise<number> {
  let made = 0;
  const faults: unknown[] = [];
  for (const kind of NOTIFICATION_KINDS)
    try {
      made += await makeOfKind(merchantId, kind, mails);
    } catch (error) {
      faults.push(error);
    }
  if (faults.length > 0) throw faults[0];
  return made;
}

async function makeOfKind(
  merchantId: string,
  kind: NotificationKind,
  mails: boolean,
): Promise<number> {
  return inTransaction(merchantId, async (tx) => {
    const now = await databaseNow(tx);
    const span = { since: new Date(now.getTime() - TOLD_MS), now };
    const told = await insertMissing(tx, kind, span, mails);
    const people = new Set(told.flatMap((row) => (row.in_app ? [row.person_id] : [])));
    if (people.size > 0)
      await publishEach(
        tx,
        { merchantId },
        [...people].map((id) => ({ kind: 'notification', id })),
      );
    return told.length;
  });
}

/**
 * Inserts the missing rows of one kind. A person who has switched both channels off gets rows too,
 * so that a channel switched on later sends only what happens from then on. The rows are inserted
 * in one order, so that two workers do not wait for each other.
 */
async function insertMissing(
  tx: Tx,
  kind: NotificationKind,
  span: FactSpan,
  mails: boolean,
): Promise<Row<'notifications', 'person_id' | 'in_app'>[]> {
  const { defaults, mailedBy, needs } = notificationFacts(kind);
  const isMailed = mails && mailedBy === 'notifications';
  const mailedSince = new Date(span.now.getTime() - MAILED_MS);
  return tx.$queryRaw<Row<'notifications', 'person_id' | 'in_app'>[]>`
    INSERT INTO notifications (merchant_id, person_id, kind, thing, detail, at, in_app, mail_due_at,
      push_due_at)
    SELECT p.merchant_id, p.id, ${kind}, f.thing, f.detail, f.at,
      coalesce(c.app, ${defaults.app}::boolean),
      CASE WHEN ${isMailed}::boolean AND coalesce(c.mail, ${defaults.mail}::boolean)
        AND f.at > ${mailedSince} THEN clock_timestamp() END,
      CASE WHEN coalesce(c.push, ${defaults.push}::boolean) AND f.at > ${mailedSince}
        AND EXISTS (SELECT FROM push_devices d WHERE d.person_id = p.id)
        THEN clock_timestamp() END
    FROM (${SOURCES[kind](span)}) f JOIN people p ON p.id = f.person_id
    LEFT JOIN notification_choices c ON c.person_id = p.id AND c.kind = ${kind}
    WHERE NOT ${IS_DISABLED_P} AND (p.role = ANY(${rolesOf(kind)}::text[])
        OR (${isOfDeputies(needs)}::boolean AND deputy_for(p.id, clock_timestamp()) IS NOT NULL))
      AND NOT EXISTS (SELECT FROM notifications n
        WHERE n.person_id = p.id AND n.kind = ${kind} AND n.thing = f.thing)
    ORDER BY p.id, f.thing LIMIT ${AT_ONCE}
    ON CONFLICT DO NOTHING RETURNING person_id, in_app`;
}

import 'server-only';
import { IS_DISABLED_P } from '#lib/access/disabled-login.ts';
import { columns, databaseNow, inTransaction, sql } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { wasNotTaken } from '#lib/runtime/mailer.ts';
import type { Mailer } from '#lib/runtime/mailer.ts';
import { NOTIFICATION_KINDS, notificationFacts } from './kinds.ts';
import type { Detail, NotificationKind } from './kinds.ts';
import { notificationMail } from './mail.ts';
import { peopleInQuiet } from './quiet-people.ts';
import { stillHolds } from './still-holds.ts';

const AT_ONCE = 200;
/** Minutes until each retry after a refusal of the mail server; after the last one no more. */
const AGAIN_MINUTES = [2, 10, 30, 120];

const DUE = columns('notifications', [
  'id',
  'person_id',
  'kind',
  'thing',
  'detail',
  'at',
  'mail_tries',
]);
type Due = RowOf<typeof DUE, { kind: NotificationKind; detail: Detail }>;

/**
 * Mails what is due: one mail for a person, with everything that is due for them. Each notification
 * is mailed at most once. It errs to the side of no mail: taking it is committed before the mail
 * leaves, and a worker that dies in between, or a connection that breaks after the mail was written,
 * sends no second one. Two mails of one rejected payout would read as two payouts, while the app
 * shows what a lost mail would have said. Only what the mail server certainly did not take is tried
 * again. Once `stopping` is aborted, no further mail is begun. Returns the number of mails sent.
 */
export async function mailNotifications(
  merchantId: string,
  mailer: Mailer,
  stopping?: AbortSignal,
): Promise<number> {
  let sent = 0;
  for (;;) {
    if (stopping?.aborted) return sent;
    // Of one person at a time: a worker that dies while it sends leaves the mails of others due.
    const next = await inTransaction(merchantId, claim);
    if (next === null) return sent;
    if (await sendOne(merchantId, mailer, next)) sent += 1;
  }
}

type Claimed = { email: string; own: Due[] };

/**
 * Takes what is due of the person who has waited longest, outside their quiet hours. What was read
 * meanwhile, no longer holds, is of a kind that is unknown here, or whose person was disabled, is
 * mailed no more. Null when nothing is due.
 */
async function claim(tx: Tx): Promise<Claimed | null> {
  const now = await databaseNow(tx);
  await tx.$executeRaw`
    UPDATE notifications n SET mail_due_at = NULL FROM people p
    WHERE n.mail_due_at IS NOT NULL AND p.id = n.person_id
      AND (n.read_at IS NOT NULL OR NOT n.kind = ANY(${NOTIFICATION_KINDS}::text[])
        OR ${IS_DISABLED_P}
        OR NOT ${stillHolds({ kind: sql`n.kind`, thing: sql`n.thing` })})`;
  const waiting = NOTIFICATION_KINDS.filter((kind) => notificationFacts(kind).waitsInQuietHours);
  const isDue = sql`(mail_due_at <= clock_timestamp() AND NOT (kind = ANY(${waiting}::text[])
    AND person_id = ANY(${await peopleInQuiet(tx, now)}::uuid[])))`;
  const own = await tx.$queryRaw<Due[]>`
    UPDATE notifications SET mail_due_at = NULL, mail_begun_at = clock_timestamp(),
      mail_tries = mail_tries + 1
    WHERE id IN (SELECT id FROM notifications WHERE ${isDue} AND person_id = (
        SELECT person_id FROM notifications WHERE ${isDue} ORDER BY mail_due_at LIMIT 1)
      ORDER BY mail_due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
    RETURNING ${DUE}`;
  if (own[0] === undefined) return null;
  const [person] = await tx.$queryRaw<{ email: string }[]>`
    SELECT email FROM people p WHERE p.id = ${own[0].person_id}::uuid AND NOT ${IS_DISABLED_P}`;
  return person === undefined ? claim(tx) : { email: person.email, own };
}

async function sendOne(
  merchantId: string,
  mailer: Mailer,
  { email, own }: Claimed,
): Promise<boolean> {
  const { appOrigin, timeZone } = env();
  const shown = own
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .map((row) => ({ ...row, at: row.at.toISOString() }));
  try {
    await mailer.send({
      to: [email],
      ...notificationMail(shown, { origin: appOrigin, zone: timeZone }),
    });
  } catch (error) {
    // The log leaves out the mail server's own message, which may contain an address.
    log.warn('notifications were not mailed', { ...errorFields(error), count: own.length });
    if (wasNotTaken(error)) await tryAgainLater(merchantId, own);
    return false;
  }
  await inTransaction(
    merchantId,
    (tx) => tx.$executeRaw`UPDATE notifications SET mailed_at = clock_timestamp()
      WHERE id = ANY(${own.map((row) => row.id)}::uuid[])`,
  );
  return true;
}

async function tryAgainLater(merchantId: string, own: readonly Due[]): Promise<void> {
  await inTransaction(
    merchantId,
    (tx) => tx.$executeRaw`UPDATE notifications SET mail_begun_at = NULL,
      mail_due_at = clock_timestamp()
        + make_interval(mins => (${AGAIN_MINUTES}::int[])[mail_tries])
      WHERE id = ANY(${own.map((row) => row.id)}::uuid[])`,
  );
}

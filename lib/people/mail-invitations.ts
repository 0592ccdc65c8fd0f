import 'server-only';
import { ROLES } from '#lib/access/actor.ts';
import type { Role } from '#lib/access/actor.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { wasNotTaken } from '#lib/runtime/mailer.ts';
import type { Mailer } from '#lib/runtime/mailer.ts';
import { invitationMail } from './invitation-mail.ts';
import { invitationNeedsTwo } from './rules.ts';

const AT_ONCE = 20;
/** An invitation that has been open for longer is mailed no more: a new mail server sends no old invitations. */
const MAILED_HOURS = 24;
/** Minutes until each retry after a refusal of the mail server; after the last one no more. */
const AGAIN_MINUTES = [2, 10, 30, 120];

type Due = Row<'person_invitations', 'id' | 'email' | 'role' | 'expires_at', { role: Role }> & {
  by: string;
};

/**
 * Mails invitations that are open and, where two people are needed, confirmed: each to its address,
 * at most once. As with notifications, taking it is committed before the mail leaves, and only what
 * the mail server certainly did not take is tried again. Once `stopping` is aborted, no further mail
 * is begun. Returns the number of mails sent.
 */
export async function mailInvitations(
  merchantId: string,
  mailer: Mailer,
  stopping?: AbortSignal,
): Promise<number> {
  await inTransaction(merchantId, listMails);
  let sent = 0;
  for (;;) {
    if (stopping?.aborted) return sent;
    const next = await inTransaction(merchantId, claim);
    if (next === null) return sent;
    if (next !== 'dropped' && (await mailOne(merchantId, mailer, next))) sent += 1;
  }
}

async function mailOne(merchantId: string, mailer: Mailer, one: Due): Promise<boolean> {
  const { appOrigin: origin, timeZone: zone } = env();
  const mail = invitationMail(
    { by: one.by, role: one.role, expiresAt: one.expires_at.toISOString() },
    { origin, zone },
  );
  try {
    await mailer.send({ to: [one.email], ...mail });
  } catch (error) {
    // The log leaves out the mail server's own message, which may contain an address.
    log.warn('an invitation was not mailed', errorFields(error));
    if (wasNotTaken(error)) await tryAgainLater(merchantId, one.id);
    return false;
  }
  await inTransaction(
    merchantId,
    (tx) => tx.$executeRaw`UPDATE invitation_mails SET mailed_at = clock_timestamp()
      WHERE invitation_id = ${one.id}::uuid`,
  );
  return true;
}

/** One row for each invitation that has become open lately. */
async function listMails(tx: Tx): Promise<void> {
  const byTwo = ROLES.filter(invitationNeedsTwo);
  await tx.$executeRaw`
    INSERT INTO invitation_mails (merchant_id, invitation_id, due_at)
    SELECT i.merchant_id, i.id, clock_timestamp() FROM person_invitations i
    WHERE i.used_at IS NULL AND i.withdrawn_at IS NULL AND i.expires_at > clock_timestamp()
      AND (i.confirmed_at IS NOT NULL OR NOT i.role = ANY(${byTwo}::text[]))
      AND coalesce(i.confirmed_at, i.invited_at)
        > clock_timestamp() - make_interval(hours => ${MAILED_HOURS})
      AND NOT EXISTS (SELECT FROM invitation_mails m WHERE m.invitation_id = i.id)
    ORDER BY i.id LIMIT ${AT_ONCE} ON CONFLICT DO NOTHING`;
}

/**
 * Takes the one mail that is due for longest: a worker that dies while it sends leaves all others due.
 * `dropped` when its invitation was used or withdrawn meanwhile. Null when nothing is due.
 */
async function claim(tx: Tx): Promise<Due | 'dropped' | null> {
  const [taken] = await tx.$queryRaw<Row<'invitation_mails', 'invitation_id'>[]>`
    UPDATE invitation_mails SET due_at = NULL, begun_at = clock_timestamp(), tries = tries + 1
    WHERE invitation_id = (SELECT invitation_id FROM invitation_mails
      WHERE due_at <= clock_timestamp() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING invitation_id`;
  if (taken === undefined) return null;
  const [due] = await tx.$queryRaw<Due[]>`
    SELECT i.id, i.email, i.role, i.expires_at, p.name AS by FROM person_invitations i
      JOIN people p ON p.id = i.invited_by
    WHERE i.id = ${taken.invitation_id}::uuid AND i.used_at IS NULL AND i.withdrawn_at IS NULL
      AND i.expires_at > clock_timestamp()`;
  return due ?? 'dropped';
}

async function tryAgainLater(merchantId: string, id: string): Promise<void> {
  await inTransaction(
    merchantId,
    (tx) => tx.$executeRaw`UPDATE invitation_mails SET begun_at = NULL,
      due_at = clock_timestamp() + make_interval(mins => (${AGAIN_MINUTES}::int[])[tries])
      WHERE invitation_id = ${id}::uuid`,
  );
}

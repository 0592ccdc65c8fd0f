import 'server-only';
import { IS_DISABLED_P } from '#lib/access/disabled-login.ts';
import { CAPTURE_LIFE_MS } from '../payments/authorization.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import type { Mailer } from '#lib/runtime/mailer.ts';
import { toDecimal } from '#lib/values/money.ts';
import { reminderMail } from './mail.ts';
import { AUDIENCE_ROLES, AUDIENCES } from './reminder.ts';
import type { Audience } from './reminder.ts';

const AT_ONCE = 50;
/**
 * Minutes until each retry while the mail server is down. After the last retry no more mail is
 * sent, because the screen shows the same reminders. A worker that dies while it sends causes a
 * second mail.
 */
const AGAIN_MINUTES = [2, 10, 30, 120];

type Due = Row<
  'card_payments',
  'invoice_id' | 'amount_minor' | 'currency' | 'held_since',
  { held_since: Date }
> & { id: string; audience: Audience; mail_tries: number };

/** The ids of people who have chosen to get no reminders by mail. */
export type UnwantedBy = (tx: Tx) => Promise<string[]>;

/**
 * Mails the due reminders: one mail for the clerks, one for the approvers, each with all its
 * authorizations, to those who want it. At least once: a duplicate does no harm. A failure is logged without the mail's
 * content and retried a few times. Returns the number of mails sent.
 */
export async function mailReminders(
  merchantId: string,
  mailer: Mailer,
  unwantedBy: UnwantedBy,
): Promise<number> {
  const due = await claim(merchantId);
  let sent = 0;
  for (const audience of AUDIENCES) {
    const reminders = due.filter((one) => one.audience === audience);
    if (reminders.length === 0) continue;
    const to = await addressesOf(merchantId, audience, unwantedBy);
    if (await sendOne(merchantId, mailer, to, reminders)) sent += 1;
  }
  return sent;
}

/**
 * The next retry is stored before the send. No mail for reminders that were marked or have ended
 * meanwhile, or of which the last moment of a capture from here, which the mail names, has passed.
 */
async function claim(merchantId: string): Promise<Due[]> {
  return inTransaction(merchantId, async (tx) => {
    await tx.$executeRaw`
      UPDATE card_reminders r SET mail_next_at = NULL FROM card_payments p
      WHERE r.merchant_id = ${merchantId}::uuid AND r.mail_next_at <= clock_timestamp()
        AND p.id = r.payment_id
        AND (r.seen_at IS NOT NULL OR p.state <> 'held'
          OR p.held_since <= clock_timestamp() - make_interval(secs => ${CAPTURE_LIFE_MS / 1_000}))`;
    return tx.$queryRaw<Due[]>`
      WITH due AS (
        UPDATE card_reminders SET mail_tries = mail_tries + 1,
          mail_next_at = clock_timestamp()
          + make_interval(mins => (${AGAIN_MINUTES}::int[])[mail_tries + 1])
        WHERE id IN (SELECT id FROM card_reminders WHERE merchant_id = ${merchantId}::uuid
          AND mail_next_at <= clock_timestamp() ORDER BY mail_next_at LIMIT ${AT_ONCE} FOR
          UPDATE SKIP LOCKED)
        RETURNING id, payment_id, audience, mail_tries)
      SELECT due.id, due.audience, due.mail_tries, p.invoice_id, p.amount_minor, p.currency,
        p.held_since FROM due JOIN card_payments p ON p.id = due.payment_id ORDER BY p.held_since, p.id`;
  });
}

async function addressesOf(
  merchantId: string,
  audience: Audience,
  unwantedBy: UnwantedBy,
): Promise<string[]> {
  const roles = [...AUDIENCE_ROLES[audience]];
  const people = await inTransaction(
    merchantId,
    async (tx) => tx.$queryRaw<Row<'people', 'email'>[]>`SELECT p.email FROM people p
      WHERE p.role = ANY(${roles}::text[]) AND NOT ${IS_DISABLED_P}
        AND NOT p.id = ANY(${await unwantedBy(tx)}::uuid[]) ORDER BY p.email`,
  );
  return people.map((one) => one.email);
}

async function sendOne(
  merchantId: string,
  mailer: Mailer,
  to: string[],
  reminders: Due[],
): Promise<boolean> {
  const holds = reminders.map((one) => ({
    invoiceId: one.invoice_id,
    amount: one.amount_minor === null ? null : toDecimal(one.amount_minor),
    currency: one.currency,
    heldSince: one.held_since.getTime(),
  }));
  const { appOrigin, timeZone } = env();
  if (to.length > 0) {
    try {
      await mailer.send({
        to,
        ...reminderMail(holds, { address: `${appOrigin}/cards/authorizations`, zone: timeZone }),
      });
    } catch (error) {
      // The log leaves out the mail server's own message, which may contain an address.
      log.warn(
        reminders.some((one) => one.mail_tries > AGAIN_MINUTES.length)
          ? 'authorization reminders were not mailed and will not be tried again'
          : 'authorization reminders were not mailed; they will be tried again',
        { ...errorFields(error), count: reminders.length },
      );
      return false;
    }
  }
  await inTransaction(
    merchantId,
    (tx) =>
      tx.$executeRaw`UPDATE card_reminders SET mail_next_at = NULL, mailed_at = clock_timestamp()
        WHERE id = ANY(${reminders.map((one) => one.id)}::uuid[])`,
  );
  return to.length > 0;
}

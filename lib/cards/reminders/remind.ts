import 'server-only';
import { CAPTURE_LIFE_MS, HOLD_LIFE_MS } from '../payments/authorization.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import { publish } from '#lib/live/publish.ts';
import { ESCALATED_HOURS, REMINDER_HOURS } from './reminder.ts';

const HOUR_MS = 60 * 60_000;

/**
 * Creates the due reminders that are missing: for each authorization only the nearest threshold, so
 * one that became known late has one reminder, not three. No reminders for captured, voided or
 * lapsed authorizations, or for those of unknown age. Idempotent, also with two workers at once.
 * `mails`: whether to mail each one. Returns the number created.
 */
export async function remindOfAuthorizations(
  merchantId: string,
  { mails }: { mails: boolean },
): Promise<number> {
  return inTransaction(merchantId, async (tx) => {
    const now = (await databaseNow(tx)).getTime();
    const [first, ...nearer] = REMINDER_HOURS;
    /** The latest start of an authorization that has at most this many hours left. */
    const beganBy = (hours: number): Date => new Date(now + hours * HOUR_MS - CAPTURE_LIFE_MS);
    const made = await tx.$executeRaw`
      INSERT INTO card_reminders (merchant_id, payment_id, hours, audience, mail_next_at)
      SELECT p.merchant_id, p.id, n.hours, a.audience, CASE WHEN ${mails} THEN clock_timestamp() END
      FROM card_payments p
      CROSS JOIN LATERAL
        (SELECT CASE WHEN p.held_since <= ${beganBy(nearer[1])} THEN ${nearer[1]}::int WHEN
        p.held_since <= ${beganBy(nearer[0])} THEN ${nearer[0]}::int ELSE ${first}::int END AS hours) n
      CROSS JOIN (VALUES ('clerk'), ('approver')) AS a (audience)
      WHERE p.merchant_id = ${merchantId}::uuid AND p.state = 'held'
        AND p.held_since <= ${beganBy(first)} AND p.held_since > ${new Date(now - HOLD_LIFE_MS)}
        AND NOT EXISTS (SELECT FROM card_reminders r WHERE r.payment_id = p.id
          AND r.audience = a.audience AND (a.audience = 'approver' OR r.hours <= n.hours))
        AND (a.audience = 'clerk' OR n.hours <= ${ESCALATED_HOURS})
      ON CONFLICT DO NOTHING`;
    if (made > 0) await publish(tx, { merchantId }, { kind: 'card', id: 'many' });
    return made;
  });
}

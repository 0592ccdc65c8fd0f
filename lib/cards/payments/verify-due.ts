import 'server-only';
import { expediteOperation } from '../operations/expedite.ts';
import { audit } from '#lib/audit/append.ts';
import { lookAfterRefusal, withAnswer } from '../checkout/nothing-taken.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { takeDue } from '#lib/runtime/take-due.ts';
import { date } from '#lib/movements/evidence.ts';
import { publish } from '#lib/live/publish.ts';
import type { CardClient } from '#lib/providers/card/client.ts';
import type { RecordOutcome } from '#lib/providers/card/types.ts';
import { rememberPlan } from '../recurring/remember.ts';
import { differs, learn } from './payment.ts';
import { knownOf, PAYMENT } from './row.ts';
import type { StoredPayment } from './row.ts';
import { nextLook } from './schedule.ts';

const RAW_MAX_CHARACTERS = 64 * 1024;

export const CARD_PAYMENTS = { table: sql`card_payments` };

/** Queries the gateway about one due payment. Moves no money. Returns false when none was due. */
export async function verifyOneDuePayment(
  merchantId: string,
  card: Pick<CardClient, 'readRecord'> & Partial<Pick<CardClient, 'readLink'>>,
): Promise<boolean> {
  const due = await takeDue<
    Row<'card_payments', 'id' | 'invoice_id' | 'amount_minor' | 'kind'> & { next_at: Date }
  >(merchantId, CARD_PAYMENTS, sql`id, invoice_id, amount_minor, next_at, kind`);
  if (!due) return false;
  const { invoice_id: invoiceId, amount_minor: amountMinor } = due;
  const isLink = due.kind === 'link';
  const response = await (isLink && amountMinor !== null && card.readLink !== undefined
    ? card.readLink({ invoiceId, amountMinor })
    : card.readRecord({ invoiceId, amountMinor }));
  // In a transaction of its own, because an operation that ends locks its own row first and the
  // payment's after it. And before the response is stored: after a crash in between, the next poll
  // sees the change again.
  if (await isNews(merchantId, due.id, response)) await expediteOperation(merchantId, due.id);
  await keep(merchantId, due.id, response, due.next_at);
  return true;
}

/** Whether this record changes anything that `differs` compares. */
async function isNews(merchantId: string, id: string, record: RecordOutcome): Promise<boolean> {
  const [raw] = await inTransaction(
    merchantId,
    (tx) =>
      tx.$queryRaw<
        (StoredPayment & { now: Date })[]
      >`SELECT ${PAYMENT}, clock_timestamp() AS now FROM card_payments WHERE id = ${id}::uuid`,
  );
  return (
    raw !== undefined &&
    differs(
      knownOf(raw),
      withAnswer(learn(knownOf(raw), record, raw.now.getTime()), record, raw.answer),
    )
  );
}

/**
 * When the payment became known, was sent, or was reported by a webhook or a return, whichever is
 * the latest: a link or a form may be used weeks after it was made.
 */
function movedAt({ first_seen_at, sent_at, last_hint_at }: StoredPayment): number {
  return Math.max(...[first_seen_at, sent_at, last_hint_at].map((at) => at?.getTime() ?? 0));
}

async function keep(
  merchantId: string,
  id: string,
  record: RecordOutcome,
  claimedUntil: Date,
): Promise<void> {
  await inTransaction(merchantId, async (tx) => {
    const [raw] = await tx.$queryRaw<
      (StoredPayment & { now: Date })[]
    >`SELECT ${PAYMENT}, clock_timestamp() AS now FROM card_payments WHERE id = ${id}::uuid FOR UPDATE`;
    if (!raw) return;
    const now = raw.now.getTime();
    const before = knownOf(raw);
    const after = withAnswer(learn(before, record, now), record, raw.answer);
    const changed = differs(before, after);
    const tries = record.kind === 'found' ? 0 : raw.tries;
    // `next_at` was moved to an earlier time during this query, so a check was requested meanwhile:
    // keep that time, because the query's response may be older than the request.
    const expedited = raw.next_at !== null && raw.next_at < claimedUntil ? raw.next_at : null;
    const look =
      nextLook(after, { now, since: movedAt(raw), tries, isSent: raw.sent_at !== null }) ??
      lookAfterRefusal(
        after.state,
        { answer: raw.answer, sentAt: raw.sent_at?.getTime() ?? null },
        now,
      );
    await tx.$executeRaw`
      UPDATE card_payments SET state = ${after.state}, problem = ${after.problem},
        amount_minor = ${after.amountMinor}, charged_minor = ${after.chargedMinor},
        refunded_minor = ${after.refundedMinor},
        card = ${after.card}, order_id = ${after.orderId}, transaction_id = ${after.transactionId},
          reason = ${after.reason}, settles_on = ${after.settlesOn}, plan_code = ${after.planCode},
        installments = ${after.installments}, commission_minor = ${after.commissionMinor},
        refunds = ${JSON.stringify(after.refunds)}::jsonb, held_since = ${date(after.heldSince)},
          held_seen = ${after.heldSeen}, verified_at = ${date(after.verifiedAt)},
        tries = ${tries},
          next_at = ${expedited ?? date(look)}
      WHERE id = ${id}::uuid`;
    if (after.planCode !== null && after.planCode !== before.planCode)
      await rememberPlan(tx, merchantId, after.planCode, 'payment');
    if (changed) {
      const detail = {
        from: before.state,
        to: after.state,
        problem: after.problem,
        refunded: after.refundedMinor?.toString() ?? null,
        charged: after.chargedMinor?.toString() ?? null,
      };
      await tx.$executeRaw`
        INSERT INTO card_observations (merchant_id, payment_id, source, kind, detail, raw)
        VALUES (${merchantId}::uuid, ${id}::uuid, 'record', ${record.kind},
          ${JSON.stringify(detail)}::jsonb,
          ${record.raw?.slice(0, RAW_MAX_CHARACTERS).replaceAll('\u0000', '').toWellFormed() ?? null})`;
      await audit(tx, { kind: 'worker', merchantId }, 'card.read', `card:${id}`, detail);
    }
    await publish(tx, { merchantId }, { kind: 'card', id });
  });
}

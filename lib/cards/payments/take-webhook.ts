import 'server-only';
import { takeCardBalanceWebhook } from '#lib/payouts/card-balance/take-webhook.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { countWithin } from '#lib/access/rate-limit.ts';
import { takePlanWebhook } from '../recurring/take-webhook.ts';
import type { CardWebhook } from '#lib/providers/card/webhooks.ts';

/** Webhooks may add this many payments a minute; beyond it they are stored and can be replayed. */
const NEW_PER_MINUTE = 600;
/** A webhook expedites a payment's next poll at most once in this time. */
const HINT_GUARD_SECONDS = 10;

/**
 * Handles a webhook of the gateway: an unknown order is added to the register, and its record is
 * polled at once. Only the two numbers that name the order are copied. The webhook's time of
 * arrival becomes the assumed start of an authorization.
 */
export async function takeCardWebhook(
  tx: Tx,
  merchantId: string,
  notice: CardWebhook,
  at: Date,
): Promise<'asked_provider' | 'kept_only' | 'nothing_to_ask' | 'other_topic'> {
  if (notice.topic === 'recurring') return takePlanWebhook(tx, merchantId, notice);
  if (notice.topic === 'cashout_reverse') return takeCardBalanceWebhook(tx, merchantId, notice);
  if (notice.invoiceId === null) return 'other_topic';
  const [known] = await tx.$queryRaw<
    Row<'card_payments', 'id'>[]
  >`SELECT id FROM card_payments WHERE invoice_id = ${notice.invoiceId} FOR UPDATE`;
  const id =
    known?.id ??
    ((await countWithin(tx, merchantId, 'card-notices', NEW_PER_MINUTE, 60)).ok
      ? await added(tx, merchantId, notice.invoiceId)
      : null);
  if (id === null) return 'kept_only';
  const couldBeHeld = notice.topic === 'sale' && notice.hint === 'succeeded';
  await tx.$executeRaw`
    UPDATE card_payments SET tries = 0,
      held_since = ${couldBeHeld ? sql`least(held_since, ${at})` : sql`held_since`},
      next_at = CASE WHEN last_hint_at > clock_timestamp()
        - make_interval(secs => ${HINT_GUARD_SECONDS}) THEN
        least(next_at, last_hint_at + make_interval(secs => ${HINT_GUARD_SECONDS}))
        ELSE clock_timestamp() END,
      last_hint_at = CASE WHEN last_hint_at > clock_timestamp()
        - make_interval(secs => ${HINT_GUARD_SECONDS}) THEN last_hint_at ELSE clock_timestamp() END
    WHERE id = ${id}::uuid`;
  await tx.$executeRaw`
    INSERT INTO card_observations (merchant_id, payment_id, source, kind, detail)
    VALUES (${merchantId}::uuid, ${id}::uuid, 'notice', ${notice.topic},
      ${JSON.stringify({ hint: notice.hint, proof: notice.proof })}::jsonb)`;
  await wakeWorkers(tx);
  await publish(tx, { merchantId }, { kind: 'card', id });
  return 'asked_provider';
}

async function added(tx: Tx, merchantId: string, invoiceId: string): Promise<string> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO card_payments (merchant_id, invoice_id, source)
      VALUES (${merchantId}::uuid, ${invoiceId}, 'notice')
    ON CONFLICT (merchant_id, invoice_id) DO UPDATE SET tries = 0 RETURNING id`;
  return row!.id;
}

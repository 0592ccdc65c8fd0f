import 'server-only';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import { countWithin } from '#lib/access/rate-limit.ts';
import type { ChargeKind } from './content.ts';

/** The endpoint is public: this limits how much of it is stored. */
const RETURNS_PER_MINUTE = 600;
const KEPT_PER_HOUR = 10;
/** A return expedites a payment's next poll at most once in this time, like a webhook. */
const HINT_GUARD_SECONDS = 10;
const CODE = /^\d{1,4}$/;

/**
 * Handles the browser's return from the 3-D Secure step. Anybody with the address can forge it, so
 * nothing in it is believed. It finds one of our own orders by its invoice number, is stored as a
 * claimed status, and expedites the poll of the gateway's record. Null for an order that was not
 * made here.
 */
export async function takeReturn(
  merchantId: string,
  fields: URLSearchParams,
): Promise<{ id: string; kind: ChargeKind } | null> {
  const client = cardClient();
  const returned = client.decodeReturn(fields);
  if (returned.invoiceId === null) return null;
  const { invoiceId } = returned;
  return inTransaction(merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<
      Row<
        'card_payments',
        'id' | 'kind' | 'amount_minor' | 'currency',
        { kind: ChargeKind; amount_minor: bigint }
      >[]
    >`
      SELECT id, kind, amount_minor, currency FROM card_payments WHERE invoice_id = ${invoiceId}
        AND source = 'made_here' FOR UPDATE`;
    if (!row) return null;
    const found = { id: row.id, kind: row.kind };
    const all = await countWithin(tx, merchantId, 'card-returns', RETURNS_PER_MINUTE, 60);
    if (
      !all.ok ||
      !(await countWithin(tx, merchantId, `card-return:${row.id}`, KEPT_PER_HOUR, 3_600)).ok
    )
      return found;
    const agrees = client.returnAgrees(returned, {
      invoiceId,
      amountMinor: row.amount_minor,
      currency: row.currency,
    });
    // A failure carries no hash (`contract`); any other claimed status counts only with a matching
    // hash.
    const hash = agrees ? 'agrees' : returned.hashKey === null ? 'none' : 'disagrees';
    await tx.$executeRaw`
      UPDATE card_payments SET tries = 0,
        next_at = CASE WHEN last_hint_at > clock_timestamp()
          - make_interval(secs => ${HINT_GUARD_SECONDS}) THEN
          coalesce(next_at, last_hint_at + make_interval(secs => ${HINT_GUARD_SECONDS}))
          ELSE clock_timestamp() END,
        last_hint_at = CASE WHEN last_hint_at > clock_timestamp()
          - make_interval(secs => ${HINT_GUARD_SECONDS}) THEN last_hint_at ELSE clock_timestamp() END
      WHERE id = ${row.id}::uuid`;
    const detail = {
      hint: returned.hint,
      hash,
      code: CODE.test(returned.code ?? '') ? returned.code : null,
    };
    await tx.$executeRaw`
      INSERT INTO card_observations (merchant_id, payment_id, source, kind, detail)
        VALUES (${merchantId}::uuid, ${row.id}::uuid, 'return', ${returned.hint},
        ${JSON.stringify(detail)}::jsonb)`;
    await wakeWorkers(tx);
    await publish(tx, { merchantId }, { kind: 'card', id: row.id });
    return found;
  });
}

import 'server-only';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import { HINT_GUARD_MS } from '#lib/movements/claim-rules.ts';
import { expediteCheck } from '#lib/movements/expedite.ts';
import { fromRaw, MOVEMENT } from '#lib/movements/row.ts';
import type { RawMovement } from '#lib/movements/row.ts';
import { isRefusalCompared } from '#lib/movements/refusal-compared.ts';
import { isFinal } from '#lib/movements/state.ts';

/**
 * Expedites the check of a payment's open operation, because the payment's record has changed, so
 * that the page is consistent. An operation that the gateway refused is checked too: it may have
 * been carried out anyway.
 */
export async function expediteOperation(merchantId: string, paymentId: string): Promise<void> {
  await inTransaction(merchantId, async (tx) => {
    const rows = await tx.$queryRaw<RawMovement[]>`
      SELECT ${MOVEMENT} FROM movements WHERE card_payment_id = ${paymentId}::uuid
        AND state IN ('UNKNOWN', 'PENDING', 'MANUAL_REVIEW', 'REJECTED', 'FAILED') ORDER BY id FOR UPDATE`;
    const now = (await databaseNow(tx)).getTime();
    for (const row of rows.map(fromRaw))
      if (!isFinal(row.state) || isRefusalCompared(row))
        await expediteCheck(tx, row, now, HINT_GUARD_MS);
  });
}

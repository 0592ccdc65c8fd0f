import 'server-only';
import { databaseNow, inTransaction } from '#lib/db.ts';
import { HINT_GUARD_MS } from '#lib/movements/claim-rules.ts';
import { pullLook } from '#lib/movements/pull.ts';
import { fromRaw } from '#lib/movements/row.ts';
import type { RawMovement } from '#lib/movements/row.ts';

/** The record of a payment says something new: what is open of it is looked at at once, so that the page does not say two things. */
export async function pullOperation(merchantId: string, paymentId: string): Promise<void> {
  await inTransaction(merchantId, async (tx) => {
    const [raw] = await tx.$queryRaw<RawMovement[]>`SELECT * FROM movements WHERE card_payment_id = ${paymentId}::uuid AND state IN ('UNKNOWN', 'PENDING', 'MANUAL_REVIEW') FOR UPDATE`;
    if (raw) await pullLook(tx, fromRaw(raw), (await databaseNow(tx)).getTime(), HINT_GUARD_MS);
  });
}

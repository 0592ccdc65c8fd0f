import 'server-only';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { knownOf, PAYMENT } from '../payments/row.ts';
import type { StoredPayment } from '../payments/row.ts';
import { KIND_OF } from './operation.ts';
import type { KnownHere } from './operation.ts';

/** The register's data of a payment. `at`: the database's clock, in milliseconds. */
export type PaymentFacts = { invoiceId: string; currency: string; known: KnownHere; at: number };

/** Null when this merchant has no payment with that id. */
export async function paymentFacts(
  merchantId: string,
  paymentId: string,
): Promise<PaymentFacts | null> {
  return inTransaction(merchantId, (tx) => readPaymentFacts(tx, paymentId));
}

export async function readPaymentFacts(tx: Tx, paymentId: string): Promise<PaymentFacts | null> {
  const [raw] = await tx.$queryRaw<(StoredPayment & { captured_here: bigint | null; now: Date })[]>`
    SELECT ${PAYMENT}, clock_timestamp() AS now,
      (SELECT sum(m.amount_minor)::bigint FROM movements m
        WHERE m.card_payment_id = ${paymentId}::uuid AND m.kind = ${KIND_OF.capture}
          AND m.state = 'COMPLETED') AS captured_here
    FROM card_payments WHERE id = ${paymentId}::uuid`;
  return raw
    ? {
        invoiceId: raw.invoice_id,
        currency: raw.currency,
        known: { ...knownOf(raw), capturedHereMinor: raw.captured_here },
        at: raw.now.getTime(),
      }
    : null;
}

/**
 * Expedites the register's next query: the gateway's latest response differs from what the register
 * shows.
 */
export async function askRegister(tx: Tx, paymentId: string): Promise<void> {
  await tx.$executeRaw`UPDATE card_payments SET next_at = clock_timestamp(), tries = 0
    WHERE id = ${paymentId}::uuid`;
}

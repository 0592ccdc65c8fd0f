import 'server-only';
import { env } from '#lib/runtime/env.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { PaymentProblem, PaymentState } from '../payments/payment.ts';
import { UUID } from '#lib/values/uuid.ts';
import type { ChargeContent, ChargeFacts, ChargeKind } from './content.ts';

export type RawCharge = {
  id: string;
  invoice_id: string;
  kind: ChargeKind;
  content: ChargeContent;
  amount_minor: bigint;
  currency: string;
  state: PaymentState | null;
  problem: PaymentProblem | null;
  sent_at: Date | null;
  answer: string | null;
  link: string | null;
  order_id: string | null;
  /**
   * A browser came back from the gateway; `verified`: with a return that reports a verified card
   * and has a valid gateway hash.
   */
  returned: boolean;
  verified: boolean;
  now: Date;
};

/** Null for an invalid id, and for a payment that was not made here. */
export async function findCharge(tx: Tx, id: string): Promise<RawCharge | null> {
  if (!UUID.test(id)) return null;
  const [row] = await tx.$queryRaw<RawCharge[]>`
    SELECT c.*, clock_timestamp() AS now,
      EXISTS (SELECT FROM card_testimonies t WHERE t.payment_id = c.id AND t.witness = 'return') AS
      returned,
      EXISTS (SELECT FROM card_testimonies t WHERE t.payment_id = c.id AND t.witness = 'return'
        AND t.kind = 'verified' AND t.detail ->> 'hash' = 'agrees') AS verified FROM card_payments c
        WHERE c.id = ${id}::uuid AND c.source = 'made_here'`;
  return row ?? null;
}

export function factsOf(raw: RawCharge, ip: string | null): ChargeFacts {
  const { sale, recurring } = env().cardHooks;
  return {
    invoiceId: raw.invoice_id,
    amountMinor: raw.amount_minor,
    content: raw.content,
    hooks: { sale, recurring },
    ip,
  };
}

/**
 * Whether a card may still be requested: nothing was sent, no browser came back from the gateway,
 * and its record has no such order. The first outcome uses up an invoice number.
 */
export function isOpen(
  raw: Pick<RawCharge, 'state' | 'problem' | 'sent_at' | 'returned'>,
): boolean {
  return raw.state === null && raw.problem !== 'mismatch' && raw.sent_at === null && !raw.returned;
}

/**
 * Whether the bank has verified the card and the capture waits for a person: the gateway's record
 * has the order without an outcome.
 */
export function isVerified(
  raw: Pick<RawCharge, 'state' | 'sent_at' | 'order_id' | 'verified'> & {
    content: Pick<ChargeContent, 'verifyFirst'>;
  },
): boolean {
  return (
    raw.content.verifyFirst === true &&
    raw.verified &&
    raw.state === 'pending' &&
    raw.order_id !== null &&
    raw.sent_at === null
  );
}

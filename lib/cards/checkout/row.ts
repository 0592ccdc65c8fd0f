import 'server-only';
import { env } from '#lib/runtime/env.ts';
import { columns } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';
import type { PaymentProblem, PaymentState } from '../payments/payment.ts';
import { UUID } from '#lib/values/uuid.ts';
import type { ChargeContent, ChargeFacts, ChargeKind } from './content.ts';

const CHARGE = columns('card_payments', [
  'id',
  'invoice_id',
  'kind',
  'content',
  'amount_minor',
  'currency',
  'state',
  'problem',
  'sent_at',
  'answer',
  'link',
  'order_id',
]);

export type StoredCharge = RowOf<
  typeof CHARGE,
  {
    kind: ChargeKind;
    content: ChargeContent;
    amount_minor: bigint;
    state: PaymentState | null;
    problem: PaymentProblem | null;
  }
> & {
  /**
   * `returned`: a browser came back from the gateway. `verified`: one of these returns reports a
   * verified card and has a valid gateway hash.
   */
  returned: boolean;
  verified: boolean;
  now: Date;
};

/** Null for an invalid id, and for a payment that was not made here. */
export async function findCharge(tx: Tx, id: string): Promise<StoredCharge | null> {
  if (!UUID.test(id)) return null;
  const [row] = await tx.$queryRaw<StoredCharge[]>`
    SELECT ${CHARGE.of('c')}, clock_timestamp() AS now,
      EXISTS (SELECT FROM card_observations t WHERE t.payment_id = c.id AND t.source = 'return') AS
      returned,
      EXISTS (SELECT FROM card_observations t WHERE t.payment_id = c.id AND t.source = 'return'
        AND t.kind = 'verified' AND t.detail ->> 'hash' = 'agrees') AS verified FROM card_payments c
        WHERE c.id = ${id}::uuid AND c.source = 'made_here'`;
  return row ?? null;
}

export function factsOf(raw: StoredCharge, ip: string | null): ChargeFacts {
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
 * Whether the checkout still accepts a card: nothing was sent, no browser came back from the
 * gateway, and the gateway's record has no such order. An invoice number that has had any outcome
 * cannot be used again.
 */
export function isOpen(
  raw: Pick<StoredCharge, 'state' | 'problem' | 'sent_at' | 'returned'>,
): boolean {
  return raw.state === null && raw.problem !== 'mismatch' && raw.sent_at === null && !raw.returned;
}

/**
 * Whether the bank has verified the card and the capture waits for a person: the gateway's record
 * has the order without an outcome.
 */
export function isVerified(
  raw: Pick<StoredCharge, 'state' | 'sent_at' | 'order_id' | 'verified'> & {
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

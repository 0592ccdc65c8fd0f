/** The body of a refund, and what its response proves. Pure. */
import * as z from 'zod';
import { toDecimal } from '#lib/values/money.ts';
import { rawAmount } from '../json.ts';
import type { Exchange } from '../outcome.ts';
import { classifyMoney } from './classify-money.ts';
import type { CardCodes } from './codes.ts';
import { id, idOrNull } from './wire.ts';
import type { RefundOutcome } from './types.ts';

/** `published`; flat, no `data`. The refund's number is `ref_number` on newer hosts. */
const refunded = z.object({
  invoice_id: id,
  order_no: idOrNull,
  ref_no: idOrNull,
  ref_number: idOrNull,
});

export type Refund = {
  invoiceId: string;
  amountMinor: bigint;
  /** Our own id of this refund (`published`: unique, a repeat answers 104). */
  refundId: string;
  /** A refund web hook key registered with the gateway. */
  hook?: string;
};

export type RefundBody = {
  fields: Record<string, unknown>;
  hashParts: [amount: string, invoiceId: string];
};

/**
 * Always writes the amount, even for a full refund, because a missing or zero amount means
 * "everything that is left". The hash key joins `hashParts` and the merchant key.
 * @throws RangeError for an amount that is not positive and for an empty id.
 */
export function refundBody({ invoiceId, amountMinor, refundId, hook }: Refund): RefundBody {
  if (typeof amountMinor !== 'bigint' || amountMinor <= 0n)
    throw new RangeError('amountMinor is not positive');
  if (refundId === '') throw new RangeError('refundId is empty');
  const fields = {
    invoice_id: invoiceId,
    amount: rawAmount(amountMinor),
    refund_transaction_id: refundId,
    refund_web_hook_key: hook,
  };
  return { fields, hashParts: [toDecimal(amountMinor), invoiceId] };
}

/** `refunded` only for our own invoice. */
export function classifyRefund(
  exchange: Exchange,
  invoiceId: string,
  codes: CardCodes,
  fieldPrefix: string,
): RefundOutcome {
  return classifyMoney(exchange, codes.refund, fieldPrefix, (answer) => {
    const read = refunded.safeParse(answer.body);
    if (!read.success) return { kind: 'unclear', why: 'shape' };
    if (read.data.invoice_id !== invoiceId) return { kind: 'unclear', why: 'mismatch' };
    return {
      kind: 'refunded' as const,
      orderId: read.data.order_no,
      refundNumber: read.data.ref_number ?? read.data.ref_no,
    };
  });
}

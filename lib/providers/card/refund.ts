import 'server-only';
import * as z from 'zod';
import { toDecimal } from '#lib/money.ts';
import { rawAmount } from '../json.ts';
import { classifyMoney } from './classify-money.ts';
import type { Line } from './line.ts';
import type { Sending } from './pay.ts';
import { id, idOrNull } from './wire.ts';
import type { RefundOutcome } from './words.ts';

/** `published`; flat, no `data`. The number of the refund is `ref_number` on newer hosts. */
const refunded = z.object({ invoice_id: id, order_no: idOrNull, ref_no: idOrNull, ref_number: idOrNull });

export type Refund = {
  invoiceId: string;
  amountMinor: bigint;
  /** Our own id of this refund (`published`: unique, a repeat answers 104). */
  refundId: string;
  /** A refund web hook key registered with the gateway. */
  hook?: string;
};

/**
 * Gives money back, all or a part (`published`). The amount is always written, even for the whole, because none or zero means
 * "everything that is left". One request, never repeated: after an unclear one the record's refunded total decides.
 * Throws RangeError for an amount that is not positive.
 */
export async function refundPayment(line: Line, refund: Refund, sending: Sending): Promise<RefundOutcome> {
  const { invoiceId, amountMinor, refundId, hook } = refund;
  if (typeof amountMinor !== 'bigint' || amountMinor <= 0n) throw new RangeError('amountMinor is not positive');
  if (refundId === '') throw new RangeError('refundId is empty');
  const exchange = await line.send({
    path: '/ccpayment/api/refund',
    fields: {
      invoice_id: invoiceId,
      amount: rawAmount(amountMinor),
      merchant_key: line.merchantKey,
      ...line.appFields(),
      hash_key: line.hashKey([toDecimal(amountMinor), invoiceId, line.merchantKey]),
      refund_transaction_id: refundId,
      refund_web_hook_key: hook,
    },
    beforeWrite: sending.beforeWrite,
  });
  return classifyMoney(exchange, line.codes.refund, line.fieldPrefix, (answer) => {
    const read = refunded.safeParse(answer.body);
    if (!read.success) return { kind: 'unclear', why: 'shape' };
    if (read.data.invoice_id !== invoiceId) return { kind: 'unclear', why: 'mismatch' };
    return { kind: 'refunded' as const, orderId: read.data.order_no, refundNumber: read.data.ref_number ?? read.data.ref_no };
  });
}

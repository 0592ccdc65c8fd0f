import 'server-only';
import type { Line } from './connection.ts';
import type { Sending } from './pay.ts';
import { classifyRefund, refundBody } from './refund-request.ts';
import type { Refund } from './refund-request.ts';
import type { RefundOutcome } from './types.ts';

/**
 * Refunds a payment in full or in part (`published`). One request, never retried: after an unclear
 * one, the refunded total of the record decides.
 * @throws RangeError for an amount that is not positive.
 */
export async function refundPayment(
  line: Line,
  refund: Refund,
  sending: Sending,
): Promise<RefundOutcome> {
  const { fields, hashParts } = refundBody(refund);
  const exchange = await line.send({
    path: '/ccpayment/api/refund',
    fields: {
      merchant_key: line.merchantKey,
      ...line.appFields(),
      hash_key: line.hashKey([...hashParts, line.merchantKey]),
      ...fields,
    },
    beforeWrite: sending.beforeWrite,
  });
  return classifyRefund(exchange, refund.invoiceId, line.codes, line.fieldPrefix);
}

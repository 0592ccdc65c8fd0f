import 'server-only';
import * as z from 'zod';
import { classifyMoney } from './classify-money.ts';
import { readApproval } from './classify-payment.ts';
import type { Line } from './connection.ts';
import type { Sending } from './pay.ts';
import { idOrNull } from './wire.ts';
import type { CompletionOutcome, ExpectedPayment } from './types.ts';

const calledOff = z.object({ invoice_id: idOrNull });

/**
 * payment/complete (`published`): finishes a 3D order that was sent with `completedBy: 'merchant'`,
 * within 15 minutes after the bank's step; otherwise the order fails by itself. 'complete' captures
 * (or authorizes) the money, 'cancel' cancels the order. One request, never retried; never throws
 * for network errors.
 */
export async function completePayment(
  line: Line,
  expected: ExpectedPayment & { orderId: string },
  status: 'complete' | 'cancel',
  sending: Sending,
): Promise<CompletionOutcome> {
  const { invoiceId, orderId } = expected;
  const exchange = await line.send({
    path: '/ccpayment/payment/complete',
    fields: {
      merchant_key: line.merchantKey,
      invoice_id: invoiceId,
      order_id: orderId,
      status,
      hash_key: line.hashKey([line.merchantKey, invoiceId, orderId, status]),
    },
    beforeWrite: sending.beforeWrite,
  });
  if (status === 'complete')
    return classifyMoney(exchange, line.codes.complete, line.fieldPrefix, (answer) =>
      readApproval(answer, expected, line),
    );
  return classifyMoney(exchange, line.codes.complete, line.fieldPrefix, (answer) => {
    const read = calledOff.safeParse(answer.body['data'] ?? answer.body);
    const isOurs =
      read.success && (read.data.invoice_id === null || read.data.invoice_id === invoiceId);
    return isOurs
      ? { kind: 'called_off' as const }
      : { kind: 'unclear' as const, why: 'mismatch' as const };
  });
}

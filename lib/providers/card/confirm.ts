import 'server-only';
import { captureBody, classifyConfirm, releaseBody } from './confirm-request.ts';
import type { ConfirmBody } from './confirm-request.ts';
import type { Line } from './connection.ts';
import type { Sending } from './pay.ts';
import type { ConfirmOutcome } from './types.ts';

/**
 * Captures an authorization, in full or in part; the rest is voided. One request, never retried: a
 * second request is answered with 113 whether or not the first one was executed.
 * @throws RangeError for an amount that is not positive.
 */
export async function captureHold(
  line: Line,
  hold: { invoiceId: string; amountMinor: bigint },
  sending: Sending,
): Promise<ConfirmOutcome> {
  return confirm(line, hold.invoiceId, captureBody(hold), sending);
}

/** Voids an authorization. */
export async function releaseHold(
  line: Line,
  hold: { invoiceId: string },
  sending: Sending,
): Promise<ConfirmOutcome> {
  return confirm(line, hold.invoiceId, releaseBody(hold), sending);
}

async function confirm(
  line: Line,
  invoiceId: string,
  { status, fields }: ConfirmBody,
  sending: Sending,
): Promise<ConfirmOutcome> {
  const exchange = await line.send({
    path: '/ccpayment/api/confirmPayment',
    fields: {
      merchant_key: line.merchantKey,
      hash_key: line.hashKey([line.merchantKey, invoiceId, String(status)]),
      ...fields,
    },
    beforeWrite: sending.beforeWrite,
  });
  return classifyConfirm(exchange, { invoiceId, status }, line.codes, line.fieldPrefix);
}

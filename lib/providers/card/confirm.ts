import 'server-only';
import * as z from 'zod';
import { rawAmount } from '../json.ts';
import { classifyMoney } from './classify-money.ts';
import type { Line } from './line.ts';
import type { Sending } from './pay.ts';
import { id, idOrNull, textOrNull } from './wire.ts';
import type { ConfirmOutcome } from './words.ts';

/** `status` of confirmPayment (`published`). */
const CAPTURE = 1;
const RELEASE = 2;

/** `published`; flat, no `data`. */
const confirmation = z.object({ invoice_id: id, order_id: idOrNull, transaction_status: textOrNull });

/** Completed is `published`; that a release may say Cancelled is `assumed`. */
const CONFIRMED = { [CAPTURE]: ['completed'], [RELEASE]: ['completed', 'cancelled'] };

/**
 * Takes what a pre-authorization holds, or a part of it; the rest is let go. The amount is always written, because none or zero
 * means everything (`published`). One request, never repeated: a second one answers 113 whether the first was executed or not.
 * Throws RangeError for an amount that is not positive.
 */
export async function captureHold(line: Line, { invoiceId, amountMinor }: { invoiceId: string; amountMinor: bigint }, sending: Sending): Promise<ConfirmOutcome> {
  if (typeof amountMinor !== 'bigint' || amountMinor <= 0n) throw new RangeError('amountMinor is not positive');
  return confirm(line, invoiceId, CAPTURE, { total: rawAmount(amountMinor) }, sending);
}

/** Lets go of what a pre-authorization holds. */
export async function releaseHold(line: Line, { invoiceId }: { invoiceId: string }, sending: Sending): Promise<ConfirmOutcome> {
  return confirm(line, invoiceId, RELEASE, {}, sending);
}

async function confirm(line: Line, invoiceId: string, status: 1 | 2, more: Record<string, unknown>, sending: Sending): Promise<ConfirmOutcome> {
  const exchange = await line.send({
    path: '/ccpayment/api/confirmPayment',
    fields: {
      invoice_id: invoiceId,
      merchant_key: line.merchantKey,
      status,
      ...more,
      hash_key: line.hashKey([line.merchantKey, invoiceId, String(status)]),
    },
    beforeWrite: sending.beforeWrite,
  });
  return classifyMoney(exchange, line.codes.confirm, line.fieldPrefix, (answer) => {
    const read = confirmation.safeParse(answer.body);
    if (!read.success) return { kind: 'unclear', why: 'shape' };
    const isDone = CONFIRMED[status].includes(read.data.transaction_status?.trim().toLowerCase() ?? '');
    if (!isDone || read.data.invoice_id !== invoiceId) return { kind: 'unclear', why: 'mismatch' };
    return { kind: 'confirmed' as const, orderId: read.data.order_id };
  });
}

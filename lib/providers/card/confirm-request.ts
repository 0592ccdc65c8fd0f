/** The body of confirmPayment (capture or void), and what its response proves. Pure. */
import * as z from 'zod';
import { rawAmount } from '../json.ts';
import type { Exchange } from '../outcome.ts';
import { classifyMoney } from './classify-money.ts';
import type { CardCodes } from './codes.ts';
import { id, idOrNull, textOrNull } from './wire.ts';
import type { ConfirmOutcome } from './types.ts';

/** `status` of confirmPayment (`published`). */
export const CAPTURE = 1;
export const RELEASE = 2;
export type ConfirmStatus = typeof CAPTURE | typeof RELEASE;

/** `published`; flat, no `data`. */
const confirmation = z.object({
  invoice_id: id,
  order_id: idOrNull,
  transaction_status: textOrNull,
});

/** Completed is `published`; Cancelled for a void is `assumed`. */
const CONFIRMED: Readonly<Record<ConfirmStatus, readonly string[]>> = {
  [CAPTURE]: ['completed'],
  [RELEASE]: ['completed', 'cancelled'],
};

export type ConfirmBody = { status: ConfirmStatus; fields: Record<string, unknown> };

/**
 * Always writes the amount, because a missing or zero amount means everything (`published`).
 * @throws RangeError for an amount that is not positive.
 */
export function captureBody({
  invoiceId,
  amountMinor,
}: {
  invoiceId: string;
  amountMinor: bigint;
}): ConfirmBody {
  if (typeof amountMinor !== 'bigint' || amountMinor <= 0n)
    throw new RangeError('amountMinor is not positive');
  return {
    status: CAPTURE,
    fields: { invoice_id: invoiceId, status: CAPTURE, total: rawAmount(amountMinor) },
  };
}

export function releaseBody({ invoiceId }: { invoiceId: string }): ConfirmBody {
  return { status: RELEASE, fields: { invoice_id: invoiceId, status: RELEASE } };
}

/** `confirmed` only for our own invoice and with the status word of the requested action. */
export function classifyConfirm(
  exchange: Exchange,
  asked: { invoiceId: string; status: ConfirmStatus },
  codes: CardCodes,
  fieldPrefix: string,
): ConfirmOutcome {
  return classifyMoney(exchange, codes.confirm, fieldPrefix, (answer) => {
    const read = confirmation.safeParse(answer.body);
    if (!read.success) return { kind: 'unclear', why: 'shape' };
    const isDone = CONFIRMED[asked.status].includes(
      read.data.transaction_status?.trim().toLowerCase() ?? '',
    );
    if (!isDone || read.data.invoice_id !== asked.invoiceId)
      return { kind: 'unclear', why: 'mismatch' };
    return { kind: 'confirmed' as const, orderId: read.data.order_id };
  });
}

/** An operation that is completed, while the payment's record was last read before. Pure. */
import type { PaymentState } from '#lib/cards/payments/payment.ts';
import type { CardOperation } from './list.ts';

export type UnreadOperation = Pick<CardOperation, 'operation' | 'amount' | 'currency'> & {
  endedAt: string;
};

/** The states of an authorization before it was captured or voided. */
const OPEN: readonly (PaymentState | null)[] = [null, 'pending', 'held', 'maybe_captured'];

/**
 * The last completed operation that the known record of the payment cannot show: what the record
 * says about the money is from before it. Null when there is none. A capture or void is in the record
 * as soon as its state says so, also when our own reading ended a moment later.
 */
export function unreadOperation(
  { verifiedAt, state: known }: { verifiedAt: string | null; state: PaymentState | null },
  operations: readonly (Pick<CardOperation, 'state' | 'endedAt'> &
    Omit<UnreadOperation, 'endedAt'>)[],
): UnreadOperation | null {
  const [last] = operations
    .flatMap(({ state, endedAt, ...one }) =>
      state === 'COMPLETED' && endedAt !== null ? [{ ...one, endedAt }] : [],
    )
    .toSorted((a, b) => Date.parse(b.endedAt) - Date.parse(a.endedAt));
  if (last === undefined || (last.operation !== 'refund' && !OPEN.includes(known))) return null;
  return verifiedAt === null || Date.parse(verifiedAt) < Date.parse(last.endedAt) ? last : null;
}

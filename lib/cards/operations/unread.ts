/** An operation that is completed, while the payment's record was last read before. Pure. */
import type { CardOperation } from './list.ts';

export type UnreadOperation = Pick<CardOperation, 'operation' | 'amount' | 'currency'> & {
  endedAt: string;
};

/**
 * The last completed operation that the known record of the payment cannot show: what the record
 * says about the money is from before it. Null when there is none.
 */
export function unreadOperation(
  { verifiedAt }: { verifiedAt: string | null },
  operations: readonly (Pick<CardOperation, 'state' | 'endedAt'> &
    Omit<UnreadOperation, 'endedAt'>)[],
): UnreadOperation | null {
  const [last] = operations
    .flatMap(({ state, endedAt, ...one }) =>
      state === 'COMPLETED' && endedAt !== null ? [{ ...one, endedAt }] : [],
    )
    .toSorted((a, b) => Date.parse(b.endedAt) - Date.parse(a.endedAt));
  if (last === undefined) return null;
  return verifiedAt === null || Date.parse(verifiedAt) < Date.parse(last.endedAt) ? last : null;
}

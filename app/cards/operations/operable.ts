import type { Operation } from '#lib/cards/operations/operation.ts';
import { captureEndsAt } from '#lib/cards/payments/authorization.ts';
import type { CardRow } from '#lib/cards/payments/list.ts';

/**
 * What a dialog needs to know of a payment before its record is read. Amounts are decimal text,
 * times ISO.
 */
export type Operable = Pick<CardRow, 'id' | 'invoiceId' | 'amount' | 'currency' | 'heldSince'>;

/**
 * Operations offered for a payment as last read; a lapsed authorization cannot be captured. `now`
 * in milliseconds.
 */
export function offered(
  { state, heldSince }: Pick<CardRow, 'state' | 'heldSince'>,
  now: number,
): Operation[] {
  switch (state) {
    case 'held':
      return heldSince !== null && now < captureEndsAt(Date.parse(heldSince))
        ? ['capture', 'release']
        : ['release'];
    case 'completed':
    case 'captured':
    case 'maybe_captured':
    case 'partly_refunded':
      return ['refund'];
    default:
      return [];
  }
}

/** The fields of a payment that the dialogs need: only these are sent to the browser. */
export function operableOf({ id, invoiceId, amount, currency, heldSince }: Operable): Operable {
  return { id, invoiceId, amount, currency, heldSince };
}

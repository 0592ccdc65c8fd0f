import type { Operation } from '#lib/cards/operations/operation.ts';
import { captureEndsAt } from '#lib/cards/payments/authorization.ts';
import type { CardRow } from '#lib/cards/payments/list.ts';

/**
 * What a dialog needs to know of a payment before it has asked. Amounts decimal text, times ISO.
 */
export type Operable = Pick<CardRow, 'id' | 'invoiceId' | 'amount' | 'currency' | 'heldSince'>;

/**
 * Which operations are offered for a payment as it was last known: one that cannot be taken any
 * more is offered to nobody. `now` in milliseconds.
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

/** No more of a payment than its dialogs need travels to the browser. */
export function operableOf({ id, invoiceId, amount, currency, heldSince }: Operable): Operable {
  return { id, invoiceId, amount, currency, heldSince };
}

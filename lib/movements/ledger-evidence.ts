import type { LedgerLine, LedgerOutcome, ReadOutcome } from '../providers/outcome.ts';
import { withAlert } from './alert.ts';
import type { Movement } from './state.ts';

/** The ledger names the transaction (for the receipt) and confirms returns. */
export function ledger(movement: Movement, outcome: LedgerOutcome, at: number): Movement {
  if (outcome.kind !== 'listed' || movement.state !== 'COMPLETED') return movement;
  const referenced = outcome.lines.filter(
    (line) => line.direction === 'out' && line.extId === movement.extId,
  );
  const debits = referenced.filter((line) => isPayment(line, movement));
  const known = debits.find((line) => line.transactionId === movement.transactionId);
  const debit = known ?? debits[0];
  let seen = debit
    ? {
        ...movement,
        transactionId: debit.transactionId,
        feeMinor: knownFee(debit.feeMinor),
        ledgerSeenAt: movement.ledgerSeenAt ?? at,
      }
    : movement;
  if (debit === undefined && referenced.length > 0)
    seen = { ...seen, alert: withAlert(seen.alert, 'mismatch') };
  // The ledger named another transaction before: a listing that shows only one of two at a time
  // reveals both over several reads.
  const isAnother =
    known === undefined && debit !== undefined && isPosted(debit) && movement.ledgerSeenAt !== null;
  if (isAnother || new Set(debits.filter(isPosted).map((line) => line.transactionId)).size > 1)
    seen = { ...seen, alert: withAlert(seen.alert, 'contradiction') };
  if (debit?.level === 'cancelled')
    seen = { ...seen, alert: withAlert(seen.alert, 'contradiction') };
  if (seen.returned === 'CONFIRMED') return seen;
  const credits = outcome.lines.filter((line) => isReturn(line, seen));
  if (
    debit?.level === 'refunded' ||
    credits.some((line) => line.amountMinor === seen.amountMinor && line.currency === seen.currency)
  ) {
    const alert =
      seen.alert === 'return_not_confirmed' || seen.alert === 'return_amount_differs'
        ? null
        : seen.alert;
    return { ...seen, returned: 'CONFIRMED', returnedAt: at, alert };
  }
  return credits.length > 0
    ? { ...seen, alert: withAlert(seen.alert, 'return_amount_differs') }
    : seen;
}

/**
 * Whether this is the entry of the payment itself: a fee under the same reference is a separate
 * entry with another amount.
 */
function isPayment(line: LedgerLine, { amountMinor, currency, wallet }: Movement): boolean {
  return (
    line.amountMinor === amountMinor &&
    line.currency === currency &&
    (line.fromWallet ?? wallet) === wallet
  );
}

/** Whether the money of this entry was debited. */
function isPosted({ level }: LedgerLine): boolean {
  return level === 'completed' || level === 'refunded';
}

/** A negative fee is invalid: not stored and not shown. */
function knownFee(feeMinor: bigint): bigint | null {
  return feeMinor < 0n ? null : feeMinor;
}

/** An entry that is pending, cancelled or itself reversed has brought no money back. */
function isReturn(line: LedgerLine, movement: Movement): boolean {
  return (
    line.direction === 'in' &&
    line.level === 'completed' &&
    line.refersTo !== null &&
    line.refersTo === movement.transactionId
  );
}

/**
 * A transfer's record is the ledger entry itself: a read of it names the transaction, so no further
 * ledger search is needed.
 */
export function posted(
  movement: Movement,
  line: Extract<ReadOutcome, { kind: 'found' }>['line'],
  at: number,
): Movement {
  if (line === undefined) return movement;
  const alert = line.double ? withAlert(movement.alert, 'contradiction') : movement.alert;
  return {
    ...movement,
    transactionId: line.transactionId,
    feeMinor: knownFee(line.feeMinor),
    ledgerSeenAt: movement.ledgerSeenAt ?? at,
    alert,
  };
}

/** Providers send 0 or an empty value while a transaction has no id yet. */
export const positiveId = (id: string | null): string | null =>
  id !== null && /^[1-9]\d*$/.test(id) ? id : null;

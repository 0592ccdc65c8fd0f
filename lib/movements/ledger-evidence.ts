import type { LedgerLine, LedgerOutcome, ReadOutcome } from '../providers/outcome.ts';
import { withAlert } from './alert.ts';
import type { Movement } from './state.ts';

/** `transaction_status_id` (published enumeration). */
const [LEDGER_COMPLETED, LEDGER_CANCELLED, LEDGER_REFUNDED] = [20, 40, 60];

/**
 * The ledger names the transaction (for the receipt) and confirms, or does not, that money came
 * back.
 */
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
    seen = { ...seen, attention: withAlert(seen.attention, 'mismatch') };
  // The ledger named another transaction before: a listing that shows one of two at a time tells of
  // both only by and by.
  const isAnother =
    known === undefined && debit !== undefined && isPosted(debit) && movement.ledgerSeenAt !== null;
  if (isAnother || new Set(debits.filter(isPosted).map((line) => line.transactionId)).size > 1)
    seen = { ...seen, attention: withAlert(seen.attention, 'contradiction') };
  if (debit?.statusId === LEDGER_CANCELLED)
    seen = { ...seen, attention: withAlert(seen.attention, 'contradiction') };
  if (seen.refund === 'CONFIRMED') return seen;
  const credits = outcome.lines.filter((line) => isReturn(line, seen));
  if (
    debit?.statusId === LEDGER_REFUNDED ||
    credits.some((line) => line.amountMinor === seen.amountMinor)
  ) {
    const eased =
      seen.attention === 'refund_not_confirmed' || seen.attention === 'refund_amount_differs'
        ? null
        : seen.attention;
    return { ...seen, refund: 'CONFIRMED', refundAt: at, attention: eased };
  }
  return credits.length > 0
    ? { ...seen, attention: withAlert(seen.attention, 'refund_amount_differs') }
    : seen;
}

/**
 * The entry of the payment itself: a fee under the same reference is an entry of its own, of
 * another amount.
 */
function isPayment(line: LedgerLine, { amountMinor, currency, wallet }: Movement): boolean {
  return (
    line.amountMinor === amountMinor &&
    line.currency === currency &&
    (line.fromWallet ?? wallet) === wallet
  );
}

/** The money of this entry has left. */
function isPosted({ statusId }: LedgerLine): boolean {
  return statusId === LEDGER_COMPLETED || statusId === LEDGER_REFUNDED;
}

/** A negative fee is no fee: nothing is shown, and nothing is learned from it. */
function knownFee(feeMinor: bigint): bigint | null {
  return feeMinor < 0n ? null : feeMinor;
}

function isReturn(line: LedgerLine, movement: Movement): boolean {
  return (
    line.direction === 'in' && line.refersTo !== null && line.refersTo === movement.transactionId
  );
}

/**
 * Of a transfer the ledger's line is the record: who has read it has seen the transaction and need
 * not look for it again.
 */
export function posted(
  movement: Movement,
  line: Extract<ReadOutcome, { kind: 'found' }>['line'],
  at: number,
): Movement {
  if (line === undefined) return movement;
  const attention = line.double
    ? withAlert(movement.attention, 'contradiction')
    : movement.attention;
  return {
    ...movement,
    transactionId: line.transactionId,
    feeMinor: knownFee(line.feeMinor),
    ledgerSeenAt: movement.ledgerSeenAt ?? at,
    attention,
  };
}

/** Providers write 0 or nothing while a transaction has no id yet. */
export const positiveId = (id: string | null): string | null =>
  id !== null && /^[1-9]\d*$/.test(id) ? id : null;

import type { CardPart } from '#lib/movements/content-text.ts';
import type { ReadOutcome, SendOutcome } from '#lib/providers/outcome.ts';
import type {
  ChargeRecord,
  ConfirmOutcome,
  RecordOutcome,
  RefundOutcome,
} from '#lib/providers/card/types.ts';
import type { Operation } from './operation.ts';

/**
 * What the gateway's responses and records prove about one operation. Pure. A response ends
 * nothing; a record that is unchanged is absence of evidence; and a partial match is a mismatch for
 * a person to decide, never a completion.
 */

/**
 * An operation, as far as its proof needs it. `isAccepted`: the response to its one request was an
 * acceptance. `isRepeat`: an earlier request of it may be among what a restored database has lost.
 */
export type Sent = {
  extId: string;
  amountMinor: bigint;
  currency: string;
  card: CardPart;
  isAccepted: boolean;
  isRepeat: boolean;
};

/** What the response to the one request means for the movement. */
export function answered(sent: Sent, outcome: ConfirmOutcome | RefundOutcome): SendOutcome {
  const { raw, code, message } = outcome;
  switch (outcome.kind) {
    case 'confirmed':
    case 'refunded':
      return {
        raw,
        code,
        message,
        kind: 'accepted',
        extId: sent.extId,
        amountMinor: sent.amountMinor,
        feeMinor: null,
        requestId: outcome.orderId ?? sent.card.invoiceId,
        transactionId: null,
      };
    // Queued at the gateway for manual processing: in progress.
    case 'pending':
      return {
        raw,
        code,
        message,
        kind: 'accepted',
        extId: sent.extId,
        amountMinor: sent.amountMinor,
        feeMinor: null,
        requestId: sent.card.invoiceId,
        transactionId: null,
      };
    case 'look':
      return { raw, code, message, kind: 'record_exists' };
    default:
      return outcome;
  }
}

/** What the order's record says about this operation. */
export function proven(operation: Operation, sent: Sent, record: RecordOutcome): ReadOutcome {
  const { raw } = record;
  if (record.kind === 'no_answer') return record;
  // The order existed before the send: a record that is gone says nothing about what was sent
  // since.
  if (record.kind === 'not_found') return { kind: 'no_answer', why: 'order_not_found', raw };
  const finding = { capture: provenCapture, release: provenRelease, refund: provenRefund }[
    operation
  ](sent, record);
  if (finding === 'not_yet') return { kind: 'not_found', raw };
  if (finding === 'mismatch' || finding === 'unsaid')
    return { kind: 'no_answer', why: finding, raw };
  return found(sent, record, finding);
}

/**
 * A later operation of ours on the same payment that was sent and not refused. `isOpen`: it has not
 * ended.
 */
export type Later = { amountMinor: bigint; beforeMinor: bigint; isOpen: boolean };

/**
 * What the order's record says about an operation that the gateway refused: if a request arrived
 * twice, one copy may have been carried out. Only a change that no later operation of ours explains
 * contradicts the refusal; everything else leaves it as it is.
 */
export function provenRefused(
  operation: Operation,
  sent: Sent,
  record: RecordOutcome,
  later: readonly Later[],
): ReadOutcome {
  const nothing: ReadOutcome = { kind: 'not_found', raw: record.raw };
  // A record of another order, a missing record and an unknown status decide nothing: they neither
  // contradict the refusal nor count as checks that confirm it.
  if (record.kind === 'no_answer')
    return record.why === 'mismatch' ? { ...record, why: 'unsaid' } : record;
  const ours = proven(operation, sent, record);
  if (record.kind === 'not_found') return ours;
  if (operation !== 'refund') return ours.kind === 'found' && later.length === 0 ? ours : nothing;
  if (record.refunds.some((row) => row.refundId === sent.extId)) return ours;
  const open = later.find((one) => one.isOpen);
  const total = open?.beforeMinor ?? record.refundedMinor;
  if (total === null) return nothing;
  const explainedMinor = later.reduce(
    (sum, one) => (one.isOpen ? sum : sum + one.amountMinor),
    sent.card.beforeMinor,
  );
  if (total - explainedMinor >= sent.amountMinor) return found(sent, record, 'completed');
  // An increase may come from either operation: poll again until the open one has ended.
  return open === undefined ? nothing : { kind: 'no_answer', why: 'unsaid', raw: record.raw };
}

function found(
  sent: Sent,
  record: ChargeRecord & { raw: string | null },
  level: Extract<ReadOutcome, { kind: 'found' }>['level'],
): ReadOutcome {
  return {
    kind: 'found',
    raw: record.raw,
    level,
    extId: sent.extId,
    amountMinor: sent.amountMinor,
    currency: sent.currency,
    iban: null,
    requestId: record.orderId ?? sent.card.invoiceId,
    reason: record.reason,
    updatedAt: null,
  };
}

type Finding = 'not_yet' | 'mismatch' | 'unsaid' | 'pending' | 'completed' | 'failed';

function provenCapture(
  { amountMinor, card, isAccepted }: Sent,
  { state, amountMinor: orderedMinor, chargedMinor }: ChargeRecord,
): Finding {
  if (state === 'held') return 'not_yet';
  if (state === 'pending') return 'unsaid';
  if (state === 'failed') return 'failed';
  // A capture that is voided the same day reads like a voided authorization.
  if (state === 'cancelled') return isAccepted ? 'completed' : 'unsaid';
  // Without the amount, only our own response rules out a partial capture made elsewhere.
  if (chargedMinor === null)
    return isAccepted && orderedMinor === amountMinor ? 'completed' : 'unsaid';
  // A commission paid by the buyer is charged on top of the ordered amount, before and after.
  const commissionMinor =
    orderedMinor !== null && card.beforeMinor > orderedMinor ? card.beforeMinor - orderedMinor : 0n;
  return chargedMinor === amountMinor || chargedMinor === amountMinor + commissionMinor
    ? 'completed'
    : 'mismatch';
}

function provenRelease(_sent: Sent, { state }: ChargeRecord): Finding {
  if (state === 'held') return 'not_yet';
  if (state === 'pending') return 'unsaid';
  return state === 'cancelled' ? 'completed' : 'failed';
}

/**
 * Finds the refund in the record: by our own number where the record lists refunds by number; else
 * by the one new row with our amount, together with the total; without rows, by the total alone,
 * compared with the total noted before the send.
 */
function provenRefund(
  { extId, amountMinor, card, isRepeat }: Sent,
  { refunds, refundedMinor }: ChargeRecord,
): Finding {
  // A request that arrived twice has two rows under one number: the one that is not declined
  // counts.
  const owns = refunds.filter((row) => row.refundId === extId);
  const own = owns.find((row) => meaningOf(row) !== 'failed') ?? owns[0];
  const isDeclined = own !== undefined && meaningOf(own) === 'failed';
  const isInTotal = refundedMinor === card.beforeMinor + amountMinor;
  if (own !== undefined && own.amountMinor !== amountMinor) return 'mismatch';
  // The one declined row may be that of an earlier request, while the last one is not listed.
  if (isDeclined && isRepeat && owns.length === 1) return 'unsaid';
  if (own !== undefined) return meaningOf(own) ?? (isInTotal ? 'completed' : 'unsaid');
  if (refundedMinor === null) return 'unsaid';
  // Without the list from before the send, a new row cannot be recognized.
  const isListed = card.refundIdsBefore !== undefined && card.refundIdsBefore !== null;
  const newRows = isListed
    ? refunds.filter(
        (row) => !card.refundIdsBefore!.includes(row.refundId) && row.amountMinor === amountMinor,
      )
    : [];
  const isNew = newRows.length === 1;
  if (isNew && isInTotal) return 'completed';
  // A new row while the total is unchanged may be our refund in manual processing, or a refund made
  // elsewhere.
  if (refundedMinor === card.beforeMinor) return newRows.length > 0 ? 'unsaid' : 'not_yet';
  return refunds.length === 0 && isInTotal ? 'completed' : 'mismatch';
}

/** The status values of a refund's row (`assumed`). */
const ROW_SAYS: Readonly<Record<string, Finding>> = {
  completed: 'completed',
  pending: 'pending',
  failed: 'failed',
  rejected: 'failed',
};

function meaningOf({ status }: ChargeRecord['refunds'][number]): Finding | undefined {
  return ROW_SAYS[status?.trim().toLowerCase() ?? ''];
}

/** The sum of the refunds that the record lists as waiting for the gateway's staff. */
export function waitingMinor(refunds: ChargeRecord['refunds']): bigint {
  return refunds.reduce(
    (sum, row) => (meaningOf(row) === 'pending' ? sum + row.amountMinor : sum),
    0n,
  );
}

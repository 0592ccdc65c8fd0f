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
 * What the gateway's answers and records prove of one operation. Pure. An answer ends nothing; a
 * record that still says what it said before is absence of evidence; and what agrees only in part
 * is a mismatch for a person, never a completion.
 */

/**
 * An operation as far as its proof goes. `isAccepted`: the answer to its one request was an
 * acceptance.
 */
export type Sent = {
  extId: string;
  amountMinor: bigint;
  currency: string;
  card: CardPart;
  isAccepted: boolean;
};

/** What the answer to the one request means to the movement. */
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
    // Taken down for people to do by hand: on its way, as far as anybody knows.
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

/** What the order's record says of this operation. */
export function proven(operation: Operation, sent: Sent, heard: RecordOutcome): ReadOutcome {
  const { raw } = heard;
  if (heard.kind === 'no_answer') return heard;
  // The order was there before anything was sent: a record that is gone says nothing of what was
  // sent since.
  if (heard.kind === 'not_found') return { kind: 'no_answer', why: 'order_not_found', raw };
  const finding = { capture: provenCapture, release: provenRelease, refund: provenRefund }[
    operation
  ](sent, heard);
  if (finding === 'not_yet') return { kind: 'not_found', raw };
  if (finding === 'mismatch' || finding === 'unsaid')
    return { kind: 'no_answer', why: finding, raw };
  return found(sent, heard, finding);
}

/**
 * Another operation of ours of the same payment, begun after the one in question, that has left and
 * was not refused. `isOpen`: it has not ended.
 */
export type Later = { amountMinor: bigint; beforeMinor: bigint; isOpen: boolean };

/**
 * What the order's record says of an operation that the gateway refused: of a request that arrived
 * twice, one copy may have been carried out. Only what no later operation of ours explains speaks
 * against the refusal; everything else leaves it as it is.
 */
export function provenRefused(
  operation: Operation,
  sent: Sent,
  heard: RecordOutcome,
  later: readonly Later[],
): ReadOutcome {
  const nothing: ReadOutcome = { kind: 'not_found', raw: heard.raw };
  // A record of something else is no look at this one: it neither contradicts the refusal nor is it
  // one of the looks that confirm it.
  if (heard.kind === 'no_answer')
    return heard.why === 'mismatch' ? { ...heard, why: 'unsaid' } : heard;
  if (heard.kind === 'not_found') return nothing;
  const ours = proven(operation, sent, heard);
  if (operation !== 'refund') return ours.kind === 'found' && later.length === 0 ? ours : nothing;
  if (heard.refunds.some((row) => row.refundId === sent.extId))
    return ours.kind === 'no_answer' && ours.why === 'unsaid' ? nothing : ours;
  const open = later.find((one) => one.isOpen);
  const total = open?.beforeMinor ?? heard.refundedMinor;
  if (total === null) return nothing;
  const explainedMinor = later.reduce(
    (sum, one) => (one.isOpen ? sum : sum + one.amountMinor),
    sent.card.beforeMinor,
  );
  if (total - explainedMinor >= sent.amountMinor) return found(sent, heard, 'completed');
  // What has grown since may be either: asked again until the open one has ended.
  return open === undefined ? nothing : { kind: 'no_answer', why: 'unsaid', raw: heard.raw };
}

function found(
  sent: Sent,
  heard: ChargeRecord & { raw: string | null },
  level: Extract<ReadOutcome, { kind: 'found' }>['level'],
): ReadOutcome {
  return {
    kind: 'found',
    raw: heard.raw,
    level,
    extId: sent.extId,
    amountMinor: sent.amountMinor,
    currency: sent.currency,
    iban: null,
    requestId: heard.orderId ?? sent.card.invoiceId,
    reason: heard.reason,
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
  // A capture that is voided the same day reads like a hold that was let go.
  if (state === 'cancelled') return isAccepted ? 'completed' : 'unsaid';
  // Without the amount only our own answer says that it was not somebody else who took a part.
  if (chargedMinor === null)
    return isAccepted && orderedMinor === amountMinor ? 'completed' : 'unsaid';
  // A commission that the buyer pays is charged on top of what was ordered, before and after.
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
 * By our own number where the record lists refunds by their numbers; or by the one row of our
 * amount that was not there before, with the total; or, without rows, by the total alone, which was
 * noted before the send.
 */
function provenRefund(
  { extId, amountMinor, card }: Sent,
  { refunds, refundedMinor }: ChargeRecord,
): Finding {
  const own = refunds.find((row) => row.refundId === extId);
  const isInTotal = refundedMinor === card.beforeMinor + amountMinor;
  if (own !== undefined && own.amountMinor !== amountMinor) return 'mismatch';
  if (own !== undefined)
    return ROW_SAYS[own.status?.trim().toLowerCase() ?? ''] ?? (isInTotal ? 'completed' : 'unsaid');
  if (refundedMinor === null) return 'unsaid';
  // Without the list of before nobody knows which row is new.
  const isListed = card.refundIdsBefore !== undefined && card.refundIdsBefore !== null;
  const news = isListed
    ? refunds.filter(
        (row) => !card.refundIdsBefore!.includes(row.refundId) && row.amountMinor === amountMinor,
      )
    : [];
  const isNew = news.length === 1;
  if (isNew && isInTotal) return 'completed';
  // It may be ours and wait for people, or somebody else's.
  if (refundedMinor === card.beforeMinor) return news.length > 0 ? 'unsaid' : 'not_yet';
  return refunds.length === 0 && isInTotal ? 'completed' : 'mismatch';
}

/** The words of a refund's row (`assumed`). */
const ROW_SAYS: Readonly<Record<string, Finding>> = {
  completed: 'completed',
  pending: 'pending',
  failed: 'failed',
  rejected: 'failed',
};

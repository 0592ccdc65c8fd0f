import { PEOPLE_SAID } from '#lib/movements/reduce.ts';
import type { MovementView } from './view-model.ts';

/**
 * The situation that the first sentence of the page describes (namespace "payout", key
 * "sentences").
 */
export type Situation =
  | 'draft'
  | 'draft_unproven'
  | 'approval'
  | 'approval_unproven'
  | 'queued'
  | 'queued_confirm'
  | 'queued_confirmed'
  | 'queued_earlier'
  | 'queued_batch'
  | 'queued_held'
  | 'queued_unreachable'
  | 'queued_unwritten'
  | 'queued_iban'
  | 'sending'
  | 'sending_again'
  | 'unknown'
  | 'pending'
  | 'manual'
  | 'completed'
  | 'completed_ledger'
  | 'completed_said'
  | 'return_reported'
  | 'return_confirmed'
  | 'rejected'
  | 'rejected_unproven'
  | 'failed'
  | 'failed_said'
  | 'cancelled'
  | 'cancelled_refused'
  | 'sent_back'
  | 'cancelled_unproven'
  | 'expired'
  | 'expired_unproven';

export function situationOf(view: MovementView): Situation {
  switch (view.state) {
    case 'DRAFT':
      return isUnproven(view) ? 'draft_unproven' : 'draft';
    case 'AWAITING_APPROVAL':
      return isUnproven(view) ? 'approval_unproven' : 'approval';
    case 'APPROVED':
      if (view.alert === 'earlier_may_be_paid') return 'queued_earlier';
      if (view.waitsForPerson) return 'queued_confirm';
      if (view.mayHaveLeft) return 'queued_confirmed';
      if (view.isBatchHeld) return 'queued_batch';
      if (view.stop !== null) return 'queued_held';
      if (view.alert === 'journal_unwritable') return 'queued_unwritten';
      if (view.timeline.findLast((entry) => entry.kind === 'answer')?.outcome === 'same_iban_wait')
        return 'queued_iban';
      return view.notSentTries > 0 ? 'queued_unreachable' : 'queued';
    case 'SUBMITTING':
      return view.timeline.some((entry) => entry.to === 'UNKNOWN') ? 'sending_again' : 'sending';
    case 'UNKNOWN':
      return 'unknown';
    case 'PENDING':
      return 'pending';
    case 'MANUAL_REVIEW':
      return 'manual';
    case 'COMPLETED':
      if (view.returned !== 'NONE')
        return view.returned === 'CONFIRMED' ? 'return_confirmed' : 'return_reported';
      if (view.reasonCode === PEOPLE_SAID) return 'completed_said';
      return view.ledgerSeenAt === null ? 'completed_ledger' : 'completed';
    case 'REJECTED':
      return view.mayHaveLeft ? 'rejected_unproven' : 'rejected';
    case 'FAILED':
      return view.reasonCode === PEOPLE_SAID ? 'failed_said' : 'failed';
    case 'CANCELLED':
      if (isUnproven(view)) return 'cancelled_unproven';
      if (view.decided.sentBack !== null) return 'sent_back';
      return view.ibanWaits > 0 ? 'cancelled_refused' : 'cancelled';
    case 'EXPIRED':
      return isUnproven(view) ? 'expired_unproven' : 'expired';
  }
}

/** What the word and the tone of its state depend on. */
export function shownOf({ state, returned, kind, decided }: MovementView) {
  return { state, returned, kind, isSentBack: decided.sentBack !== null };
}

/**
 * A movement that ended without a send is copied into a new form; a movement that was or may have
 * been sent, and one of which a request left and was refused, is paid again under the rules of "pay
 * again". So is one that was sent back: the new one names it, so that nobody who made one of the two
 * approves the other.
 */
export function isCopied(
  view: Pick<MovementView, 'state' | 'mayHaveLeft' | 'alert' | 'ibanWaits' | 'timeline'>,
): boolean {
  return (
    (view.state === 'CANCELLED' || view.state === 'EXPIRED') &&
    !isUnproven(view) &&
    view.ibanWaits === 0 &&
    !view.timeline.some((entry) => entry.kind === 'sent_back')
  );
}

/**
 * Whether the page must not state "Nothing was sent" of a movement without a send, because a
 * restore may have lost a send, or a record contradicts the statement.
 */
export function isUnproven({
  mayHaveLeft,
  alert,
}: Pick<MovementView, 'mayHaveLeft' | 'alert'>): boolean {
  return mayHaveLeft || alert === 'contradiction';
}

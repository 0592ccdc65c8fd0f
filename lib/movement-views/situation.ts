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
  | 'failed'
  | 'failed_said'
  | 'cancelled'
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
      if (view.waitsForPerson) return 'queued_confirm';
      if (view.mayHaveLeft) return 'queued_confirmed';
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
      return 'rejected';
    case 'FAILED':
      return view.reasonCode === PEOPLE_SAID ? 'failed_said' : 'failed';
    case 'CANCELLED':
      return isUnproven(view) ? 'cancelled_unproven' : 'cancelled';
    case 'EXPIRED':
      return isUnproven(view) ? 'expired_unproven' : 'expired';
  }
}

/**
 * What ended without a send is copied; anything that was sent, or may have been, is paid again under
 * the rules for that.
 */
export function isCopied(view: Pick<MovementView, 'state' | 'mayHaveLeft' | 'alert'>): boolean {
  return (view.state === 'CANCELLED' || view.state === 'EXPIRED') && !isUnproven(view);
}

/**
 * "Nothing was sent" cannot be said of a movement without a send: a restore may have lost one, or a
 * record contradicts it.
 */
export function isUnproven({
  mayHaveLeft,
  alert,
}: Pick<MovementView, 'mayHaveLeft' | 'alert'>): boolean {
  return mayHaveLeft || alert === 'contradiction';
}

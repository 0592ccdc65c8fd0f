import { CARD_BALANCE_PAYOUT, isCardOperation, isTransfer } from '#lib/movements/kinds.ts';
import type { Refund, State } from '#lib/movements/state.ts';
import type { Tone } from '#components/ui/pill.tsx';

/**
 * `rail` is the movement kind: a transfer waits for the ledger where a payout waits for a bank, and
 * a card operation waits for its payment's record.
 */
export type Shown = { state: State; refund: Refund; rail?: string };
export type StateWord =
  | State
  | 'RETURN_REPORTED'
  | 'RETURNED'
  | 'LEDGER_PENDING'
  | 'LEDGER_LATE'
  | 'CAME_BACK'
  | 'GATEWAY_ACCEPTED'
  | 'GATEWAY_PENDING'
  | 'GATEWAY_LATE'
  | 'NOT_DONE';

const TONES: Record<State, Tone> = {
  DRAFT: 'draft',
  AWAITING_APPROVAL: 'attention',
  APPROVED: 'progress',
  SUBMITTING: 'progress',
  UNKNOWN: 'unknown',
  PENDING: 'progress',
  MANUAL_REVIEW: 'attention',
  COMPLETED: 'settled',
  REJECTED: 'failed',
  FAILED: 'failed',
  CANCELLED: 'draft',
  EXPIRED: 'draft',
};

/** A returned payment keeps its completed state; the return is shown first. */
export function toneOf({ state, refund }: Shown): Tone {
  if (state === 'COMPLETED' && refund === 'CONFIRMED') return 'returned';
  return state === 'COMPLETED' && refund === 'REPORTED' ? 'attention' : TONES[state];
}

/** Message key in the namespace "states". */
export function wordOf({ state, refund, rail = 'payout' }: Shown): StateWord {
  if (isCardOperation(rail)) return CARD_WORDS[state] ?? state;
  if (rail === CARD_BALANCE_PAYOUT && state === 'PENDING') return 'GATEWAY_ACCEPTED';
  const transfer = isTransfer(rail);
  if (transfer && state === 'PENDING') return 'LEDGER_PENDING';
  if (transfer && state === 'MANUAL_REVIEW') return 'LEDGER_LATE';
  if (state === 'COMPLETED' && refund === 'CONFIRMED') return transfer ? 'CAME_BACK' : 'RETURNED';
  return state === 'COMPLETED' && refund === 'REPORTED' ? 'RETURN_REPORTED' : state;
}

const CARD_WORDS: Partial<Record<State, StateWord>> = {
  PENDING: 'GATEWAY_PENDING',
  MANUAL_REVIEW: 'GATEWAY_LATE',
  REJECTED: 'NOT_DONE',
  FAILED: 'NOT_DONE',
};

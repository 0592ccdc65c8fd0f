import { kindOf, UNNAMED_KIND } from '#lib/movements/kinds.ts';
import type { KindStateWord } from '#lib/movements/kinds.ts';
import type { Refund, State } from '#lib/movements/state.ts';
import type { Tone } from '#components/ui/pill.tsx';

/**
 * `kind` is the movement kind: a transfer waits for the ledger where a payout waits for a bank, and
 * a card operation waits for its payment's record.
 */
export type Shown = { state: State; refund: Refund; kind?: string };
export type StateWord = State | 'RETURN_REPORTED' | 'RETURNED' | KindStateWord;

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
export function wordOf({ state, refund, kind = UNNAMED_KIND }: Shown): StateWord {
  const { stateWords } = kindOf(kind);
  if (state !== 'COMPLETED' || refund === 'NONE') return stateWords[state] ?? state;
  return refund === 'CONFIRMED' ? (stateWords.RETURNED ?? 'RETURNED') : 'RETURN_REPORTED';
}

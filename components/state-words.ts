import { kindOf, UNNAMED_KIND } from '#lib/movements/kinds.ts';
import type { KindStateWord } from '#lib/movements/kinds.ts';
import type { Returned, State } from '#lib/movements/state.ts';
import type { Tone } from '#components/ui/pill.tsx';

/**
 * `kind` is the movement kind: a transfer waits for the ledger where a payout waits for a bank, and
 * a card operation waits for its payment's record.
 */
export type Shown = {
  state: State;
  returned: Returned;
  kind?: string;
  /** An approver sent it back, which cancelled it. */
  isSentBack?: boolean;
};
export type StateWord = State | 'RETURN_REPORTED' | 'RETURNED' | 'SENT_BACK' | KindStateWord;

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
export function toneOf({ state, returned }: Shown): Tone {
  if (state === 'COMPLETED' && returned === 'CONFIRMED') return 'returned';
  return state === 'COMPLETED' && returned === 'REPORTED' ? 'attention' : TONES[state];
}

/** Returns the message key of a state in the namespace "states". */
export function wordOf({ state, returned, kind = UNNAMED_KIND, isSentBack }: Shown): StateWord {
  if (state === 'CANCELLED' && isSentBack === true) return 'SENT_BACK';
  const { stateWords } = kindOf(kind);
  if (state !== 'COMPLETED' || returned === 'NONE') return stateWords[state] ?? state;
  return returned === 'CONFIRMED' ? (stateWords.RETURNED ?? 'RETURNED') : 'RETURN_REPORTED';
}

import type { Refund, State } from '#lib/movements/state.ts';
import type { Tone } from '#components/ui/pill.tsx';

export type Shown = { state: State; refund: Refund };

const TONES: Record<State, Tone> = {
  DRAFT: 'draft', AWAITING_APPROVAL: 'attention', APPROVED: 'progress', SUBMITTING: 'progress', UNKNOWN: 'unknown', PENDING: 'progress',
  MANUAL_REVIEW: 'attention', COMPLETED: 'settled', REJECTED: 'failed', FAILED: 'failed', CANCELLED: 'draft', EXPIRED: 'draft',
};

/** A returned payment keeps its completion; what is shown first is that the money came back. */
export function toneOf({ state, refund }: Shown): Tone {
  if (state === 'COMPLETED' && refund === 'CONFIRMED') return 'returned';
  return state === 'COMPLETED' && refund === 'REPORTED' ? 'attention' : TONES[state];
}

/** The key of the word in the messages' namespace "states". */
export function wordOf({ state, refund }: Shown): State | 'RETURN_REPORTED' | 'RETURNED' {
  if (state === 'COMPLETED' && refund === 'CONFIRMED') return 'RETURNED';
  return state === 'COMPLETED' && refund === 'REPORTED' ? 'RETURN_REPORTED' : state;
}

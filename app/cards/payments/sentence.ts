import type { CardRow } from '#lib/cards/payments/list.ts';
import type { CardStateWord } from './card-state.tsx';

/**
 * The sentence about the money of a payment, by its name; null where its problem says everything. A
 * payment that was unpaid and whose latest record contradicts that is not called unpaid.
 */
export function sentenceOf({
  state,
  link,
  problem,
}: Pick<CardRow, 'state' | 'link' | 'problem'>): CardStateWord | 'disputed' | null {
  if (state === null && link === null && problem === 'not_found') return null;
  const isDisputed = problem === 'contradiction' && (state === 'failed' || state === 'cancelled');
  return isDisputed ? 'disputed' : (link ?? state ?? 'unverified');
}

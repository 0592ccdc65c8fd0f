import type { Attention, Movement } from '#lib/movements/state.ts';
import type { Operation } from './operation.ts';

/** When people may say that an unclear operation was not carried out. Pure; times in milliseconds. */

/** As often the record has to have said since the send that it knows of nothing new. */
const MIN_CLEAN_READS = 3;

type Unclear = Pick<Movement, 'state' | 'attention' | 'lastSendAt' | 'notFoundReads'>;

/**
 * `quietMs`: longer than any request is under way. A record that shows another amount than was asked for will never be clean. Null when
 * nothing but a fresh read stands against it.
 */
export function closeRefusal({ state, attention, lastSendAt, notFoundReads }: Unclear, now: number, quietMs: number): 'close_not_unknown' | 'close_too_early' | null {
  if (state !== 'UNKNOWN' || attention === 'contradiction') return 'close_not_unknown';
  const isRead = notFoundReads >= MIN_CLEAN_READS || attention === 'mismatch';
  return !isRead || now - (lastSendAt ?? now) < quietMs ? 'close_too_early' : null;
}

/** A second refund would be money lost; and where the record shows another amount, two have compared it. */
export function closeNeedsTwo(operation: Operation, attention: Attention | null): boolean {
  return operation === 'refund' || attention === 'mismatch';
}

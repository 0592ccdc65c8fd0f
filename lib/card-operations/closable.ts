import type { Movement } from '#lib/movements/state.ts';

/** When a person may say that an unclear operation was not carried out. Pure; times in milliseconds. */

/** As often the record has to have said since the send that it knows of nothing new. */
const MIN_CLEAN_READS = 3;

/** `quietMs`: longer than any request is under way. Null when nothing but a fresh read stands against it. */
export function closeRefusal({ state, attention, lastSendAt, notFoundReads }: Pick<Movement, 'state' | 'attention' | 'lastSendAt' | 'notFoundReads'>, now: number, quietMs: number): 'close_not_unknown' | 'close_too_early' | null {
  if (state !== 'UNKNOWN' || attention === 'mismatch' || attention === 'contradiction') return 'close_not_unknown';
  return notFoundReads < MIN_CLEAN_READS || now - (lastSendAt ?? now) < quietMs ? 'close_too_early' : null;
}

import type { EntryLevel } from '../outcome.ts';

/** `transaction_status_id` of a ledger entry (published enumeration). */
export function entryLevel(statusId: number): EntryLevel {
  return (
    ({ 10: 'pending', 20: 'completed', 40: 'cancelled', 60: 'refunded' } as const)[statusId] ??
    'other'
  );
}

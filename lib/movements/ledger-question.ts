import type { LedgerQuestion } from '#lib/providers/wallet/ledger-search.ts';
import type { DateRange } from '#lib/providers/wallet/types.ts';
import type { MovementRow } from './row.ts';

/** The ledger query for one movement. Pure: shared with the simulator. */

const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * Search from the day before the intent into the far future of the last that is known of it: ledger
 * dates follow the provider's clock, a movement may wait for months before it is sent or completed,
 * and a bank may announce a return long after it.
 */
const LEDGER_AHEAD_MS = 60 * DAY_MS;

/**
 * The dates of a ledger query. They are always sent: without dates the provider searches three days
 * only (`contract`).
 */
export function ledgerRange({
  createdAt,
  lastSendAt,
  endedAt,
  returnedAt,
}: Pick<MovementRow, 'createdAt' | 'lastSendAt' | 'endedAt' | 'returnedAt'>): DateRange {
  const latest = Math.max(createdAt, lastSendAt ?? 0, endedAt ?? 0, returnedAt ?? 0);
  return {
    from: new Date(createdAt - DAY_MS).toISOString(),
    to: new Date(latest + LEDGER_AHEAD_MS).toISOString(),
  };
}

export function ledgerQuestion(movement: MovementRow): LedgerQuestion {
  return {
    extId: movement.extId,
    ...ledgerRange(movement),
    // Search for credits only once our own entry is known: a return refers to it, and the search
    // reads several pages.
    ...(movement.ledgerSeenAt !== null && movement.transactionId
      ? { wallet: movement.wallet, transactionId: movement.transactionId }
      : {}),
  };
}

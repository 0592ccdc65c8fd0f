import type { LedgerQuestion } from '#lib/providers/wallet/ledger-search.ts';
import type { DateRange } from '#lib/providers/wallet/types.ts';
import type { MovementRow } from './row.ts';

/** What the ledger is asked about a movement. Pure: shared with the simulator. */

const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * The ledger is asked from the day before the intent, because its dates are the provider's clock;
 * it ends in the far future for the same reason.
 */
const LEDGER_AHEAD_MS = 60 * DAY_MS;

/** Dates are always sent: without them the provider looks at three days only (`contract`). */
export function ledgerRange({ createdAt }: Pick<MovementRow, 'createdAt'>): DateRange {
  return {
    from: new Date(createdAt - DAY_MS).toISOString(),
    to: new Date(createdAt + LEDGER_AHEAD_MS).toISOString(),
  };
}

export function ledgerQuestion(movement: MovementRow): LedgerQuestion {
  return {
    extId: movement.extId,
    ...ledgerRange(movement),
    // Credits are searched only once our own line is known: a return points at it, and the search
    // reads pages.
    ...(movement.ledgerSeenAt !== null && movement.transactionId
      ? { wallet: movement.wallet, transactionId: movement.transactionId }
      : {}),
  };
}

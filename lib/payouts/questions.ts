import type { MovementRow } from '#lib/movements/row.ts';
import type { LedgerQuestion } from '#lib/providers/wallet/ledger-search.ts';
import type { PayoutContent } from '#lib/providers/wallet/words.ts';

/** What the provider is told and asked about a payout. Pure: shared with the simulator. */

const DAY_MS = 24 * 60 * 60 * 1000;
/** The ledger is asked from the day before the intent, because its dates are the provider's clock; it ends in the far future for the same reason. */
const LEDGER_AHEAD_MS = 60 * DAY_MS;

export function payoutContent(movement: MovementRow): PayoutContent {
  const { extId, wallet, iban, name, taxNumber, amountMinor, currency, paymentType, description } = movement;
  return { extId, wallet, iban, name, taxNumber, amountMinor, currency, paymentType, description };
}

export function ledgerQuestion(movement: MovementRow): LedgerQuestion {
  return {
    extId: movement.extId,
    from: new Date(movement.createdAt - DAY_MS).toISOString(),
    to: new Date(movement.createdAt + LEDGER_AHEAD_MS).toISOString(),
    // Credits are searched only once our own line is known: a return points at it, and the search reads pages.
    ...(movement.ledgerSeenAt !== null && movement.transactionId ? { wallet: movement.wallet, transactionId: movement.transactionId } : {}),
  };
}

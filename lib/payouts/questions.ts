import type { MovementRow } from '#lib/movements/row.ts';
import type { PayoutContent } from '#lib/providers/wallet/types.ts';

/** What the provider is told about a payout. Pure: shared with the simulator. */

export function payoutContent(movement: MovementRow): PayoutContent {
  const { extId, wallet, iban, name, taxNumber, amountMinor, currency, paymentType, description } =
    movement;
  return { extId, wallet, iban, name, taxNumber, amountMinor, currency, paymentType, description };
}

import type { MovementRow } from '#lib/movements/row.ts';
import type { PayoutContent } from '#lib/providers/wallet/types.ts';

/** A payout as it is sent to the provider. Pure: shared with the simulator. */

export function payoutContent(movement: MovementRow): PayoutContent {
  const { extId, wallet, iban, name, taxNumber, amountMinor, currency, paymentType, description } =
    movement;
  return { extId, wallet, iban, name, taxNumber, amountMinor, currency, paymentType, description };
}

import type { MovementRow } from '#lib/movements/row.ts';
import type { TransferKindName } from '#lib/movements/kinds.ts';
import type { TransferContent, TransferKind } from '#lib/providers/wallet/types.ts';

/** A transfer as it is sent to the provider. Pure: shared with the simulator. */

export const TRANSFER_KIND: Readonly<Record<TransferKindName, TransferKind>> = {
  transfer_person: 'person',
  transfer_business: 'business',
  transfer_own: 'own',
};

export function transferContent(movement: MovementRow): TransferContent {
  const { extId, wallet, toWallet, amountMinor, currency, paymentType, description } = movement;
  if (toWallet === null) throw new Error('a transfer names the wallet that receives');
  return {
    extId,
    wallet,
    to: toWallet,
    amountMinor,
    currency,
    paymentType: paymentType === '' ? null : paymentType,
    description,
  };
}

import 'server-only';
import { cardOperationKinds } from '#lib/cards/operations/kind.ts';
import type { MovementKind } from '#lib/movements/kind.ts';
import { cardBalanceKind } from '#lib/payouts/card-balance/kind.ts';
import { payoutKind } from '#lib/payouts/kind.ts';
import type { CardClient } from '#lib/providers/card/client.ts';
import type { WalletClient } from '#lib/providers/wallet/client.ts';
import { transferKinds } from '#lib/transfers/kind.ts';

/** Every kind of movement that the worker sends, each as its feature hands it over. */
export function movementKinds(
  merchantId: string,
  wallet: WalletClient,
  card: CardClient,
): MovementKind[] {
  return [
    payoutKind(wallet),
    ...transferKinds(wallet),
    ...cardOperationKinds(merchantId, card),
    cardBalanceKind(merchantId, card),
  ];
}

'use server';

import { moneyAction } from '#lib/login/action.ts';
import type { ActionProblem } from '#lib/login/action-state.ts';
import { viewWallets } from '#lib/wallets/view.ts';
import type { KnownView, WalletView } from '#lib/wallets/view.ts';

/** The present balances: a form may have been open for a while. */
export async function readWalletsAgain(): Promise<
  ActionProblem | { kind: 'read'; wallets: KnownView<WalletView[]> }
> {
  return moneyAction(async (actor) => ({
    kind: 'read' as const,
    wallets: await viewWallets(actor),
  }));
}

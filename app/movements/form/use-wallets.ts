'use client';

import { useState, useTransition } from 'react';
import type { FormWallet } from '#lib/payouts/draft.ts';
import type { KnownView, LimitKind, WalletView } from '#lib/wallets/view.ts';
import { readWalletsAgain } from './actions.ts';

export type FormWallets = {
  wallets: KnownView<WalletView[]>;
  askingWallets: boolean;
  askWallets: () => Promise<void>;
};

/**
 * The wallets as loaded with the form, and as read again on demand: a form may have been open for a
 * while.
 */
export function useWallets(first: KnownView<WalletView[]>, onSignedOut: () => void): FormWallets {
  const [wallets, setWallets] = useState(first);
  const [askingWallets, start] = useTransition();
  const ask = async (): Promise<void> => {
    const response = await readWalletsAgain().catch(() => null);
    if (response?.kind === 'signed_out') onSignedOut();
    else if (response?.kind === 'read') setWallets(response.wallets);
    else setWallets((before) => ({ ...before, fresh: false }));
  };
  return { wallets, askingWallets, askWallets: async () => start(ask) };
}

/**
 * A wallet as the rules need it: its balance only while the provider's answer is fresh, and the
 * limit of this movement kind.
 */
export function toFormWallet(
  wallet: WalletView,
  fresh: boolean,
  limit: LimitKind | null,
): FormWallet {
  return {
    number: wallet.number,
    currency: wallet.currency,
    access: wallet.access,
    available: fresh ? wallet.available : null,
    withdrawalLimit: wallet.limits.find((one) => one.kind === limit)?.left ?? null,
  };
}

'use client';

import { useEffect, useEffectEvent, useState, useTransition } from 'react';
import type { FormWallet } from '#lib/payouts/draft.ts';
import type { KnownView, LimitKind, WalletsAtOnce, WalletView } from '#lib/wallets/view.ts';
import { readWalletsAgain } from './actions.ts';

/** While the provider does not answer, the form asks again this often. */
const AGAIN_MS = 10_000;

export type FormWallets = {
  wallets: KnownView<WalletView[]>;
  /** The provider's answer is awaited. */
  askingWallets: boolean;
  askWallets: () => Promise<void>;
};

/**
 * The wallets as last known, then as the provider answers, and as read again on demand: a form may
 * have been open for a while. A provider that does not answer is asked again without a press, so
 * that a wallet that was blocked when it last answered does not stay disabled.
 */
export function useWallets({ known, coming }: WalletsAtOnce, onSignedOut: () => void): FormWallets {
  const [wallets, setWallets] = useState(known);
  const [isComing, setComing] = useState(true);
  const [isAsking, start] = useTransition();
  useEffect(() => {
    let isHere = true;
    const answered = (answer: KnownView<WalletView[]>): void => {
      if (!isHere) return;
      // What was read again meanwhile is newer.
      setWallets((before) => (before === known ? answer : before));
      setComing(false);
    };
    // What the server streams has a "then" alone, which returns nothing.
    void Promise.resolve(coming).then(answered, () => answered(known));
    return () => {
      isHere = false;
    };
  }, [coming, known]);
  const read = async (): Promise<void> => {
    const response = await readWalletsAgain().catch(() => null);
    if (response?.kind === 'signed_out') onSignedOut();
    else if (response?.kind === 'read') setWallets(response.wallets);
    else setWallets((before) => ({ ...before, fresh: false }));
  };
  const isAnswered = wallets.fresh || isComing || isAsking;
  const readLatest = useEffectEvent(read);
  useEffect(() => {
    if (isAnswered) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) void readLatest();
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isAnswered]);
  return { wallets, askingWallets: isComing || isAsking, askWallets: async () => start(read) };
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

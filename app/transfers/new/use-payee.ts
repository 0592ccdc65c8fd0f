'use client';

import { useEffect, useRef, useState } from 'react';
import type { PayeeAnswer } from '#lib/transfers/draft.ts';
import type { TransferTyped } from '#lib/transfers/schema.ts';
import { lookUpPayee } from './actions.ts';

const TYPING_PAUSE_MS = 300;

export type PayeeLookUp = {
  answer: PayeeAnswer | null;
  missing: boolean;
  askAgain: () => Promise<void>;
};

/**
 * The receiving wallet's history in our records, read when its number is complete. A response to an
 * older query is dropped.
 */
export function usePayee(
  { kind, toWallet, name, wallet }: Partial<TransferTyped>,
  onSignedOut: () => void,
): PayeeLookUp {
  const [answer, setAnswer] = useState<PayeeAnswer | null>(null);
  const [missing, setMissing] = useState(false);
  const latest = useRef(0);
  const ask = async (): Promise<void> => {
    if (kind === undefined || toWallet === undefined) return;
    const turn = ++latest.current;
    const response = await lookUpPayee({
      kind,
      toWallet,
      name: name ?? null,
      wallet: wallet ?? null,
    }).catch(() => null);
    if (turn !== latest.current) return;
    if (response?.kind === 'known') setAnswer(response.facts);
    if (response?.kind === 'signed_out') onSignedOut();
    setMissing(response?.kind !== 'known');
  };
  useEffect(() => {
    latest.current += 1;
    setMissing(false);
    if (toWallet === undefined) return setAnswer(null);
    const timer = setTimeout(() => void ask(), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `ask` depends on these four alone
  }, [kind, toWallet, name, wallet]);
  return { answer, missing, askAgain: ask };
}

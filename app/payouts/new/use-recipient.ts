'use client';

import { useEffect, useRef, useState } from 'react';
import type { RecipientAnswer } from '#lib/payouts/draft.ts';
import { walletOf } from '#lib/payouts/schema.ts';
import type { PayoutContent } from '#lib/payouts/schema.ts';
import { lookUpRecipient } from './actions.ts';

const TYPING_PAUSE_MS = 300;

export type RecipientLookUp = {
  answer: RecipientAnswer | null;
  state: 'idle' | 'asking' | 'known' | 'missing';
  askAgain: () => Promise<void>;
};

/**
 * The recipient's history, read when the IBAN is complete and again when the name, the number or
 * the wallet changes. A response to an older query is dropped.
 */
export function useRecipient(
  { iban, name, taxNumber, source }: Partial<PayoutContent>,
  onSignedOut: () => void,
): RecipientLookUp {
  const [answer, setAnswer] = useState<RecipientAnswer | null>(null);
  const [state, setState] = useState<RecipientLookUp['state']>('idle');
  const latest = useRef(0);
  const wallet = walletOf(source);
  const ask = async (): Promise<void> => {
    if (iban === undefined) return;
    const turn = ++latest.current;
    setState('asking');
    const response = await lookUpRecipient({
      iban,
      name: name ?? null,
      taxNumber: taxNumber ?? null,
      wallet,
    }).catch(() => null);
    if (turn !== latest.current) return;
    if (response?.kind === 'known') setAnswer(response.facts);
    if (response?.kind === 'signed_out') onSignedOut();
    setState(response?.kind === 'known' ? 'known' : 'missing');
  };
  useEffect(() => {
    if (iban === undefined) {
      latest.current += 1;
      setAnswer(null);
      setState('idle');
      return;
    }
    const timer = setTimeout(() => void ask(), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `ask` depends on these four alone
  }, [iban, name, taxNumber, wallet]);
  return { answer, state, askAgain: ask };
}

'use client';

import { useEffect, useState } from 'react';
import type { ActionProblem } from '#lib/login/action-state.ts';
import type { RemainingAmounts } from '#lib/cards/operations/remaining-amounts.ts';
import { lookAtPayment } from './actions.ts';

/** The gateway's latest answer; null while the query runs. */
export type Look = RemainingAmounts | ActionProblem | { kind: 'unreachable' } | null;

/** Reads the payment's record from the gateway, once and on `again`. */
export function useLook(paymentId: string): { look: Look; again: () => void } {
  const [round, setRound] = useState(0);
  const [look, setLook] = useState<Look>(null);
  useEffect(() => {
    let isCurrent = true;
    void lookAtPayment(paymentId)
      .catch(() => ({ kind: 'unreachable' }) as const)
      .then((answer) => {
        if (isCurrent) setLook(answer);
      });
    return () => {
      isCurrent = false;
    };
  }, [paymentId, round]);
  const again = (): void => {
    setLook(null);
    setRound((before) => before + 1);
  };
  return { look, again };
}

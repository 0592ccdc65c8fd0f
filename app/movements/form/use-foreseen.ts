'use client';

import { useEffect, useState } from 'react';
import type { AskedForm, Foreseen } from '#lib/approvals/foresee.ts';
import { foreseeFormApprovals } from './actions.ts';

/** A form as it is asked about; null while it is not complete. The amount is digits of minor units. */
type Asked = Omit<AskedForm, 'amountMinor'> & { amountMinor: string };

/**
 * Who would have to approve the form as it stands; null while that is not known, or nothing needs an
 * approval. `delayMs`: how long typing has to rest before the server is asked.
 */
export function useForeseen(asked: Asked | null, delayMs = 0): Foreseen | null {
  const [known, setKnown] = useState<{ about: string; foreseen: Foreseen } | null>(null);
  const about = asked === null ? null : JSON.stringify(asked);
  useEffect(() => {
    if (about === null) return;
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      const answer = await foreseeFormApprovals(JSON.parse(about)).catch(() => null);
      if (isCurrent && answer?.kind === 'foreseen') setKnown({ about, foreseen: answer.foreseen });
    };
    const timer = setTimeout(() => void ask(), delayMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [about, delayMs]);
  return known !== null && known.about === about && known.foreseen.needed > 0
    ? known.foreseen
    : null;
}

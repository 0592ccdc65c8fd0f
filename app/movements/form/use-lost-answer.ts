'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { findStored } from './actions.ts';

const ASK_AGAIN_MS = 3_000;

/**
 * While no answer to a press is known: asks whether the form has stored its movement, and opens that
 * movement's page in place of the form once it has.
 */
export function useLostAnswer(id: string, isLost: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (!isLost) return;
    let timer: ReturnType<typeof setTimeout>;
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      const answer = await findStored(id).catch(() => null);
      if (!isCurrent) return;
      if (answer?.kind === 'looked' && answer.address !== null) router.replace(answer.address);
      else timer = setTimeout(() => void ask(), ASK_AGAIN_MS);
    };
    timer = setTimeout(() => void ask(), ASK_AGAIN_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [id, isLost, router]);
}

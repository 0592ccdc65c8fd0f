'use client';

import { useRouter } from 'next/navigation';
import { useRef } from 'react';
import { useLive } from '#components/live.tsx';

/** Many days are read at a time: the page redraws at this interval, not for each of them. */
const EVERY_MS = 1_500;

/** While days are missing, redraws the page as they are read. `since`: as in `useLive`. */
export function RedrawWhenRead({ since }: { since: string | null }): null {
  const router = useRouter();
  const waiting = useRef(false);
  useLive((message) => {
    if (message.kind !== 'records' || waiting.current) return;
    waiting.current = true;
    setTimeout(() => {
      waiting.current = false;
      router.refresh();
    }, EVERY_MS);
  }, since);
  return null;
}

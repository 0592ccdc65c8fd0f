'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { mayConcern } from '#components/live-stream.ts';
import { useLive } from '#components/live.tsx';

/** Many days are read at a time: the page redraws at this interval, not for each of them. */
const EVERY_MS = 1_500;

/** While days are missing, redraws the page as they are read. `since`: as in `useLive`. */
export function RedrawWhenRead({ since }: { since: string | null }): null {
  const router = useRouter();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Without it the page that follows would be drawn twice.
  useEffect(() => () => clearTimeout(waiting.current), []);
  useLive((message) => {
    if (!mayConcern(message, ({ kind }) => kind === 'records')) return;
    waiting.current ??= setTimeout(() => {
      waiting.current = undefined;
      router.refresh();
    }, EVERY_MS);
  }, since);
  return null;
}

'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { mayConcern } from '#components/live-stream.ts';
import { LiveChip, useLive } from '#components/live.tsx';
import type { ChipWords } from '#components/live.tsx';

/** The page is redrawn this often at most, however many receipts arrive. */
const EVERY_MS = 2_000;

/** Redraws the page when a receipt has arrived, so that the meter moves. `since`: as in `useLive`. */
export function KeepCurrent({
  since,
  words,
}: {
  since: string | null;
  words: ChipWords;
}): ReactNode {
  const router = useRouter();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  const status = useLive((message) => {
    if (!mayConcern(message, ({ kind }) => kind === 'receipt')) return;
    timer.current ??= setTimeout(() => {
      timer.current = null;
      router.refresh();
    }, EVERY_MS);
  }, since);
  return <LiveChip status={status} words={words} />;
}

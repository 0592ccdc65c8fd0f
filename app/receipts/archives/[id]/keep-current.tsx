'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { LiveChip, useLive } from '#components/live.tsx';

/** However many receipts come in: the page is drawn anew this often at most. */
const EVERY_MS = 2_000;

/** Draws the page anew when a receipt has come in: a meter is there to be watched. */
export function KeepCurrent(): ReactNode {
  const router = useRouter();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  const status = useLive((heard) => {
    if (heard.kind !== 'receipt' && heard.kind !== 'resumed') return;
    timer.current ??= setTimeout(() => {
      timer.current = null;
      router.refresh();
    }, EVERY_MS);
  });
  return <LiveChip status={status} />;
}

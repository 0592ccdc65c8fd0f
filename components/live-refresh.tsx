'use client';

import { useRouter } from 'next/navigation';
import { startTransition } from 'react';
import type { ReactNode } from 'react';
import { mayConcern } from '#components/live-stream.ts';
import { LiveChip, useLive } from '#components/live.tsx';
import type { ChipWords } from '#components/live.tsx';

/**
 * Redraws a detail page when one of `ids` has changed. What was typed stays, and the page has no
 * rows that could move. `since`: as in `useLive`.
 */
export function LiveRefresh({
  ids,
  since,
  words,
}: {
  ids: readonly string[];
  since: string | null;
  words: ChipWords;
}): ReactNode {
  const router = useRouter();
  const status = useLive((message) => {
    if (mayConcern(message, ({ id }) => ids.includes(id))) startTransition(() => router.refresh());
  }, since);
  return <LiveChip status={status} words={words} />;
}

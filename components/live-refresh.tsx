'use client';

import { useRouter } from 'next/navigation';
import { startTransition } from 'react';
import type { ReactNode } from 'react';
import { LiveChip, useLive } from '#components/live.tsx';

/**
 * For a detail page: redraws it when one of `ids` has changed. What is typed stays, and there are
 * no rows that could move. Needs the messages of the namespace "live".
 */
export function LiveRefresh({ ids }: { ids: readonly string[] }): ReactNode {
  const router = useRouter();
  const status = useLive((message) => {
    const isAbout =
      message.kind === 'resumed' ||
      (message.kind === 'database' ? message.up : ids.includes(message.id));
    if (isAbout) startTransition(() => router.refresh());
  });
  return <LiveChip status={status} />;
}

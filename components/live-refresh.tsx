'use client';

import { useRouter } from 'next/navigation';
import { startTransition } from 'react';
import type { ReactNode } from 'react';
import { LiveChip, useLive } from '#components/live.tsx';

/**
 * For the page of one thing: draws it anew when one of `ids` has changed. What is typed stays, and
 * there are no rows to move. Needs the messages of the namespace "live".
 */
export function LiveRefresh({ ids }: { ids: readonly string[] }): ReactNode {
  const router = useRouter();
  const status = useLive((heard) => {
    const isAbout =
      heard.kind === 'resumed' || (heard.kind === 'database' ? heard.up : ids.includes(heard.id));
    if (isAbout) startTransition(() => router.refresh());
  });
  return <LiveChip status={status} />;
}

'use client';

import { useRouter } from 'next/navigation';
import { mayConcern } from '#components/live-stream.ts';
import { useLive } from '#components/live.tsx';

/**
 * Redraws the page when the payment's record changes: a person is waiting for it. `since`: as in
 * `useLive`.
 */
export function Follow({ id, since }: { id: string; since: string | null }): null {
  const router = useRouter();
  useLive((message) => {
    if (mayConcern(message, (change) => change.kind === 'card' && change.id === id))
      router.refresh();
  }, since);
  return null;
}

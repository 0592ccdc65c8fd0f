'use client';

import { useRouter } from 'next/navigation';
import { useLive } from '#components/live.tsx';

/**
 * Redraws the page when the payment's record changes: a person is waiting for it. `since`: as in
 * `useLive`.
 */
export function Follow({ id, since }: { id: string; since: string | null }): null {
  const router = useRouter();
  useLive((message) => {
    const isAbout =
      message.kind === 'resumed' ||
      (message.kind === 'database' ? message.up : message.kind === 'card' && message.id === id);
    if (isAbout) router.refresh();
  }, since);
  return null;
}

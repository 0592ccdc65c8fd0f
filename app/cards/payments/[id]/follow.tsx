'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { useLive } from '#components/live.tsx';

/** Redraws the page when the payment's record changes: a person is waiting for it. */
export function Follow({ id }: { id: string }): null {
  const router = useRouter();
  const status = useLive((message) => {
    if (message.kind === 'resumed' || (message.kind === 'card' && message.id === id))
      router.refresh();
  });
  useEffect(() => {
    // A change between the drawing of the page and the first connection was missed.
    if (status === 'on') router.refresh();
  }, [status, router]);
  return null;
}

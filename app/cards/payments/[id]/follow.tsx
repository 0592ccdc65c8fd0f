'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { useLive } from '#components/live.tsx';

/** Draws the page anew as soon as something is known of this payment: somebody waits for it. */
export function Follow({ id }: { id: string }): null {
  const router = useRouter();
  const status = useLive((heard) => {
    if (heard.kind === 'resumed' || (heard.kind === 'card' && heard.id === id)) router.refresh();
  });
  useEffect(() => {
    // What was said between the page's drawing and the first ear for it.
    if (status === 'on') router.refresh();
  }, [status, router]);
  return null;
}

'use client';

import { RefreshCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';

/** Draws the page anew; what is on it stays until the answer is there. */
export function RefreshButton({ children }: { children: ReactNode }): ReactNode {
  const router = useRouter();
  const [asking, startAsking] = useTransition();
  return (
    <Button
      aria-disabled={asking}
      onClick={() => {
        if (!asking) startAsking(() => router.refresh());
      }}
    >
      <RefreshCw aria-hidden className={`size-4 ${asking ? 'animate-spin' : ''}`} />
      {children}
    </Button>
  );
}

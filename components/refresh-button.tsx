'use client';

import { RefreshCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import type { ReactNode } from 'react';
import { noteUse } from '#components/note-use.ts';
import { Button } from '#components/ui/button.tsx';

/** Redraws the page; its contents stay until the response arrives. */
export function RefreshButton({ children }: { children: ReactNode }): ReactNode {
  const router = useRouter();
  const [asking, startAsking] = useTransition();
  return (
    <Button
      aria-disabled={asking}
      onClick={() => {
        if (asking) return;
        noteUse();
        startAsking(() => router.refresh());
      }}
    >
      <RefreshCw aria-hidden className={`size-4 ${asking ? 'animate-spin' : ''}`} />
      {children}
    </Button>
  );
}

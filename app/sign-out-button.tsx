'use client';

import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import type { ButtonLook } from '#components/ui/button.tsx';

/**
 * Signs out here or everywhere, then loads the sign-in as a new document. `failed`: what is said when
 * the server could not end the session, or was not reached.
 */
export function SignOutButton({
  everywhere = false,
  look,
  className,
  failed,
  children,
}: {
  everywhere?: boolean;
  look?: ButtonLook;
  className?: string;
  failed: string;
  children: ReactNode;
}): ReactNode {
  const [state, setState] = useState<'idle' | 'pending' | 'failed'>('idle');
  const isPending = state === 'pending';
  const leave = async (): Promise<void> => {
    if (isPending) return;
    setState('pending');
    const answer = await fetch('/api/sign-out', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ everywhere }),
    }).catch(() => null);
    if (answer?.ok) location.assign('/login');
    else setState('failed');
  };
  return (
    <>
      <Button
        look={look}
        className={className}
        aria-disabled={isPending}
        onClick={() => void leave()}
      >
        {children}
      </Button>
      <p role="alert" className="text-label font-medium text-failed empty:hidden">
        {state === 'failed' && failed}
      </p>
    </>
  );
}

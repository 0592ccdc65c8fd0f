'use client';

import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import type { ButtonLook } from '#components/ui/button.tsx';

/** Signs out here or everywhere, then loads the sign-in as a new document. */
export function SignOutButton({
  everywhere = false,
  look,
  className,
  children,
}: {
  everywhere?: boolean;
  look?: ButtonLook;
  className?: string;
  children: ReactNode;
}): ReactNode {
  const [pending, setPending] = useState(false);
  const leave = async (): Promise<void> => {
    if (pending) return;
    setPending(true);
    await fetch('/api/sign-out', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ everywhere }),
    }).catch(() => null);
    location.assign('/login');
  };
  return (
    <Button look={look} className={className} aria-disabled={pending} onClick={() => void leave()}>
      {children}
    </Button>
  );
}

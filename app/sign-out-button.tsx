'use client';

import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import type { ButtonLook } from '#components/ui/button.tsx';

/**
 * `failed`: signed out here, but the session was not ended on the server. `unreached`: still signed in
 * here. `signIn`: the link to the sign-in.
 */
export type SignOutWords = Record<'failed' | 'unreached' | 'signIn', string>;

/** The server has made this browser forget its session, and could not end it, or all others. */
const SIGNED_OUT_HERE = [401, 503];

/** Moves the focus once, when the link takes the place of the button that had it. */
const focus = (link: HTMLAnchorElement | null): void => link?.focus();

/**
 * Signs out here or everywhere, then loads the sign-in as a new document. Who was signed out only here
 * finds a link to the sign-in instead of the button: a second press could end nothing.
 */
export function SignOutButton({
  everywhere = false,
  look,
  className,
  words,
  children,
}: {
  everywhere?: boolean;
  look?: ButtonLook;
  className?: string;
  words: SignOutWords;
  children: ReactNode;
}): ReactNode {
  const [state, setState] = useState<'idle' | 'pending' | 'failed' | 'unreached'>('idle');
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
    else setState(SIGNED_OUT_HERE.includes(answer?.status ?? 0) ? 'failed' : 'unreached');
  };
  return (
    <>
      {state === 'failed' ? (
        <a
          href="/login"
          ref={focus}
          className="font-medium text-accent underline underline-offset-2"
        >
          {words.signIn}
        </a>
      ) : (
        <Button
          look={look}
          className={className}
          aria-disabled={isPending}
          onClick={() => void leave()}
        >
          {children}
        </Button>
      )}
      <p role="alert" className="text-label font-medium text-failed empty:hidden">
        {(state === 'failed' || state === 'unreached') && words[state]}
      </p>
    </>
  );
}

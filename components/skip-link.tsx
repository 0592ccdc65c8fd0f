'use client';

import type { MouseEvent, ReactNode } from 'react';

const SKIP_LINK =
  'sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 ' +
  'focus:rounded-control focus:bg-surface focus:px-3 focus:py-2';

/**
 * Moves the focus to the content of the page. It leaves the address as it is: the browser's own jump
 * would add an entry to the history without the router's state, and going back to that entry would
 * change the address but not the page.
 */
export function SkipLink({ to, children }: { to: string; children: ReactNode }): ReactNode {
  const skip = (event: MouseEvent): void => {
    const content = document.getElementById(to);
    if (content === null) return;
    event.preventDefault();
    content.focus({ preventScroll: true });
    content.scrollIntoView();
  };
  return (
    <a href={`#${to}`} onClick={skip} className={SKIP_LINK}>
      {children}
    </a>
  );
}

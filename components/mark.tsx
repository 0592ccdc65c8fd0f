'use client';

import type { ReactNode } from 'react';

/** The product's logo: two opposite arrows. A client component for the reason in `ui/drawing.tsx`. */
export function Mark(): ReactNode {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className="size-6 shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M8 12h13.5M17 7.5 21.5 12 17 16.5M24 20H10.5M15 15.5 10.5 20 15 24.5"
        fill="none"
        className="stroke-on-accent"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

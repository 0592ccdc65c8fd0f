'use client';

import { createContext, useState } from 'react';
import type { ReactNode } from 'react';
import type { Said } from '#components/action-button.tsx';

/** Where a form or dialog below reports its result; null where it shows the result itself. */
export const SaidContext = createContext<((said: Said) => void) | null>(null);

/**
 * For elements that disappear when their action succeeds, such as a list row: the result is shown
 * above them and stays.
 */
export function SaidHere({
  className = 'px-4 py-2.5',
  children,
}: {
  className?: string;
  children: ReactNode;
}): ReactNode {
  const [said, setSaid] = useState<Said>(null);
  const tone = said?.ok === false ? 'text-failed' : 'text-muted';
  return (
    <SaidContext value={setSaid}>
      <p role="status" className={`${className} text-label font-medium empty:hidden ${tone}`}>
        {said?.text}
      </p>
      {children}
    </SaidContext>
  );
}

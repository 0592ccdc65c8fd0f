'use client';

import { createContext, useState } from 'react';
import type { ReactNode } from 'react';
import type { Said } from '#components/action-button.tsx';

/** Where a form or a dialog below leaves what came of it; null where it says that itself. */
export const SaidContext = createContext<((said: Said) => void) | null>(null);

/**
 * For what goes away with what is done to it, as the row of a list: what came of it stands above
 * and stays.
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

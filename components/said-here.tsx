'use client';

import { createContext, useState } from 'react';
import type { ReactNode } from 'react';
import type { Said } from '#components/action-button.tsx';

type Told = NonNullable<Said>;

/** Where a dialog below leaves what came of it; null where it says that itself. */
export const SaidContext = createContext<((told: Told) => void) | null>(null);

/** For lists whose rows go away with what is done to them: what came of it stands above the list and stays. */
export function SaidHere({ children }: { children: ReactNode }): ReactNode {
  const [told, setTold] = useState<Told | null>(null);
  return (
    <SaidContext value={setTold}>
      <p role="status" className={`px-4 py-2.5 text-label font-medium empty:hidden ${told?.ok === false ? 'text-failed' : 'text-muted'}`}>{told?.text}</p>
      {children}
    </SaidContext>
  );
}

'use client';

import '#components/early-keys.ts';
import '#components/live-stream.ts';
import { lazy, Suspense } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type * as SignedInParts from '#app/signed-in-parts.tsx';

// The layout's scripts load with every page, the sign-in included, so scripts that only a signed-in
// page needs are split off, together, because a module that two split scripts import is in both. The
// import of `early-keys.ts` keeps a key that is pressed meanwhile; that of `live-stream.ts` gives the
// page's own scripts and the split one the same copy.
type Parts = typeof SignedInParts;
const signedInParts = (): Promise<Parts> => import('#app/signed-in-parts.tsx');

function later<Props extends object>(of: (parts: Parts) => ComponentType<Props>) {
  const Part = lazy(async () => ({ default: of(await signedInParts()) }));
  return function Later(props: Props): ReactNode {
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    );
  };
}

export const StatusBand = later((parts) => parts.StatusBand);
export const PageFoot = later((parts) => parts.PageFoot);
export const Shortcuts = later((parts) => parts.Shortcuts);
export const SearchBox = later((parts) => parts.SearchBox);
export const WaitingFollower = later((parts) => parts.WaitingFollower);

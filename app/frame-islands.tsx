'use client';

import '#components/early-keys.ts';
import { lazy, Suspense } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import type { PageFoot as PageFootType } from '#app/page-foot.tsx';
import type { SearchBox as SearchBoxType } from '#app/search/search-box.tsx';
import type { StatusBand as StatusBandType } from '#app/status-band.tsx';
import type { WaitingFollower as WaitingFollowerType } from '#app/waiting-follower.tsx';
import type { Shortcuts as ShortcutsType } from '#components/shortcuts.tsx';

// The layout's scripts load with every page, the sign-in included, so scripts that only a signed-in
// page needs are split off. The import of `early-keys.ts` keeps a key that is pressed meanwhile.
const LazyBand = lazy(() =>
  import('#app/status-band.tsx').then((module) => ({ default: module.StatusBand })),
);
const LazyFoot = lazy(() =>
  import('#app/page-foot.tsx').then((module) => ({ default: module.PageFoot })),
);
const LazySearch = lazy(() =>
  import('#app/search/search-box.tsx').then((module) => ({ default: module.SearchBox })),
);
const LazyFollower = lazy(() =>
  import('#app/waiting-follower.tsx').then((module) => ({ default: module.WaitingFollower })),
);
const LazyShortcuts = lazy(() =>
  import('#components/shortcuts.tsx').then((module) => ({ default: module.Shortcuts })),
);

export function StatusBand(props: ComponentProps<typeof StatusBandType>): ReactNode {
  return (
    <Suspense>
      <LazyBand {...props} />
    </Suspense>
  );
}

export function PageFoot(props: ComponentProps<typeof PageFootType>): ReactNode {
  return (
    <Suspense>
      <LazyFoot {...props} />
    </Suspense>
  );
}

export function Shortcuts(props: ComponentProps<typeof ShortcutsType>): ReactNode {
  return (
    <Suspense>
      <LazyShortcuts {...props} />
    </Suspense>
  );
}

export function SearchBox(props: ComponentProps<typeof SearchBoxType>): ReactNode {
  return (
    <Suspense>
      <LazySearch {...props} />
    </Suspense>
  );
}

export function WaitingFollower(props: ComponentProps<typeof WaitingFollowerType>): ReactNode {
  return (
    <Suspense>
      <LazyFollower {...props} />
    </Suspense>
  );
}

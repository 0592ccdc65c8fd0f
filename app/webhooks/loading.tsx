import type { ReactNode } from 'react';
import { Skeleton } from '#components/ui/panel.tsx';

export default function Loading(): ReactNode {
  return (
    <div aria-busy className="grid gap-5">
      <Skeleton className="h-7 w-44" />
      <Skeleton className="h-14 w-full max-w-2xl" />
      <div className="overflow-hidden rounded-panel border border-hairline bg-surface">
        {[0, 1, 2, 3, 4, 5, 6, 7].map((row) => (
          <div key={row} className="flex h-10 items-center gap-6 border-b border-hairline px-3 last:border-0">
            <Skeleton className="h-4 w-36" /><Skeleton className="h-4 w-28 max-sm:hidden" /><Skeleton className="h-4 w-44" /><Skeleton className="ml-auto h-4 w-24 max-md:hidden" />
          </div>
        ))}
      </div>
    </div>
  );
}

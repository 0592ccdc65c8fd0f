import type { ReactNode } from 'react';
import { Skeleton } from '#components/ui/panel.tsx';

export default function Loading(): ReactNode {
  return (
    <div aria-busy className="grid gap-5">
      <Skeleton className="h-7 w-40" />
      <div className="grid gap-px overflow-hidden rounded-panel border border-hairline bg-surface">
        {[0, 1, 2, 3, 4, 5].map((row) => (
          <div key={row} className="flex items-center gap-6 px-4 py-3">
            <Skeleton className="h-9 w-40" />
            <Skeleton className="h-6 w-16 max-sm:hidden" />
            <span className="ml-auto flex gap-1">
              <Skeleton className="h-5 w-8" />
              <Skeleton className="h-5 w-8" />
              <Skeleton className="h-5 w-8" />
            </span>
            <Skeleton className="h-5 w-24 max-lg:hidden" />
            <Skeleton className="h-5 w-24 max-lg:hidden" />
          </div>
        ))}
      </div>
    </div>
  );
}

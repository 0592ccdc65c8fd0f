import type { ReactNode } from 'react';
import { Skeleton } from '#components/ui/panel.tsx';

export default function Loading(): ReactNode {
  return (
    <div aria-busy className="grid gap-5">
      <Skeleton className="h-7 w-36" />
      <Skeleton className="h-9 w-72" />
      <div className="overflow-hidden rounded-panel border border-hairline bg-surface">
        {[0, 1, 2, 3, 4, 5, 6, 7].map((row) => (
          <div key={row} className="flex h-12 items-center gap-6 border-b border-hairline px-3 last:border-0">
            <Skeleton className="h-8 w-48" /><Skeleton className="h-5 w-24" /><Skeleton className="h-4 w-28 max-sm:hidden" /><Skeleton className="h-4 w-32 max-lg:hidden" /><Skeleton className="ml-auto h-4 w-24" />
          </div>
        ))}
      </div>
    </div>
  );
}

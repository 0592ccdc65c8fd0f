import type { ReactNode } from 'react';
import { RowsLoading } from '#components/list-loading.tsx';
import { Skeleton } from '#components/ui/panel.tsx';

export default function Loading(): ReactNode {
  return (
    <div aria-busy className="grid gap-5">
      <Skeleton className="h-7 w-28" />
      <Skeleton className="h-9 w-56" />
      <RowsLoading>
        <Skeleton className="h-4 w-40" />
        <Skeleton className="h-4 w-44 max-sm:hidden" />
        <Skeleton className="h-4 w-28 max-md:hidden" />
        <Skeleton className="h-5 w-24 max-lg:hidden" />
        <Skeleton className="ml-auto h-4 w-24" />
      </RowsLoading>
    </div>
  );
}

import type { ReactNode } from 'react';
import { Skeleton } from '#components/ui/panel.tsx';

const ROWS = [0, 1, 2, 3, 4, 5, 6, 7];

/** Placeholder rows of a list; `children` are the cells of one row. */
export function RowsLoading({
  height = 'h-10',
  children,
}: {
  height?: string;
  children: ReactNode;
}): ReactNode {
  return (
    <div className="overflow-hidden rounded-panel border border-hairline bg-surface">
      {ROWS.map((row) => (
        <div
          key={row}
          className={`flex ${height} items-center gap-6 border-b border-hairline px-3 last:border-0`}
        >
          {children}
        </div>
      ))}
    </div>
  );
}

/** Placeholder of a page with a title, filters and lines of text. */
export function ListLoading(): ReactNode {
  return (
    <div aria-busy className="grid gap-5">
      <Skeleton className="h-7 w-44" />
      <Skeleton className="h-14 w-full max-w-2xl" />
      <RowsLoading>
        <Skeleton className="h-4 w-36" />
        <Skeleton className="h-4 w-28 max-sm:hidden" />
        <Skeleton className="h-4 w-44" />
        <Skeleton className="ml-auto h-4 w-24 max-md:hidden" />
      </RowsLoading>
    </div>
  );
}

import type { ReactNode } from 'react';
import { RowsLoading } from '#components/list-loading.tsx';
import { Skeleton } from '#components/ui/panel.tsx';
import { WalletCardsLoading } from '#components/wallet-card.tsx';
import { FiguresLoading } from './figures.tsx';

export default function Loading(): ReactNode {
  return (
    <div aria-busy className="grid gap-5">
      <div className="flex justify-between gap-4">
        <Skeleton className="h-9 w-36" />
        <Skeleton className="h-9 w-32" />
      </div>
      <FiguresLoading />
      <Skeleton className="h-24 w-full" />
      <WalletCardsLoading />
      <RowsLoading>
        <Skeleton className="h-4 w-44" />
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-4 w-20 max-sm:hidden" />
        <Skeleton className="ml-auto h-4 w-24" />
      </RowsLoading>
    </div>
  );
}

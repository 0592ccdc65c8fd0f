import type { ReactNode } from 'react';
import { Skeleton } from '#components/ui/panel.tsx';
import { WalletCardsLoading } from '#components/wallet-card.tsx';

export default function Loading(): ReactNode {
  return (
    <div aria-busy className="grid gap-5">
      <div className="flex justify-between gap-4"><Skeleton className="h-9 w-36" /><Skeleton className="h-9 w-32" /></div>
      <Skeleton className="h-24 w-full" />
      <WalletCardsLoading />
      <div className="overflow-hidden rounded-panel border border-hairline bg-surface">
        {[0, 1, 2, 3, 4, 5, 6, 7].map((row) => (
          <div key={row} className="flex h-10 items-center gap-6 border-b border-hairline px-3 last:border-0">
            <Skeleton className="h-4 w-44" /><Skeleton className="h-5 w-24" /><Skeleton className="h-4 w-20 max-sm:hidden" /><Skeleton className="ml-auto h-4 w-24" />
          </div>
        ))}
      </div>
    </div>
  );
}

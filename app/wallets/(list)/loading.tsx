import type { ReactNode } from 'react';
import { Skeleton } from '#components/ui/panel.tsx';
import { WalletsLoading } from '../wallet-table.tsx';

export default function Loading(): ReactNode {
  return (
    <div aria-busy className="grid gap-5">
      <Skeleton className="h-7 w-40" />
      <WalletsLoading />
    </div>
  );
}

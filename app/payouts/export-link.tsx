'use client';

import { useSearchParams } from 'next/navigation';
import type { ReactNode } from 'react';
import { LinkButton } from '#components/ui/button.tsx';

/** Link to the export of exactly what the list shows: the filter is in the page's address. */
export function ExportLink({ children }: { children: ReactNode }): ReactNode {
  const params = useSearchParams().toString();
  return (
    <LinkButton
      href={`/payouts/export${params === '' ? '' : `?${params}`}`}
      prefetch={false}
      data-shortcut="export"
    >
      {children}
    </LinkButton>
  );
}

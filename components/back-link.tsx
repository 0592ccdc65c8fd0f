'use client';

import { ChevronLeft } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { listAsLeft } from '#components/list-as-left.ts';
import type { TabHistory } from '#components/list-as-left.ts';
import { BACK_LINK } from '#components/ui/classes.ts';
import { Link } from '#components/ui/link.tsx';

/**
 * The link above a page's title to the list that the page belongs to (`href`); where the person came
 * from that list, with its filter.
 */
export function BackLink({ href, children }: { href: string; children: ReactNode }): ReactNode {
  const to = useSyncExternalStore(
    neverChanges,
    () => listAsLeft(href, (window as { navigation?: TabHistory }).navigation),
    () => href,
  );
  return (
    <Link href={to} className={BACK_LINK}>
      <ChevronLeft aria-hidden className="size-3.5" />
      {children}
    </Link>
  );
}

const neverChanges = (): (() => void) => () => undefined;

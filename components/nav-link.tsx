'use client';

import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';

/** A navigation link; marks the present page. `stacked`: the icon stands above the name. */
export function NavLink({
  href,
  not = [],
  title,
  describedBy,
  whole,
  stacked = false,
  children,
}: {
  href: string;
  /** The paths below `href` that belong to another entry of the menu. */
  not?: readonly string[];
  title?: string;
  describedBy?: string | undefined;
  whole: boolean;
  stacked?: boolean;
  children: ReactNode;
}): ReactNode {
  const path = usePathname();
  const isBelow = (one: string): boolean => path === one || path.startsWith(`${one}/`);
  const current = href === '/' ? path === '/' : isBelow(href) && !not.some(isBelow);
  return (
    <Link
      href={href}
      whole={whole}
      title={title}
      aria-describedby={describedBy}
      aria-current={current ? 'page' : undefined}
      className={`place ${stacked ? 'stacked' : 'lying'}`}
      onClick={(event) => event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()}
    >
      {children}
    </Link>
  );
}

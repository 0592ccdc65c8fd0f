'use client';

import { useLinkStatus } from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';

const LYING = 'flex min-h-9 items-center gap-2.5 rounded-control px-2.5 pointer-coarse:min-h-11';
/** In a grid of two rows: the icon in the first, the name in the second. */
const STACKED = 'row-span-2 grid grid-rows-subgrid justify-items-center text-[11px]';

/** A navigation link; marks the present page, and shows a dot while a slow response is pending. */
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
  const look = current
    ? `text-ink ${stacked ? 'shadow-[inset_0_2px_0_var(--accent)]' : 'bg-draft-ground'}`
    : 'text-muted hover:text-ink';
  return (
    <Link
      href={href}
      whole={whole}
      title={title}
      aria-describedby={describedBy}
      aria-current={current ? 'page' : undefined}
      className={`relative font-medium ${stacked ? STACKED : LYING} ${look}`}
      onClick={(event) => event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()}
    >
      {children}
      <OnItsWay />
    </Link>
  );
}

const DOT =
  'absolute top-1/2 right-2 size-1.5 -translate-y-1/2 rounded-full bg-accent ' +
  'transition-opacity delay-150';

function OnItsWay(): ReactNode {
  const { pending } = useLinkStatus();
  return <span aria-hidden className={`${DOT} ${pending ? 'opacity-100' : 'opacity-0'}`} />;
}

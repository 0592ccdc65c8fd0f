'use client';

import { usePathname } from 'next/navigation';
import { useState } from 'react';
import type { ReactNode } from 'react';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * A group of the menu that can be folded; the browser remembers which ones are. A group with the
 * page that is open stays unfolded. `cookie`: where the names of folded groups are kept, separated
 * by dots.
 */
export function NavGroup({
  name,
  title,
  folded,
  cookie,
  hrefs,
  children,
}: {
  name: string;
  title: ReactNode;
  folded: boolean;
  cookie: string;
  hrefs: readonly string[];
  children: ReactNode;
}): ReactNode {
  const path = usePathname();
  const [open, setOpen] = useState(!folded);
  const isHere = hrefs.some((href) => path === href || path.startsWith(`${href}/`));
  return (
    <details
      open={open || isHere}
      onToggle={(event) => {
        const isOpen = event.currentTarget.open;
        if (isOpen === open || (isOpen && isHere)) return;
        setOpen(isOpen);
        remember(cookie, name, isOpen);
      }}
      className="group/nav"
    >
      {title}
      <div className="grid gap-0.5">{children}</div>
    </details>
  );
}

function remember(cookie: string, name: string, isOpen: boolean): void {
  const kept = document.cookie
    .split('; ')
    .find((one) => one.startsWith(`${cookie}=`))
    ?.slice(cookie.length + 1);
  const folded = new Set((kept ?? '').split('.').filter(Boolean));
  if (isOpen) folded.delete(name);
  else folded.add(name);
  const secure = location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${cookie}=${[...folded].join('.')}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
}

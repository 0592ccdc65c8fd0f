'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ReactNode } from 'react';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * A menu group that can be folded; the browser remembers the folded groups. The group of the open
 * page stays unfolded. `cookie`: the name of the cookie with the names of the folded groups,
 * separated by dots.
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
  const details = useRef<HTMLDetailsElement>(null);
  const keep = useEffectEvent((isOpen: boolean): void => {
    if (isOpen === open || (isOpen && isHere)) return;
    setOpen(isOpen);
    remember(cookie, name, isOpen);
  });
  // A press before the scripts ran has folded or unfolded the group already.
  useEffect(() => {
    if (details.current !== null) keep(details.current.open);
  }, []);
  return (
    <details
      ref={details}
      open={open || isHere}
      onToggle={(event) => keep(event.currentTarget.open)}
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

'use client';

import NextLink from 'next/link';
import { use, useState } from 'react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { OnItsWay } from './on-its-way.tsx';
import { noteAhead } from './drawn-at.ts';
import { ListPlaceContext } from './list-place.ts';
import type { ListPlace } from './list-place.ts';

/**
 * `whole`: prefetches the complete page, which may be shown some time later. Only for a page that
 * then updates its rows (drawn-at.ts).
 */
type Props = ComponentProps<typeof NextLink> & { whole?: boolean };

/**
 * A link. Inside a list that fetches its own rows, a link to another view of that list stays in the
 * page.
 */
export function Link(props: Props): ReactNode {
  const place = use(ListPlaceContext);
  return typeof props.href === 'string' && place?.has(props.href) ? (
    <LinkWithin {...props} href={props.href} place={place} />
  ) : (
    <LinkAway {...props} />
  );
}

/**
 * Prefetches on hover, not when visible: a list shows dozens of links, and prefetching all of them
 * cost the page more time, and the server more work, than the page itself.
 */
function LinkAway({ whole = false, children, ...props }: Props): ReactNode {
  const [near, setNear] = useState(false);
  const come = (): void => {
    if (whole) noteAhead(String(props.href));
    setNear(true);
  };
  return (
    <NextLink
      prefetch={near ? whole || null : false}
      onPointerEnter={come}
      onFocus={come}
      {...props}
    >
      {children}
      <OnItsWay />
    </NextLink>
  );
}

/** A caller's `onClick` runs first and can prevent the move, as with the link of Next.js. */
function LinkWithin({
  place,
  href,
  scroll = true,
  prefetch: _prefetch,
  replace: _replace,
  whole: _whole,
  onClick,
  children,
  ...rest
}: Omit<Props, 'href'> & { href: string; place: ListPlace }): ReactNode {
  const press = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    if (!isPlain(event)) return;
    event.preventDefault();
    place.go(href, { scroll });
  };
  const come = (): void => place.ahead(href);
  return (
    <a href={href} onClick={press} onPointerEnter={come} onFocus={come} {...rest}>
      {children}
    </a>
  );
}

/** Whether a click is plain: with a modifier key the browser opens a tab, a window or a menu. */
export function isPlain(event: MouseEvent<HTMLAnchorElement>): boolean {
  return (
    event.button === 0 &&
    !event.metaKey &&
    !event.ctrlKey &&
    !event.shiftKey &&
    !event.altKey &&
    !event.defaultPrevented
  );
}

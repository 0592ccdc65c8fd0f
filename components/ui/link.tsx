'use client';

import NextLink from 'next/link';
import { useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';

/**
 * A link that fetches ahead when a hand comes near it, not when it is merely seen: a list shows dozens, and fetching all of
 * them cost a page more time, and the server more work, than the page itself.
 */
export function Link(props: ComponentProps<typeof NextLink>): ReactNode {
  const [near, setNear] = useState(false);
  const come = (): void => setNear(true);
  return <NextLink prefetch={near ? null : false} onPointerEnter={come} onFocus={come} {...props} />;
}

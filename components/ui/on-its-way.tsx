'use client';

import { useLinkStatus } from 'next/link';
import { useEffect } from 'react';

let pages = 0;

/**
 * Stands in a link: marks the document while the link's page is on its way. The top bar then shows a
 * line (`.way` in globals.css).
 */
export function OnItsWay(): null {
  const { pending } = useLinkStatus();
  useEffect(() => {
    if (!pending) return undefined;
    count(1);
    return () => count(-1);
  }, [pending]);
  return null;
}

function count(more: 1 | -1): void {
  pages += more;
  document.documentElement.toggleAttribute('data-on-its-way', pages > 0);
}

'use client';

import { createContext } from 'react';

/**
 * Context of a list that fetches its own rows. Links and filters inside it that lead to another
 * view of the same list change only the address and the rows; without this context they use the
 * router.
 */
export type ListPlace = {
  /** Whether this address is a view of the same list. */
  has(href: string): boolean;
  go(href: string, options: { scroll: boolean }): void;
  /** Called when the pointer is near a link: the rows may be prefetched. */
  ahead(href: string): void;
};

export const ListPlaceContext = createContext<ListPlace | null>(null);

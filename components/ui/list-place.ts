'use client';

import { createContext } from 'react';

/**
 * A list that asks for its own rows. Links and filters inside it that lead to another view of the
 * same list change the address and nothing else of the page; without one around them they go
 * through the router.
 */
export type ListPlace = {
  /** Whether this address is the same list in another view. */
  has(href: string): boolean;
  go(href: string, options: { scroll: boolean }): void;
  /** A hand comes near: the rows may be asked for now. */
  ahead(href: string): void;
};

export const ListPlaceContext = createContext<ListPlace | null>(null);

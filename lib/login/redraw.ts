import 'server-only';
import type { IncomingMessage } from 'node:http';

/** On a request by which an open page redraws itself. Set by this server; a client's is dropped. */
export const REDRAW_HEADER = 'x-redraw';

/** The framework's header: the tree of the page that the browser shows. */
const TREE_HEADER = 'next-router-state-tree';

/**
 * Marks a request of `router.refresh()`, which live events and timers cause while nobody uses the
 * page, so that it does not keep the session alive (`session.ts`). Such a request asks for the page
 * from the root of its tree on: the root has the marker "refetch". A move to another page keeps the
 * root, and an action is a POST.
 */
export function markRedraw({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): void {
  delete headers[REDRAW_HEADER];
  if (method === 'GET' && isRefetched(headers[TREE_HEADER])) headers[REDRAW_HEADER] = '1';
}

function isRefetched(tree: string | string[] | undefined): boolean {
  if (typeof tree !== 'string') return false;
  try {
    const root: unknown = JSON.parse(decodeURIComponent(tree));
    return Array.isArray(root) && root[3] === 'refetch';
  } catch {
    return false;
  }
}

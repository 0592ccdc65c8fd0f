/**
 * The age of the rows that the server drew with a page: the page may be older than the navigation,
 * because it was prefetched or restored. Times are milliseconds of this browser's clock.
 */

/** How long the router keeps a prefetched page. */
const KEPT_MS = 30_000;

const asked = new Map<string, number>();
const drawn = new WeakMap<object, number>();

/**
 * Records that a link prefetches the whole page at `path` now, unless the router still has the
 * page.
 */
export function noteAhead(path: string): void {
  if (Date.now() - (asked.get(path) ?? 0) > KEPT_MS) asked.set(path, Date.now());
}

/** The earliest time at which `page`, shown at `path`, can have been drawn. */
export function drawnAt(page: object, path: string): number {
  const ahead = asked.get(path) ?? 0;
  const at = drawn.get(page) ?? (Date.now() - ahead < KEPT_MS ? ahead : Date.now());
  drawn.set(page, at);
  return at;
}

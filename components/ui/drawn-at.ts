/**
 * How old a page's rows are that the server drew: a page may come from a moment before, because it
 * was fetched ahead or gone back to. Times are this browser's.
 */

/** The router keeps what a link fetched ahead for so long. */
const KEPT_MS = 30_000;

const asked = new Map<string, number>();
const drawn = new WeakMap<object, number>();

/** A link fetches the whole page at `path` ahead, unless it still has it. */
export function noteAhead(path: string): void {
  if (Date.now() - (asked.get(path) ?? 0) > KEPT_MS) asked.set(path, Date.now());
}

/** When `page`, shown at `path`, was drawn at the earliest. */
export function drawnAt(page: object, path: string): number {
  const ahead = asked.get(path) ?? 0;
  const at = drawn.get(page) ?? (Date.now() - ahead < KEPT_MS ? ahead : Date.now());
  drawn.set(page, at);
  return at;
}

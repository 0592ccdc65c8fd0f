/** A sign-in leads back to a page of ours, whatever the address bar said. Pure. */

// oxlint-disable-next-line no-control-regex -- browsers drop them, and what is left may be another site's address
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * The path and query to go to after a sign-in, in ASCII as a header may carry it; `/` for whatever
 * is not an address of our own origin. `next` is read as browsers read it, backslashes and dropped
 * tabs included.
 */
export function returnPath(next: unknown, ownOrigin: string): string {
  if (
    typeof next !== 'string' ||
    !next.startsWith('/') ||
    CONTROL.test(next) ||
    !URL.canParse(next, ownOrigin)
  )
    return '/';
  const { origin, pathname, search } = new URL(next, ownOrigin);
  // A path of two slashes would be read as another host's the next time.
  return origin === new URL(ownOrigin).origin && !pathname.startsWith('//')
    ? `${pathname}${search}`
    : '/';
}

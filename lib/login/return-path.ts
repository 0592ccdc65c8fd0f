/** A sign-in always returns to one of our pages, independently of the query string. Pure. */

// oxlint-disable-next-line no-control-regex -- browsers drop them, and what is left may be another site's address
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * The path and query to go to after a sign-in, in ASCII as a header needs it; `/` for anything
 * outside our own origin. `next` is parsed as browsers parse it, including backslashes and dropped
 * tabs.
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
  // A path that begins with two slashes would be parsed as another host's next time.
  return origin === new URL(ownOrigin).origin && !pathname.startsWith('//')
    ? `${pathname}${search}`
    : '/';
}

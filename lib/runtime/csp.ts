/**
 * The policy of every page: nothing runs without this response's nonce, nothing is fetched from
 * elsewhere, nobody frames us. `connect-src 'self'` carries the live stream; `frame-src 'self'` the
 * sandboxed receipt. Text becomes markup or code through one gate only (instrumentation-client.ts);
 * the tools of development go around it. `postsTo`: the one other origin that a form of this page
 * may be posted to.
 */
export function contentSecurityPolicy(
  nonce: string,
  development: boolean,
  postsTo: string | null = null,
): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    `form-action 'self'${postsTo === null ? '' : ` ${postsTo}`}`,
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "manifest-src 'self'",
    ...(development ? [] : ["require-trusted-types-for 'script'", 'trusted-types default']),
  ].join('; ');
}

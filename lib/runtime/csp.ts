/**
 * The Content Security Policy of every page: no script runs without this response's nonce, nothing
 * is fetched from another origin, no site may frame us. `connect-src 'self'` is for the live
 * stream; `frame-src 'self'` for the sandboxed receipt; `worker-src 'self'` for the offline page
 * (public/service-worker.js). Text becomes markup or code only through one Trusted Types policy
 * (instrumentation-client.ts); development tools are exempt. `postsTo`: the one other origin that a
 * form of this page may be posted to.
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
    "worker-src 'self'",
    ...(development ? [] : ["require-trusted-types-for 'script'", 'trusted-types default']),
  ].join('; ');
}

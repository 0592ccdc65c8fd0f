import { NextResponse } from 'next/server';
import type { NextRequest } from 'next/server';
import { withDays } from '#app/reports/with-days.ts';
import { contentSecurityPolicy } from '#lib/runtime/csp.ts';
import { env } from '#lib/runtime/env.ts';

const NONCE_BYTES = 16;
/** Request headers that Next.js or our own code would trust. No browser needs to send them. */
const NEVER_INBOUND = [
  'x-nonce',
  'content-security-policy',
  'x-middleware-subrequest',
  'next-resume',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
];

/** The page on which a card is typed: the browser posts the card to the gateway. */
const CARD_PAGE = /^\/cards\/payments\/[0-9a-f-]{36}\/take$/;

/**
 * Sets headers: each page gets a fresh nonce in its content security policy. The headers that are
 * the same everywhere are set by lib/runtime/http-server.ts; permissions are checked in the data
 * layer. A report without days is redirected here, before its first byte: a redirect by the page
 * follows the placeholder that has been sent, and the browser would load a second document.
 */
export function proxy(request: NextRequest): NextResponse {
  // The image optimiser is off: it would fetch any address that a request names.
  if (request.nextUrl.pathname.startsWith('/_next/image'))
    return new NextResponse(null, { status: 404 });
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(NONCE_BYTES))).toString('base64');
  const development = process.env.NODE_ENV === 'development';
  const policy = contentSecurityPolicy(
    nonce,
    development,
    CARD_PAGE.test(request.nextUrl.pathname) ? new URL(env().cardBaseUrl).origin : null,
  );
  const headers = new Headers(request.headers);
  for (const name of [...headers.keys()])
    if (NEVER_INBOUND.includes(name) || (name.startsWith('x-nextjs-') && !development))
      headers.delete(name);
  headers.set('x-nonce', nonce);
  headers.set('content-security-policy', policy);
  headers.set('x-path', request.nextUrl.pathname + request.nextUrl.search);
  const whole = /^(?:GET|HEAD)$/.test(request.method)
    ? withDays(request.nextUrl, new Date().toISOString(), env().timeZone)
    : null;
  const response =
    whole === null ? NextResponse.next({ request: { headers } }) : NextResponse.redirect(whole);
  response.headers.set('Content-Security-Policy', policy);
  response.headers.set('Cache-Control', 'no-store');
  return response;
}

/**
 * The live stream, the interface for programs and static files bypass the proxy, which costs a third of a route's throughput;
 * so does the upload of files, whose bytes the framework would hold a second time.
 * The pattern of an address matches its whole path, so that a longer path with the same beginning
 * does not bypass the proxy. Webhooks and health never get here: `lib/web/answer.ts` answers them.
 */
export const config = {
  matcher: [
    '/((?!api/events$|api/batches$|api/v1/(?:payouts|batches)(?:/[^/]+)?$|_next/static/|favicon\\.ico$|receipts/[^/]+/raw$).*)',
  ],
};

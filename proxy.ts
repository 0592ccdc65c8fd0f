import { NextResponse } from 'next/server';
import type { NextRequest } from 'next/server';
import { contentSecurityPolicy } from '#lib/runtime/csp.ts';
import { env } from '#lib/runtime/env.ts';

const NONCE_BYTES = 16;
/** Headers the framework or we would believe; a browser has no business sending them. */
const NEVER_INBOUND = [
  'x-nonce',
  'content-security-policy',
  'x-middleware-subrequest',
  'next-resume',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
];

/** Where a card is typed: the browser posts it to the gateway by itself. */
const CARD_PAGE = /^\/cards\/payments\/[0-9a-f-]{36}\/take$/;

/**
 * Headers only: a fresh nonce in the policy of every page; the others are the same everywhere
 * (lib/runtime/http-server.ts). Who may see what is asked in the data layer.
 */
export function proxy(request: NextRequest): NextResponse {
  // There is no image optimiser: it would fetch addresses for whoever asks.
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
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('Content-Security-Policy', policy);
  response.headers.set('Cache-Control', 'no-store');
  return response;
}

/**
 * Machine addresses and files stay out: the detour costs a third of a route's throughput. Each is
 * named to its end, so that an address that only begins like one goes through here as any other.
 */
export const config = {
  matcher: [
    '/((?!api/webhooks/[^/]+/(?:wallet|card)$|api/events$|api/health/(?:live|ready)$|_next/static/|favicon\\.ico$|receipts/[^/]+/raw$).*)',
  ],
};

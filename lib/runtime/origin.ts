import 'server-only';
import { isIP } from 'node:net';
import { headers } from 'next/headers';
import { env } from './env.ts';

/**
 * Our own check, because the framework's is weak (docs/money-rules.md, "The principles"): exact
 * origin with scheme, host and port; Fetch-Metadata must agree when present; a request with neither
 * header did not come from our page.
 */
export async function fromOwnOrigin(): Promise<boolean> {
  const given = await headers();
  return isOwnOrigin(given.get('origin'), given.get('sec-fetch-site'), env().appOrigin);
}

export function isOwnOrigin(origin: string | null, fetchSite: string | null, own: string): boolean {
  if (origin === null && fetchSite === null) return false;
  if (origin !== null && origin !== own) return false;
  return fetchSite === null || fetchSite === 'same-origin';
}

/**
 * The IP address a request came from, and the browser's user agent. The last hop of the header is
 * the connection itself (`lib/runtime/http-server.ts`). Behind https there is one proxy, because
 * this process speaks plain http: the hop before is the address that the proxy saw. Earlier hops
 * are unverified client input.
 */
export async function callerAddress(): Promise<{ ip: string | null; userAgent: string | null }> {
  const given = await headers();
  return {
    ip: callerOf(given.get('x-forwarded-for'), env().appOrigin.startsWith('https:')),
    userAgent: given.get('user-agent'),
  };
}

export function callerOf(forwardedFor: string | null, behindProxy: boolean): string | null {
  const hops =
    forwardedFor?.split(',').map((hop) =>
      hop
        .trim()
        .replace(/^::ffff:(?=[\d.]+$)/i, '')
        .replace(/%.*$/, ''),
    ) ?? [];
  const caller = hops.at(behindProxy && hops.length > 1 ? -2 : -1) ?? '';
  return isIP(caller) === 0 ? null : caller;
}

import 'server-only';
import { headers } from 'next/headers';
import { env } from '#lib/env.ts';

/**
 * Our own check, because the framework's is thin (money-movement decision 9): exact origin with scheme, host and port;
 * Fetch-Metadata must agree when it is there; a request that carries neither did not come from our page.
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

/** The address the request came from, as the nearest hop names it, and the browser's own name. */
export async function callerAddress(): Promise<{ ip: string | null; userAgent: string | null }> {
  const given = await headers();
  const hops = given.get('x-forwarded-for')?.split(',').map((hop) => hop.trim()).filter(Boolean) ?? [];
  return { ip: hops.at(-1) ?? null, userAgent: given.get('user-agent') };
}

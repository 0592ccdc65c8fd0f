import 'server-only';
import { isIP } from 'node:net';
import { env } from '#lib/runtime/env.ts';

/** The relying party of WebAuthn: whom a passkey belongs to. */
export type RelyingParty = { id: string; origin: string };

/**
 * This installation as browsers know it, from its public address. Null where that address is an IP
 * address: browsers make passkeys for names only.
 */
export function relyingParty(): RelyingParty | null {
  const { hostname, origin } = new URL(env().appOrigin);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: hostname, origin } : null;
}

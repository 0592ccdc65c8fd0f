import 'server-only';
import { env } from './env.ts';

/**
 * What screens may know of the settings of this installation. Addresses, keys and secrets stay
 * behind `env`.
 */
export type Workspace = {
  /** The providers are the simulator: no real money. */
  testMode: boolean;
  /** The zone in which every time is shown and every day is counted. */
  timeZone: string;
  /** The one origin that browsers use: scheme, host and port. */
  origin: string;
  /** Browsers reach it over https, so cookies may insist on it. */
  secure: boolean;
};

/**
 * The name of a cookie of ours. `__Host-` binds it to this host, so that a sister's subdomain
 * cannot plant one; it needs https, and the demo speaks http to this machine only.
 */
export function cookieName(name: string): string {
  return workspace().secure ? `__Host-${name}` : name;
}

export function workspace(): Workspace {
  const { sandboxOn, timeZone, appOrigin } = env();
  return {
    testMode: sandboxOn,
    timeZone,
    origin: appOrigin,
    secure: appOrigin.startsWith('https:'),
  };
}

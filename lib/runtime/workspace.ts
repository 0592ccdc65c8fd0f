import 'server-only';
import { env } from './env.ts';

/**
 * The settings of this installation that screens may show. Addresses, keys and secrets stay in
 * `env`.
 */
export type Workspace = {
  /** The providers are the simulator: no real money. */
  testMode: boolean;
  /**
   * The address of the simulator, whose page shows the codes and passwords of the demo people; null
   * with real providers.
   */
  demoPhone: string | null;
  /** The time zone in which every time is shown and every day is counted. */
  timeZone: string;
  /** The one origin that browsers use: scheme, host and port. */
  origin: string;
  /** Browsers use https, so cookies may require it. */
  secure: boolean;
};

/**
 * The name of a cookie of ours. `__Host-` binds it to this host, so that a sibling subdomain cannot
 * set it; it needs https, and the demo uses http on this machine only.
 */
export function cookieName(name: string): string {
  return workspace().secure ? `__Host-${name}` : name;
}

export function workspace(): Workspace {
  const { sandboxOn, sandboxUrl, timeZone, appOrigin } = env();
  return {
    testMode: sandboxOn,
    demoPhone: sandboxOn ? sandboxUrl : null,
    timeZone,
    origin: appOrigin,
    secure: appOrigin.startsWith('https:'),
  };
}

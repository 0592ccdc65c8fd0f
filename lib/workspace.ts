import 'server-only';
import { env } from '#lib/env.ts';

/** What screens may know of the settings of this installation. Addresses, keys and secrets stay behind `env`. */
export type Workspace = {
  /** The providers are the simulator: no real money. */
  testMode: boolean;
  /** The zone in which every time is shown and every day is counted. */
  timeZone: string;
  /** Browsers reach it over https, so cookies may insist on it. */
  secure: boolean;
};

export function workspace(): Workspace {
  const { sandboxOn, timeZone, appOrigin } = env();
  return { testMode: sandboxOn, timeZone, secure: appOrigin.startsWith('https:') };
}

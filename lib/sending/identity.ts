/**
 * Which provider an installation speaks to and as whom it sends. The database remembers both: a copy of it, or the same one
 * with other credentials, must not send. Pure.
 */
export type Identity = { environment: string; sender: string };

/** The provider's addresses, in one form; the simulator is one environment wherever it listens. */
export function environmentOf(settings: { sandboxOn: boolean; walletAuthUrl: string; walletApiUrl: string }): string {
  if (settings.sandboxOn) return 'sandbox';
  return [settings.walletAuthUrl, settings.walletApiUrl].map((address) => new URL(address).href.replace(/\/+$/, '')).join(' ');
}

export function sameIdentity(one: Identity, other: Identity): boolean {
  return one.environment === other.environment && one.sender === other.sender;
}

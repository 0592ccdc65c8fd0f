/**
 * Which provider an installation speaks to and as whom it sends. The database remembers both: a
 * copy of it, or the same one with other credentials, must not send. Pure.
 */
export type ProviderAccount = { environment: string; sender: string; gateway: string };
/** What a process knows of itself; the account is null while the provider has not said it. */
export type OwnIdentity = Omit<ProviderAccount, 'sender'> & { sender: string | null };
/** What the database remembers; null is not known yet. */
export type Binding = { [part in keyof ProviderAccount]: string | null };

/** The provider's addresses, in one form; the simulator is one environment wherever it listens. */
export function environmentOf(settings: {
  sandboxOn: boolean;
  walletAuthUrl: string;
  walletApiUrl: string;
}): string {
  if (settings.sandboxOn) return 'sandbox';
  return [settings.walletAuthUrl, settings.walletApiUrl].map(addressOf).join(' ');
}

/** The card gateway's address; its account is the one that the books are named after. */
export function gatewayOf(settings: { sandboxOn: boolean; cardBaseUrl: string }): string {
  return settings.sandboxOn ? 'sandbox' : addressOf(settings.cardBaseUrl);
}

/**
 * Whether money may leave for the provider and account that the database is about. What goes
 * through the card gateway does not wait for the wallet service to say whose account it is.
 */
export function bindingOf(
  held: Binding | null,
  own: OwnIdentity,
  ofGateway: boolean,
): 'bound' | 'other' | 'unconfirmed' {
  if (held === null) return 'unconfirmed';
  if (differenceOf(held, own) !== null) return 'other';
  const needed = ofGateway ? (['gateway'] as const) : (['environment', 'sender'] as const);
  return needed.every((part) => held[part] !== null && held[part] === own[part])
    ? 'bound'
    : 'unconfirmed';
}

/**
 * The first part in which what the database remembers and what a process says differ; what either
 * does not know yet differs in nothing.
 */
export function differenceOf(held: Binding, own: OwnIdentity): keyof ProviderAccount | null {
  return (
    PARTS.find((part) => held[part] !== null && own[part] !== null && held[part] !== own[part]) ??
    null
  );
}

/**
 * What the database remembers from now on. Addresses without an account bind only the gateway: the
 * account is the wallet service's word.
 */
export function completed(held: Binding, own: OwnIdentity): Binding {
  const { environment, sender } =
    own.sender === null
      ? held
      : { environment: held.environment ?? own.environment, sender: held.sender ?? own.sender };
  return { environment, sender, gateway: held.gateway ?? own.gateway };
}

const PARTS = ['environment', 'gateway', 'sender'] as const;

function addressOf(text: string): string {
  return new URL(text).href.replace(/\/+$/, '');
}

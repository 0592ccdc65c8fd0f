/**
 * The provider and account that an installation sends with. The database stores both: a copy of it,
 * or the same database with other credentials, must not send. Pure.
 */
export type ProviderAccount = { environment: string; sender: string; gateway: string };
/** The values of this process; the account is null until the provider has returned it. */
export type OwnIdentity = Omit<ProviderAccount, 'sender'> & { sender: string | null };
/** The values stored in the database; null means not known yet. */
export type Binding = { [part in keyof ProviderAccount]: string | null };

/** The provider's addresses in one normal form; the simulator is one environment on any port. */
export function environmentOf(settings: {
  sandboxOn: boolean;
  walletAuthUrl: string;
  walletApiUrl: string;
}): string {
  if (settings.sandboxOn) return 'sandbox';
  return [settings.walletAuthUrl, settings.walletApiUrl].map(addressOf).join(' ');
}

/**
 * The card gateway's address. The gateway's account needs no binding: every row of the database
 * belongs to the merchant of the configured merchant key.
 */
export function gatewayOf(settings: { sandboxOn: boolean; cardBaseUrl: string }): string {
  return settings.sandboxOn ? 'sandbox' : addressOf(settings.cardBaseUrl);
}

/**
 * Whether this process may send for the account that the database is bound to. Card kinds do not
 * wait until the wallet service returns the account.
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
 * The first part in which the stored values and those of a process differ; an unknown value never
 * differs.
 */
export function differenceOf(held: Binding, own: OwnIdentity): keyof ProviderAccount | null {
  return (
    PARTS.find((part) => held[part] !== null && own[part] !== null && held[part] !== own[part]) ??
    null
  );
}

/**
 * The stored values after a merge. Addresses without an account bind only the gateway: the account
 * comes from the wallet service.
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

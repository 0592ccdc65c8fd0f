import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { once, soon } from '#lib/runtime/short-lived-cache.ts';
import { env } from '#lib/runtime/env.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import { panelEntries } from '#lib/runtime/webhook-keys.ts';
import type { PanelEntry, WebhookKind } from '#lib/runtime/webhook-keys.ts';
import type { CardEntry, PaymentMode } from '#lib/providers/card/types.ts';
import { loginClient } from '#lib/providers/login/configured-client.ts';
import type { LoginCurrency } from '#lib/providers/login/types.ts';
import { providerToken } from '#lib/login/provider-token.ts';

const SHARED_MS = 30_000;
const ID_SHOWN = 4;

/**
 * This installation's connection to the card gateway. Only the end of the app id is shown, and
 * nothing of the app secret.
 */
export type ConnectionView = {
  host: string;
  sandbox: boolean;
  appId: string;
  entry: CardEntry;
  /** The mode in the token (`is_3d`); null while the gateway cannot be queried. */
  mode: PaymentMode | null;
};

export async function viewConnection(actor: Person): Promise<ConnectionView> {
  assertMay(actor, 'card.read');
  const { cardBaseUrl, cardAppId, cardEntry, sandboxOn } = env();
  const mode = await soon(once('card-mode', SHARED_MS, () => cardClient().paymentMode()));
  return {
    host: new URL(cardBaseUrl).host,
    sandbox: sandboxOn,
    appId: masked(cardAppId),
    entry: cardEntry,
    mode: mode?.kind === 'answered' ? mode.value : null,
  };
}

function masked(id: string): string {
  return `••••${id.length > 2 * ID_SHOWN ? id.slice(-ID_SHOWN) : ''}`;
}

/**
 * What to enter in the gateway's panel so that its webhooks arrive here. Anybody with the address
 * can send webhooks, so only the owner sees it.
 */
export type HooksView = { entries: PanelEntry[]; unnamed: WebhookKind[] };

export function viewHooks(actor: Person): HooksView | null {
  if (!may(actor.role, 'notice.address')) return null;
  const { appOrigin, webhookKeys, cardHooks } = env();
  const kinds = Object.keys(cardHooks) as WebhookKind[];
  return {
    entries: panelEntries(cardHooks, `${appOrigin}/api/webhooks/${webhookKeys[0]}/card`),
    unnamed: kinds.filter((kind) => cardHooks[kind] === null),
  };
}

/**
 * `signed_in_long_ago`: the provider's token of this session has expired; a new sign-in gets
 * another.
 */
export type CurrenciesView =
  | { kind: 'listed'; currencies: LoginCurrency[] }
  | { kind: 'signed_in_long_ago' }
  | { kind: 'no_answer' };

/** The merchant's currencies, queried with the viewer's own token (`contract`: dpl/create). */
export async function viewCurrencies(actor: Person): Promise<CurrenciesView> {
  assertMay(actor, 'card.read');
  const token = await providerToken(actor);
  if (token === null) return { kind: 'signed_in_long_ago' };
  const answer = await soon(loginClient().listCurrencies(token));
  if (answer?.kind === 'listed') return { kind: 'listed', currencies: answer.currencies };
  return answer?.kind === 'unauthorized' ? { kind: 'signed_in_long_ago' } : { kind: 'no_answer' };
}

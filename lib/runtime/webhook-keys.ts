/**
 * The registry of webhook keys. A key is a name that the merchant gives to an address in the
 * gateway's panel; a request names the key and the gateway checks that it exists (`contract`: 55
 * and 56 when it does not). The gateway has no operation to write or read the registry, so ours is
 * a list: the entries for a person to copy into the panel, and the values of the request fields.
 * Pure.
 */

/**
 * Webhook kinds of the panel that have a key. Chargebacks have an address and no key
 * (`published-weak`).
 */
export type WebhookKind = 'sale' | 'recurring' | 'refund' | 'cashout_reverse';

/**
 * The key of each webhook kind; null: not registered, so requests name no key. A recurring payment
 * is not possible without its key (`contract`).
 */
export type WebhookKeys = Readonly<Record<WebhookKind, string | null>>;

/**
 * The request field for each key (sale, recurring: `contract`; the others `published`).
 */
export const WEBHOOK_FIELDS: Readonly<Record<WebhookKind, string>> = {
  sale: 'sale_web_hook_key',
  recurring: 'recurring_web_hook_key',
  refund: 'refund_web_hook_key',
  cashout_reverse: 'reverse_web_hook_key',
};

const KINDS: readonly WebhookKind[] = ['sale', 'recurring', 'refund', 'cashout_reverse'];

/** The alphabet is not published: these characters are safe in forms, addresses and the panel. */
const KEY = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * @throws RangeError for a name that cannot be registered, or that two kinds share: their webhooks
 * could not be told apart.
 */
export function webhookKeys(names: Partial<Record<WebhookKind, string>>): WebhookKeys {
  const given = Object.values(names);
  if (given.some((name) => !KEY.test(name)) || new Set(given).size !== given.length)
    throw new RangeError('a webhook key is a distinct name of letters, digits, - and _');
  return {
    sale: names.sale ?? null,
    recurring: names.recurring ?? null,
    refund: names.refund ?? null,
    cashout_reverse: names.cashout_reverse ?? null,
  };
}

export type PanelEntry = { kind: WebhookKind | 'chargeback'; key: string | null; address: string };

/** The entries for the gateway's panel: each key with our one address for card webhooks. */
export function panelEntries(keys: WebhookKeys, address: string): PanelEntry[] {
  const named = KINDS.filter((kind) => keys[kind] !== null).map((kind): PanelEntry => ({
    kind,
    key: keys[kind],
    address,
  }));
  return [...named, { kind: 'chargeback', key: null, address }];
}

import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { toDecimal } from '#lib/values/money.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import type { SavedCard } from '#lib/providers/card/saved-cards.ts';
import type { BrowserForm } from '#lib/providers/card/types.ts';
import { cardOrderOf, savedOrderOf } from './content.ts';
import type { ChargeContent, ChargeKind } from './content.ts';
import { factsOf, findCharge, isOpen } from './row.ts';

/** The browser's return address, for every outcome of the payment. */
export const RETURN_PATH = '/api/cards/return';

/**
 * A checkout that still waits for its card. `form`: the form that the browser posts to the gateway;
 * null when this server sends the charge.
 */
export type Taking = {
  id: string;
  kind: ChargeKind;
  amount: string;
  currency: string;
  content: ChargeContent;
  form: BrowserForm | null;
  card: string | null;
  now: string;
};

/**
 * What the page for typing a card or confirming a saved card shows. `closed`: the payment was sent,
 * or a browser came back already; its outcome is on the payment's page. `no_card`: the gateway no
 * longer stores that card, or did not respond.
 *
 * @throws Refusal not_allowed
 */
export async function readTaking(
  actor: Person,
  id: string,
): Promise<Taking | 'missing' | 'closed' | 'no_card'> {
  assertMay(actor, 'card.charge');
  const raw = await inTransaction(actor.merchantId, (tx) => findCharge(tx, id));
  if (!raw) return 'missing';
  if (!isOpen(raw) || raw.kind === 'link') return 'closed';
  const taking = {
    id,
    kind: raw.kind,
    amount: toDecimal(raw.amount_minor),
    currency: raw.currency,
    content: raw.content,
    now: raw.now.toISOString(),
  };
  const facts = factsOf(raw, actor.ip);
  const back = `${env().appOrigin}${RETURN_PATH}`;
  // The browser returns by GET, as in the contract's sample: a cross-site POST would arrive without
  // the session's cookie.
  const ways = {
    returnUrl: back,
    cancelUrl: back,
    backBy: 'GET' as const,
    completedBy: raw.content.verifyFirst ? ('merchant' as const) : ('app' as const),
    ...(raw.content.agriculture ? { agriculture: raw.content.agriculture } : {}),
  };
  if (raw.kind === 'three_d')
    return env().cardEntry === 'off'
      ? 'closed'
      : { ...taking, form: cardClient().threeDForm(cardOrderOf(facts), ways), card: null };
  if (raw.kind === 'non_secure')
    return env().cardEntry === 'all' ? { ...taking, form: null, card: null } : 'closed';
  const card = await savedCardOf(raw.content);
  if (card === null) return 'no_card';
  return {
    ...taking,
    form:
      raw.kind === 'saved_three_d'
        ? cardClient().savedCardForm(savedOrderOf(facts, card.token), ways)
        : null,
    card: card.masked,
  };
}

/** The card as the gateway stores it now. Its token is not stored here. */
export async function savedCardOf({ savedCard }: ChargeContent): Promise<SavedCard | null> {
  if (savedCard === undefined) return null;
  const listed = await cardClient().listSavedCards(savedCard.customerNumber);
  return listed.kind === 'answered'
    ? (listed.value.find(
        (one) => one.id === savedCard.recordId && one.customerNumber === savedCard.customerNumber,
      ) ?? null)
    : null;
}

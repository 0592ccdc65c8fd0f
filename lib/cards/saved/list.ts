import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { soon } from '#lib/runtime/short-lived-cache.ts';
import { gatewayTime } from '#lib/values/gateway-time.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import type { SavedCard } from '#lib/providers/card/saved-cards.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { maskEmail, maskPhone } from '#lib/values/mask-contact.ts';
import { lastFour, rememberCustomer } from './customers.ts';
import { handleOf } from './handle.ts';

/**
 * A card as screens show it. `token`: its last four characters, to distinguish two cards with the
 * same number; times ISO.
 */
export type CardShown = {
  handle: string;
  card: string | null;
  token: string;
  bank: string | null;
  createdAt: string | null;
  updatedAt: string | null;
};
/**
 * The cards of one customer; null when the gateway could not be queried, or did not respond in
 * time. E-mail and phone are masked for roles that do not need them.
 */
export type CardsOfCustomer = {
  name: string | null;
  email: string | null;
  phone: string | null;
  cards: CardShown[];
} | null;

const TOKEN_SHOWN = 4;

/** The cards that the gateway stores for a customer, queried now. */
export async function cardsOfCustomer(actor: Person, number: string): Promise<CardsOfCustomer> {
  assertMay(actor, 'card.read');
  const answer = await soon(cardClient().listSavedCards(number));
  if (answer?.kind === 'not_found') return { name: null, email: null, phone: null, cards: [] };
  if (answer?.kind !== 'answered') return null;
  await rememberCustomer(actor, number, answer.value);
  const first = (part: (card: SavedCard) => string | null): string | null =>
    answer.value.map(part).find((text) => text !== null) ?? null;
  const whole = may(actor.role, 'payee.read');
  const reach = (text: string | null, mask: (text: string) => string): string | null =>
    text === null || whole ? text : mask(text);
  return {
    name: first((card) => card.customerName),
    email: reach(
      first((card) => card.customerEmail),
      maskEmail,
    ),
    phone: reach(
      first((card) => card.customerPhone),
      maskPhone,
    ),
    cards: answer.value.map((card) => toShown(number, card)),
  };
}

/**
 * The card of a handle, from a list read now.
 *
 * @throws Refusal saved_cards_unread, saved_card_gone
 */
export async function cardOf(number: string, handle: string): Promise<SavedCard> {
  const answer = await cardClient().listSavedCards(number);
  if (answer.kind === 'no_answer') throw new Refusal('saved_cards_unread');
  const card =
    answer.kind === 'answered'
      ? answer.value.find((one) => handleOf(number, one.token) === handle)
      : undefined;
  if (card === undefined) throw new Refusal('saved_card_gone');
  return card;
}

function toShown(customer: string, card: SavedCard): CardShown {
  return {
    handle: handleOf(customer, card.token),
    card: lastFour(card.masked),
    token: card.token.slice(-TOKEN_SHOWN),
    bank: card.bank,
    createdAt: moment(card.createdAt),
    updatedAt: moment(card.updatedAt),
  };
}

function moment(text: string | null): string | null {
  const ms = gatewayTime(text);
  return ms === null ? null : new Date(ms).toISOString();
}

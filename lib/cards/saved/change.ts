import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import type { ManagementOutcome } from '#lib/providers/card/management-call.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import { TypedCard } from '#lib/providers/card/typed-card.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { lastFour, rememberCustomer } from './customers.ts';
import { cardOf } from './list.ts';
import type { Expiry, Registration } from './schema.ts';

/**
 * The gateway's response, and the number of the customer's cards in a list read after it; null when
 * the list could not be read.
 */
export type CardAnswer =
  | { kind: 'done' | 'unclear' | 'gone'; cards: number | null }
  | { kind: 'refused'; code: string; cards: number | null };

type What = 'save' | 'edit' | 'delete';

/** Whether card numbers may be typed here (`CARD_ENTRY`, docs/money-rules.md, "Card numbers"). */
export function mayTypeCards(): boolean {
  return env().cardEntry === 'all';
}

/**
 * Has the gateway store a card. Its number is in memory for this one request only: it is in no row,
 * no log, no audit entry and no error. The same card again gets the same token (`assumed`), so
 * saving may be repeated after an unclear response.
 *
 * @throws Refusal not_allowed, card_entry_off, too_many
 */
export async function registerCard(
  actor: Person,
  { customer, holder, number, expiry }: Registration,
): Promise<CardAnswer> {
  assertMay(actor, 'card.saved');
  if (!mayTypeCards()) throw new Refusal('card_entry_off');
  const typed = new TypedCard({
    holder,
    number,
    expiryMonth: expiry.month,
    expiryYear: expiry.year,
    securityCode: null,
  });
  return carryOut(actor, { what: 'save', customer: customer.number, card: number.slice(-4) }, () =>
    cardClient().saveCard(customer, typed),
  );
}

/** @throws Refusal not_allowed, saved_cards_unread, saved_card_gone, too_many */
export async function changeCard(
  actor: Person,
  {
    customer,
    handle,
    holder,
    expiry,
  }: { customer: string; handle: string; holder: string | null; expiry: Expiry },
): Promise<CardAnswer> {
  assertMay(actor, 'card.saved');
  const { token, masked } = await cardOf(customer, handle);
  const change = {
    customerNumber: customer,
    token,
    expiryMonth: expiry.month,
    expiryYear: expiry.year,
    ...(holder === null ? {} : { holderName: holder }),
  };
  return carryOut(actor, { what: 'edit', customer, card: lastFour(masked) }, () =>
    cardClient().editCard(change),
  );
}

/**
 * Has the gateway delete a card.
 *
 * @throws Refusal not_allowed, saved_cards_unread, saved_card_gone, too_many
 */
export async function removeCard(
  actor: Person,
  { customer, handle }: { customer: string; handle: string },
): Promise<CardAnswer> {
  assertMay(actor, 'card.saved');
  const { token, masked } = await cardOf(customer, handle);
  return carryOut(actor, { what: 'delete', customer, card: lastFour(masked) }, () =>
    cardClient().deleteCard({ customerNumber: customer, token }),
  );
}

/**
 * Sends the request, with an audit entry before the request and one after its response; then reads
 * the list again, which shows the current cards whatever the response was.
 */
async function carryOut(
  actor: Person,
  { what, customer, card }: { what: What; customer: string; card: string | null },
  errand: () => Promise<ManagementOutcome<unknown>>,
): Promise<CardAnswer> {
  await countAttempt(actor, 'saved.change');
  const note = (action: string, detail: Record<string, string | null>): Promise<void> =>
    inTransaction(actor.merchantId, (tx) =>
      audit(tx, actor, action, 'customer:cards', { what, card, ...detail }, { customer }),
    );
  await note('card.saved_asked', {});
  const outcome = await errand();
  const code = 'code' in outcome ? (outcome.code ?? null) : null;
  await note('card.saved_answered', { answer: outcome.kind, code });
  const list = await cardClient().listSavedCards(customer);
  if (list.kind === 'answered') await rememberCustomer(actor, customer, list.value);
  const cards = list.kind === 'answered' ? list.value.length : null;
  switch (outcome.kind) {
    case 'done':
      return { kind: 'done', cards };
    case 'refused':
      return { kind: 'refused', code: outcome.code, cards };
    case 'not_found':
      return { kind: 'gone', cards };
    case 'no_answer':
      return { kind: 'unclear', cards };
  }
}

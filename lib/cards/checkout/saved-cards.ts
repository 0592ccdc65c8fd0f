import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';

const CUSTOMER_NUMBER = /^\d{1,19}$/;

/**
 * A card to choose, without its token. `prefix`: its first digits, needed to query installments.
 */
export type SavedCardChoice = {
  recordId: string;
  card: string;
  bank: string | null;
  prefix: string | null;
};

/**
 * The cards that the gateway stores for a customer; null without a response, empty for an invalid
 * customer number.
 */
export async function savedCardsOf(
  actor: Person,
  customerNumber: string,
): Promise<SavedCardChoice[] | null> {
  assertMay(actor, 'card.charge');
  if (!CUSTOMER_NUMBER.test(customerNumber.trim())) return [];
  const listed = await cardClient().listSavedCards(customerNumber.trim());
  if (listed.kind !== 'answered') return null;
  return listed.value.map((one) => ({
    recordId: one.id,
    card: `•••• ${one.masked?.slice(-4) ?? ''}`,
    bank: one.bank,
    prefix: one.bin !== null && /^\d{6}(?:\d{2})?$/.test(one.bin) ? one.bin : null,
  }));
}

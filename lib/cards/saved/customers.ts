import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import type { SavedCard } from '#lib/providers/card/saved-cards.ts';
import { storable } from '#lib/runtime/stored-text.ts';

const CUSTOMERS_MAX = 100;

/**
 * A customer whose cards were listed from here. `cards`: the last four digits of each card, as
 * listed.
 */
export type KnownCustomer = {
  number: string;
  name: string | null;
  cards: string[];
  readAt: string;
};

/** The customers known here, the most recently viewed first. The gateway has no list of them. */
export async function knownCustomers(
  actor: Person,
): Promise<{ customers: KnownCustomer[]; now: string }> {
  assertMay(actor, 'card.read');
  const rows = await inOne<
    Row<'card_customers', 'number' | 'name' | 'cards' | 'read_at'> & { now: Date }
  >(
    actor.merchantId,
    sql`
    SELECT number, name, cards, read_at, clock_timestamp() AS now FROM card_customers
      ORDER BY read_at DESC, number LIMIT ${CUSTOMERS_MAX}`,
  );
  return {
    customers: rows.map((row) => ({
      number: row.number,
      name: row.name,
      cards: row.cards,
      readAt: row.read_at.toISOString(),
    })),
    now: (rows[0]?.now ?? new Date()).toISOString(),
  };
}

/**
 * Stores the customer and four digits of each card. A number for which the gateway has no cards,
 * and never had any, is not stored.
 */
export async function rememberCustomer(
  actor: Person,
  number: string,
  cards: readonly SavedCard[],
): Promise<void> {
  const name = storable(cards.find((card) => card.customerName !== null)?.customerName ?? null);
  const digits = cards.map((card) => lastFour(card.masked)).filter((one) => one !== null);
  await inOne(
    actor.merchantId,
    cards.length === 0
      ? sql`UPDATE card_customers SET cards = '{}', read_at = clock_timestamp() WHERE number = ${number}`
      : sql`
      INSERT INTO card_customers (merchant_id, number, name, cards, read_at)
        VALUES (${actor.merchantId}::uuid, ${number}, ${name}, ${digits}::text[], clock_timestamp())
      ON CONFLICT (merchant_id, number) DO UPDATE
        SET name = coalesce(excluded.name, card_customers.name), cards = excluded.cards,
        read_at = excluded.read_at`,
  );
}

export function lastFour(masked: string | null): string | null {
  return masked?.match(/[0-9]{4}$/)?.[0] ?? null;
}

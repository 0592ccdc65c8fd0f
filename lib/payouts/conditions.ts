import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { daysRange } from '#lib/values/dates.ts';
import { join, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { IS_CARD_BALANCE_PAYOUT, IS_PAYOUT, IS_TRANSFER } from '#lib/movements/kind-sql.ts';
import { IS_WAITING } from '#lib/movements/waiting-sql.ts';
import { movementMatches } from '#lib/readings/match-movements.ts';
import { CARD_BALANCE } from './schema.ts';
import type { PayoutFilter } from './filter.ts';
import { COUNTED_ZONE, IS_OF_PART, keptTotals, totalsOf } from './totals.ts';

/** Two lists of one table: payouts to banks, and transfers between wallets of all three kinds. */
export type Listed = 'payouts' | 'transfers';
export const LISTED: Readonly<Record<Listed, Prisma.Sql>> = {
  payouts: IS_PAYOUT,
  transfers: IS_TRANSFER,
};

/**
 * The conditions of a filter on a movement `m`; the role decides which fields may be searched for.
 * `found`: the ids that the text of the filter means, where they are known to be few.
 */
export function payoutConditions(
  actor: Pick<Person, 'role'>,
  filter: PayoutFilter,
  of: Listed = 'payouts',
  found: readonly string[] | null = null,
): Prisma.Sql {
  const card = isOfCards(filter, of);
  const all: Prisma.Sql[] = [card ? IS_CARD_BALANCE_PAYOUT : LISTED[of]];
  if (filter.view !== 'all') all.push(sql`m.bucket = ${filter.view}`);
  if (filter.part !== null) all.push(IS_OF_PART[filter.part]);
  if (filter.waits !== null) all.push(IS_WAITING[filter.waits]);
  if (filter.wallet !== null && !card) all.push(sql`m.wallet = ${filter.wallet}`);
  if (filter.batch !== null)
    all.push(
      sql`m.id IN (SELECT w.movement_id FROM batch_rows w
        WHERE w.batch_id = ${filter.batch}::uuid)`,
    );
  if (filter.recipient !== null)
    all.push(
      sql`m.iban IN (SELECT p.number FROM recipient_payees p
        WHERE p.recipient_id = ${filter.recipient}::uuid)`,
    );
  if (filter.picked.length > 0) all.push(sql`m.id = ANY(${[...filter.picked]}::uuid[])`);
  const zone = env().timeZone;
  if (filter.from !== null)
    all.push(
      sql`m.created_at >= ${daysRange({ from: filter.from, to: filter.from }, zone).from}::timestamptz`,
    );
  if (filter.to !== null)
    all.push(
      sql`m.created_at < ${daysRange({ from: filter.to, to: filter.to }, zone).to}::timestamptz`,
    );
  if (filter.text !== '')
    all.push(
      found === null ? movementMatches(actor, filter.text) : sql`m.id = ANY(${[...found]}::uuid[])`,
    );
  return join(all, ' AND ');
}

/**
 * The totals of a filter: those that the database keeps, wherever it keeps them by all that the
 * filter names; else those of the rows.
 */
export function payoutTotals(filter: PayoutFilter, conditions: Prisma.Sql, of: Listed): Prisma.Sql {
  const { text, waits, batch, recipient, picked, from, to } = filter;
  const isKept =
    text === '' &&
    waits === null &&
    batch === null &&
    recipient === null &&
    picked.length === 0 &&
    ((from === null && to === null) || env().timeZone === COUNTED_ZONE);
  if (!isKept) return totalsOf(conditions);
  return isOfCards(filter, of)
    ? keptTotals(IS_CARD_BALANCE_PAYOUT, { ...filter, wallet: null })
    : keptTotals(LISTED[of], filter);
}

function isOfCards({ wallet }: PayoutFilter, of: Listed): boolean {
  return of === 'payouts' && wallet === CARD_BALANCE;
}

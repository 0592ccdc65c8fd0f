import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { daysRange } from '#lib/values/dates.ts';
import { join, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import type { Place } from '#lib/values/keyset.ts';
import { ibanMatches } from '#lib/form-fields/iban-search.ts';
import { OWN_WALLETS } from '#lib/provider-records/direction.ts';
import { reportOrder } from '#lib/reports/order.ts';
import { readSearch } from '#lib/form-fields/search-text.ts';
import { KIND_TYPE_IDS } from '#lib/wallets/filter.ts';
import { STATUS_IDS } from './filter.ts';
import type { TransactionFilter, TransactionType } from './filter.ts';

/** The report's SQL over the mirrored ledger, shared by the screen, its sums and the export. */

/** A ledger entry `r`. */
export const LEDGER = sql`ledger_records r`;

const KNOWN_TYPES = Object.values(KIND_TYPE_IDS).flat();
/**
 * A return by the bank: incoming money that names an earlier transaction, or that comes from outside
 * with the reference of a payment of ours.
 */
const IS_RETURN = sql`(r.direction = 'in' AND (r.refers_to IS NOT NULL
  OR (r.type_id IN (${join([...KIND_TYPE_IDS.top_up])}) AND r.ext_id IS NOT NULL
    AND EXISTS (SELECT FROM movements paid WHERE paid.ext_id = r.ext_id))))`;

export const typeOf = sql`CASE WHEN ${IS_RETURN} THEN 'return'
  WHEN r.type_id IN (${join([...KIND_TYPE_IDS.top_up])}) THEN 'top_up'
  WHEN r.type_id IN (${join([...KIND_TYPE_IDS.payout])}) THEN 'payout'
  WHEN r.type_id IN (${join([...KIND_TYPE_IDS.transfer])}) THEN 'transfer' ELSE 'other' END`;

export const statusOf = sql`CASE r.status_id WHEN ${STATUS_IDS.pending} THEN 'pending'
  WHEN ${STATUS_IDS.completed} THEN 'completed' WHEN ${STATUS_IDS.cancelled} THEN 'cancelled'
  WHEN ${STATUS_IDS.refunded} THEN 'refunded' ELSE 'other' END`;

/** Completed entries, and refunded ones, which were completed before: as in the day close. */
export const MOVED = sql`r.status_id IN (${STATUS_IDS.completed}, ${STATUS_IDS.refunded})`;

/** Whether an entry `r` is outgoing money without a sender: the ledger's amount was negative. */
const LEFT = sql`(r.from_wallet IS NULL AND r.direction = 'out')`;

/**
 * The direction of an entry, seen from the wallet of the filter, or else from all own wallets
 * together; an entry without an own wallet keeps the ledger's direction.
 */
export function directionOf({ wallet }: Pick<TransactionFilter, 'wallet'>): Prisma.Sql {
  if (wallet !== null)
    return sql`CASE WHEN r.from_wallet = ${wallet} OR ${LEFT} THEN 'out' ELSE 'in' END`;
  return sql`CASE WHEN r.from_wallet = ANY (${OWN_WALLETS})
    THEN CASE WHEN r.to_wallet = ANY (${OWN_WALLETS}) THEN 'own' ELSE 'out' END
    WHEN r.to_wallet = ANY (${OWN_WALLETS}) AND NOT ${LEFT} THEN 'in' ELSE r.direction END`;
}

/**
 * The fees that the own wallets paid for an entry `r` of a direction `way`: the sender's, the
 * receiver's, or both of a transfer between own wallets.
 */
export const FEES = sql`(CASE WHEN r.way = 'in' THEN 0 ELSE r.fee_minor END
  + CASE WHEN r.way = 'out' THEN 0 ELSE coalesce(r.receiver_fee_minor, 0) END)`;

/**
 * Counts and sums over {@link countedEntries}. Only completed and refunded entries moved money; the
 * others are only counted. Minor units as text.
 */
export const SUMS = sql`count(*)::int AS count,
  coalesce(sum(amount_minor) FILTER (WHERE moved AND way = 'in'), 0)::text AS in,
  coalesce(sum(amount_minor) FILTER (WHERE moved AND way = 'out'), 0)::text AS out,
  coalesce(sum(amount_minor) FILTER (WHERE moved AND way = 'own'), 0)::text AS own,
  coalesce(sum(${FEES}) FILTER (WHERE moved), 0)::text AS fees`;

/** The entries of a filter, as {@link SUMS} adds them up. */
export function countedEntries(actor: Pick<Person, 'role'>, filter: TransactionFilter): Prisma.Sql {
  return sql`SELECT r.currency, r.created_at, r.amount_minor, r.fee_minor,
      r.receiver_fee_minor, ${directionOf(filter)} AS way,
      ${MOVED} AS moved
    FROM ${LEDGER} WHERE ${transactionConditions(actor, filter)}`;
}

function typeIs(type: TransactionType): Prisma.Sql {
  switch (type) {
    case 'return':
      return IS_RETURN;
    case 'other':
      return sql`NOT ${IS_RETURN} AND r.type_id NOT IN (${join(KNOWN_TYPES)})`;
    default:
      return sql`NOT ${IS_RETURN} AND r.type_id IN (${join([...KIND_TYPE_IDS[type]])})`;
  }
}

/** The conditions of a filter on an entry `r`; the role limits what may be searched for. */
export function transactionConditions(
  actor: Pick<Person, 'role'>,
  filter: TransactionFilter,
): Prisma.Sql {
  const range = daysRange({ from: filter.from, to: filter.to }, env().timeZone);
  const all: Prisma.Sql[] = [
    sql`r.created_at >= ${range.from}::timestamptz AND r.created_at < ${range.to}::timestamptz`,
  ];
  if (filter.wallet !== null)
    all.push(sql`(r.from_wallet = ${filter.wallet} OR r.to_wallet = ${filter.wallet})`);
  if (filter.type !== null) all.push(typeIs(filter.type));
  if (filter.direction === 'own')
    all.push(sql`r.from_wallet = ANY (${OWN_WALLETS}) AND r.to_wallet = ANY (${OWN_WALLETS})`);
  else if (filter.direction !== null) all.push(sql`${directionOf(filter)} = ${filter.direction}`);
  if (filter.status !== null)
    all.push(
      filter.status === 'other'
        ? sql`r.status_id NOT IN (${join(Object.values(STATUS_IDS))})`
        : sql`r.status_id = ${STATUS_IDS[filter.status]}`,
    );
  if (filter.min !== null) all.push(sql`r.amount_minor >= ${filter.min}`);
  if (filter.max !== null) all.push(sql`r.amount_minor <= ${filter.max}`);
  const search = textIs(actor, filter.text);
  if (search !== null) all.push(search);
  return join(all, ' AND ');
}

/**
 * The condition of a search text on an entry `r`: words of the entry, the payee of our own movement
 * behind it, one of its numbers, or an amount in either notation.
 */
function textIs(actor: Pick<Person, 'role'>, text: string): Prisma.Sql | null {
  const search = readSearch(text);
  if (search === null) return null;
  const any: Prisma.Sql[] = [sql`r.ext_id = ${text}`];
  if (search.name !== '')
    any.push(
      sql`r.text_fold LIKE ${containing(search.name)}`,
      sql`r.ext_id IN (SELECT ext_id FROM movements WHERE name_fold LIKE ${containing(search.name)})`,
    );
  if (search.iban !== null) any.push(ibanMatches(actor, search.iban, sql`r.sender_iban`));
  if (search.reference !== null) {
    any.push(
      sql`r.ext_id LIKE ${`${search.reference}%`}`,
      sql`r.id = ${search.reference}`,
      sql`r.receipt_number = ${search.reference}`,
      sql`r.group_id = ${search.reference}`,
      sql`r.refers_to = ${search.reference}`,
    );
  }
  if (search.amounts.length > 0) any.push(sql`r.amount_minor IN (${join(search.amounts)})`);
  return sql`(${join(any, ' OR ')})`;
}

/** A LIKE pattern that takes the text literally. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

const SORTED_BY = {
  createdAt: sql`r.created_at`,
  amountMinor: sql`r.amount_minor`,
  id: sql`r.id`,
};

/** The SQL for keyset pagination of an entry `r` from a place. */
export function transactionOrder(
  filter: Pick<TransactionFilter, 'sort' | 'order'>,
  place: Place | null,
): ReturnType<typeof reportOrder> {
  return reportOrder(SORTED_BY, filter, place);
}

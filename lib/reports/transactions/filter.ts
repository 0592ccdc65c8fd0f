import * as z from 'zod';
import { isDay } from '#lib/values/dates.ts';
import { readPlace } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { toDecimal } from '#lib/values/money.ts';
import { amountRange, reportDays } from '#lib/reports/range.ts';

/**
 * The transaction report's filter, read from the query string:
 * `?from=2026-03-01&to=2026-03-06&wallet=…&type=payout
 * &direction=out&status=refunded&min=100.00&max=…&q=şafak&sort=-amount&after=…`.
 * Invalid values are ignored. Pure.
 */

export const TRANSACTION_TYPES = ['top_up', 'payout', 'transfer', 'return', 'other'] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];
/** `own`: from one own wallet to another, which is neither in nor out. */
export const DIRECTIONS = ['in', 'out', 'own'] as const;
export type Direction = (typeof DIRECTIONS)[number];
export const STATUSES = ['completed', 'refunded', 'cancelled', 'pending', 'other'] as const;
export type Status = (typeof STATUSES)[number];
/** The provider's numbers (`published` enumeration); any other is `other`. */
export const STATUS_IDS: Readonly<Record<Exclude<Status, 'other'>, number>> = {
  pending: 10,
  completed: 20,
  cancelled: 40,
  refunded: 60,
};
export const TRANSACTION_SORTS = ['date', 'amount'] as const;
export type TransactionSort = (typeof TRANSACTION_SORTS)[number];

/**
 * `from` and `to` are days in the workspace's zone, both included, always set. With `wallet`, the
 * direction is relative to that wallet. Amounts in minor units.
 */
export type TransactionFilter = {
  from: string;
  to: string;
  wallet: string | null;
  type: TransactionType | null;
  direction: Direction | null;
  status: Status | null;
  min: bigint | null;
  max: bigint | null;
  text: string;
  sort: TransactionSort;
  order: 'ascending' | 'descending';
};
/** `page` counts from 1. A place determines the page; a number without a place is looked up. */
export type TransactionQuery = { filter: TransactionFilter; place: Place | null; page: number };

const TEXT_MAX = 100;
const PAGE_MAX = 1_000_000;
/** '<sort value>_<ledger id>'; an empty id sorts before all others. */
const EDGES: Record<TransactionSort, RegExp> = {
  date: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z_\S{0,64}$/,
  amount: /^\d{1,18}_\S{0,64}$/,
};

const one = z.string().catch('');
const day = one.transform((text) => (isDay(text) ? text : null));
const address = z.object({
  from: day,
  to: day,
  wallet: one.transform((text) => (/^[0-9A-Za-z]{4,30}$/.test(text) ? text : null)),
  type: z.enum(TRANSACTION_TYPES).nullable().catch(null),
  direction: z.enum(DIRECTIONS).nullable().catch(null),
  status: z.enum(STATUSES).nullable().catch(null),
  min: one,
  max: one,
  q: one.transform((text) =>
    text
      .normalize('NFC')
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, TEXT_MAX),
  ),
  sort: one,
  page: one.transform((text) =>
    /^[1-9]\d{0,6}$/.test(text) ? Math.min(Number(text), PAGE_MAX) : 1,
  ),
});

/**
 * `now` is an ISO instant from outside. Without dates: the last thirty days; of a range longer than
 * the mirror covers, its end. Amounts may be typed in the notation of the reader's language.
 */
export function readTransactionQuery(
  params: Record<string, string | string[] | undefined>,
  now: string,
  locale: Locale,
  zone?: string,
): TransactionQuery {
  const {
    q: text,
    sort: sortText,
    min,
    max,
    page,
    from: first,
    to: last,
    ...rest
  } = address.parse(params);
  const sort = TRANSACTION_SORTS.find((known) => known === sortText.replace(/^-/, ''));
  const order = sort === undefined || sortText.startsWith('-') ? 'descending' : 'ascending';
  const filter: TransactionFilter = {
    ...rest,
    ...reportDays(first, last, now, zone),
    ...amountRange(min, max, locale),
    text,
    sort: sort ?? 'date',
    order,
  };
  return { filter, place: readPlace(params, EDGES[filter.sort]), page };
}

/** The filter as query parameters; the days are always included. */
export function transactionParams({
  from,
  to,
  wallet,
  type,
  direction,
  status,
  min,
  max,
  text,
  sort,
  order,
}: TransactionFilter): Record<string, string | null> {
  return {
    from,
    to,
    wallet,
    type,
    direction,
    status,
    min: min === null ? null : toDecimal(min),
    max: max === null ? null : toDecimal(max),
    q: text,
    sort:
      sort === 'date' && order === 'descending'
        ? null
        : `${order === 'descending' ? '-' : ''}${sort}`,
  };
}

/**
 * The filter after a click on a column header: the same column reversed, or the new column with the
 * largest or newest first.
 */
export function sortedBy(filter: TransactionFilter, sort: TransactionSort): TransactionFilter {
  return {
    ...filter,
    sort,
    order: filter.sort === sort && filter.order === 'descending' ? 'ascending' : 'descending',
  };
}

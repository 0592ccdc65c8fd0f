import * as z from 'zod';
import { isDay } from '#lib/values/dates.ts';
import { readPlace } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { toDecimal } from '#lib/values/money.ts';
import { amountRange, reportDays } from '#lib/reports/range.ts';

/**
 * The filter of the report of withdraw requests, read from the query string:
 * `?from=2026-03-01&to=2026-03-06&wallet=…&level=pending
 * &completed=no&min=100.00&max=…&q=şafak&sort=-amount&after=…`.
 * Invalid values are ignored. Pure.
 */

export const LEVELS = ['pending', 'completed', 'rejected', 'failed', 'unknown'] as const;
export type Level = (typeof LEVELS)[number];
export const WITHDRAWAL_SORTS = ['date', 'amount'] as const;
export type WithdrawalSort = (typeof WITHDRAWAL_SORTS)[number];

/**
 * `from` and `to` are days in the workspace's zone, both included, always set: the provider's
 * listing is by day. Amounts in minor units.
 */
export type WithdrawalFilter = {
  from: string;
  to: string;
  wallet: string | null;
  level: Level | null;
  completed: boolean | null;
  min: bigint | null;
  max: bigint | null;
  text: string;
  sort: WithdrawalSort;
  order: 'ascending' | 'descending';
};
export type WithdrawalQuery = { filter: WithdrawalFilter; place: Place | null };

const TEXT_MAX = 100;
/** '<sort value>_<request id>'. */
const EDGES: Record<WithdrawalSort, RegExp> = {
  date: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z_\S{1,64}$/,
  amount: /^\d{1,18}_\S{1,64}$/,
};

const one = z.string().catch('');
const day = one.transform((text) => (isDay(text) ? text : null));
const address = z.object({
  from: day,
  to: day,
  wallet: one.transform((text) => (/^[0-9A-Za-z]{4,30}$/.test(text) ? text : null)),
  level: z.enum(LEVELS).nullable().catch(null),
  completed: one.transform((text) => ({ yes: true, no: false })[text] ?? null),
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
});

/**
 * `now` is an ISO instant from outside. Without dates: the last thirty days. Amounts may be typed
 * in the notation of the reader's language.
 */
export function readWithdrawalQuery(
  params: Record<string, string | string[] | undefined>,
  now: string,
  locale: Locale,
  zone?: string,
): WithdrawalQuery {
  const {
    q: text,
    sort: sortText,
    min,
    max,
    from: first,
    to: last,
    ...rest
  } = address.parse(params);
  const sort = WITHDRAWAL_SORTS.find((known) => known === sortText.replace(/^-/, ''));
  const order = sort === undefined || sortText.startsWith('-') ? 'descending' : 'ascending';
  const filter: WithdrawalFilter = {
    ...rest,
    ...reportDays(first, last, now, zone),
    ...amountRange(min, max, locale),
    text,
    sort: sort ?? 'date',
    order,
  };
  return { filter, place: readPlace(params, EDGES[filter.sort]) };
}

/** The filter as query parameters; the days are always included. */
export function withdrawalParams({
  from,
  to,
  wallet,
  level,
  completed,
  min,
  max,
  text,
  sort,
  order,
}: WithdrawalFilter): Record<string, string | null> {
  return {
    from,
    to,
    wallet,
    level,
    completed: completed === null ? null : completed ? 'yes' : 'no',
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
export function sortedBy(filter: WithdrawalFilter, sort: WithdrawalSort): WithdrawalFilter {
  return {
    ...filter,
    sort,
    order: filter.sort === sort && filter.order === 'descending' ? 'ascending' : 'descending',
  };
}

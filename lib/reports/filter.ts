import * as z from 'zod';
import { addDays, dayIn } from '#lib/values/dates.ts';
import { searchText } from '#lib/values/search-text.ts';
import type { DayRange } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { parseAmount, toDecimal } from '#lib/values/money.ts';
import { DAYS_MAX } from '#lib/provider-records/days.ts';
import { readDay } from '#lib/values/typed-day.ts';

/**
 * What the filters of the reports over the provider's listings have in common, read from the query
 * string: `?from=2026-03-01&to=2026-03-06&wallet=…&min=100.00&max=…&q=şafak&sort=-amount`. Each
 * report adds its own fields. Invalid values are ignored. Pure.
 */

const DEFAULT_DAYS = 30;

const REPORT_SORTS = ['date', 'amount'] as const;
export type ReportSort = (typeof REPORT_SORTS)[number];

/**
 * `from` and `to` are days in the workspace's zone, both included, always set: the provider's
 * listings are by day. Amounts in minor units.
 */
export type ReportFilter = {
  from: string;
  to: string;
  wallet: string | null;
  min: bigint | null;
  max: bigint | null;
  text: string;
  sort: ReportSort;
  order: 'ascending' | 'descending';
};

const one = z.string().catch('');
const day = one.transform(readDay);

/** The query parameters that every report reads. */
export const REPORT_FIELDS = {
  from: day,
  to: day,
  wallet: one.transform((text) => (/^[0-9A-Za-z]{4,30}$/.test(text) ? text : null)),
  min: one,
  max: one,
  q: one.transform((text) => searchText(text)),
  sort: one,
};
const fields = z.object(REPORT_FIELDS);

/**
 * `now` is an ISO instant from outside. Without dates: the last thirty days; of a range longer than
 * the mirror covers, its end. Amounts may be typed in the notation of the reader's language.
 */
export function readReportFilter(
  { from, to, wallet, min, max, q: text, sort: sortText }: z.output<typeof fields>,
  now: string,
  locale: Locale,
  zone?: string,
): ReportFilter {
  const sort = REPORT_SORTS.find((known) => known === sortText.replace(/^-/, ''));
  return {
    ...reportDays(from, to, now, zone),
    wallet,
    ...amountRange(min, max, locale),
    text,
    sort: sort ?? 'date',
    order: sort === undefined || sortText.startsWith('-') ? 'descending' : 'ascending',
  };
}

/** A filter as query parameters with the report's own ones; the days are always included. */
export function reportParams(
  { from, to, wallet, min, max, text, sort, order }: ReportFilter,
  own: Record<string, string | null>,
): Record<string, string | null> {
  return {
    from,
    to,
    wallet,
    ...own,
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
export function sortedBy<F extends ReportFilter>(filter: F, sort: ReportSort): F {
  return {
    ...filter,
    sort,
    order: filter.sort === sort && filter.order === 'descending' ? 'ascending' : 'descending',
  };
}

/**
 * The days of a report, both included: without dates the last thirty; one date alone extends to
 * today, or back by thirty days. At most the last {@link DAYS_MAX}, because older days are not
 * known to be read. `now` is an ISO instant from outside.
 */
export function reportDays(
  first: string | null,
  last: string | null,
  now: string,
  zone?: string,
): DayRange {
  const end = last ?? [dayIn(now, zone), first ?? ''].sort().at(-1)!;
  const [from, to] = [first ?? addDays(end, 1 - DEFAULT_DAYS), end].sort() as [string, string];
  return { from: [from, addDays(to, 1 - DAYS_MAX)].sort()[1]!, to };
}

/** The range of amounts, in minor units. An ambiguous text widens it to each possible amount. */
function amountRange(
  min: string,
  max: string,
  locale: Locale,
): { min: bigint | null; max: bigint | null } {
  return {
    min: readAmounts(min, locale).at(0) ?? null,
    max: readAmounts(max, locale).at(-1) ?? null,
  };
}

/** The amounts that a text can mean, in ascending order. */
function readAmounts(text: string, locale: Locale): bigint[] {
  const parsed = parseAmount(text, locale);
  const found =
    parsed.kind === 'ok' ? [parsed.minor] : parsed.kind === 'ambiguous' ? [...parsed.readings] : [];
  return found.sort((a, b) => (a < b ? -1 : 1));
}

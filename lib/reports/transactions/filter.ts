import * as z from 'zod';
import { readPlace } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { readReportFilter, REPORT_FIELDS, reportParams } from '#lib/reports/filter.ts';
import type { ReportFilter, ReportSort } from '#lib/reports/filter.ts';

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

/** With `wallet`, the direction is relative to that wallet. */
export type TransactionFilter = ReportFilter & {
  type: TransactionType | null;
  direction: Direction | null;
  status: Status | null;
};
/** `page` counts from 1. A place determines the page; a number without a place is looked up. */
export type TransactionQuery = { filter: TransactionFilter; place: Place | null; page: number };

const PAGE_MAX = 1_000_000;
/** The format of a page's edge: '<sort value>_<ledger id>'; an empty id sorts before all others. */
const EDGES: Record<ReportSort, RegExp> = {
  date: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z_\S{0,64}$/,
  amount: /^\d{1,18}_\S{0,64}$/,
};

const one = z.string().catch('');
const address = z.object({
  ...REPORT_FIELDS,
  type: z.enum(TRANSACTION_TYPES).nullable().catch(null),
  direction: z.enum(DIRECTIONS).nullable().catch(null),
  status: z.enum(STATUSES).nullable().catch(null),
  page: one.transform((text) =>
    /^[1-9]\d{0,6}$/.test(text) ? Math.min(Number(text), PAGE_MAX) : 1,
  ),
});

/** `now` is an ISO instant from outside. */
export function readTransactionQuery(
  params: Record<string, string | string[] | undefined>,
  now: string,
  locale: Locale,
  zone?: string,
): TransactionQuery {
  const { type, direction, status, page, ...common } = address.parse(params);
  const filter = { ...readReportFilter(common, now, locale, zone), type, direction, status };
  return { filter, place: readPlace(params, EDGES[filter.sort]), page };
}

/** The filter as query parameters. */
export function transactionParams(filter: TransactionFilter): Record<string, string | null> {
  const { type, direction, status } = filter;
  return reportParams(filter, { type, direction, status });
}

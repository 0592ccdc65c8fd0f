import * as z from 'zod';
import { readPlace } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { readReportFilter, REPORT_FIELDS, reportParams } from '#lib/reports/filter.ts';
import type { ReportFilter, ReportSort } from '#lib/reports/filter.ts';

/**
 * The filter of the report of withdraw requests, read from the query string:
 * `?from=2026-03-01&to=2026-03-06&wallet=…&level=pending
 * &completed=no&min=100.00&max=…&q=şafak&sort=-amount&after=…`.
 * Invalid values are ignored. Pure.
 */

export const LEVELS = ['pending', 'completed', 'rejected', 'failed', 'unknown'] as const;
export type Level = (typeof LEVELS)[number];

export type WithdrawalFilter = ReportFilter & {
  level: Level | null;
  completed: boolean | null;
};
export type WithdrawalQuery = { filter: WithdrawalFilter; place: Place | null };

/** The format of a page's edge: '<sort value>_<request id>'. */
const EDGES: Record<ReportSort, RegExp> = {
  date: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z_\S{1,64}$/,
  amount: /^\d{1,18}_\S{1,64}$/,
};

const address = z.object({
  ...REPORT_FIELDS,
  level: z.enum(LEVELS).nullable().catch(null),
  completed: z
    .enum(['yes', 'no'])
    .transform((text) => text === 'yes')
    .nullable()
    .catch(null),
});

/** `now` is an ISO instant from outside. */
export function readWithdrawalQuery(
  params: Record<string, string | string[] | undefined>,
  now: string,
  locale: Locale,
  zone?: string,
): WithdrawalQuery {
  const { level, completed, ...common } = address.parse(params);
  const filter = { ...readReportFilter(common, now, locale, zone), level, completed };
  return { filter, place: readPlace(params, EDGES[filter.sort]) };
}

/** The filter as query parameters. */
export function withdrawalParams(filter: WithdrawalFilter): Record<string, string | null> {
  const { level, completed } = filter;
  return reportParams(filter, {
    level,
    completed: completed === null ? null : completed ? 'yes' : 'no',
  });
}

import * as z from 'zod';
import { searchText } from '#lib/values/search-text.ts';
import { readPlace } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import { readDay } from '#lib/values/typed-day.ts';

/**
 * The filters of the lists of incoming money, read from the query string. Invalid values are
 * ignored. Pure.
 */

export const TOP_UP_VIEWS = ['all', 'announced', 'arrived'] as const;
/** `from` and `to` are days in the workspace's zone, both included. */
export type TopUpFilter = {
  view: (typeof TOP_UP_VIEWS)[number];
  wallet: string | null;
  from: string | null;
  to: string | null;
  text: string;
};
export type TopUpQuery = { filter: TopUpFilter; place: Place | null };

export const CASE_VIEWS = ['open', 'closed'] as const;
export type CaseQuery = { view: (typeof CASE_VIEWS)[number]; place: Place | null };

const MOMENT = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z`;
const TOP_UP_EDGE = new RegExp(`^${MOMENT}_[^\\p{Cc}]{1,128}$`, 'u');
const CASE_EDGE = new RegExp(`^${MOMENT}_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`);

const one = z.string().catch('');
const day = one.transform(readDay);
const address = z.object({
  view: z.enum(TOP_UP_VIEWS).catch('all'),
  wallet: one.transform((text) => (/^[0-9]{4,20}$/.test(text) ? text : null)),
  from: day,
  to: day,
  q: one.transform((text) => searchText(text)),
});

export function readTopUpQuery(params: Record<string, string | string[] | undefined>): TopUpQuery {
  const { q: text, from, to, ...rest } = address.parse(params);
  const days = from !== null && to !== null && from > to ? { from: to, to: from } : { from, to };
  return { filter: { ...rest, ...days, text }, place: readPlace(params, TOP_UP_EDGE) };
}

export function topUpParams({
  view,
  wallet,
  from,
  to,
  text,
}: TopUpFilter): Record<string, string | null> {
  return { view: view === 'all' ? null : view, wallet, from, to, q: text };
}

export function readCaseQuery(params: Record<string, string | string[] | undefined>): CaseQuery {
  return {
    view: z.enum(CASE_VIEWS).catch('open').parse(params.view),
    place: readPlace(params, CASE_EDGE),
  };
}

/** The time and the id of the row next to a place. */
export function edgeOf({ edge }: Place): { at: string; id: string } {
  const end = edge.indexOf('_');
  return { at: edge.slice(0, end), id: edge.slice(end + 1) };
}

import * as z from 'zod';
import { isInstant } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import { searchText } from '#lib/values/search-text.ts';
import { UUID } from '#lib/values/uuid.ts';

/**
 * The filter of the recipient list in its address: `?view=archived&q=şafak&sort=name&after=…`.
 * Invalid parts are ignored. Pure.
 */

export const RECIPIENT_VIEWS = ['active', 'archived'] as const;
export type RecipientListView = (typeof RECIPIENT_VIEWS)[number];
export const RECIPIENT_SORTS = ['used', 'name'] as const;
export type RecipientSort = (typeof RECIPIENT_SORTS)[number];
type SortOrder = 'ascending' | 'descending';

export type RecipientFilter = {
  view: RecipientListView;
  text: string;
  sort: RecipientSort;
  order: SortOrder;
};
/** `place` is the edge of a page: `<id>_<sort value>` of the row beside it. */
export type RecipientQuery = { filter: RecipientFilter; place: Place | null };

const EDGE_MAX = 1_000;
const EDGE_VALUES: Record<RecipientSort, RegExp> = {
  used: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/,
  name: /^[^\p{Cc}]{0,400}$/u,
};
/** The order after the first click on a column header: latest, or first of the alphabet. */
const FIRST_ORDER: Record<RecipientSort, SortOrder> = { used: 'descending', name: 'ascending' };

export const NO_RECIPIENT_FILTER: RecipientFilter = {
  view: 'active',
  text: '',
  sort: 'used',
  order: 'descending',
};

const one = z.string().catch('');
const address = z.object({
  view: z.enum(RECIPIENT_VIEWS).catch('active'),
  q: one.transform((text) => searchText(text)),
  sort: one,
  after: one,
  before: one,
});

export function readRecipientQuery(
  params: Record<string, string | string[] | undefined>,
): RecipientQuery {
  const { view, q: text, sort: sortText, after, before } = address.parse(params);
  const sort = RECIPIENT_SORTS.find((known) => known === sortText.replace(/^-/, ''));
  const order: SortOrder =
    sort === undefined || sortText.startsWith('-') ? 'descending' : 'ascending';
  const filter: RecipientFilter = { view, text, sort: sort ?? 'used', order };
  if (isEdge(after, filter.sort)) return { filter, place: { side: 'after', edge: after } };
  return { filter, place: isEdge(before, filter.sort) ? { side: 'before', edge: before } : null };
}

/** Defaults are left out, so that equal lists have one address. */
export function recipientParams({
  view,
  text,
  sort,
  order,
}: RecipientFilter): Record<string, string | null> {
  return {
    view: view === 'active' ? null : view,
    q: text,
    sort:
      sort === 'used' && order === 'descending'
        ? null
        : `${order === 'descending' ? '-' : ''}${sort}`,
  };
}

/**
 * The filter after a click on a column header: reverses the current column, or takes another column
 * in its first order.
 */
export function recipientsSortedBy(filter: RecipientFilter, sort: RecipientSort): RecipientFilter {
  if (filter.sort !== sort) return { ...filter, sort, order: FIRST_ORDER[sort] };
  return { ...filter, order: filter.order === 'ascending' ? 'descending' : 'ascending' };
}

export function isRecipientId(id: unknown): id is string {
  return typeof id === 'string' && UUID.test(id);
}

function isEdge(edge: string, sort: RecipientSort): boolean {
  const at = edge.indexOf('_');
  const value = edge.slice(at + 1);
  if (
    edge.length > EDGE_MAX ||
    !UUID.test(edge.slice(0, Math.max(0, at))) ||
    !EDGE_VALUES[sort].test(value)
  )
    return false;
  return sort === 'name' || isInstant(value);
}

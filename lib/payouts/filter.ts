import * as z from 'zod';
import { searchText } from '#lib/values/search-text.ts';
import { isInstant } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import { formatAmount } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/locale.ts';
import { UUID } from '#lib/values/uuid.ts';
import { WAITING_GROUPS } from '#lib/movements/waiting.ts';
import type { WaitingGroup } from '#lib/movements/waiting.ts';
import { CARD_BALANCE } from './schema.ts';
import type { PayoutSearch } from '#lib/form-fields/search-text.ts';
import { readDay } from '#lib/values/typed-day.ts';

/**
 * The filter of the payout list in its address:
 * `?view=attention&wallet=…&from=2026-03-01&to=2026-03-06&q=şafak&sort=-amount&after=…`. Invalid
 * parts are ignored, because addresses are typed and mailed, and a list is better than an error.
 * Pure.
 */

export const PAYOUT_VIEWS = ['all', 'attention', 'progress', 'completed', 'failed'] as const;
export type PayoutListView = (typeof PAYOUT_VIEWS)[number];
/**
 * The parts that a list adds up separately. `unpaid`: the money never left. `unknown`: nobody knows
 * yet where the money is.
 */
export const PAYOUT_PARTS = ['paid', 'pending', 'unknown', 'returned', 'unpaid'] as const;
export type PayoutPart = (typeof PAYOUT_PARTS)[number];
export const PAYOUT_SORTS = ['date', 'amount', 'name'] as const;
export type PayoutSort = (typeof PAYOUT_SORTS)[number];
export type SortOrder = 'ascending' | 'descending';

/** The maximum number of ticked rows in an address; further ones are ignored. */
export const PICKED_MAX = 50;

/** `from` and `to` are days in the workspace's time zone, both included. */
export type PayoutFilter = {
  view: PayoutListView;
  part: PayoutPart | null;
  /** One of the groups that the home page counts. */
  waits: WaitingGroup | null;
  wallet: string | null;
  /** The id of a batch whose rows became these payouts. */
  batch: string | null;
  /** The id of a saved recipient, all of whose accounts the list includes. */
  recipient: string | null;
  /**
   * The ids of the rows that a person ticked one by one, to which the list is narrowed; empty when
   * nothing was ticked.
   */
  picked: readonly string[];
  from: string | null;
  to: string | null;
  text: string;
  sort: PayoutSort;
  order: SortOrder;
};

/** `place` is the edge of a page: `<id>_<sort value>` of the row beside it. */
export type PayoutQuery = { filter: PayoutFilter; place: Place | null };

const EDGE_MAX = 1_000;
const EDGE_VALUES: Record<PayoutSort, RegExp> = {
  date: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/,
  amount: /^\d{1,18}$/,
  name: /^[^\p{Cc}]{0,400}$/u,
};
/**
 * The order after the first click on a column header: newest, largest, or first of the alphabet.
 */
const FIRST_ORDER: Record<PayoutSort, SortOrder> = {
  date: 'descending',
  amount: 'descending',
  name: 'ascending',
};

export const NO_FILTER: PayoutFilter = {
  view: 'all',
  part: null,
  waits: null,
  wallet: null,
  batch: null,
  recipient: null,
  picked: [],
  from: null,
  to: null,
  text: '',
  sort: 'date',
  order: 'descending',
};

const one = z.string().catch('');
/**
 * The ids of ticked rows as a list writes them: with a dot between them, which an address does not
 * encode.
 */
const ids = z
  .union([z.string(), z.array(z.string())])
  .catch('')
  .transform(readPicked);
const uuid = one.transform((text) => (UUID.test(text) ? text : null));
const day = one.transform(readDay);
const address = z.object({
  view: z.enum(PAYOUT_VIEWS).catch('all'),
  part: z.enum(PAYOUT_PARTS).nullable().catch(null),
  waits: z.enum(WAITING_GROUPS).nullable().catch(null),
  wallet: one.transform((text) =>
    text === CARD_BALANCE || /^[0-9]{4,20}$/.test(text) ? text : null,
  ),
  batch: uuid,
  recipient: uuid,
  pick: ids,
  from: day,
  to: day,
  q: one.transform((text) => searchText(text)),
  sort: one,
  after: one,
  before: one,
});

export function readPayoutQuery(
  params: Record<string, string | string[] | undefined>,
): PayoutQuery {
  const {
    q: text,
    pick: picked,
    sort: sortText,
    after,
    before,
    from,
    to,
    ...rest
  } = address.parse(params);
  const days = from !== null && to !== null && from > to ? { from: to, to: from } : { from, to };
  const name = sortText.replace(/^-/, '');
  const sort = PAYOUT_SORTS.find((known) => known === name);
  const order: SortOrder =
    sort === undefined || sortText.startsWith('-') ? 'descending' : 'ascending';
  const filter: PayoutFilter = { ...rest, ...days, picked, text, sort: sort ?? 'date', order };
  if (readEdge(after, filter.sort) !== null)
    return { filter, place: { side: 'after', edge: after } };
  return {
    filter,
    place: readEdge(before, filter.sort) === null ? null : { side: 'before', edge: before },
  };
}

/**
 * The address of a list, relative to its page: '' or '?view=…'. Defaults are left out, so that
 * equal lists have one address.
 */
export function payoutListAddress(filter: PayoutFilter, place: Place | null = null): string {
  const params = new URLSearchParams();
  if (filter.view !== 'all') params.set('view', filter.view);
  if (filter.part !== null) params.set('part', filter.part);
  if (filter.waits !== null) params.set('waits', filter.waits);
  if (filter.wallet !== null) params.set('wallet', filter.wallet);
  if (filter.batch !== null) params.set('batch', filter.batch);
  if (filter.recipient !== null) params.set('recipient', filter.recipient);
  if (filter.picked.length > 0) params.set('pick', filter.picked.join('.'));
  if (filter.from !== null) params.set('from', filter.from);
  if (filter.to !== null) params.set('to', filter.to);
  if (filter.text !== '') params.set('q', filter.text);
  if (filter.sort !== 'date' || filter.order !== 'descending')
    params.set('sort', `${filter.order === 'descending' ? '-' : ''}${filter.sort}`);
  if (place !== null) params.set(place.side, place.edge);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * The filter after a click on a column header: reverses the current column, or takes another column
 * in its first order.
 */
export function sortedBy(filter: PayoutFilter, sort: PayoutSort): PayoutFilter {
  if (filter.sort !== sort) return { ...filter, sort, order: FIRST_ORDER[sort] };
  return { ...filter, order: filter.order === 'ascending' ? 'descending' : 'ascending' };
}

/** True when the list is filtered beyond its tab. */
export function isNarrowed(filter: PayoutFilter): boolean {
  return (
    filter.part !== null ||
    filter.waits !== null ||
    filter.wallet !== null ||
    filter.batch !== null ||
    filter.recipient !== null ||
    filter.picked.length > 0 ||
    filter.from !== null ||
    filter.to !== null ||
    filter.text !== ''
  );
}

/** The amounts that a search text can mean, in the reader's notation: "12.400,00", "12,40". */
export function searchAmounts(search: PayoutSearch, locale: Locale): string[] {
  return search.amounts.map((amount) => formatAmount(amount, locale));
}

/** The ids in `?pick=<id>.<id>`, each once; what is no id is ignored. */
export function readPicked(written: string | readonly string[] | undefined): string[] {
  const all = [written ?? []].flat().flatMap((part) => part.split('.'));
  return [...new Set(all.filter((id) => UUID.test(id)))].slice(0, PICKED_MAX);
}

/** The row id and sort value in an edge of a page ("<id>_<value>"); null when it is invalid. */
function readEdge(edge: string, sort: PayoutSort): { id: string; value: string } | null {
  if (edge.length > EDGE_MAX) return null;
  const at = edge.indexOf('_');
  const id = edge.slice(0, Math.max(0, at));
  const value = edge.slice(at + 1);
  if (!UUID.test(id) || !EDGE_VALUES[sort].test(value)) return null;
  return sort === 'date' && !isInstant(value) ? null : { id, value };
}

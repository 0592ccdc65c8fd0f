/** Responses to requests that move no money. Pure. */
import type * as z from 'zod';
import type { Exchange, Page, Reply } from '../outcome.ts';
import { NOT_FOUND_CODES, REFUSAL_STATUSES } from './codes.ts';
import { isSuccess, openEnvelope } from './wire.ts';
import type { PageAsked, PageOrder } from './types.ts';

/**
 * The number of the first page in `page_index` (`assumed`; ours is always 0). A service that counts
 * from 1 is detected by the page number in its response.
 */
const FIRST_PAGE = 0;
const PAGE_SIZE_MAX = 200;

/**
 * Reads a payload with `schema`. A payload of another shape counts as no response, because a
 * partial list would hide money.
 */
export function readReply<T>(
  exchange: Exchange,
  schema: z.ZodType<T>,
  notFound: ReadonlySet<string> = NOT_FOUND_CODES,
): Reply<T> {
  const opened = openEnvelope(exchange);
  if (opened.kind === 'unauthorized') return { kind: 'no_answer', why: 'unauthorized' };
  if (opened.kind !== 'answer') return { kind: 'no_answer', why: opened.why };
  if (isSuccess(opened)) {
    if (opened.payload === null) return { kind: 'not_found' };
    const read = schema.safeParse(opened.payload);
    return read.success
      ? { kind: 'answered', value: read.data }
      : { kind: 'no_answer', why: 'shape' };
  }
  const { http, code } = opened;
  if (http !== 200) return { kind: 'no_answer', why: 'http_status' };
  if (code === null) return { kind: 'no_answer', why: 'unknown_code' };
  return REFUSAL_STATUSES.has(opened.status) && notFound.has(code)
    ? { kind: 'not_found' }
    : { kind: 'no_answer', why: 'unknown_code', code };
}

/**
 * Paging and order of every list. `order_column` is CreatedDateUtc (`contract`: an example) or the
 * amount's column, named after its field in the same way (`assumed`).
 */
export function pageFields(
  page: PageAsked,
  amountColumn?: string,
): { order_column: string; order_by: 'asc' | 'desc'; page_size: number; page_index: number } {
  const size = Math.min(Math.max(Math.trunc(page.size), 1), PAGE_SIZE_MAX);
  const index = Math.max(Math.trunc(page.index), 0);
  const [column, order] = ORDERS[page.order ?? 'newest'];
  return {
    order_column: column === 'amount' ? (amountColumn ?? CREATED) : CREATED,
    order_by: order,
    page_size: size,
    page_index: index + FIRST_PAGE,
  };
}

const CREATED = 'CreatedDateUtc';
const ORDERS = {
  newest: ['created', 'desc'],
  oldest: ['created', 'asc'],
  largest: ['amount', 'desc'],
  smallest: ['amount', 'asc'],
} as const satisfies Record<PageOrder, readonly [string, string]>;

/**
 * Returns the page only if it matches the query. Names of filters and columns are partly
 * `published` or `assumed`: a provider may ignore a name, and rows outside of the filter would be
 * shown, summed and exported as matching. So a row outside of the filter, or an amount out of the
 * requested order, turns the page into no response.
 */
export function keptTo<Row>(
  reply: Reply<Page<Row>>,
  within: readonly ((row: Row) => boolean)[],
  page: PageAsked,
  amountOf: (row: Row) => bigint,
): Reply<Page<Row>> {
  if (reply.kind !== 'answered') return reply;
  const { rows } = reply.value;
  if (rows.some((row) => !within.every((holds) => holds(row))))
    return { kind: 'no_answer', why: 'filter_ignored' };
  const isInOrder = rows.every((row, index) => {
    const before = index === 0 ? undefined : rows[index - 1];
    if (before === undefined) return true;
    if (page.order === 'largest') return amountOf(before) >= amountOf(row);
    return page.order !== 'smallest' || amountOf(before) <= amountOf(row);
  });
  return isInOrder ? reply : { kind: 'no_answer', why: 'order_ignored' };
}

type PagedPayload<Row> = {
  results: Row[];
  page_index: string | null;
  page_count: number;
  row_count: number;
};

export function readPage<Row, T>(
  exchange: Exchange,
  schema: z.ZodType<PagedPayload<Row>>,
  page: PageAsked,
  toWords: (row: Row) => T,
): Reply<Page<T>> {
  const reply = readReply(exchange, schema);
  const { page_size: size, page_index: index } = pageFields(page);
  if (reply.kind === 'no_answer') return reply;
  // "Nothing found" for a list is an empty list.
  if (reply.kind === 'not_found')
    return {
      kind: 'answered',
      value: { rows: [], index: index - FIRST_PAGE, size, pageCount: 0, rowCount: 0 },
    };
  const { results, page_index: given, page_count: pageCount, row_count: rowCount } = reply.value;
  // A service that counts its pages otherwise would show one page twice and hide another.
  if (given !== null && given !== String(index)) return { kind: 'no_answer', why: 'other_page' };
  // Missing counts are read as 0: the first page would pass for the whole list.
  const isCounted = rowCount >= results.length && (rowCount === 0 || pageCount > 0);
  // A page before the end that shows no row would pass for a list that has none.
  const isShown = results.length > 0 || rowCount === 0 || page.index >= pageCount;
  if (!isCounted || !isShown) return { kind: 'no_answer', why: 'shape' };
  return {
    kind: 'answered',
    value: { rows: results.map(toWords), index: index - FIRST_PAGE, size, pageCount, rowCount },
  };
}

/** Answers to questions that move no money. Pure. */
import type * as z from 'zod';
import type { Exchange, Page, Reply } from '../outcome.ts';
import { NOT_FOUND_CODES, REFUSAL_STATUSES } from './codes.ts';
import { isSuccess, openEnvelope } from './wire.ts';
import type { PageAsked } from './words.ts';

/** The number of the first page in `page_index` (`assumed`; ours is always 0). */
const FIRST_PAGE = 0;
const PAGE_SIZE_MAX = 200;

/** Reads a payload with `schema`. A payload of another shape is no answer: half a list would hide money. */
export function readReply<T>(exchange: Exchange, schema: z.ZodType<T>, notFound: ReadonlySet<string> = NOT_FOUND_CODES): Reply<T> {
  const opened = openEnvelope(exchange);
  if (opened.kind === 'unauthorized') return { kind: 'no_answer', why: 'unauthorized' };
  if (opened.kind !== 'answer') return { kind: 'no_answer', why: opened.why };
  if (isSuccess(opened)) {
    if (opened.payload === null) return { kind: 'not_found' };
    const read = schema.safeParse(opened.payload);
    return read.success ? { kind: 'answered', value: read.data } : { kind: 'no_answer', why: 'shape' };
  }
  const { http, code } = opened;
  if (http !== 200) return { kind: 'no_answer', why: 'http_status' };
  if (code === null) return { kind: 'no_answer', why: 'unknown_code' };
  return REFUSAL_STATUSES.has(opened.status) && notFound.has(code) ? { kind: 'not_found' } : { kind: 'no_answer', why: 'unknown_code', code };
}

/** Paging and order of every list (`contract`: order_column for example CreatedDateUtc). */
export function pageFields(page: PageAsked): { order_column: string; order_by: 'asc' | 'desc'; page_size: number; page_index: number } {
  const size = Math.min(Math.max(Math.trunc(page.size), 1), PAGE_SIZE_MAX);
  const index = Math.max(Math.trunc(page.index), 0);
  return { order_column: 'CreatedDateUtc', order_by: page.order === 'oldest' ? 'asc' : 'desc', page_size: size, page_index: index + FIRST_PAGE };
}

type PagedPayload<Row> = { results: Row[]; page_count: number; row_count: number };

export function readPage<Row, T>(exchange: Exchange, schema: z.ZodType<PagedPayload<Row>>, page: PageAsked, toWords: (row: Row) => T): Reply<Page<T>> {
  const reply = readReply(exchange, schema);
  const { page_size: size, page_index: index } = pageFields(page);
  if (reply.kind === 'no_answer') return reply;
  // "Nothing found" for a list is an empty list.
  if (reply.kind === 'not_found') return { kind: 'answered', value: { rows: [], index: index - FIRST_PAGE, size, pageCount: 0, rowCount: 0 } };
  const { results, page_count: pageCount, row_count: rowCount } = reply.value;
  return { kind: 'answered', value: { rows: results.map(toWords), index: index - FIRST_PAGE, size, pageCount, rowCount } };
}

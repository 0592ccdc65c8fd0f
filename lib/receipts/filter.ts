import * as z from 'zod';
import { searchText } from '#lib/values/search-text.ts';
import { readPlace } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import { readDay } from '#lib/values/typed-day.ts';
import { UUID } from '#lib/values/uuid.ts';

/**
 * The filter of the list of receipts, read from the query string. Invalid values are ignored. Pure.
 */

export const RECEIPT_VIEWS = ['all', 'ready', 'waiting', 'failed'] as const;
export type ReceiptListView = (typeof RECEIPT_VIEWS)[number];

/**
 * `batch`: the id of a batch whose rows were paid. `from` and `to`: days of the payment's completion
 * in the workspace's zone, both included.
 */
export type ReceiptFilter = {
  view: ReceiptListView;
  batch: string | null;
  from: string | null;
  to: string | null;
  text: string;
};
export type ReceiptQuery = { filter: ReceiptFilter; place: Place | null };

export const RECEIPT_EDGE =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const one = z.string().catch('');
const day = one.transform(readDay);
const address = z.object({
  view: z.enum(RECEIPT_VIEWS).catch('all'),
  batch: one.transform((text) => (UUID.test(text) ? text : null)),
  from: day,
  to: day,
  q: one.transform((text) => searchText(text)),
});

export function readReceiptQuery(
  params: Record<string, string | string[] | undefined>,
): ReceiptQuery {
  const { view, batch, from, to, q: text } = address.parse(params);
  const days = from !== null && to !== null && from > to ? { from: to, to: from } : { from, to };
  return { filter: { view, batch, ...days, text }, place: readPlace(params, RECEIPT_EDGE) };
}

export function receiptParams({
  view,
  batch,
  from,
  to,
  text,
}: ReceiptFilter): Record<string, string | null> {
  return { view: view === 'all' ? null : view, batch, from, to, q: text };
}

import * as z from 'zod';

/** Which rows of a draft are shown, in its address: `?show=repaired&page=2`. Pure. */

export const DRAFT_SHOWS = ['problems', 'repaired', 'all'] as const;
export type DraftShow = (typeof DRAFT_SHOWS)[number];
/** `page` counts from 1. */
export type DraftQuery = { show: DraftShow | null; page: number };

export const PAGE_ROWS = 50;
const PAGE_MAX = 10_000;

const address = z.object({
  show: z.enum(DRAFT_SHOWS).nullable().catch(null),
  page: z.coerce.number().int().min(1).max(PAGE_MAX).catch(1),
});

/** Without `show`, problems are shown while there are any, and all rows otherwise. */
export function readDraftQuery(params: Record<string, string | string[] | undefined>): DraftQuery {
  return address.parse({ show: params['show'] ?? null, page: params['page'] ?? 1 });
}

export function draftAddress(id: string, { show, page }: DraftQuery): string {
  const params = new URLSearchParams();
  if (show !== null) params.set('show', show);
  if (page > 1) params.set('page', String(page));
  const text = params.toString();
  return text === '' ? `/batches/${id}` : `/batches/${id}?${text}`;
}

/** The rows of a page, and how many pages there are; a page beyond the last is the last. */
export function pageOfRows<Row>(
  rows: readonly Row[],
  page: number,
): { rows: Row[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS));
  const at = Math.min(page, pages);
  return { rows: rows.slice((at - 1) * PAGE_ROWS, at * PAGE_ROWS), page: at, pages };
}

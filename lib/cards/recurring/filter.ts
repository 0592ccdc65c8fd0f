import * as z from 'zod';
import { searchText } from '#lib/values/search-text.ts';
import { readPlace } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';

/**
 * The filter of the list of plans, read from the query string. Invalid values are ignored. Pure.
 */

export const PLAN_VIEWS = ['all', 'active', 'inactive', 'completed', 'attention'] as const;
export type PlanView = (typeof PLAN_VIEWS)[number];
/**
 * `text`: the beginning of a plan code or of an order number, or the last four digits of a card.
 */
export type PlanFilter = { view: PlanView; text: string };
export type PlanQuery = { filter: PlanFilter; place: Place | null };

export const TEXT_MAX = 128;
const EDGE =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const address = z.object({
  view: z.enum(PLAN_VIEWS).catch('all'),
  q: z
    .string()
    .catch('')
    .transform((text) => searchText(text, TEXT_MAX)),
});

export function readPlanQuery(params: Record<string, string | string[] | undefined>): PlanQuery {
  const { view, q: text } = address.parse(params);
  return { filter: { view, text }, place: readPlace(params, EDGE) };
}

export function planParams({ view, text }: PlanFilter): Record<string, string | null> {
  return { view: view === 'all' ? null : view, q: text };
}

import * as z from 'zod';
import { searchText } from '#lib/values/search-text.ts';
import { readPlace } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import { parseAmount } from '#lib/values/money.ts';
import { HOLD_BUCKETS } from './authorization.ts';
import type { AuthorizationBucket } from './authorization.ts';
import type { PaymentState } from './payment.ts';
import { isUsualDay, readDay } from '#lib/values/typed-day.ts';

/**
 * The filter of the card payment register, read from the query string. Invalid values are ignored.
 * Pure.
 */

export const CARD_VIEWS = ['all', 'held', 'taken', 'given_back', 'failed', 'attention'] as const;
export type CardView = (typeof CARD_VIEWS)[number];

/** The states of each tab; 'all' and 'attention' are not states. */
export const VIEW_STATES: Record<
  Exclude<CardView, 'all' | 'attention'>,
  readonly PaymentState[]
> = {
  held: ['held', 'maybe_captured'],
  taken: ['completed', 'captured'],
  given_back: ['partly_refunded', 'refunded', 'charged_back'],
  failed: ['failed', 'cancelled'],
};

/**
 * The payment states that each total of the register adds up. `unused_link` adds up payment links
 * with which nobody tried to pay, whatever their state; `awaited` every other state, and the
 * payments whose record was not read yet.
 */
export const PART_STATES = {
  taken: ['completed', 'captured'],
  held: ['held'],
  perhaps_taken: ['maybe_captured'],
  partly_refunded: ['partly_refunded'],
  refunded: ['refunded'],
  charged_back: ['charged_back'],
  failed: ['failed'],
  cancelled: ['cancelled'],
} as const satisfies Record<string, readonly PaymentState[]>;
export type CardPart = keyof typeof PART_STATES | 'unused_link' | 'awaited';
export const CARD_PARTS: readonly CardPart[] = [
  ...(Object.keys(PART_STATES) as (keyof typeof PART_STATES)[]),
  'unused_link',
  'awaited',
];
/**
 * Parts that one number of the sales panel adds up together. `sold`: the money was taken,
 * whatever became of it since. `undecided`: it is not known whether money was taken.
 */
export const PART_GROUPS = {
  sold: ['taken', 'partly_refunded', 'refunded', 'charged_back'],
  undecided: ['perhaps_taken', 'awaited'],
} as const satisfies Record<string, readonly CardPart[]>;
/** The states of a payment whose money was taken, including refunds and chargebacks since. */
export const SOLD = PART_GROUPS.sold.flatMap((part) => PART_STATES[part]);
export type CardPartFilter = CardPart | keyof typeof PART_GROUPS;
const CARD_PART_FILTERS: readonly CardPartFilter[] = [
  ...CARD_PARTS,
  ...(Object.keys(PART_GROUPS) as (keyof typeof PART_GROUPS)[]),
];
/** The parts that a filter shows. */
export function partsOf(filter: CardPartFilter): readonly CardPart[] {
  return filter in PART_GROUPS
    ? PART_GROUPS[filter as keyof typeof PART_GROUPS]
    : [filter as CardPart];
}

/** How a payment became known. */
export const CARD_SOURCES = ['made_here', 'notice', 'person'] as const;
export type CardSource = (typeof CARD_SOURCES)[number];

/**
 * `from` and `to`: days in the workspace's zone, both included, on which a payment became known
 * here.
 */
export type CardFilter = {
  view: CardView;
  part: CardPartFilter | null;
  source: CardSource | null;
  from: string | null;
  to: string | null;
  text: string;
};
export const NO_CARD_FILTER: CardFilter = {
  view: 'all',
  part: null,
  source: null,
  from: null,
  to: null,
  text: '',
};
export type CardQuery = { filter: CardFilter; place: Place | null };

export const TEXT_MAX = 128;
export const CARD_EDGE =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const one = z.string().catch('');
const day = one.transform(readDay);
const address = z.object({
  view: z.enum(CARD_VIEWS).catch('all'),
  part: z.enum(CARD_PART_FILTERS).nullable().catch(null),
  source: z.enum(CARD_SOURCES).nullable().catch(null),
  from: day,
  to: day,
  q: one.transform((text) => searchText(text, TEXT_MAX)),
});

export function readCardQuery(params: Record<string, string | string[] | undefined>): CardQuery {
  const { view, part, source, from, to, q: text } = address.parse(params);
  const days = from !== null && to !== null && from > to ? { from: to, to: from } : { from, to };
  return { filter: { view, part, source, ...days, text }, place: readPlace(params, CARD_EDGE) };
}

export function cardParams({
  view,
  part,
  source,
  from,
  to,
  text,
}: CardFilter): Record<string, string | null> {
  return { view: view === 'all' ? null : view, part, source, from, to, q: text };
}

/**
 * What a search text may mean: the beginning of an invoice or order number, the last four digits of
 * a card, or an amount.
 */
export function readCardSearch(
  text: string,
): { number: string; card: string | null; amounts: bigint[] } | null {
  if (text === '') return null;
  const amounts = (['tr', 'en'] as const).flatMap((locale) => {
    const parsed = parseAmount(text, locale);
    return parsed.kind === 'ok'
      ? [parsed.minor]
      : parsed.kind === 'ambiguous'
        ? parsed.readings
        : [];
  });
  return {
    number: text,
    card: /^[*•\s]*(\d{4})$/u.exec(text)?.[1] ?? null,
    amounts: [...new Set(amounts)],
  };
}

/** The queue's filter: a bucket, or the last day on which a capture is possible. */
export type QueueFilter = { bucket: AuthorizationBucket | null; day: string | null };

export function readQueueFilter(
  params: Record<string, string | string[] | undefined>,
): QueueFilter {
  const { bucket, day } = queue.parse(params);
  return { bucket: day === null ? bucket : null, day };
}

const queue = z.object({
  bucket: z.enum(HOLD_BUCKETS).nullable().catch(null),
  day: z.string().refine(isUsualDay).nullable().catch(null),
});

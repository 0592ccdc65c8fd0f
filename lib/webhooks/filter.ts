import * as z from 'zod';
import { isDay } from '#lib/values/dates.ts';
import { readPlace } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';

/**
 * What the webhook log is asked for, as its address says it. What makes no sense is as if it were
 * not there. Pure.
 */

export const NOTICE_EFFECTS = [
  'asked_provider',
  'asked_ledger',
  'desk',
  'nothing_to_ask',
  'no_such_payout',
  'not_understood',
  'other_topic',
  'kept_only',
] as const;
export const NOTICE_CHANNELS = ['wallet', 'card'] as const;

export type NoticeFilter = {
  effect: (typeof NOTICE_EFFECTS)[number] | null;
  channel: (typeof NOTICE_CHANNELS)[number] | null;
  /** Our reference, from its beginning. */
  reference: string;
  from: string | null;
  to: string | null;
};
/** `open` is the notice shown in full beside the list. */
export type NoticeQuery = { filter: NoticeFilter; place: Place | null; open: string | null };

const ID = /^[1-9]\d{0,17}$/;

const one = z.string().catch('');
const day = one.transform((text) => (isDay(text) ? text : null));
const address = z.object({
  effect: z.enum(NOTICE_EFFECTS).nullable().catch(null),
  channel: z.enum(NOTICE_CHANNELS).nullable().catch(null),
  q: one
    .transform((text) => text.trim().toUpperCase())
    .transform((text) => (/^[\p{L}\p{N}_-]{2,64}$/u.test(text) ? text : '')),
  from: day,
  to: day,
  notice: one.transform((text) => (ID.test(text) ? text : null)),
});

export function readNoticeQuery(
  params: Record<string, string | string[] | undefined>,
): NoticeQuery {
  const { q: reference, notice: open, effect, channel, from, to } = address.parse(params);
  const days = from !== null && to !== null && from > to ? { from: to, to: from } : { from, to };
  return { filter: { effect, channel, reference, ...days }, place: readPlace(params, ID), open };
}

export function noticeParams({
  effect,
  channel,
  reference,
  from,
  to,
}: NoticeFilter): Record<string, string | null> {
  return { effect, channel, q: reference, from, to };
}

export function isNoticeId(text: string): boolean {
  return ID.test(text);
}

import * as z from 'zod';
import { readPlace } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import { readDay } from '#lib/values/typed-day.ts';

/** The webhook log's filter, read from the query string. Invalid values are ignored. Pure. */

export const WEBHOOK_EFFECTS = [
  'asked_provider',
  'asked_ledger',
  'desk',
  'nothing_to_ask',
  'no_such_payout',
  'not_understood',
  'other_topic',
  'kept_only',
] as const;
export const WEBHOOK_SOURCES = ['wallet', 'card'] as const;

export type WebhookFilter = {
  effect: (typeof WEBHOOK_EFFECTS)[number] | null;
  channel: (typeof WEBHOOK_SOURCES)[number] | null;
  /** A prefix of our reference. */
  reference: string;
  from: string | null;
  to: string | null;
};
/** `open` is the webhook shown in full beside the list. */
export type WebhookQuery = { filter: WebhookFilter; place: Place | null; open: string | null };

const ID = /^[1-9]\d{0,17}$/;

const one = z.string().catch('');
const day = one.transform(readDay);
const address = z.object({
  effect: z.enum(WEBHOOK_EFFECTS).nullable().catch(null),
  channel: z.enum(WEBHOOK_SOURCES).nullable().catch(null),
  q: one
    .transform((text) => text.trim().toUpperCase())
    .transform((text) => (/^[\p{L}\p{N}_-]{2,64}$/u.test(text) ? text : '')),
  from: day,
  to: day,
  notice: one.transform((text) => (ID.test(text) ? text : null)),
});

export function readWebhookQuery(
  params: Record<string, string | string[] | undefined>,
): WebhookQuery {
  const { q: reference, notice: open, effect, channel, from, to } = address.parse(params);
  const days = from !== null && to !== null && from > to ? { from: to, to: from } : { from, to };
  return { filter: { effect, channel, reference, ...days }, place: readPlace(params, ID), open };
}

export function webhookParams({
  effect,
  channel,
  reference,
  from,
  to,
}: WebhookFilter): Record<string, string | null> {
  return { effect, channel, q: reference, from, to };
}

export function isWebhookId(text: string): boolean {
  return ID.test(text);
}

import 'server-only';
import { env } from '#lib/runtime/env.ts';
import { merchantId } from '#lib/access/merchant.ts';
import { hashesMatch } from '#lib/runtime/secrets.ts';
import { receiveWebhook } from './receive.ts';

/**
 * How many webhooks are handled at once: one fewer than the pool has connections. A burst waits in
 * its own queue and never blocks the pages.
 */
const AT_ONCE = 9;

export type WebhookSource = 'wallet' | 'card';

/**
 * Whether a request has this installation's endpoint key. If not, the response is that of an
 * unknown path. While the provider is switched to a new address, the old one is valid too.
 */
export function isKnownEndpoint(key: string, channel: string): channel is WebhookSource {
  const matches = env().webhookKeys.map((known) => hashesMatch(key, known));
  return matches.includes(true) && (channel === 'wallet' || channel === 'card');
}

const queue: (() => void)[] = [];
let taking = 0;

export async function takeWebhook(channel: WebhookSource, body: string): Promise<void> {
  if (taking >= AT_ONCE) await new Promise<void>((resolve) => queue.push(resolve));
  else taking += 1;
  try {
    await receiveWebhook(merchantId(), channel, body);
  } finally {
    // Passes the slot to the next request in the queue, if there is one.
    const next = queue.shift();
    if (next === undefined) taking -= 1;
    else next();
  }
}

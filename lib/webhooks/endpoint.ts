import 'server-only';
import { env } from '#lib/runtime/env.ts';
import { merchantId } from '#lib/access/merchant.ts';
import { hashesMatch } from '#lib/runtime/secrets.ts';
import { receiveWebhook } from './receive.ts';

/**
 * One fewer than the pool has connections: a burst waits in its own line, and whoever opens a page
 * meanwhile does not wait behind it.
 */
const AT_ONCE = 9;

export type WebhookSource = 'wallet' | 'card';

/**
 * Whether a request knows this installation's door. If not, the edge answers like any unknown path.
 * While the provider is told of a new address, the old one opens too.
 */
export function isKnownEndpoint(key: string, channel: string): channel is WebhookSource {
  const matches = env().webhookKeys.map((known) => hashesMatch(key, known));
  return matches.includes(true) && (channel === 'wallet' || channel === 'card');
}

const line: (() => void)[] = [];
let taking = 0;

export async function takeWebhook(channel: WebhookSource, body: string): Promise<void> {
  if (taking >= AT_ONCE) await new Promise<void>((resolve) => line.push(resolve));
  else taking += 1;
  try {
    await receiveWebhook(merchantId(), channel, body);
  } finally {
    // The place goes to the next in the line, if there is one.
    const next = line.shift();
    if (next === undefined) taking -= 1;
    else next();
  }
}

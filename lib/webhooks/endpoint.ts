import 'server-only';
import { env } from '#lib/runtime/env.ts';
import { merchantId } from '#lib/access/merchant.ts';
import { inStep } from '#lib/runtime/trace.ts';
import { hashesMatch } from '#lib/runtime/secrets.ts';
import { receiveWebhook } from './receive.ts';

export type WebhookSource = 'wallet' | 'card';

/**
 * Whether a request has this installation's endpoint key. If not, the response is that of an
 * unknown path. While the provider is switched to a new address, the old one is valid too.
 */
export function isKnownEndpoint(key: string, channel: string): channel is WebhookSource {
  const matches = env().webhookKeys.map((known) => hashesMatch(key, known));
  return matches.includes(true) && (channel === 'wallet' || channel === 'card');
}

export function takeWebhook(channel: WebhookSource, body: string): Promise<void> {
  return inStep({ name: 'webhook', fields: { provider: channel } }, () =>
    receiveWebhook(merchantId(), channel, body),
  );
}

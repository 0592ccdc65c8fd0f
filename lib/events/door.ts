import 'server-only';
import { env } from '#lib/env.ts';
import { merchantId } from '#lib/merchant.ts';
import { hashesMatch } from '#lib/secrets.ts';
import { receiveNotice } from './receive.ts';

export type Channel = 'wallet' | 'card';

/**
 * Whether a request knows this installation's door. If not, the edge answers like any unknown path. While the provider is told
 * of a new address, the old one opens too.
 */
export function knowsDoor(key: string, channel: string): channel is Channel {
  const matches = env().webhookKeys.map((known) => hashesMatch(key, known));
  return matches.includes(true) && (channel === 'wallet' || channel === 'card');
}

export async function takeNotice(channel: Channel, body: string): Promise<void> {
  await receiveNotice(merchantId(), channel, body);
}

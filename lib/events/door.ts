import 'server-only';
import { env } from '#lib/env.ts';
import { merchantId } from '#lib/merchant.ts';
import { hashesMatch } from '#lib/secrets.ts';
import { receiveNotice } from './receive.ts';

export type Channel = 'wallet' | 'card';

/** Whether a request knows this installation's door. If not, the edge answers like any unknown path. */
export function knowsDoor(key: string, channel: string): channel is Channel {
  return hashesMatch(key, env().webhookKey) && (channel === 'wallet' || channel === 'card');
}

export async function takeNotice(channel: Channel, body: string): Promise<void> {
  await receiveNotice(merchantId(), channel, body);
}

import 'server-only';
import { env } from '#lib/runtime/env.ts';
import { throughCircuit } from '../circuit.ts';
import { countNotSent, measured } from '../measured.ts';
import { respectingWaits } from '../retry-after.ts';
import { exchange } from '../transport.ts';
import { createCardClient } from './client.ts';
import type { CardClient } from './client.ts';

const monotonic = () => performance.now();
let client: CardClient | undefined;

/**
 * The configured card gateway. Created on first use, one per process, because the token is shared.
 */
export function cardClient(): CardClient {
  if (client) return client;
  const { cardBaseUrl, cardAppId, cardAppSecret, merchantKey, cardFieldPrefix, cardEntry } = env();
  client = createCardClient({
    baseUrl: cardBaseUrl,
    appId: cardAppId,
    appSecret: cardAppSecret,
    merchantKey,
    fieldPrefix: cardFieldPrefix,
    entry: cardEntry,
    transport: measured('card', respectingWaits(throughCircuit(exchange, monotonic), monotonic)),
    onNoToken: () => countNotSent('card', 'no_token'),
  });
  return client;
}

import 'server-only';
import { env } from '#lib/runtime/env.ts';
import { throughCircuit } from '../circuit.ts';
import { countNotSent, measured } from '../measured.ts';
import { respectingWaits } from '../retry-after.ts';
import { exchange } from '../transport.ts';
import { createWalletClient } from './client.ts';
import type { WalletClient } from './client.ts';

const monotonic = () => performance.now();
let client: WalletClient | undefined;

/**
 * The configured wallet service. Created on first use, one per process, because the token is
 * shared.
 */
export function walletClient(): WalletClient {
  if (client) return client;
  const { walletAuthUrl, walletApiUrl, walletClientId, walletClientSecret, walletScope } = env();
  client = createWalletClient({
    authUrl: walletAuthUrl,
    apiUrl: walletApiUrl,
    clientId: walletClientId,
    clientSecret: walletClientSecret,
    scope: walletScope,
    transport: measured('wallet', respectingWaits(throughCircuit(exchange, monotonic), monotonic)),
    onNoToken: () => countNotSent('wallet', 'no_token'),
  });
  return client;
}

import 'server-only';
import { env } from '#lib/runtime/env.ts';
import { throughCircuit } from '../circuit.ts';
import { exchange } from '../transport.ts';
import { createLoginClient } from './client.ts';
import type { LoginClient } from './client.ts';

let client: LoginClient | undefined;

/**
 * The configured login service, behind a circuit breaker: after failed connections, sign-in fails
 * at once instead of waiting. A 429 does not pause the requests of other people: one person's
 * attempts may have caused the 429.
 */
export function loginClient(): LoginClient {
  return (client ??= createLoginClient({
    baseUrl: env().loginBaseUrl,
    transport: throughCircuit(exchange, () => performance.now()),
  }));
}

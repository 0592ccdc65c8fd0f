import 'server-only';
import { env } from '#lib/runtime/env.ts';
import { throughCircuit } from '../circuit.ts';
import { exchange } from '../transport.ts';
import { createLoginClient } from './client.ts';
import type { LoginClient } from './types.ts';

let client: LoginClient | undefined;

/**
 * The login service this installation is configured for. Guarded against a host that cannot be
 * reached, so that nobody waits for a connection that has just failed for others. A 429 rests
 * nobody here: it may be about one person's tries, and would lock all others out.
 */
export function loginClient(): LoginClient {
  return (client ??= createLoginClient({
    baseUrl: env().loginBaseUrl,
    transport: throughCircuit(exchange, () => performance.now()),
  }));
}

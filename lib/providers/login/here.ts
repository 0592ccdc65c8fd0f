import 'server-only';
import { env } from '#lib/env.ts';
import { createLoginClient } from './client.ts';
import type { LoginClient } from './words.ts';

let client: LoginClient | undefined;

/** The login service this installation is configured for. */
export function loginClient(): LoginClient {
  return (client ??= createLoginClient({ baseUrl: env().loginBaseUrl }));
}

import 'server-only';
import * as z from 'zod';
import { Exact, parseJson } from '../json.ts';
import type { Exchange } from '../outcome.ts';
import { createTokenSource } from '../token-source.ts';
import type { Grant, TokenSource } from '../token-source.ts';
import type { Transport } from '../transport.ts';

const DEADLINE_MS = 10_000;
/** A token is dropped this long before its end, so that none expires in transit. */
const MARGIN_MS = 60_000;
/** The lifetime of a token when the service names none, in seconds. */
const DEFAULT_LIFE_S = 300;
const LIFE_MAX_S = 24 * 3_600;

export type TokenConfig = {
  authUrl: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  transport: Transport;
  now: () => number;
};

const grant = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,8192}$/),
  token_type: z
    .string()
    .regex(/^bearer$/i)
    .optional(),
  expires_in: z
    .union([z.instanceof(Exact).transform((number) => number.text), z.string()])
    .pipe(z.string().regex(/^\d{1,9}$/))
    .transform(Number)
    .optional(),
});

/** Client credentials (`published`: POST {auth_url}/connect/token, form body). */
export function createWalletToken(config: TokenConfig): TokenSource {
  return createTokenSource({
    request: () => requestToken(config),
    read: readGrant,
    isRefusal: (response) =>
      response.kind === 'response' && response.status >= 400 && response.status < 500,
    now: config.now,
  });
}

function requestToken(config: TokenConfig): Promise<Exchange> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: config.clientId,
    client_secret: config.clientSecret,
    scope: config.scope,
  });
  return config.transport({
    method: 'POST',
    url: `${config.authUrl.replace(/\/+$/, '')}/connect/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
    deadlineMs: DEADLINE_MS,
  });
}

function readGrant(response: Exchange): Grant | null {
  if (response.kind !== 'response' || response.status !== 200) return null;
  const json = parseJson(response.body);
  const read = json.ok ? grant.safeParse(json.value) : null;
  if (!read?.success) return null;
  const lifeMs = Math.min(read.data.expires_in ?? DEFAULT_LIFE_S, LIFE_MAX_S) * 1_000;
  return { token: read.data.access_token, usableMs: Math.max(lifeMs - MARGIN_MS, lifeMs / 2) };
}

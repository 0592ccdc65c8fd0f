import 'server-only';
import * as z from 'zod';
import { Exact, parseJson } from '../json.ts';
import type { Exchange } from '../outcome.ts';
import type { Transport } from '../transport.ts';

const DEADLINE_MS = 10_000;
/** A token is given up this long before its end, so that none expires on the way. */
const MARGIN_MS = 60_000;
/** Used when the service does not say how long a token lives. */
const DEFAULT_LIFE_S = 300;
const LIFE_MAX_S = 24 * 3_600;
/** After this many failures in a row, each heard by it or perhaps heard, the service is asked at most once per `REST_MS`: no lockout storm. */
const FAILURES_MAX = 3;
const REST_MS = 30_000;

export type TokenAnswer = { kind: 'token'; token: string } | { kind: 'no_token'; why: 'refused' | 'unavailable' | 'resting' };

export type TokenSource = {
  /** The token in hand, or a new one. Any number of callers cause one request. Never throws. */
  get(): Promise<TokenAnswer>;
  /** The service accepted this token. */
  worked(token: string): void;
  /** The service answered 401 to this token: it is thrown away, unless a newer one has taken its place already. */
  refused(token: string): void;
};

export type TokenConfig = { authUrl: string; clientId: string; clientSecret: string; scope: string; transport: Transport; now: () => number };

type Held = { text: string; goodUntil: number; proven: boolean };

const grant = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,8192}$/),
  token_type: z.string().regex(/^bearer$/i).optional(),
  expires_in: z.union([z.instanceof(Exact).transform((number) => number.text), z.string()]).pipe(z.string().regex(/^\d{1,9}$/)).transform(Number).optional(),
});

/**
 * Client credentials (`published`: POST {auth_url}/connect/token, form body). The token lives in this closure only: it is in
 * no log, no error and no database. Its life is counted from receipt on the monotonic clock, because the provider's clock is
 * not ours.
 *
 * A token the service never accepted counts as a failure when it is refused, so a service that hands out useless tokens is
 * left alone like one that hands out none.
 */
export function createTokenSource(config: TokenConfig): TokenSource {
  let held: Held | null = null;
  let pending: Promise<TokenAnswer> | null = null;
  let failures = 0;
  let lastTryAt = Number.NEGATIVE_INFINITY;

  const fetchToken = async (): Promise<TokenAnswer> => {
    lastTryAt = config.now();
    const heard = await requestToken(config);
    const read = readGrant(heard);
    if (read === null) {
      // What never reached the service can lock nobody out: when it is back it is asked at once.
      if (heard.kind !== 'not_sent') failures++;
      return { kind: 'no_token', why: heard.kind === 'heard' && heard.status >= 400 && heard.status < 500 ? 'refused' : 'unavailable' };
    }
    held = { text: read.token, goodUntil: config.now() + read.usableMs, proven: false };
    return { kind: 'token', token: read.token };
  };

  return {
    get() {
      if (held && config.now() < held.goodUntil) return Promise.resolve({ kind: 'token', token: held.text });
      if (pending) return pending;
      if (failures >= FAILURES_MAX && config.now() - lastTryAt < REST_MS) return Promise.resolve({ kind: 'no_token', why: 'resting' });
      pending = fetchToken().finally(() => (pending = null));
      return pending;
    },
    worked(token) {
      if (held?.text !== token) return;
      held.proven = true;
      failures = 0;
    },
    refused(token) {
      if (held?.text !== token) return;
      if (!held.proven) failures++;
      held = null;
    },
  };
}

function requestToken(config: TokenConfig): Promise<Exchange> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: config.clientId, client_secret: config.clientSecret, scope: config.scope });
  return config.transport({
    method: 'POST',
    url: `${config.authUrl.replace(/\/+$/, '')}/connect/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
    deadlineMs: DEADLINE_MS,
  });
}

function readGrant(heard: Exchange): { token: string; usableMs: number } | null {
  if (heard.kind !== 'heard' || heard.status !== 200) return null;
  const json = parseJson(heard.body);
  const read = json.ok ? grant.safeParse(json.value) : null;
  if (!read?.success) return null;
  const lifeMs = Math.min(read.data.expires_in ?? DEFAULT_LIFE_S, LIFE_MAX_S) * 1_000;
  return { token: read.data.access_token, usableMs: Math.max(lifeMs - MARGIN_MS, lifeMs / 2) };
}
